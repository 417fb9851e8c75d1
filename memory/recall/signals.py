"""What speaks for each memory: signals between 0 and 1 on scales that queries share. Pure.

A signal that a query cannot have (it names nobody, and no time) is left out for every memory, so
that it lowers no score.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import regex

from ..calibration import Calibration
from ..types import Vectors
from .bm25 import bm25, idf
from .dates import Period, asks_when, closeness_of, periods
from .index.links import taken_from
from .index.user_index import UserIndex
from .text import names_in, query_terms
from .text.fold import clean, fold

Values = npt.NDArray[np.float64]

CONTEXT_WEIGHTS = ((-1, 0.5), (1, 0.5))
"""Share of the memory before and of the one after in `dense_context`."""
MENTIONED = 0.25
"""What a name counts that a memory holds somewhere, and that it is neither said by nor begins with:
who is only mentioned is rarely the one it is about."""
DATED = 0.4
"""What naming some time counts where a query asks for a time and names none."""
ENOUGH_TERMS = 30
"""Words from which on a memory has all the substance it can have; the scale is logarithmic."""


_WORDS = regex.compile(r"\w+")


class Signal(StrEnum):
    """What is looked at; the names of `WeightOptions`, and of the rows of `Signals.table`."""

    DENSE = "dense"
    DENSE_CONTEXT = "dense_context"
    LEXICAL = "lexical"
    TOPIC = "topic"
    ENTITY = "entity"
    DATE = "date"
    SUBSTANCE = "substance"


SIGNALS = tuple(Signal)


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording of a query: how it is looked for."""

    terms: tuple[str, ...]
    names: frozenset[str]
    """What is written like a name."""
    words: frozenset[str]
    """Every word: who types in small letters names people as well."""


@dataclass(frozen=True, slots=True)
class Question:
    """A query made ready for one index."""

    vectors: Vectors
    """``float32[m, dim]``: a memory is as near as it is to the nearest of them."""
    readings: tuple[Wording, ...]
    """One for each wording that somebody said or that means the same."""
    periods: tuple[Period, ...]
    asks_when: bool


@dataclass(frozen=True, slots=True)
class Signals:
    """Of n memories, by position."""

    table: Values
    """``float64[len(SIGNALS), n]``."""
    cosine: Values
    """``float64[n]``: the similarity that `dense` is made of, as it is."""
    coverage: Values
    """``float64[n]``: share of the query's words, by weight, that each holds itself."""
    in_context: Values
    """``float64[n]``: `lexical` of what somebody says, which is understood with what was said
    before ("Yes, in Rome!"); 0 for a statement, which stands alone."""
    used: frozenset[Signal]
    """Those that this query can have."""


def question(
    wordings: Sequence[str], vectors: Vectors, languages: Collection[str], now: datetime
) -> Question:
    """Read a query; the first of its wordings is the user's own."""
    return Question(
        vectors,
        tuple(_reading(wording, languages) for wording in wordings),
        tuple(periods(wordings[0], now)),
        asks_when(wordings[0]),
    )


def _reading(wording: str, languages: Collection[str]) -> Wording:
    words = frozenset(_WORDS.findall(fold(clean(wording))))
    return Wording(tuple(query_terms(wording, languages)), names_in(wording), words)


def signals(
    index: UserIndex, asked: Question, calibration: Calibration, *, neighbours: float
) -> Signals:
    """Every signal of every memory. `neighbours` is how much the words of neighbours count."""
    if not len(index.entries):
        empty = np.zeros((len(SIGNALS), 0))
        return Signals(empty, empty[0], empty[0], empty[0], frozenset())
    cosine = _cosine(index, asked.vectors)
    dense = scaled(cosine, calibration)
    lexical, coverage, topic = _words(index, asked.readings, neighbours)
    entity = _entity(index, asked.readings)
    date = _date(index, asked)
    rows: dict[Signal, Values | None] = {
        Signal.DENSE: dense,
        Signal.DENSE_CONTEXT: neighbours * _context(index, dense) if neighbours else None,
        Signal.LEXICAL: lexical,
        Signal.TOPIC: topic if neighbours else None,
        Signal.ENTITY: entity,
        Signal.DATE: date,
        Signal.SUBSTANCE: np.minimum(index.log_lengths / math.log1p(ENOUGH_TERMS), 1.0),
    }
    table = np.zeros((len(SIGNALS), len(cosine)))
    for place, name in enumerate(SIGNALS):
        if (row := rows[name]) is not None:
            table[place] = row
    used = frozenset(name for name in SIGNALS if rows[name] is not None)
    in_context = np.where(index.spoken, lexical, 0.0)
    return Signals(table, cosine, coverage, in_context, used)


def scaled(cosine: Values, calibration: Calibration) -> Values:
    """Cosines as 0 for what unrelated texts have and 1 for a clear hit."""
    spread = calibration.ceiling - calibration.floor
    values: Values = np.clip((cosine - calibration.floor) / spread, 0.0, 1.0)
    return values


def _cosine(index: UserIndex, vectors: Vectors) -> Values:
    # Not a matrix product: BLAS would start a thread on every core, which wait for each other on
    # a busy machine (1.3 ms instead of 7 to 15 at 20,000 memories), and beside the event loop.
    each = [np.vecdot(index.vectors, vector) for vector in vectors]
    nearest = each[0] if len(each) == 1 else np.max(each, axis=0)
    return np.asarray(nearest.clip(-1.0, 1.0), np.float64)


def _context(index: UserIndex, dense: Values) -> Values:
    total = np.zeros_like(dense)
    for distance, weight in CONTEXT_WEIGHTS:
        total += weight * taken_from(dense, index.links.at(distance))
    return total


def _words(
    index: UserIndex, readings: Sequence[Wording], neighbours: float
) -> tuple[Values, Values, Values]:
    """Lexical, coverage and topic; of several readings the best of each."""
    each = [_words_of(index, reading.terms, neighbours) for reading in readings]
    lexical, coverage, topic = (np.max(parts, axis=0) for parts in zip(*each, strict=True))
    return lexical, coverage, topic


def _words_of(
    index: UserIndex, terms: Sequence[str], neighbours: float
) -> tuple[Values, Values, Values]:
    n, links = len(index.entries), index.links
    found = index.matches(terms)
    weights = idf(found.frequencies(), len(index))
    coverage = found.shares(weights, n)
    lengths = index.lengths + neighbours * index.context_lengths
    lexical = bm25(
        found.spread(links, n, neighbours),
        lengths,
        weights,
        average=float(lengths.sum()) / max(len(index), 1),
    )
    if not neighbours:
        return lexical, coverage, np.zeros(n)
    sessions = found.by_session(links)
    rarity = idf(np.count_nonzero(sessions, axis=1), links.sessions)
    topic = bm25(
        sessions,
        index.session_lengths,
        rarity,
        average=float(index.session_lengths.sum()) / links.sessions,
    )
    return lexical, coverage, topic[links.session]


def _entity(index: UserIndex, readings: Sequence[Wording]) -> Values | None:
    """Who speaks or is spoken of; None if the query names nobody that is known."""
    values = np.zeros(len(index.entries))
    for reading in readings:
        for name in reading.names:
            mentioned = index.matches(query_terms(name, index.languages)).position
            values[mentioned] = np.maximum(values[mentioned], MENTIONED)
            values[list(index.about(name))] = 1.0
        for name in reading.names | reading.words:
            values[list(index.said_by(name))] = 1.0
    return values if values.any() else None


def _date(index: UserIndex, asked: Question) -> Values | None:
    """How near each memory is to the nearest time that the query names.

    If it asks when instead, whether the memory names a time; None if it does neither.
    """
    if asked.periods:
        near = [closeness_of(period, index.moments) for period in asked.periods]
        return np.asarray(np.max(near, axis=0), np.float64)
    return np.where(index.dated, DATED, 0.0) if asked.asks_when else None

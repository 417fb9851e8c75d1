"""Signals of each memory for a query: numbers between 0 and 1 on fixed scales. Pure.

A signal that does not apply to a query (no name in it, or no time) is left out for all memories, so
that it lowers no score.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import _lru_cache_wrapper, lru_cache

import numpy as np
import numpy.typing as npt
import regex

from ..calibration import Calibration
from ..language import ANY, is_unspaced, language_of, names_in, names_like_pronouns, query_terms
from ..language.dates import Period, asks_when, closeness_of, periods
from ..language.fold import clean, fold
from ..language.registry import from_packs
from ..language.requests import Cue, cues_of
from ..language.scanner import scan
from ..language.scripts import script_of
from ..language.words import KEPT_CHARS
from ..model.types import Vectors
from ..model.zones import local
from .asking import only_asks_where
from .bm25 import bm25, idf, telling
from .index.postings import taken_from
from .index.user_index import UserIndex
from .meaning import Meaning, meaning

_FIRST_PERSON = "people.first_person"


def speaks_of_user(wording: str, language: str) -> bool:
    """Whether the user speaks of themselves or their people ("my", "we", "grandma").

    `language` is `language_of` the wording. True for a language without a pack, of which it is
    unknown.
    """
    if len(wording) > KEPT_CHARS:
        return _speaks_of_user(wording, language)
    return _kept_speaking()(wording, language)


@from_packs
def _kept_speaking() -> _lru_cache_wrapper[bool]:
    """Of the last wordings: each search asks twice, and programs search for the same again."""
    return lru_cache(maxsize=_KEPT_READINGS)(_speaks_of_user)


def _speaks_of_user(wording: str, language: str) -> bool:
    if _says_i(wording, language) or scan(wording).has("person.about_user"):
        return True
    said = cues_of(wording)
    return said.has(Cue.SELF, Cue.KIN) or said.languages <= {ANY}


def _says_i(wording: str, language: str) -> bool:
    """Whether a plain pronoun says it, which is much cheaper to find than all cues."""
    found = scan(wording)
    hits = [hit for hit in found.found(_FIRST_PERSON) if hit.language == language]
    return bool(hits) and not names_like_pronouns(found.words).issuperset(h.start for h in hits)


Values = npt.NDArray[np.float64]

CONTEXT_WEIGHTS = ((-1, 0.5), (1, 0.5))
"""Weights of the memories before and after in `dense_context`."""
MENTIONED = 0.25
"""`entity` of a memory that holds a name but is neither said by it nor begins with it: a memory is
rarely about a name that it only mentions."""
DATED = 0.4
"""`date` of a memory that names some time, if the query asks for a time and names none."""
MOST_RESPELLED = 6
"""Unknown names of a query that are looked for in other spellings: each may read new terms, for
some milliseconds (`Spellings`)."""
SPOKEN = 0.5
"""Share of `dense` where all memories are lines that somebody says: they mean what they do by the
lines before. On dialogues (LoCoMo, REALTALK) more weight costs 2 to 10 points of R@5, on statements
less does."""
TOLD_WORDS = 2
"""Words of a time that a memory must hold to be about it: a month or a year alone is in many."""
SAID_LESS = 0.4
"""Weight of the time of saying if a memory tells the time that the query names."""
ENOUGH_TERMS = 30
"""Terms with which `substance` is 1; the scale is logarithmic."""
MUCH = 60
"""Terms from which a memory's coverage is lowered, with the square root of its length."""

_KEPT_READINGS = 128
_WITHOUT_CAPITALS = frozenset({"arabic", "hebrew", "devanagari", "hangul", "kana"})
_WORDS = regex.compile(r"\w+")


class Signal(StrEnum):
    """Names of the signals: the fields of `WeightOptions` and the rows of `Signals.table`."""

    DENSE = "dense"
    DENSE_CONTEXT = "dense_context"
    LEXICAL = "lexical"
    TOPIC = "topic"
    ENTITY = "entity"
    DATE = "date"
    SUBSTANCE = "substance"
    CONNECTED = "connected"
    """How sure one of the best hits leads to it (`expansion`); it lowers no other score."""


SIGNALS = tuple(Signal)


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording of a query, analysed."""

    terms: tuple[str, ...]
    names: frozenset[str]
    """Words that are written like names."""
    words: frozenset[str]
    """All words, for names that are typed in lower case."""


@dataclass(frozen=True, slots=True)
class AnalysedQuery:
    """A query, prepared for one index."""

    vectors: Vectors
    """``float32[m, dim]``: a memory's cosine is that to the nearest vector."""
    readings: tuple[Wording, ...]
    """The user's own wording and its variants."""
    periods: tuple[Period, ...]
    asks_when: bool
    language: str
    """`language_of` the user's own wording."""
    wording: str
    """The user's own."""
    asks_of_time: bool = False
    """Whether it asks for something of a time that it names, and does not tell of that time."""
    telling: frozenset[int] = frozenset()
    """Positions of what is compared with the first wording only (`PreparedQuery.telling`)."""

    @property
    def alone(self) -> AnalysedQuery:
        """The first wording without the others."""
        return replace(
            self, vectors=self.vectors[:1], readings=self.readings[:1], telling=frozenset()
        )

    @property
    def speaks_of_user(self) -> bool:
        """Whether the user speaks of themselves or their people; read when somebody asks."""
        return speaks_of_user(self.wording, self.language)


@dataclass(frozen=True, slots=True)
class Signals:
    """The signals of n memories, by position."""

    table: Values
    """``float64[len(SIGNALS), n]``."""
    meaning: Meaning
    """The cosines, and what they are worth."""
    coverage: Values
    """``float64[n]``: share of the query's most telling words, by weight, in the memory itself."""
    used: frozenset[Signal]
    """The signals that apply to this query."""

    @property
    def by_position(self) -> tuple[Values, ...]:
        """All that a query changes; the last axis is the position."""
        near = self.meaning
        return (self.table, near.cosine, near.near, near.worth, self.coverage)

    @property
    def cosine(self) -> Values:
        """``float64[n]``: cosine similarity, before it is scaled to `dense`."""
        return self.meaning.cosine


def analysed(
    wordings: Sequence[str], vectors: Vectors, languages: Collection[str], now: datetime
) -> AnalysedQuery:
    """Analyse a query; the first of its wordings is the user's own."""
    own, here = wordings[0], local(now)
    named = tuple(periods(own, here))
    return AnalysedQuery(
        vectors,
        tuple(_reading(wording, languages) for wording in wordings),
        named,
        asks_when(own),
        language_of(own),
        own,
        asks_of_time=bool(named) and only_asks_where(own, lambda one: bool(periods(one, here))),
    )


def _as_spelled(index: UserIndex, reading: Wording) -> Wording:
    """The reading with its unknown names as the memories spell them, if they know any alike."""
    named = {name: query_terms(name, index.languages) for name in reading.names}
    # Where names have no capitals, any word may be one, if the memories write it in another script.
    terms, names = list(reading.terms), set(reading.names)
    if not "".join(reading.words).isascii():
        named |= {term: [term] for term in terms if script_of(term) in _WITHOUT_CAPITALS}
        for run in filter(is_unspaced, reading.words):
            names.update(index.speakers_in(run))
    unknown = [(name, own) for name, own in named.items() if own and not index.knows(own)]
    for name, own in unknown[:MOST_RESPELLED]:
        if person := index.person_like(name):
            names.add(person)
        if like := person or index.word_like(name):
            spelled = [like, *query_terms(like, index.languages)]
            terms = [*spelled, *(term for term in terms if term not in own)]
    if terms == list(reading.terms) and names == reading.names:
        return reading
    return Wording(tuple(dict.fromkeys(terms)), frozenset(names), reading.words | names)


def _reading(wording: str, languages: Collection[str]) -> Wording:
    if len(wording) > KEPT_CHARS:
        return _read(wording, frozenset(languages))
    return _kept_readings()(wording, frozenset(languages))


@from_packs
def _kept_readings() -> _lru_cache_wrapper[Wording]:
    """The last wordings: programs ask the same again. Other packs bring another cache."""
    return lru_cache(maxsize=_KEPT_READINGS)(_read)


def _read(wording: str, languages: frozenset[str]) -> Wording:
    words = frozenset(_WORDS.findall(fold(clean(wording))))
    return Wording(tuple(query_terms(wording, languages)), names_in(wording), words)


def signals_of(
    index: UserIndex, asked: AnalysedQuery, calibration: Calibration, *, neighbours: float
) -> Signals:
    """All signals of all memories. `neighbours` scales the weight of neighbouring memories."""
    found = _signals_of(index, asked, calibration, neighbours)
    if asked.telling:
        at, alone = list(asked.telling), _signals_of(index, asked.alone, calibration, neighbours)
        for values, own in zip(found.by_position, alone.by_position, strict=True):
            values[..., at] = own[..., at]
    return found


def _signals_of(
    index: UserIndex, asked: AnalysedQuery, calibration: Calibration, neighbours: float
) -> Signals:
    if not len(index.entries):
        empty = np.zeros((len(SIGNALS), 0))
        none = Meaning(empty[0], empty[0], empty[0])
        return Signals(empty, none, empty[0], frozenset())
    near = meaning(index, asked.vectors, asked.language, calibration)
    dense, tells = near.near, bool(near.worth.any())
    readings = [_as_spelled(index, reading) for reading in asked.readings]
    lexical, coverage, topic = _words(index, readings, neighbours)
    entity = _entity(index, readings)
    date = _date(index, asked)
    rows: dict[Signal, Values | None] = {
        Signal.DENSE: dense * index.once("alone", lambda: _alone(index)) if tells else None,
        Signal.DENSE_CONTEXT: neighbours * _context(index, dense) if neighbours and tells else None,
        Signal.LEXICAL: lexical,
        Signal.TOPIC: topic if neighbours else None,
        Signal.ENTITY: entity,
        Signal.DATE: date,
        Signal.SUBSTANCE: index.once("substance", lambda: _substance(index)),
        Signal.CONNECTED: None,  # known once there are hits (`ranking`)
    }
    table = np.zeros((len(SIGNALS), len(dense)))
    for place, name in enumerate(SIGNALS):
        if (row := rows[name]) is not None:
            table[place] = row
    used = frozenset(name for name in SIGNALS if rows[name] is not None)
    return Signals(table, near, coverage, used)


def _substance(index: UserIndex) -> Values:
    return np.minimum(index.log_lengths / math.log1p(ENOUGH_TERMS), 1.0)


def _alone(index: UserIndex) -> float:
    """How much memories mean by themselves, from `SPOKEN` to 1.

    It is one for all of them: otherwise those that nobody says would come first in a mixed store.
    """
    spoken = int(np.count_nonzero(index.spoken & index.alive))
    return 1.0 - (1.0 - SPOKEN) * spoken / max(len(index), 1)


def _context(index: UserIndex, dense: Values) -> Values:
    total = np.zeros_like(dense)
    for distance, weight in CONTEXT_WEIGHTS:
        total += weight * taken_from(dense, index.links.at(distance))
    return total


def _words(
    index: UserIndex, readings: Sequence[Wording], neighbours: float
) -> tuple[Values, Values, Values]:
    """Lexical, coverage and topic: for each memory the best of all readings."""
    each = [_words_of(index, reading.terms, neighbours) for reading in readings]
    if len(each) == 1:
        return each[0]
    lexical, coverage, topic = (np.max(parts, axis=0) for parts in zip(*each, strict=True))
    return lexical, coverage, topic


def _words_of(
    index: UserIndex, terms: Sequence[str], neighbours: float
) -> tuple[Values, Values, Values]:
    n, links = len(index.entries), index.links
    found = index.matches(terms)
    lexical, coverage, topic = np.zeros((3, n))
    if not len(found.position):
        return lexical, coverage, topic
    weights = idf(found.frequencies(), len(index))
    if most := telling(weights):
        coverage = np.minimum(found.held(weights, n) / most, 1.0)
        coverage *= index.once("brevity", lambda: _brevity(index))
    lengths, average = index.once(("lengths", neighbours), lambda: _lengths(index, neighbours))
    spread = found.spread(links, n, neighbours)
    lexical[spread.at] = bm25(spread.counts, lengths[spread.at], weights, average=average)
    if not neighbours:
        return lexical, coverage, topic
    sessions, lengths = found.by_session(links), index.session_lengths
    rarity = idf(np.count_nonzero(sessions.counts, axis=1), links.sessions)
    average = float(lengths.sum()) / links.sessions
    by_session = np.zeros(links.sessions)
    by_session[sessions.at] = bm25(sessions.counts, lengths[sessions.at], rarity, average=average)
    return lexical, coverage, by_session[links.session]


def _brevity(index: UserIndex) -> Values:
    """``float64[n]``: a long text holds some of any words."""
    return np.asarray(np.sqrt(MUCH / np.maximum(index.lengths, MUCH)))


def _lengths(index: UserIndex, neighbours: float) -> tuple[Values, float]:
    """``float64[n]``: the terms of each memory with those of its neighbours; and their mean."""
    lengths = index.lengths + neighbours * index.context_lengths
    return lengths, float(lengths.sum()) / max(len(index), 1)


def _entity(index: UserIndex, readings: Sequence[Wording]) -> Values | None:
    """Match of names with speakers and subjects; None if no memory has a name of the query."""
    values = np.zeros(len(index.entries))
    for reading in readings:
        for name in reading.names:
            mentioned = index.matches(query_terms(name, index.languages)).position
            values[mentioned] = np.maximum(values[mentioned], MENTIONED)
            values[index.about(name)] = 1.0
        for name in index.speakers & (reading.names | reading.words):
            values[index.said_by(name)] = 1.0
    return values if values.any() else None


def _date(index: UserIndex, asked: AnalysedQuery) -> Values | None:
    """Nearness of each memory to the nearest time that the query names.

    For a query that asks "when" instead: whether the memory names a time. None for other queries.
    """
    if asked.periods:
        near = [_near(index, period) for period in asked.periods]
        return np.asarray(np.max(near, axis=0), np.float64)
    return np.where(index.dated, DATED, 0.0) if asked.asks_when else None


def _near(index: UserIndex, period: Period) -> Values:
    """Nearness to one period; a memory that holds its words is of it, whenever it was said.

    If there is one, the time is what the query is about ("her birthday on 15 July"), and the time
    of saying counts less.
    """
    near = np.asarray(closeness_of(period, index.moments), np.float64)
    words = query_terms(period.text, index.languages)
    if len(words) < TOLD_WORDS:
        return near
    found = index.matches(words)
    told = np.bincount(found.position, minlength=len(near)) == len(words)
    return np.where(told, 1.0, SAID_LESS * near) if told.any() else near

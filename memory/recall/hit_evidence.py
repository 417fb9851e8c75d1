"""Selects the memories that may bear on a message, and weighs each as evidence. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..language.words import is_question
from . import evidence
from .index.user_index import UserIndex
from .options import RecallOptions
from .signals import SIGNALS, AnalysedQuery, Signal, Signals

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Positions = npt.NDArray[np.int64]

BEHIND, SURE = 3.0, 2.0
"""Log odds behind the best from which a memory is not recalled beside it, unless it has so many:
"User moved to Madrid" answers where one lives, however well "Ana lives in Porto" has the words."""
LEAST_DATE, TIMELY = 0.5, 0.6
"""Least `date` signal of a memory of the time that a personal message asks about, and how probable
it is at least that it bears on it, whatever its words are. Who tells of a time asks for nothing."""
_TIME = SIGNALS.index(Signal.DATE)
UNTOLD = np.array((0.0, 2.0, 1.0, 7.0))
"""By `Entry.untold`, how much less the log odds are that it bears on a message: likeness of a
question to a question is no evidence."""
MOST_ASKED = 2
"""Lines of what was only asked that a chat is given: whoever asks ten questions about their
purchases wants the purchases, not the questions."""
LEAST_UNTOLD = 0.5
"""Least probability of what nobody told, also where there is no threshold."""
LIKE = 0.4
"""Share of their words that a question has in common with an earlier one if it asks the same."""
MUCH_SAID = 4
"""Words of what adds nothing to a message that has them all."""


def candidates_of(
    index: UserIndex, scores: Values, cosine: Values, admitted: Mask, limit: int
) -> Positions:
    """Positions of the likely among what was told, and among what was only asked, in order.

    Questions like the message are nearer to it than what answers it, and would take its place.
    """
    asked = admitted & index.only_asked
    if not asked.any():
        return likely(scores, cosine, admitted, limit)
    each = (likely(scores, cosine, one, limit) for one in (admitted & ~asked, asked))
    return np.sort(np.concatenate([*each]))


def likely(scores: Values, cosine: Values, among: Mask, limit: int) -> Positions:
    """Positions of the memories among some that may bear on the message at all, in order.

    Of `limit` lines that are given, those are twice as many with the best scores, and as many that
    are nearest in meaning: among hundreds that are weighed, some are evidence by chance.
    """
    there = int(np.count_nonzero(among))
    best = best_of(np.where(among, scores, -np.inf), min(2 * limit, there))
    nearest = best_of(np.where(among, cosine, -np.inf), min(limit, there))
    # Of so few a set is as quick as `np.unique`, which loads masked arrays for it.
    return np.array(sorted({*best.tolist(), *nearest.tolist()}), np.int64)


@dataclass(frozen=True, slots=True)
class Weighed:
    """The evidence of n memories."""

    odds: Values
    """``float64[n]``: log odds that each bears on the message."""
    evidence: Values
    """``float64[n]``: the probability."""
    passing: Mask
    """``bool[n]``: probable enough to be recalled, and sure or not far behind the best."""


def weigh(
    found: Signals,
    odds: Values,
    among: Mask,
    options: RecallOptions,
    *,
    personal: bool,
    of_time: bool,
) -> Weighed:
    """Weigh all memories as evidence, of which the log odds are known (``float64[n]``).

    The best is one of `among`. `of_time` is whether what is of the time that the message names is
    asked for.
    """
    if personal and of_time:
        timely = (found.table[_TIME] >= LEAST_DATE) & np.isfinite(odds) & among
        odds = np.where(timely, np.maximum(odds, evidence.odds_of(TIMELY)), odds)
    probable = evidence.probability(odds)
    if options.threshold == 0:
        return Weighed(odds, probable, np.ones_like(among))
    least = options.threshold if personal else max(options.threshold, options.tuning.clear)
    best = np.maximum.reduce(odds, initial=-np.inf, where=among)
    return Weighed(odds, probable, (probable >= least) & (odds >= min(best - BEHIND, SURE)))


def passing(index: UserIndex, weighed: Weighed, *, most_asked: int) -> Mask:
    """``bool[n]``: what is probable enough, of what was only asked the likeliest few."""
    likely_or_told = (index.untold == 0) | (weighed.evidence >= LEAST_UNTOLD)
    found: Mask = weighed.passing & likely_or_told
    asked = (found & index.only_asked).nonzero()[0]
    if len(asked) > most_asked:
        found[asked[(-weighed.odds[asked]).argsort(kind="stable")][most_asked:]] = False
    return found


def less_odds(
    index: UserIndex,
    at: Positions,
    asked: AnalysedQuery,
    terms: frozenset[str],
    *,
    sought: bool,
) -> Values:
    """``float64[k]``: what the log odds of some memories are less, because nobody told them.

    What is `sought` is found by its own words, too; a question finds no question like it.
    """
    less: Values = UNTOLD[index.untold[at]]
    said = index.said[at]
    if not said.any():
        return less
    held, distinct = _held(index, at, terms), index.distinct[at]
    like = held >= LIKE * (distinct + len(terms) - held)
    # "Am I married?" has the words of its answer.
    answers = sought or is_question(asked.wording)
    has_all = (held == distinct) & ((distinct == len(terms)) | (distinct >= MUCH_SAID))
    again = np.where(index.only_asked[at], like, has_all & (not answers))
    less[said & again] = np.inf
    return less


def repeating(index: UserIndex, at: Positions, terms: frozenset[str]) -> Mask:
    """``bool[k]``: which of some are the message itself, said before: nothing is behind that."""
    said = index.said[at]
    same: Mask = said & (index.distinct[at] == len(terms))
    return same & (_held(index, at, terms) == len(terms)) if same.any() else same


def _held(index: UserIndex, at: Positions, terms: frozenset[str]) -> Positions:
    """``int64[k]``: how many of the terms each of some memories has."""
    found = index.matches(list(terms)).position
    return np.bincount(found, minlength=len(index.entries))[at]


def best_of(scores: Values, most: int) -> Positions:
    """Positions of the largest scores, in order; of equal scores the later position is first."""
    if most <= 0:
        return np.empty(0, np.int64)
    falling = -scores
    among = falling.argpartition(most - 1)[:most] if most < len(scores) else np.arange(len(scores))
    order = np.lexsort((-among, falling[among]))
    return among[order][:most]

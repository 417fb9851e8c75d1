"""How strong the evidence is that a query needs memories, and how much is recalled for it. Pure."""

from __future__ import annotations

import math
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from .options import RecallOptions
from .signals import SIGNALS, Signal, Signals

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

MEANING_COUNTS = 2.0
"""A memory as near as a clear hit counts as much as one with this many times the query's words.
The best memory of answerable questions and that of impersonal requests are told apart by both
together (area under the curve .987 to 1.0 on LoCoMo, REALTALK and RealMem) as well as by cosines
alone (.985 to 1.0), and much better than by words alone (.89 to .95); and words count where cosines
do not."""
CLEAR_NEAR = 0.45
"""What is needed besides `clear_coverage` where meaning counts too."""
PER_DECADE = 0.235
"""More evidence that is needed for each factor of ten in the number of memories, from `USUAL` on:
the best of more unrelated memories is nearer. Fewer memories need less."""
USUAL = 100
FEWEST = 10
"""Less evidence is not needed for a smaller store than this."""
LEAST_DATE = 0.5
"""Least `date` signal with which the query asks about the memory's time."""
TOP = 3
"""Best memories of a holder that are compared with those of others."""


class Grade(StrEnum):
    """How much is recalled."""

    NONE = "none"
    SMALL = "small"
    """A share of the token budget: one or two memories."""
    FEW = "few"
    """All of the few things that are known, in the order of their scores."""
    FULL = "full"


def strengths(found: Signals, clear_coverage: float, *, personal: bool) -> Values:
    """``float64[n]``: the evidence for each memory, 1 for a clear match.

    `personal` is whether the query speaks of the user, or of somebody whom the memories know. Of
    other queries, meaning counts less in a language that the embedder hardly knows: there, any
    question may be near to any memory.
    """
    worth = found.meaning.worth
    trust = 1.0 if personal else worth
    near = trust * found.table[SIGNALS.index(Signal.DENSE)]
    needed = clear_coverage + CLEAR_NEAR * trust * worth
    evidence = found.coverage + MEANING_COUNTS * near
    shares: Values = np.full_like(evidence, np.inf)
    np.divide(evidence, needed, out=shares, where=needed > 0)
    return shares


def is_timely(found: Signals) -> Mask:
    """``bool[n]``: said at the time that the query asks about, and not unrelated in meaning."""
    timely: Mask = found.table[SIGNALS.index(Signal.DATE)] >= LEAST_DATE
    related = found.cosine >= found.meaning.floor
    return timely & (related | (found.coverage > 0))


def grade(best: float, *, seen: int, personal: bool, options: RecallOptions) -> Grade:
    """What the evidence for the best memory is enough for.

    `seen` is the number of memories that were compared; for `personal` see `strengths`.
    """
    if options.clear_coverage == 0:
        return Grade.FULL
    usual = 1.0 if personal else options.impersonal
    more = PER_DECADE * math.log10(max(seen, FEWEST) / USUAL)
    if best < usual * options.fair + more:
        return Grade.NONE
    return Grade.FULL if best >= usual + more else Grade.SMALL


def is_elsewhere(found: Signals, spoken: Mask, admitted: Mask) -> bool:
    """Whether the query names somebody who speaks, and its words match what others said better.

    Then the question is probably wrong about who it was (category 5 of LoCoMo). Statements that
    begin with a name are left out: it may be that of a thing.
    """
    named = spoken & (found.table[SIGNALS.index(Signal.ENTITY)] >= 1)
    theirs, others = found.coverage[named & admitted], found.coverage[~named & admitted]
    return bool(len(theirs) and len(others) and _best(theirs) < _best(others))


def _best(values: Values) -> float:
    """The mean of the largest few."""
    few = min(TOP, len(values))
    return float(np.partition(values, -few)[-few:].mean())

"""Takes what the first hits lead to into the ranking: scores, evidence, and why. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from .constants import Tuning
from .expansion import SEEDS, BeforeStep, Edge, reached
from .index.user_index import UserIndex
from .score_fusion import weights_of
from .signals import SIGNALS, Signal, Signals

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

SURE = 0.9
"""Evidence from which a hit leads further although the question depends on nobody."""
BELOW = 0.7
"""Most of the score of the hit that leads to it that a memory has by being connected: what matches
the question itself comes first, then what is connected, then what fills the budget."""
SIMPLE = 0.75
"""Share of the question's telling words with which a single hit is all that was asked for."""
LIKELY = 0.7
"""Evidence that the best hit needs: what is hardly found leads astray."""
FEWEST_TERMS, MOST_TERMS = 3, 24
"""Of a question with two parts: fewer are a look-up, more are a text."""
_ROW, _NAMED = SIGNALS.index(Signal.CONNECTED), SIGNALS.index(Signal.ENTITY)


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of n memories, before or after a step."""

    signals: Signals
    scores: Values
    """``float64[n]``, -inf for what may not be seen."""
    odds: Values
    evidence: Values
    passing: Mask
    edges: Mapping[int, Edge] = field(default_factory=dict)
    matching: Mask | None = None
    """``bool[n]``: what keeps its place as it matches by itself; None if nothing was led to."""


def connected(
    index: UserIndex,
    scored: Scored,
    tuning: Tuning,
    *,
    asked: Collection[str],
    personal: bool,
    given: Iterable[Edge] = (),
) -> Scored:
    """The same with what the best hits lead to, which passes if they do.

    For `asked` and `given` see `expansion.reached`. Where the question does not depend on who asks
    (`personal`), only what is surely found leads further.
    """
    seeds = _seeds(scored, personal=personal)
    if not seeds:
        return scored
    found = BeforeStep(scored.scores, scored.evidence, seeds)
    edges = reached(index, found, asked, given)
    return _taken_in(scored, edges, tuning) if edges else scored


def needs_more(scored: Scored, terms: int, index: UserIndex) -> bool:
    """Whether the question seems to need more than what matches it: a question of `terms` terms.

    It does not if it names somebody who speaks, because all they said is found by that name; nor if
    one memory holds nearly all of its words.
    """
    if not FEWEST_TERMS <= terms <= MOST_TERMS:
        return False
    seen = np.isfinite(scored.scores) & ~index.asks
    if np.maximum.reduce(scored.evidence, initial=0.0, where=seen) < LIKELY:
        return False
    named = index.spoken & (scored.signals.table[_NAMED] >= 1.0)
    if bool((named & seen).any()):
        return False
    return bool(np.maximum.reduce(scored.signals.coverage, initial=0.0, where=seen) < SIMPLE)


def _seeds(scored: Scored, *, personal: bool) -> list[int]:
    leading = scored.passing & np.isfinite(scored.scores)
    if not personal:
        leading = leading & (scored.evidence >= SURE)
    there = leading.nonzero()[0]
    best = there[(-scored.scores[there]).argsort(kind="stable")[:SEEDS]]
    found: list[int] = best.tolist()
    return found


def _taken_in(scored: Scored, edges: Mapping[int, Edge], tuning: Tuning) -> Scored:
    table, scores = scored.signals.table.copy(), scored.scores.copy()
    passing, alone = scored.passing.copy(), scored.passing
    signals = replace(scored.signals, table=table, used=scored.signals.used | {Signal.CONNECTED})
    weights = weights_of(signals, tuning)
    # An edge of the second step leads from one of the first, which stands before it.
    for at, edge in edges.items():
        if alone[at]:
            continue  # what matches the question keeps its place
        mean = float(weights @ table[:, at])
        each = float(weights[_ROW]) * (scores[at] / mean if mean > 0 else 1.0)
        room = BELOW * scores[edge.seed] - scores[at]
        table[_ROW, at] = min(edge.value, max(0.0, room / each)) if each > 0 else 0.0
        scores[at] += each * table[_ROW, at]
        passing[at] = True
    return replace(
        scored,
        signals=signals,
        scores=scores,
        passing=passing,
        matching=alone,
        edges=edges,
    )

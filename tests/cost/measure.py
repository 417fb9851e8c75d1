"""Counts every kind of request: warmed up first, then the median of several.

Where it is told what to expect, one count that is as expected is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median_low

from .counted import Counts
from .kinds import Kind, kinds
from .product import Composed

WARM, ROUNDS = 2, 3
"""Of `ROUNDS` only one now and then differs: a page of a cache is full."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a kind of request costs, and what became of it: a skip that is none is another kind."""

    outcome: str
    counts: Counts


Expected = Callable[[str, Cost], bool]
"""Whether a kind, by its name, is known to cost that: then it is counted no further."""


def measured(
    chosen: Callable[[Kind], bool] = lambda _: True, expected: Expected = lambda *_: False
) -> dict[str, Cost]:
    """The cost of each chosen kind by its name. A kind whose outcomes differ is an AssertionError."""
    with Composed() as product:
        return {
            kind.name: cost_of(product, kind, first * 10, expected)
            for first, kind in enumerate(kinds(), start=1)
            if chosen(kind)
        }


def rounds_of(
    product: Composed, kind: Kind, first: int, expected: Expected = lambda *_: False
) -> tuple[set[str], list[Counts]]:
    """What became of the requests, and what each cost; `first` numbers their texts."""
    if kind.begin is not None:
        kind.begin(product)
    outcomes, found = set(), []
    for number in range(first, first + WARM + ROUNDS):
        if kind.ready is not None:
            kind.ready(product, number)
        outcome, counts = product.cost(lambda number=number: kind.count(product, number))  # type: ignore[misc]
        if number >= first + WARM:
            outcomes.add(outcome)
            found.append(counts)
            if expected(kind.name, Cost(outcome, counts)):
                break
    return outcomes, found


def cost_of(
    product: Composed, kind: Kind, first: int, expected: Expected = lambda *_: False
) -> Cost:
    """What a kind of request costs; `first` numbers its texts."""
    outcomes, found = rounds_of(product, kind, first, expected)
    assert len(outcomes) == 1, f"{kind.name} ends in more than one way: {outcomes}"
    return Cost(outcomes.pop(), _median(found))


def _median(rounds: Sequence[Counts]) -> Counts:
    return Counts(*(median_low(getattr(each, name) for each in rounds) for name in Counts.names()))

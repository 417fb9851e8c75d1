"""A conclusion stands below what it follows from, however well it matches."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.types import MemoryItem
from recollect.memory.recall.below import below_cited
from tests.memory.upkeep.made import derived, fact


@dataclass(frozen=True)
class Hit:
    """A place in a ranking."""

    item: MemoryItem


def order(*items):
    return [hit.item.id for hit in below_cited([Hit(item) for item in items])]


def test_a_conclusion_moves_behind_the_last_that_it_cites():
    """And those behind it keep their order; what is not among the hits does not count."""
    tea, cat, dog = fact("a", "tea"), fact("b", "cat"), fact("c", "dog")
    assert order(derived("d", "a", "b", "x"), tea, dog, cat) == ["a", "c", "b", "d"]
    assert order(tea, derived("d", "a"), cat) == ["a", "d", "b"]
    assert order(derived("d", "x"), tea) == ["d", "a"]


def test_circles_are_last():
    """Nothing is lost, and nothing runs for ever."""
    assert order(derived("p", "q"), derived("q", "p"), fact("a", "tea")) == ["a", "p", "q"]


@given(st.lists(st.lists(st.integers(0, 9), max_size=3), max_size=10))
def test_any_ranking(cites):
    """Each hit is there once, and nothing that cites only earlier rows stands above them."""
    rows = [derived(str(n), *(str(c) for c in some if c < n)) for n, some in enumerate(cites)]
    rows.reverse()
    found = order(*rows)
    assert sorted(found) == sorted(row.id for row in rows)
    for row in rows:
        for cited in row.provenance.cites:
            assert found.index(cited) < found.index(row.id)

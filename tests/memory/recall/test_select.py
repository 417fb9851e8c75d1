import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall import Drop, select
from memory.types import MemoryItem, MemoryType, Scope, ScoredMemory
from tests.memory.learn.doubles import NOON


def hit(name, score):
    return ScoredMemory(
        MemoryItem(
            id=name,
            text=name,
            type=MemoryType.SEMANTIC,
            scope=Scope(tenant="t", user_id="u"),
            created_at=NOON,
            updated_at=NOON,
            embedder_id="e",
        ),
        score,
    )


def chosen(hits, *, threshold=0.0, limit=10, token_budget=1000, count_tokens=lambda _: 1):
    selection = select(
        hits,
        threshold=threshold,
        limit=limit,
        token_budget=token_budget,
        count_tokens=count_tokens,
    )
    return [h.item.id for h in selection.chosen], [(h.item.id, d) for h, d in selection.dropped]


def test_nothing():
    """No hits, no selection."""
    assert chosen([]) == ([], [])


def test_threshold_is_inclusive():
    """A hit at the threshold is in, one below is out and says why."""
    assert chosen([hit("a", 0.5), hit("b", 0.49)], threshold=0.5) == (
        ["a"],
        [("b", Drop.THRESHOLD)],
    )


def test_limit():
    """The best ones fill the limit."""
    hits = [hit("a", 0.9), hit("b", 0.8), hit("c", 0.7)]
    assert chosen(hits, limit=2) == (["a", "b"], [("c", Drop.LIMIT)])


def test_budget_skips_what_is_too_long():
    """A hit that does not fit is left out; a later, shorter one may still fit, exactly."""
    cost = {"a": 6, "b": 5, "c": 4}
    assert chosen(
        [hit("a", 0.9), hit("b", 0.8), hit("c", 0.7)],
        token_budget=10,
        count_tokens=lambda h: cost[h.item.id],
    ) == (["a", "c"], [("b", Drop.BUDGET)])


def test_only_what_may_be_chosen_is_counted():
    """Tokens are not counted for hits that are out anyway."""
    counted = []

    def count(h):
        counted.append(h.item.id)
        return 1

    chosen(
        [hit("a", 0.9), hit("b", 0.8), hit("c", 0.1)], threshold=0.5, limit=1, count_tokens=count
    )
    assert counted == ["a"]


@pytest.mark.parametrize("budget", [0, -5])
def test_no_budget(budget):
    """Without tokens left nothing is chosen."""
    assert chosen([hit("a", 0.9)], token_budget=budget) == ([], [("a", Drop.BUDGET)])


@given(
    st.lists(st.tuples(st.floats(-1, 1), st.integers(0, 50)), max_size=20),
    st.floats(-1, 1),
    st.integers(0, 10),
    st.integers(0, 200),
)
def test_every_bound_holds_and_nothing_gets_lost(scored, threshold, limit, budget):
    """What is chosen keeps order and all bounds; each hit is either chosen or dropped."""
    hits = [hit(str(n), score) for n, (score, _) in enumerate(scored)]
    cost = {str(n): tokens for n, (_, tokens) in enumerate(scored)}
    selection = select(
        hits,
        threshold=threshold,
        limit=limit,
        token_budget=budget,
        count_tokens=lambda h: cost[h.item.id],
    )
    assert [h for h in hits if h in selection.chosen] == list(selection.chosen)
    assert all(h.score >= threshold for h in selection.chosen)
    assert len(selection.chosen) <= limit
    assert sum(cost[h.item.id] for h in selection.chosen) <= budget
    assert len(selection.chosen) + len(selection.dropped) == len(hits)

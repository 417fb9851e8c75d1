from datetime import UTC, datetime, timedelta

from recollect.memory.learn.reconcile import Neighbour
from recollect.memory.model.types import MemoryItem, MemoryType, Provenance, Scope, ScoredMemory

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_a_neighbour_is_a_search_hit():
    """Its time is when it was said, its group that of the row or its own id."""
    item = MemoryItem(
        id="m",
        text="User likes tea",
        type=MemoryType.SEMANTIC,
        scope=Scope(tenant="local", user_id="ann"),
        created_at=NOON,
        updated_at=NOON,
        embedder_id="e",
        valid_from=NOON - timedelta(days=1),
        provenance=Provenance(turn_ids=("t",)),
    )
    neighbour = Neighbour.of(ScoredMemory(item, 0.5))
    assert (neighbour.created_at, neighbour.group) == (NOON - timedelta(days=1), "m")
    assert neighbour.turn_ids == ("t",)


def test_which_is_newer():
    """Only if both times are known."""
    known = Neighbour("m", "User likes tea", MemoryType.SEMANTIC, 0.5, NOON)
    assert known.is_newer_than(NOON - timedelta(days=1))
    assert not known.is_newer_than(NOON)
    assert not known.is_newer_than(None)
    bare = Neighbour("m", "User likes tea", MemoryType.SEMANTIC, 0.5)
    assert not bare.is_newer_than(NOON)

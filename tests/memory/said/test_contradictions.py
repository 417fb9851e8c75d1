"""What a passage speaks against."""

from datetime import timedelta

from recollect.memory.calibration import calibration_for
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.said.contradictions import contradicted, nearest
from recollect.memory.types import (
    MemoryItem,
    MemoryType,
    Scope,
    ScoredMemory,
    StoredMemory,
    utc_now,
)

ALICE = Scope(tenant="local", user_id="alice")
NOW = utc_now()
CALIBRATION = calibration_for("all-MiniLM-L6-v2", dim=384)


def item(name, text, days=0):
    at = NOW + timedelta(days=days)
    return MemoryItem(
        id=name, text=text, type=MemoryType.SEMANTIC, scope=ALICE, created_at=at, updated_at=at,
        embedder_id="e",
    )  # fmt: skip


def test_a_later_change_wins():
    """By the reconciler's rules, without a model."""
    old, new = item("old", "I live in Paris."), item("new", "I moved to Berlin.", 1)
    other = item("other", "I play the violin.")
    near = [ScoredMemory(old, 0.6), ScoredMemory(other, 0.1)]
    assert contradicted(new, near, CALIBRATION) <= {"old"}


def test_nothing_speaks_against_what_came_later():
    """Clocks may jump: an older statement never hides a newer one."""
    old, new = item("old", "I no longer live in Paris."), item("new", "I live in Paris.", 1)
    assert contradicted(old, [ScoredMemory(new, 0.9)], CALIBRATION) == frozenset()


async def test_the_nearest_are_of_the_scope():
    """Without the statement itself."""
    embedder = FakeEmbedder()
    items = [item(str(n), f"fact number {n}") for n in range(8)]
    vectors = await embedder.embed([each.text for each in items])
    index = UserIndex.of(embedder.dim, map(StoredMemory, items, vectors))
    found = nearest(index, ALICE, vectors[3], "3")
    assert len(found) == 5
    assert "3" not in {hit.item.id for hit in found}
    assert nearest(index, Scope(tenant="local", user_id="bob"), vectors[3], "3") == []

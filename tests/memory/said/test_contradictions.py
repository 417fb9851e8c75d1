"""What a passage speaks against."""

from datetime import timedelta

import pytest

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


@pytest.mark.parametrize(
    ("before", "later", "cosine"),
    [
        ("I live in Paris.", "I live in Berlin now.", 0.52),
        ("User lives in Paris", "I live in Berlin now.", 0.38),
        ("My budget is 600 euros.", "My budget is 800 euros.", 0.93),
        ("I am vegetarian.", "I'm not vegetarian any more.", 0.91),
        ("I work at Siemens.", "I no longer work at Siemens.", 0.75),
        ("The meeting is on Friday.", "The meeting was moved to Monday.", 0.74),
    ],
)
def test_a_later_change_wins(before, later, cosine):
    """Over memories and passages, by the reconciler's rules, without a model."""
    other = ScoredMemory(item("other", "I play the violin."), 0.15)
    near = [ScoredMemory(item("old", before), cosine), other]
    assert contradicted(item("new", later, 1), near, CALIBRATION) == {"old"}


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
    assert len(found) == 7
    assert "3" not in {hit.item.id for hit in found}
    assert nearest(index, Scope(tenant="local", user_id="bob"), vectors[3], "3") == []

"""What a passage speaks against."""

from datetime import timedelta

import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Scope,
    ScoredMemory,
    StoredMemory,
    utc_now,
)
from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.statements.contradictions import contradicted, nearest

ALICE = Scope(tenant="local", user_id="alice")
NOW = utc_now()


def item(name, text, days=0):
    at = NOW + timedelta(days=days)
    return MemoryItem(
        id=name, text=text, type=MemoryType.SEMANTIC, scope=ALICE, created_at=at, updated_at=at,
        embedder_id="e",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("before", "later"),
    [
        ("I am vegetarian.", "I'm not vegetarian any more."),
        ("I work at Siemens.", "I no longer work at Siemens."),
        ("The meeting is on Friday.", "The meeting is on Monday, not on Friday."),
    ],
)
def test_what_is_denied_is_over(before, later):
    """If the words say so themselves, of memories and passages."""
    other = ScoredMemory(item("other", "I play the violin."), 0.15)
    near = [ScoredMemory(item("old", before), 0.8), other]
    assert contradicted(item("new", later, 1), near) == {"old"}


@pytest.mark.parametrize(
    ("before", "later"),
    [
        ("I live in Paris.", "I live in Berlin now."),
        ("My budget is 600 euros.", "My budget is 800 euros."),
        ("I finished part 3.", "I finished part 4."),
    ],
)
def test_what_may_stand_beside_is_not(before, later):
    """Both are recalled: whoever answers can read which is newer."""
    near = [ScoredMemory(item("old", before), 0.95)]
    assert contradicted(item("new", later, 1), near) == frozenset()


def test_nothing_speaks_against_what_came_later():
    """Clocks may jump: an older statement never hides a newer one."""
    old, new = item("old", "I no longer live in Paris."), item("new", "I live in Paris.", 1)
    assert contradicted(old, [ScoredMemory(new, 0.9)]) == frozenset()


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

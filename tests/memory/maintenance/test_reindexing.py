"""Every memory again, in another embedder's vectors."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.embedders import FakeEmbedder, FakeEmbedderOptions
from recollect.memory.maintenance import Reindexed, count, reindex, reindexing
from recollect.memory.maintenance.reindexing import difference, moved
from recollect.memory.model.errors import EmbeddingError, StoreError
from recollect.memory.model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    StoredMemory,
)
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories

OLD, NEW = (FakeEmbedder(FakeEmbedderOptions(dim=dim)) for dim in (32, 48))
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
BATCH = 4
PAGE = 5 * BATCH
MANY = PAGE + 3 * BATCH + 3


@pytest.fixture(autouse=True)
def small_pages(monkeypatch):
    """A few memories fill several of them."""
    monkeypatch.setattr(reindexing, "BATCH", BATCH)
    monkeypatch.setattr(reindexing, "PAGE", PAGE)


class Failing(FakeEmbedder):
    """Embeds so many batches and no more, and keeps what it was asked for."""

    def __init__(self, batches=10**9):
        super().__init__(FakeEmbedderOptions(dim=NEW.dim))
        self.batches = batches
        self.texts = []

    async def embed(self, texts):
        if self.batches == 0:
            raise EmbeddingError("it is gone")
        self.batches -= 1
        self.texts += texts
        return await super().embed(texts)


def item(n, **fields):
    """A memory in which no field has its default."""
    plain = MemoryItem(
        id=f"m{n:05}",
        text=f"fact number {n}",
        type=MemoryType.EPISODIC,
        scope=Scope(tenant=f"t{n % 3}", user_id=f"u{n % 7}", agent_id="a", run_id="r"),
        created_at=NOON + timedelta(seconds=n),
        updated_at=NOON + timedelta(days=1, seconds=n),
        embedder_id=OLD.id,
        status=list(MemoryStatus)[n % 3],
        importance=0.25,
        provenance=Provenance(conversation_id="c", turn_ids=("1", "2"), quote="q", model="m"),
        valid_from=NOON,
        valid_to=NOON + timedelta(days=9),
        last_accessed_at=NOON + timedelta(days=2),
        access_count=n,
        metadata={"n": n, "nested": {"list": [1, 2.5, None]}},
    )
    return replace(plain, **fields)


async def store_of(items, embedder=OLD):
    store = InMemoryMemories(dim=embedder.dim)
    vectors = await embedder.embed([i.text for i in items])
    await store.put([StoredMemory(i, v) for i, v in zip(items, vectors, strict=True)])
    return store


async def contents(store):
    """Everything in the store by id."""
    memories, after = [], None
    while page := await store.scan(after=after, limit=1000):
        memories += page
        after = page[-1].item.id
    return {memory.item.id: memory for memory in memories}


async def assert_moved(source, target):
    """The target holds the source's memories, all fields, in the new embedder's vectors."""
    expected, found = await contents(source), await contents(target)
    assert found.keys() == expected.keys()
    for memory in found.values():
        assert memory.item == replace(expected[memory.item.id].item, embedder_id=NEW.id)
        [vector] = await NEW.embed([memory.item.text])
        np.testing.assert_allclose(memory.vector, vector, atol=1e-6)


async def test_everything_is_moved():
    """Every tenant's memories, of every status, with every field; the source stays as it was."""
    source = await store_of([item(n) for n in range(MANY)])
    before = await contents(source)
    target, seen = InMemoryMemories(dim=NEW.dim), []
    result = await reindex(source, target, NEW, total=MANY, on_progress=lambda *at: seen.append(at))
    assert result == Reindexed(memories=MANY, written=MANY)
    await assert_moved(source, target)
    assert {i: m.item for i, m in (await contents(source)).items()} == {
        i: m.item for i, m in before.items()
    }
    assert [done for done, _ in seen[: MANY // BATCH]] == [
        BATCH * n for n in range(1, MANY // BATCH + 1)
    ]
    assert seen[-1] == (MANY, MANY)


@rows("batches", [0, 1, 3, PAGE // BATCH, PAGE // BATCH + 2])
async def test_it_goes_on_where_it_stopped(batches):
    """After a failure nothing is embedded a second time, and nothing is missing at the end."""
    source, target = await store_of([item(n) for n in range(MANY)]), InMemoryMemories(dim=NEW.dim)
    first = Failing(batches)
    with pytest.raises(EmbeddingError):
        await reindex(source, target, first)
    assert await count(target) == batches * BATCH
    second = Failing()
    result = await reindex(source, target, second)
    assert result == Reindexed(memories=MANY, written=MANY - batches * BATCH)
    assert len(first.texts) + len(second.texts) == MANY
    await assert_moved(source, target)


async def test_what_happened_between_two_runs():
    """A forgotten memory does not come back, a changed one is moved as it is now; also all of them."""
    items = [item(n) for n in range(PAGE + 10)]
    target = await store_of([moved(i, NEW.id) for i in items], NEW)
    left = [i for i in items if i not in (items[0], items[7], items[-1])]
    left[3] = replace(left[3], text="another fact")
    left[-2] = replace(left[-2], status=MemoryStatus.SUPERSEDED, access_count=99)
    source = await store_of(left)
    assert (await reindex(source, target, NEW)).written == 2
    await assert_moved(source, target)
    assert await reindex(InMemoryMemories(dim=OLD.dim), target, NEW) == Reindexed(0, 0)
    assert await count(target) == 0


async def test_a_memory_that_is_added_meanwhile():
    """Whatever its id, what another process adds during the run is moved too."""
    source, target = await store_of([item(n) for n in range(5, 50)]), InMemoryMemories(dim=NEW.dim)
    [vector] = await OLD.embed(["late"])
    late = [item(1, text="late"), item(99, text="late")]

    class Adding(Failing):
        async def embed(self, texts):
            while late:
                await source.put([StoredMemory(late.pop(), vector)])
            return await super().embed(texts)

    assert (await reindex(source, target, Adding())).memories == 47
    await assert_moved(source, target)


async def test_a_source_that_never_rests():
    """While another process goes on writing there is an error, not a swap that loses a memory."""
    source, target = await store_of([item(0)]), InMemoryMemories(dim=NEW.dim)

    class Busy(Failing):
        async def embed(self, texts):
            [vector] = await OLD.embed(["more"])
            await source.put([StoredMemory(item(0, text=f"{len(self.texts)}"), vector)])
            return await super().embed(texts)

    with pytest.raises(StoreError, match="another process"):
        await reindex(source, target, Busy())


async def test_vectors_of_the_same_embedder_are_kept():
    """A collection that only lacks a column is moved without embedding anything.

    The same name with vectors of another length is another embedder.
    """
    for embedder, asked in ((NEW, 0), (OLD, 10)):
        source = await store_of([item(n, embedder_id=NEW.id) for n in range(10)], embedder)
        target, embedding = InMemoryMemories(dim=NEW.dim), Failing()
        assert (await reindex(source, target, embedding)).written == 10
        assert len(embedding.texts) == asked
        await assert_moved(source, target)


ids = st.sets(st.integers(0, 9))


@given(ids, ids, ids)
def test_the_difference(source, target, changed):
    """Written and removed, the target is the source."""
    vector = np.zeros(4, np.float32)
    there = {n: item(n, text="old" if n in changed else "new", embedder_id="e") for n in target}
    todo = difference(
        [StoredMemory(item(n, text="new"), vector) for n in sorted(source)],
        [StoredMemory(i, vector) for i in there.values()],
        "e",
    )
    assert {i.id for i in todo.remove} == {item(n).id for n in target - source}
    assert {m.item.id for m in todo.write} == {
        item(n).id for n in source if n not in target or n in changed
    }

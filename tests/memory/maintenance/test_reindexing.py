"""Every memory again, in another embedder's vectors."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from recollect.memory.embedders import FakeEmbedder, FakeEmbedderOptions
from recollect.memory.maintenance import reindex, reindexing
from recollect.memory.memories import MemoryVectors, SqlMemories
from recollect.memory.memories.script_runner import MemoryScripts
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


class Kept:
    """A database with these memories, in vectors of the old embedder."""

    def __init__(self):
        self.store = InMemoryMemories(dim=OLD.dim, embedder_id=OLD.id)
        self.vectors = MemoryVectors(MemoryScripts(self.store.database))

    async def put(self, *items):
        vectors = await OLD.embed([i.text for i in items])
        await self.store.put([StoredMemory(i, v) for i, v in zip(items, vectors, strict=True)])

    async def found(self):
        """All of them in vectors of the new embedder."""
        moved = SqlMemories(self.store.database, embedder_id=NEW.id, dim=NEW.dim)
        return await moved.scan(after=None, limit=1000)


async def kept(*items):
    made = Kept()
    await made.vectors.claim((OLD.id, OLD.dim))
    await made.put(*items)
    return made


async def assert_moved(at, items):
    """They are there, with all fields, in the new embedder's vectors."""
    found = {memory.item.id: memory for memory in await at.found()}
    assert found.keys() == {one.id for one in items}
    for one in items:
        assert found[one.id].item == replace(one, embedder_id=NEW.id)
        [vector] = await NEW.embed([one.text])
        np.testing.assert_allclose(found[one.id].vector, vector, atol=1e-6)


async def test_everything_is_moved():
    """Every tenant's memories, of every status, with every field; nothing is left of the old vectors."""
    items = [item(n) for n in range(MANY)]
    at, seen = await kept(*items), []
    assert await reindex(at.vectors, NEW, on_progress=lambda *at: seen.append(at)) == MANY
    await assert_moved(at, items)
    assert await at.vectors.identity() == (NEW.id, NEW.dim)
    assert await at.vectors.count_missing(OLD.id) == MANY
    assert [done for done, _ in seen[: MANY // BATCH]] == [
        BATCH * n for n in range(1, MANY // BATCH + 1)
    ]
    assert seen[-1] == (MANY, MANY)


@rows("batches", [0, 1, 3, PAGE // BATCH, PAGE // BATCH + 2])
async def test_it_goes_on_where_it_stopped(batches):
    """After a failure the old vectors are used, and nothing is embedded a second time."""
    items = [item(n) for n in range(MANY)]
    at, first, second = await kept(*items), Failing(batches), Failing()
    with pytest.raises(EmbeddingError):
        await reindex(at.vectors, first)
    assert await at.vectors.identity() == (OLD.id, OLD.dim)
    assert len(await at.store.scan(after=None, limit=MANY)) == MANY
    assert await reindex(at.vectors, second) == MANY - batches * BATCH
    assert len(first.texts) + len(second.texts) == MANY
    await assert_moved(at, items)


async def test_what_happened_between_two_runs():
    """A forgotten memory does not come back, a changed one is moved as it is now; also all of them."""
    items = [item(n) for n in range(PAGE + 10)]
    at = await kept(*items)
    with pytest.raises(EmbeddingError):
        await reindex(at.vectors, Failing(PAGE // BATCH))
    gone, changed = items.pop(7), replace(items[3], text="another fact")
    await at.store.delete(gone.scope.tenant, [gone.id])
    await at.put(changed)
    await reindex(at.vectors, NEW)
    await assert_moved(at, [changed if one.id == changed.id else one for one in items])
    empty = await kept()
    assert await reindex(empty.vectors, NEW) == 0
    assert await empty.vectors.identity() == (NEW.id, NEW.dim)


async def test_what_another_process_changes_meanwhile():
    """What it adds, and what it has changed after it was embedded, is embedded too."""
    items = [item(n) for n in range(PAGE)]
    at = await kept(*items)
    late = [replace(items[0], text="changed", version=2), item(99, text="late")]

    class Adding(Failing):
        async def embed(self, texts):
            if len(self.texts) > BATCH and late:
                await at.put(*late)
                items[0] = late[0]
                items.append(late[1])
                late.clear()
            return await super().embed(texts)

    await reindex(at.vectors, Adding())
    await assert_moved(at, items)


async def test_memories_that_never_rest():
    """While another process goes on writing there is an error, and the old vectors stay in use."""
    at = await kept(item(0))

    class Busy(Failing):
        async def embed(self, texts):
            await at.put(item(0, text=f"{len(self.texts)}", version=len(self.texts) + 2))
            return await super().embed(texts)

    with pytest.raises(StoreError, match="no vector"):
        await reindex(at.vectors, Busy())
    assert await at.vectors.identity() == (OLD.id, OLD.dim)


async def test_two_embedders_while_one_replaces_the_other():
    """The old vectors are used until somebody says so; only what changed since is embedded then."""
    items = [item(n) for n in range(MANY)]
    at, first, second = await kept(*items), Failing(), Failing()
    assert await reindex(at.vectors, first, use=False) == MANY
    assert await at.vectors.identity() == (OLD.id, OLD.dim)
    assert len(await at.store.scan(after=None, limit=MANY)) == MANY
    items[3] = replace(items[3], text="another fact", version=2)
    await at.put(items[3])
    with pytest.raises(EmbeddingError):
        await reindex(at.vectors, Failing(0), use=False)
    assert await at.vectors.identity() == (OLD.id, OLD.dim)
    assert await reindex(at.vectors, second) == 1
    assert second.texts == ["another fact"]
    await assert_moved(at, items)

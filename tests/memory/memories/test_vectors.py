"""Whose vectors are used, and how those of another embedder take their place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.memory.memories.script_runner import MemoryScripts
from recollect.memory.memories.store import open_memories
from recollect.memory.memories.vectors import MemoryVectors
from recollect.memory.model.errors import StoreError, StoreMismatchError
from recollect.memory.model.types import Scope

from .databases import at, in_memory
from .memories import DIM, Tenancy, memory, vector

NEW = "other@model"


class VectorsContract(Tenancy):
    """Subclasses provide the fixture `scripts`."""

    @pytest.fixture
    async def store(self, scripts):
        return await open_memories(scripts, embedder_id="test", dim=DIM)

    @pytest.fixture
    def vectors(self, scripts):
        return MemoryVectors(MemoryScripts(scripts))

    async def test_vectors_of_another_embedder_are_refused(self, store, vectors, scripts):
        """They would be compared with those that are there; the error tells what helps."""
        assert await vectors.identity() == ("test", DIM)
        for embedder_id, dim in ((NEW, DIM), ("test", DIM + 1)):
            with pytest.raises(StoreMismatchError, match="reindex"):
                await open_memories(scripts, embedder_id=embedder_id, dim=dim)
        await open_memories(scripts, embedder_id="test", dim=DIM)

    async def test_new_vectors_take_the_place_of_the_old_ones(self, store, vectors, scripts, alice):
        """Of every tenant, some at a time, and only when none is missing; the old ones are used until then."""
        other = Scope(tenant=f"{alice.tenant}-other", user_id="u")
        await store.put([memory(scope, str(n)) for n in range(3) for scope in (alice, other)])
        assert await vectors.count() == 6
        while missing := await vectors.missing(NEW, limit=4):
            with pytest.raises(StoreError, match=f"{NEW}"):
                await vectors.switch(NEW, DIM + 1)
            new = [(place, item, _long(float(item.text))) for place, item in missing]
            assert await vectors.put(NEW, DIM + 1, new) == len(new)
        assert len(await store.search(alice, vector(1.0), limit=9)) == 3
        await vectors.switch(NEW, DIM + 1)
        assert await vectors.identity() == (NEW, DIM + 1)
        moved = await open_memories(scripts, embedder_id=NEW, dim=DIM + 1)
        loaded = await moved.load(alice, limit=9)
        assert {one.vector[1] for one in loaded} == {0.0, 1.0, 2.0}
        assert {one.item.embedder_id for one in loaded} == {NEW}
        assert len(await vectors.missing("test", limit=9)) == 6

    async def test_a_text_that_changes_meanwhile_is_embedded_again(self, store, vectors, alice):
        """Its new vector is missing again, and one of the old text is not taken."""
        kept = memory(alice, "old")
        await store.put([kept])
        [(place, item)] = await vectors.missing(NEW, limit=9)
        changed = replace(kept.item, text="new", version=2)
        await store.put([replace(kept, item=changed)])
        assert await vectors.put(NEW, DIM, [(place, item, vector(1.0))]) == 0
        [(_, now)] = await vectors.missing(NEW, limit=9)
        assert now.text == "new"
        assert await vectors.put(NEW, DIM, [(place, now, vector(1.0))]) == 1
        await store.put([replace(kept, item=replace(changed, text="newer", version=3))])
        assert len(await vectors.missing(NEW, limit=9)) == 1

    async def test_what_was_put_beside_can_be_dropped(self, store, vectors, alice):
        """The vectors in use cannot."""
        await store.put([memory(alice)])
        [(place, item)] = await vectors.missing(NEW, limit=9)
        await vectors.put(NEW, DIM, [(place, item, vector(1.0))])
        with pytest.raises(StoreError, match="in use"):
            await vectors.drop("test")
        await vectors.drop(NEW)
        assert len(await vectors.missing(NEW, limit=9)) == 1
        assert len(await store.load(alice, limit=9)) == 1


def _long(number: float):
    made = vector(1.0)
    return [1.0, number, *made[1:]]


class TestInSqlite(VectorsContract):
    @pytest.fixture
    async def scripts(self):
        scripts = in_memory()
        yield scripts
        await scripts.close()


class TestInPostgres(VectorsContract):
    @pytest.fixture
    async def scripts(self, url):
        scripts = await at(url)
        yield scripts
        await scripts.close()

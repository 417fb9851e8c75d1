"""What looking after the collections of every store must do."""

from __future__ import annotations

from contextlib import asynccontextmanager

import numpy as np
import pytest

from recollect.memory.model.errors import InvalidInputError, StoreError, StoreMismatchError
from recollect.memory.model.kept import CollectionPart, KeptCollection
from recollect.memory.model.types import Scope
from recollect.memory.stores import (
    noted_identity,
    open_collections,
    open_for_reindex,
    open_store,
    recorded_identity,
)

from .memories import DIM, memory

ALICE, BOB = Scope(tenant="t", user_id="alice"), Scope(tenant="u", user_id="bob")


@asynccontextmanager
async def closing(opening):
    """What is opened, until the end of the block."""
    opened = await opening
    try:
        yield opened
    finally:
        await opened.close()


async def fill(options, number=3, *, embedder_id="fake", dim=DIM):
    """Put memories of two tenants into a store; it is closed again."""
    async with closing(open_store(options, embedder_id=embedder_id, dim=dim)) as store:
        await store.put(
            [memory([ALICE, BOB][n % 2], str(n), np.eye(dim)[0]) for n in range(number)]
        )


class CollectionsContract:
    """Subclasses provide the fixture `options`, with a name of its own for the collection."""

    async def make_foreign(self, options, name: str) -> None:
        """Make a collection that is not ours."""
        raise NotImplementedError

    async def ours(self, options) -> list[KeptCollection]:
        """Those of this test, on a server that others may use."""
        async with closing(open_collections(options)) as collections:
            found = await collections.list()
        return [one for one in found if one.name.startswith(options.collection)]

    async def test_each_is_told_with_embedder_dimensions_and_memories(self, options):
        """The memories of every tenant count; the configured one is told apart; looking makes none."""
        used = options.collection
        assert await self.ours(options) == []
        assert await self.ours(options) == []
        await fill(options)
        other = options.model_copy(update={"collection": f"{used}a"})
        await fill(other, 1, embedder_id="a/model@2")
        assert await self.ours(options) == [
            KeptCollection(used, "fake", DIM, 3, CollectionPart.USED),
            KeptCollection(f"{used}a", "a/model@2", DIM, 1, CollectionPart.OTHER),
        ]
        async with closing(open_collections(other)) as collections:
            assert (await collections.info(used)).part is CollectionPart.OTHER
            assert (await collections.info(f"{used}a")).part is CollectionPart.USED

    async def test_one_is_made_before_it_is_used(self, options):
        """A store opens what was made for its embedder; what exists, or cannot be, is not made."""
        async with closing(open_collections(options)) as collections:
            for name, dim, field in (
                ("a b", DIM, "collection"),
                ("", DIM, "collection"),
                ("c", 0, "dim"),
            ):
                with pytest.raises(InvalidInputError, match=field):
                    await collections.create(name, "fake", dim)
                assert name not in {one.name for one in await collections.list()}
            await collections.create(options.collection, "new", DIM + 1)
            made = KeptCollection(options.collection, "new", DIM + 1, 0, CollectionPart.USED)
            assert await collections.info(options.collection) == made
            with pytest.raises(StoreError, match=options.collection):
                await collections.create(options.collection, "new", DIM + 1)
        async with closing(open_store(options, embedder_id="new", dim=DIM + 1)) as store:
            assert await store.count(ALICE) == 0

    async def test_a_removed_one_is_gone_and_no_other(self, options):
        """Its name is free for another embedder; what stands beside it keeps all."""
        used = options.collection
        other = options.model_copy(update={"collection": f"{used}a"})
        await fill(options)
        await fill(other)
        async with closing(open_collections(options)) as collections:
            await collections.delete(used)
        assert [(one.name, one.memories) for one in await self.ours(options)] == [(f"{used}a", 3)]
        await fill(options, 2, embedder_id="other", dim=DIM + 2)
        [found, _] = await self.ours(options)
        assert found == KeptCollection(used, "other", DIM + 2, 2, CollectionPart.USED)

    async def test_a_reindex_is_seen_and_can_be_thrown_away_and_leaves_one(self, options):
        """An interrupted one is told with its embedder and harms nothing; one that ended has the name."""
        await fill(options)
        async with closing(open_for_reindex(options, embedder_id="new", dim=DIM)) as swap:
            await swap.target.put([memory(ALICE, "again")])
        [used, left] = sorted(
            await self.ours(options), key=lambda one: one.part is CollectionPart.TARGET
        )
        assert (used.embedder_id, used.memories, used.part) == ("fake", 3, CollectionPart.USED)
        assert (left.embedder_id, left.memories, left.part) == ("new", 1, CollectionPart.TARGET)
        async with closing(open_collections(options)) as collections:
            await collections.delete(left.name)
        assert await self.ours(options) == [used]
        async with closing(open_store(options, embedder_id="fake", dim=DIM)) as store:
            assert await store.count(ALICE) == 2
        async with closing(open_for_reindex(options, embedder_id="new", dim=DIM)) as swap:
            await swap.target.put([memory(ALICE, str(number)) for number in range(3)])
            await swap.finish()
        assert await self.ours(options) == [
            KeptCollection(options.collection, "new", DIM, 3, CollectionPart.USED)
        ]

    async def test_the_embedder_is_recorded_and_another_one_refused(self, options):
        """An empty place is nobody's; vectors of two embedders are never mixed."""
        assert await recorded_identity(options) is None
        with pytest.raises(StoreError, match="nothing to reindex"):
            await open_for_reindex(options, embedder_id="new", dim=DIM)
        await fill(options, embedder_id="it's/a@model")
        assert await recorded_identity(options) == ("it's/a@model", DIM)
        assert await noted_identity(options) == ("it's/a@model", DIM)
        for embedder_id, dim in (("other", DIM), ("it's/a@model", DIM + 1)):
            with pytest.raises(StoreMismatchError, match=rf"{options.collection}.*reindex"):
                await open_store(options, embedder_id=embedder_id, dim=dim)

    async def test_a_reindexed_collection_takes_the_place_of_the_old_one(self, options):
        """An interrupted run goes on; it ends when all is there; the names are free for the next."""
        rows = [memory(ALICE, str(number)) for number in range(3)]
        async with closing(open_store(options, embedder_id="fake", dim=DIM)) as old:
            await old.put(rows)
        for embedder_id in ("second", "third"):
            async with closing(open_for_reindex(options, embedder_id=embedder_id, dim=DIM)) as swap:
                await swap.target.put(rows[:2])
                with pytest.raises(StoreError, match=r"\b2 of 3"):
                    await swap.finish()
            async with closing(open_for_reindex(options, embedder_id=embedder_id, dim=DIM)) as swap:
                assert await swap.target.count(ALICE) == 2
                assert len(await swap.source.scan(after=None, limit=9)) == 3
                await swap.target.put(rows[2:])
                await swap.finish()
            assert await recorded_identity(options) == (embedder_id, DIM)
            assert await noted_identity(options) == (embedder_id, DIM)
        async with closing(open_store(options, embedder_id="third", dim=DIM)) as store:
            assert await store.count(ALICE) == 3

    async def test_what_is_not_ours_is_neither_told_nor_removed(self, options):
        """A collection that Recollect did not make, and one that is not there, are refused alike."""
        foreign = f"{options.collection}f"
        await self.make_foreign(options, foreign)
        assert await self.ours(options) == []
        async with closing(open_collections(options)) as collections:
            for name in (foreign, "nowhere"):
                with pytest.raises(StoreError, match=name):
                    await collections.info(name)
                with pytest.raises(StoreError, match=name):
                    await collections.delete(name)
            with pytest.raises(StoreError, match=foreign):
                await collections.create(foreign, "fake", DIM)
        its = options.model_copy(update={"collection": foreign})
        with pytest.raises(StoreError, match=foreign):
            await open_store(its, embedder_id="fake", dim=DIM)

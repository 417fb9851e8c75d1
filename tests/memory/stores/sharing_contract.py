"""Who may use a store at the same time."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import InvalidInputError, StoreError
from recollect.memory.model.types import Scope
from recollect.memory.stores import noted_identity, open_store
from tests.support.ports import free_port

from .collections_contract import closing
from .memories import DIM, ids, memory, vector

ALICE = Scope(tenant="t-sharing", user_id="alice")


class SharedContract:
    """For servers. Subclasses provide the fixture `options`."""

    async def test_what_one_writes_another_reads_at_once(self, options):
        """Two that use a server see each other's writes and removals with the next fresh read."""
        kept = memory(ALICE, at=vector(1.0))
        async with (
            closing(open_store(options, embedder_id="fake", dim=DIM)) as one,
            closing(open_store(options, embedder_id="fake", dim=DIM)) as other,
        ):
            await one.put([kept])
            found = await other.search(ALICE, vector(1.0), limit=1, fresh=True)
            assert ids(found) == {kept.item.id}
            await other.delete(ALICE.tenant, [kept.item.id])
            assert await one.count(ALICE, fresh=True) == 0


async def refused_without_a_place(kind, **at) -> None:
    """Without an address the error names the setting; with one where nobody is, the address."""
    with pytest.raises(InvalidInputError, match=r"store\.uri"):
        await open_store(kind(), embedder_id="fake", dim=DIM)
    port = free_port()
    options = kind.model_validate({"uri": at.pop("uri").format(port=port), **at})
    with pytest.raises(StoreError, match=rf"127\.0\.0\.1:{port}") as told:
        await open_store(options, embedder_id="fake", dim=DIM)
    assert "s3cret" not in str(told.value) + repr(options) + options.shown


class AloneContract:
    """For folders. Subclasses provide the fixture `options`."""

    async def test_a_second_one_is_refused(self, options):
        """Two that write into a folder would lose rows; whose vectors it holds is known all the same."""
        async with closing(open_store(options, embedder_id="fake", dim=DIM)):
            with pytest.raises(StoreError, match="memories"):
                await open_store(options, embedder_id="fake", dim=DIM)
            assert await noted_identity(options) == ("fake", DIM)
        await (await open_store(options, embedder_id="fake", dim=DIM)).close()

"""A store on a server that was not there when we started."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import StoreError, StoreMismatchError
from recollect.memory.model.types import Scope
from recollect.memory.stores.inmemory.store import InMemoryStore
from recollect.memory.stores.reconnecting import ReconnectingStore, open_or_reconnect
from tests.memory.stores.contract import (
    DIM,
    BasicContract,
    memory,
    vector,
    words,
)
from tests.memory.stores.keyword_contract import KeywordContract

ALICE = Scope(tenant="t", user_id="alice")


class Server:
    """An opener whose server comes up on demand."""

    def __init__(self, error: StoreError | None = None) -> None:
        self.error = error
        self.asked = 0

    async def open(self) -> InMemoryStore:
        self.asked += 1
        if self.error:
            raise self.error
        return InMemoryStore(dim=DIM, terms=words)


class TestOpened(BasicContract):
    """Once opened it is the store it opened."""

    @pytest.fixture
    async def store(self):
        store = ReconnectingStore(Server().open)
        await store.maintain()
        yield store
        await store.close()


class TestOpenedKeywords(KeywordContract):
    """It has the power if the store it opened has."""

    @pytest.fixture
    async def store(self):
        store = ReconnectingStore(Server().open)
        await store.maintain()
        yield store
        await store.close()


async def test_store_without_the_power_has_it_neither_here():
    """A backend that cannot search for keywords cannot do it through this one."""

    class Plain:
        async def maintain(self) -> None:
            """Nothing to do."""

    async def open_plain():
        return Plain()

    store = ReconnectingStore(open_plain)
    await store.maintain()
    assert not store.keywords
    with pytest.raises(StoreError, match="keywords"):
        await store.search_keywords(ALICE, ["tea"], limit=1)


async def test_memory_comes_back_by_itself():
    """Calls fail at once while the server is away; housekeeping opens it when it answers."""
    server = Server(StoreError("away"))
    store = await open_or_reconnect(server.open, remote=True)
    assert not store.keywords
    with pytest.raises(StoreError, match="not reachable"):
        await store.search_keywords(ALICE, ["tea"], limit=1)
    for _ in range(3):
        with pytest.raises(StoreError):
            await store.search(ALICE, vector(1.0), limit=1)
    assert server.asked == 1
    await store.close()
    with pytest.raises(StoreError):
        await store.maintain()
    server.error = None
    await store.maintain()
    await store.put([memory(ALICE)])
    assert len(await store.search(ALICE, vector(1.0), limit=1)) == 1
    await store.close()


@pytest.mark.parametrize(
    ("error", "remote"),
    [(StoreError("damaged"), False), (StoreMismatchError("another embedder"), True)],
)
async def test_what_waiting_does_not_mend_is_raised(error, remote):
    """A damaged embedded store, or one of another embedder, stops the start."""
    with pytest.raises(type(error)):
        await open_or_reconnect(Server(error).open, remote=remote)

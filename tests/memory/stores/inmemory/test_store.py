"""The in-memory store keeps the contract."""

from __future__ import annotations

import pytest

from memory.stores.inmemory import InMemoryStore
from tests.memory.stores.contract import DIM, StoreContract


class TestInMemoryStore(StoreContract):
    @pytest.fixture
    async def store(self):
        store = InMemoryStore(dim=DIM)
        yield store
        await store.close()

    async def test_maintenance_is_nothing(self, store):
        """It can be called like that of any store."""
        await store.maintain()

"""The in-memory store keeps the contract."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import Scope
from recollect.memory.stores.inmemory import InMemoryStore
from tests.memory.stores.contract import DIM, StoreContract, words
from tests.memory.stores.keyword_contract import KeywordContract


class TestInMemoryStore(StoreContract):
    @pytest.fixture
    async def store(self):
        store = InMemoryStore(dim=DIM)
        yield store
        await store.close()

    async def test_maintenance_is_nothing(self, store):
        """It can be called like that of any store."""
        await store.maintain()


class TestKeywords(KeywordContract):
    @pytest.fixture
    async def store(self):
        store = InMemoryStore(dim=DIM, terms=words)
        yield store
        await store.close()


async def test_without_an_analyzer_there_are_no_keywords():
    """The power is said to be missing, and using it anyway is an error."""
    store = InMemoryStore(dim=DIM)
    assert not store.keywords
    with pytest.raises(StoreError, match="keywords"):
        await store.search_keywords(Scope(tenant="t", user_id="u"), ["tea"], limit=1)

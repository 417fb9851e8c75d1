"""The pgvector store keeps the contract, on a real PostgreSQL."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import Scope
from tests.memory.stores.contract import StoreContract, memory, words
from tests.memory.stores.keyword_contract import KeywordContract

pytestmark = pytest.mark.process


class TestPgvector(StoreContract):
    @pytest.fixture
    async def store(self, open_at):
        return await open_at()


class TestKeywords(KeywordContract):
    @pytest.fixture
    async def store(self, open_at):
        return await open_at(terms=words)


async def test_a_part_that_does_not_fit_keeps_all_out(open_at):
    """A list of memories is written whole or not at all."""
    store = await open_at()
    alice = Scope(tenant="t", user_id="alice")
    bad = memory(alice, "x" * 70_000)
    with pytest.raises(InvalidInputError, match="text"):
        await store.put([memory(alice), bad])
    assert await store.count(alice) == 0

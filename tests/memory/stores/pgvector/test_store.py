"""The pgvector store keeps the contract, on a real PostgreSQL."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import InvalidInputError, StoreError
from recollect.memory.model.types import Scope
from tests.memory.stores.contract import StoreContract, ids, memory, vector, words
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


async def test_two_processes_see_each_other_at_once(open_at):
    """What one store has written, another one of the same database reads."""
    one, other = await open_at(), await open_at()
    alice = Scope(tenant="t", user_id="alice")
    kept = memory(alice, at=vector(1.0))
    await one.put([kept])
    assert ids(await other.search(alice, vector(1.0), limit=1)) == {kept.item.id}
    await other.delete("t", [kept.item.id])
    assert await one.count(alice) == 0


async def test_a_closed_store_says_so(open_at):
    """A call after the end is an error of the store."""
    store = await open_at()
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.ping()


async def test_it_answers(open_at):
    """A probe succeeds while the server runs."""
    store = await open_at()
    await store.ping()
    await store.maintain()

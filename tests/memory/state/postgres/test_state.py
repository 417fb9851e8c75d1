"""State in a real PostgreSQL keeps the contracts, with several replicas too."""

from __future__ import annotations

import pytest

from recollect.memory.database.postgres import open_postgres
from recollect.memory.model.types import Scope, Spent
from recollect.memory.state import state_of
from tests.memory.state.contract import StateContract
from tests.memory.state.contracts.blocks import block, next_of
from tests.memory.state.contracts.counting import MONDAY, SOON
from tests.memory.state.contracts.transactions import TransactionContract
from tests.memory.state.samples import NOON
from tests.support.folding import rows


@pytest.fixture
async def state(url):
    opened = state_of(await open_postgres(url))
    yield opened
    await opened.close()


class TestState(StateContract, TransactionContract):
    """The fixture `state` is that of this module."""

    @pytest.fixture
    def scripts(self, state):
        return state.scripts


async def test_texts_that_no_database_can_keep(state):
    """NUL, which is escaped, and its escape come back; they are found by the same text again."""
    made = block(value="a\x00b \x1b0", id="\x00 \x1b")
    assert await state.blocks.create(made)
    assert await state.blocks.named("local", [made.id]) == [made]
    await state.tombstones.add("local", [made.id])
    assert await state.tombstones.among("local", [made.id, "\x00"]) == {made.id}


@rows("committed", [True, False])
async def test_what_counts_runs_once(state, monkeypatch, committed):
    """If the connection is lost before the answer, whether that was committed or not."""
    transact, losses = state.scripts.database._transact, [1]

    async def losing(work):
        async def lost(connection):
            result = await work(connection)
            if losses and not committed:
                losses.pop()
                raise ConnectionResetError
            return result

        result = await transact(lost)
        if losses:
            losses.pop()
            raise ConnectionResetError
        return result

    monkeypatch.setattr(state.scripts.database, "_transact", losing)
    tenant = str(committed)
    made = block(scope=Scope(tenant=tenant, user_id="alice"))
    assert await state.blocks.create(made)
    for number in (1, 2):
        losses.append(1)
        assert (await state.ledger.spend(tenant, MONDAY, Spent(1, 2, 3))).calls == number
    losses.append(1)
    assert await state.standings.change(tenant, "m", None, "1")
    losses.append(1)
    assert await state.blocks.change(next_of(made, "two"))
    await state.offers.put(tenant, "n", "text", now=NOON, until=SOON)
    losses.append(1)
    assert await state.offers.take(tenant, "n", now=NOON) == "text"
    assert not losses

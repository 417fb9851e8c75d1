"""What is written once for every SQL database keeps its contracts in a real PostgreSQL."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from recollect.memory.database.attachments import SqlAttachments
from recollect.memory.database.blocks import SqlBlocks
from recollect.memory.database.costs import SqlLedger
from recollect.memory.database.forgetting import SqlOffers, SqlTombstones
from recollect.memory.database.runs import SqlRuns
from recollect.memory.database.standings import SqlStandings
from recollect.memory.database.sums import SqlDailySums
from recollect.memory.database.switches import SqlSwitches
from recollect.memory.database.tables import STATE_TABLES, tables_for_postgres
from recollect.memory.database.tasks import SqlTasks
from recollect.memory.model.types import Scope, Spent
from recollect.memory.state.postgres.database import Database
from recollect.memory.state.postgres.scripts import PostgresScripts
from recollect.memory.state.postgres.tables import Schema
from tests.memory.state.contract import ScriptedContract
from tests.memory.state.contracts.blocks import block, next_of
from tests.memory.state.contracts.counting import MONDAY, SOON
from tests.memory.state.contracts.transactions import TransactionContract
from tests.memory.state.samples import NOON
from tests.support.folding import rows

STATE = Schema(tables_for_postgres(STATE_TABLES), "blocks", "recollect_state_format")


@pytest.fixture
async def state(url):
    database = await Database.open(url, max_connections=4, timeout_seconds=10, schema=STATE)
    scripts = PostgresScripts(database, "INSERT INTO switches VALUES ('probe', 0)")
    yield SimpleNamespace(
        scripts=scripts,
        tombstones=SqlTombstones(scripts),
        ledger=SqlLedger(scripts),
        sums=SqlDailySums(scripts),
        standings=SqlStandings(scripts),
        offers=SqlOffers(scripts),
        switches=SqlSwitches(scripts),
        attachments=SqlAttachments(scripts),
        blocks=SqlBlocks(scripts),
        runs=SqlRuns(scripts),
        tasks=SqlTasks(scripts),
    )
    await scripts.close()


class TestScripted(ScriptedContract, TransactionContract):
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

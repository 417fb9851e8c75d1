"""The SQLite ledger keeps the contract, also across a reopening."""

from datetime import date
from pathlib import Path

import pytest

from recollect.memory.model.types import Spent
from recollect.memory.state.sqlite import Database, open_sqlite_state
from recollect.memory.state.sqlite.ledger import SqliteLedger
from tests.memory.state.contract import LedgerContract


class TestLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, state_database: Database) -> SqliteLedger:
        return SqliteLedger(state_database)


async def test_a_budget_is_not_refilled_by_a_restart(tmp_path: Path) -> None:
    """What was spent today stays spent."""
    today = date(2026, 3, 2)
    state = await open_sqlite_state(tmp_path / "x.db", "normal")
    await state.ledger.spend("local", today, Spent(1, 2, 3))
    await state.close()
    state = await open_sqlite_state(tmp_path / "x.db", "normal")
    assert await state.ledger.spent("local", today) == Spent(1, 2, 3)
    await state.close()

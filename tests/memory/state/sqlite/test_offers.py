"""The SQLite offers keep the contract, also across a reopening."""

from datetime import timedelta
from pathlib import Path

import pytest

from recollect.memory.state.sqlite import Database, open_sqlite_state
from recollect.memory.state.sqlite.offers import SqliteOffers
from tests.memory.state.contract import NOON, OffersContract

SOON = NOON + timedelta(minutes=15)


class TestOffers(OffersContract):
    @pytest.fixture
    def offers(self, state_database: Database) -> SqliteOffers:
        return SqliteOffers(state_database)


async def test_a_restart_forgets_nothing(tmp_path: Path) -> None:
    """What was proposed can be agreed to after a restart."""
    state = await open_sqlite_state(tmp_path / "x.db", "normal")
    await state.offers.put("local", "n", "ids", now=NOON, until=SOON)
    await state.close()
    state = await open_sqlite_state(tmp_path / "x.db", "normal")
    assert await state.offers.take("local", "n", now=NOON) == "ids"
    await state.close()


async def test_what_is_late_is_dropped(state_database: Database) -> None:
    """The file does not grow by what nobody answered."""
    offers = SqliteOffers(state_database)
    await offers.put("local", "n", "ids", now=NOON, until=SOON)
    await offers.put("local", "m", "ids", now=SOON, until=SOON + timedelta(minutes=1))
    rows = await state_database.statement("SELECT name FROM offers", {})
    assert [str(name) for (name,) in rows] == ["m"]

"""The SQLite standings keep the contract, also across a reopening."""

from pathlib import Path

import pytest

from recollect.memory.state.sqlite import STATE_MIGRATIONS, Database, open_sqlite_state
from recollect.memory.state.sqlite.standings import SqliteStandings
from tests.memory.state.contract import NOON, StandingsContract


class TestStandings(StandingsContract):
    @pytest.fixture
    def standings(self, state_database: Database) -> SqliteStandings:
        return SqliteStandings(state_database)


async def test_a_restart_forgets_nothing(tmp_path: Path) -> None:
    """What is known of a model is known to the next process."""
    state = await open_sqlite_state(tmp_path / "x.db", "normal")
    await state.standings.change("local", "m", None, "rests")
    await state.close()
    state = await open_sqlite_state(tmp_path / "x.db", "normal")
    assert await state.standings.of("local") == {"m": "rests"}
    await state.close()


async def test_a_file_of_an_earlier_version_opens(tmp_path: Path) -> None:
    """Nothing is known of any model there, and no call of the hour was made."""
    path = tmp_path / "x.db"
    old = await Database.open(path, STATE_MIGRATIONS[: _before_standings()])
    await old.close()
    state = await open_sqlite_state(path, "normal")
    assert await state.standings.of("local") == {}
    assert await state.ledger.called("local", NOON) == 0
    assert await state.standings.change("local", "m", None, "x")
    assert await state.ledger.call("local", NOON, most=1) == 1
    await state.close()


def _before_standings() -> int:
    return next(n for n, step in enumerate(STATE_MIGRATIONS) if "TABLE standings" in str(step))

"""The SQLite standings keep the contract, also across a reopening."""

from pathlib import Path

import pytest

from recollect.memory.state.sqlite import Database, open_sqlite_state
from recollect.memory.state.sqlite.standings import SqliteStandings
from tests.memory.state.contract import StandingsContract


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

"""The SQLite tombstones keep the contract, also across a reopening."""

from pathlib import Path

import pytest

from recollect.memory.state.sqlite import Database, open_sqlite_state
from recollect.memory.state.sqlite.tombstones import SqliteTombstones
from tests.memory.state.contract import ALICE, TombstoneContract


class TestTombstones(TombstoneContract):
    @pytest.fixture
    def tombstones(self, state_database: Database) -> SqliteTombstones:
        return SqliteTombstones(state_database)


async def test_what_was_forgotten_stays_so(tmp_path: Path) -> None:
    """Tombstones and epochs outlive the process."""
    state = await open_sqlite_state(tmp_path / "x.db", "normal")
    await state.tombstones.bury("local", ["a"])
    await state.tombstones.close_scope(ALICE)
    epoch = await state.tombstones.epoch(ALICE)
    await state.close()
    state = await open_sqlite_state(tmp_path / "x.db", "full")
    assert await state.tombstones.buried("local", ["a", "b"]) == {"a"}
    assert await state.tombstones.epoch(ALICE) == epoch
    await state.close()

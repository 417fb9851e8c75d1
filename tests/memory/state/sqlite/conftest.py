"""Databases in temporary folders."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from recollect.memory.state.sqlite import HISTORY_MIGRATIONS, STATE_MIGRATIONS, Database


@pytest.fixture
async def state_database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(tmp_path / "state.db", STATE_MIGRATIONS)
    yield database
    await database.close()


@pytest.fixture
async def history_database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(tmp_path / "history.db", HISTORY_MIGRATIONS)
    yield database
    await database.close()

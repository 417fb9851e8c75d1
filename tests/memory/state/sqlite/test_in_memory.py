"""The database without a file; the contracts of its parts are in `test_stores`."""

import sqlite3

import pytest

from recollect.memory.database import DatabaseOptions, open_database
from recollect.memory.database.sqlite.in_memory import InMemoryDatabase
from recollect.memory.model.errors import StateError
from recollect.memory.state import state_of

TABLE = "CREATE TABLE t (x INTEGER PRIMARY KEY)"


async def test_work_that_fails_leaves_nothing():
    """It is one transaction, and SQLite's refusal is ours."""
    database = InMemoryDatabase(TABLE)

    def twice(connection: sqlite3.Connection) -> None:
        for _ in range(2):
            connection.execute("INSERT INTO t VALUES (1)")

    with pytest.raises(StateError):
        await database.run(twice)
    assert await database.statement("SELECT x FROM t", {}) == []
    await database.statement("INSERT INTO t VALUES (2)", {})
    assert await database.statement("SELECT x FROM t", {}) == [(2,)]
    await database.close()
    with pytest.raises(StateError):
        await database.statement("SELECT x FROM t", {})


async def test_each_state_is_its_own():
    """A database in memory is empty each time that it is opened, answers, and refuses nothing."""
    options = DatabaseOptions.model_validate({"url": ":memory:"})
    first, second = [state_of(await open_database(options)) for _ in range(2)]
    await first.tombstones.add("local", ["m"])
    assert await second.tombstones.among("local", ["m"]) == set()
    await first.ping()
    assert (first.refused, first.shared) == (0, False)
    for part in (first, second):
        await part.close()

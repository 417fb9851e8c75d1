"""The database without a file; the contracts of its parts are in `test_stores`."""

import sqlite3

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.state import HistoryOptions, StateOptions, open_history, open_state
from recollect.memory.state.sqlite.in_memory import InMemoryDatabase

TABLE = ("CREATE TABLE t (x INTEGER PRIMARY KEY)",)


async def test_work_that_fails_leaves_nothing():
    """It is one transaction, and SQLite's refusal is ours."""
    database = InMemoryDatabase(TABLE)

    def twice(connection: sqlite3.Connection) -> None:
        for _ in range(2):
            connection.execute("INSERT INTO t VALUES (1)")

    with pytest.raises(StateError):
        await database.run(twice)
    assert await database.read("SELECT x FROM t", (), tuple) == []
    assert await database.change("INSERT INTO t VALUES (2)", ()) == 1
    assert await database.statement("SELECT x FROM t", {}) == [(2,)]
    await database.close()
    with pytest.raises(StateError):
        await database.statement("SELECT x FROM t", {})


async def test_each_state_is_its_own():
    """The backend `inmemory` opens empty each time, answers, and refuses nothing."""
    first = await open_state(StateOptions(backend="inmemory"))
    second = await open_state(StateOptions(backend="inmemory"))
    await first.tombstones.add("local", ["m"])
    assert await second.tombstones.among("local", ["m"]) == set()
    await first.ping()
    assert (first.refused, first.shared) == (0, False)
    history = await open_history(HistoryOptions(backend="inmemory"))
    assert await history.of("local", "m") == []
    for part in (first, second, history):
        await part.close()

"""The SQLite driver: transactions, group commit, damaged files."""

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest

from recollect.memory.database.sqlite.database import CHECKPOINT_EVERY, Database
from recollect.memory.model.errors import StateDamagedError, StateError, StateUnwritableError
from tests.support.waiting import HANG_SECONDS

TABLE = "CREATE TABLE t (x INTEGER PRIMARY KEY)"


def insert(value: int):
    return lambda connection: connection.execute("INSERT INTO t VALUES (?)", (value,)).rowcount


def values(connection: sqlite3.Connection) -> list[int]:
    return [row[0] for row in connection.execute("SELECT x FROM t ORDER BY x")]


async def test_many_writers_all_get_through(tmp_path):
    """Concurrent work is all done, in one file, without "database is locked"."""
    database = await Database.open(tmp_path / "x.db", TABLE)
    await asyncio.gather(*(database.run(insert(n)) for n in range(500)))
    assert await database.run(values) == list(range(500))
    await database.close()


async def test_a_failure_undoes_only_itself(tmp_path):
    """Work that fails leaves nothing behind and does not disturb its neighbours in the commit."""
    database = await Database.open(tmp_path / "x.db", TABLE)

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO t VALUES (100)")
        raise ValueError("half done")

    results = await asyncio.gather(
        database.run(insert(1)),
        database.run(half),
        database.run(insert(1)),
        database.run(insert(2)),
        return_exceptions=True,
    )
    assert [type(r) for r in results] == [int, ValueError, StateError, int]
    assert await database.run(values) == [1, 2]
    await database.close()


async def test_cancelling_the_caller_does_not_undo_the_work(tmp_path):
    """A client that goes away while its turn is being written does not lose it."""
    database = await Database.open(tmp_path / "x.db", TABLE)
    waiting = asyncio.ensure_future(database.run(insert(7)))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await database.run(values) == [7]
    await database.close()


async def damaged(path: Path, damage: str) -> dict[str, bytes]:
    """Make a file with 200 rows, the last ones in its log, and break it; what lies there then."""
    database = await Database.open(path, TABLE)
    for n in range(200):
        await database.run(insert(n))
    log = path.with_name(f"{path.name}-wal").read_bytes()
    await database.close()
    content = bytearray(path.read_bytes())
    if damage == "garbage":
        content = bytearray(b"this is no database at all, " * 100)
    elif damage == "truncated":
        content = content[: len(content) // 2]
    else:
        content[4096:4196] = b"\xff" * 100
    path.write_bytes(content)
    if damage == "log":
        # As a killed process leaves it: the latest rows are in the log only, and they are damaged.
        path.with_name(f"{path.name}-wal").write_bytes(log.replace(b"\x0d\x00", b"\xff\xff"))
    return {p.name: p.read_bytes() for p in path.parent.iterdir() if not p.name.endswith("-shm")}


@pytest.mark.parametrize("damage", ["garbage", "truncated", "flipped", "log"])
async def test_a_damaged_file_is_left_as_it_is(tmp_path, damage):
    """It is an error that names the command that helps; neither the file nor its log is changed."""
    path = tmp_path / "x.db"
    before = await damaged(path, damage)
    for _ in range(2):
        with pytest.raises(
            StateDamagedError, match=r"x\.db.*nothing was changed.*recollect repair"
        ):
            await Database.open(path, TABLE)
    after = {p.name: p.read_bytes() for p in tmp_path.iterdir() if not p.name.endswith("-shm")}
    if not after.get("x.db-wal"):
        after.pop("x.db-wal", None)
    assert after == before


async def test_damage_that_shows_later(tmp_path):
    """SQLite finds a broken page while it works: the call says so, and the ping from then on."""
    path = tmp_path / "x.db"
    database = await Database.open(path, TABLE)
    await database.run(lambda connection: [insert(n)(connection) for n in range(3000)])
    await database.ping()
    await database.close()
    content = bytearray(path.read_bytes())
    database = await Database.open(path, TABLE)
    content[4096:] = b"\xff" * len(content[4096:])
    path.write_bytes(content)
    await database.run(lambda connection: connection.execute("PRAGMA shrink_memory").fetchall())
    with pytest.raises(StateDamagedError, match="damaged"):
        await database.run(values)
    with pytest.raises(StateDamagedError) as found:
        await database.ping()
    assert "recollect repair" in found.value.advice
    assert str(tmp_path) not in found.value.advice
    await database.close()


async def test_a_closed_database_says_so(tmp_path):
    """Work after close is an error, not a hang; closing twice is none."""
    database = await Database.open(tmp_path / "x.db", TABLE)
    await database.close()
    await database.close()
    with pytest.raises(StateError, match="closed"):
        await database.run(values)


async def test_only_the_owner_can_read_the_file(tmp_path):
    """Neither the file nor its companions can be read by others on a shared machine."""
    database = await Database.open(tmp_path / "new" / "x.db", TABLE)
    await database.run(insert(1))
    kept = [tmp_path / "new", *(tmp_path / "new").iterdir()]
    assert {path.name for path in kept} == {"new", "x.db", "x.db-wal", "x.db-shm"}
    assert not [path for path in kept if path.stat().st_mode & 0o077]
    await database.close()


async def test_a_statement_waits_in_line_while_the_thread_writes(tmp_path):
    """A busy file is no error and stalls nobody: the statement takes its turn."""
    database = await Database.open(tmp_path / "x.db", TABLE)
    writing, go_on = threading.Event(), threading.Event()

    def slow(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO t VALUES (1)")
        writing.set()
        go_on.wait(HANG_SECONDS)

    first = asyncio.ensure_future(database.run(slow))
    await asyncio.to_thread(writing.wait, HANG_SECONDS)
    second = asyncio.ensure_future(database.statement("INSERT INTO t VALUES (:x)", {"x": 2}))
    await asyncio.sleep(0.05)
    assert not second.done()
    go_on.set()
    await asyncio.gather(first, second)
    assert await database.run(values) == [1, 2]
    await database.close()


async def test_a_write_that_is_refused_takes_no_reader_along(tmp_path):
    """In one commit with it, what reads and what is small enough is done all the same."""
    database = await Database.open(tmp_path / "x.db", "CREATE TABLE t (x INTEGER, y BLOB)")
    writing, go_on = threading.Event(), threading.Event()

    def slow(_connection: sqlite3.Connection) -> None:
        writing.set()
        go_on.wait(HANG_SECONDS)

    def put(size: int):
        return lambda c: c.execute("INSERT INTO t VALUES (1, zeroblob(?))", (size,)).rowcount

    await database.run(put(10))
    first = asyncio.ensure_future(database.run(slow))
    await asyncio.to_thread(writing.wait, HANG_SECONDS)
    database._connection.execute("PRAGMA max_page_count=4").fetchall()
    calls = [database.run(work) for work in (put(9), put(90_000), values, put(90_000), put(8))]
    waiting = asyncio.gather(*calls, return_exceptions=True)
    await asyncio.sleep(0)
    go_on.set()
    await first
    assert [type(result) for result in await waiting] == [
        int,
        StateUnwritableError,
        list,
        StateUnwritableError,
        int,
    ]
    assert database.writes.refused == 2
    assert await database.run(values) == [1, 1, 1]
    await database.close()


async def test_the_log_of_single_statements_is_bounded(tmp_path):
    """Statements that never go through the thread are copied into the file all the same."""
    path = tmp_path / "x.db"
    database = await Database.open(path, "CREATE TABLE t (x TEXT)")
    for _ in range(3 * CHECKPOINT_EVERY):
        await database.statement("INSERT INTO t VALUES (:x)", {"x": "x" * 1000})
    assert await database.run(lambda c: c.execute("SELECT count(*) FROM t").fetchone()) == (
        3 * CHECKPOINT_EVERY,
    )
    assert path.stat().st_size > CHECKPOINT_EVERY * 1000
    assert (tmp_path / "x.db-wal").stat().st_size < 3 * CHECKPOINT_EVERY * 8192 / 2
    await database.close()

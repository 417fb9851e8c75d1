"""A file that is not where it was opened is read and never written."""

import asyncio
import shutil
import sqlite3
from contextlib import closing

import pytest

from recollect.memory.database.sqlite.database import BESIDE, Database
from recollect.memory.model.errors import StateGoneError

TABLE = "CREATE TABLE t (x INTEGER PRIMARY KEY)"
INSERT = "INSERT INTO t VALUES (:x)"
READ = "SELECT x FROM t ORDER BY x"


@pytest.fixture(params=["normal", "full"])
async def database(request, tmp_path):
    """With one row; with its fast path, and without."""
    path = tmp_path / "data" / "x.db"
    database = await Database.open(path, TABLE, synchronous=request.param)
    await database.statement(INSERT, {"x": 1})
    yield database
    await database.close()


async def changed(database, values):
    return await database.run(lambda connection: connection.execute(INSERT, values).rowcount)


async def rows(database):
    return await database.run(lambda connection: [x for (x,) in connection.execute(READ)])


@pytest.mark.parametrize("end", BESIDE)
async def test_each_file_that_is_open_is_watched(database, end):
    """The file, its log and the index of it: the first write after it is refused, reads go on."""
    database.path.with_name(f"{database.path.name}{end}").unlink()
    with pytest.raises(StateGoneError):
        await database.statement(INSERT, {"x": 2})
    with pytest.raises(StateGoneError):
        await database.ping()
    assert database.look() is not None
    refused = database.writes.refused
    with pytest.raises(StateGoneError):
        await changed(database, {"x": 3})
    assert database.writes.refused == refused + 1
    assert await rows(database) in ([1], [1, 2])  # 2 was written before anybody noticed


async def test_nothing_more_is_written_once_it_was_noticed(database, tmp_path, caplog):
    """The folder is moved away, and back: what was refused is not in it, and it goes on."""
    folder = database.path.parent
    folder.rename(tmp_path / "elsewhere")
    assert database.look() is not None
    assert "is gone: " in caplog.text
    results = await asyncio.gather(
        *(changed(database, {"x": x}) for x in range(2, 9)),
        database.statement(INSERT, {"x": 9}),
        database.run(lambda connection: connection.execute("DELETE FROM t").rowcount, erases=True),
        return_exceptions=True,
    )
    assert {type(each) for each in results} == {StateGoneError}
    (tmp_path / "elsewhere").rename(folder)
    assert await rows(database) == [1]
    assert database.look() is None
    assert "is back" in caplog.text
    await database.statement(INSERT, {"x": 2})
    await changed(database, {"x": 3})
    await database.ping()
    assert await rows(database) == [1, 2, 3]


async def test_another_file_in_its_place_is_left_alone(database):
    """Somebody may be restoring a copy: it is neither opened nor changed."""
    path = database.path
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    before = copy.read_bytes()
    copy.replace(path)
    with pytest.raises(StateGoneError):
        await changed(database, {"x": 2})
    with pytest.raises(StateGoneError):
        await changed(database, {"x": 3})
    assert path.read_bytes() == before


async def test_a_removed_log_is_copied_into_the_file_first(database):
    """What was acknowledged is in the file, also if the process is killed now."""
    path = database.path
    path.with_name(f"{path.name}-wal").unlink()
    assert database.look() is not None
    for _ in range(2):  # the copying comes after what it was queued with
        await rows(database)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(READ).fetchall() == [(1,)]

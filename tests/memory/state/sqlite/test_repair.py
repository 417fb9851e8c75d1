"""Repairing a damaged file: what is saved, what is kept, and what a kill in between leaves."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.memory.database.conversations import SqlConversations
from recollect.memory.database.sqlite import TABLES
from recollect.memory.database.sqlite.connect import connect
from recollect.memory.database.sqlite.database import Database
from recollect.memory.database.sqlite.repair import look, repair
from recollect.memory.database.sqlite.salvage import Saved
from recollect.memory.database.sqlite.scripts import SqliteScripts
from recollect.memory.model.errors import StateDamagedError, StateError
from recollect.memory.util.locks import Ownership
from tests.memory.state.samples import turn

TURNS = 120


class Killed(BaseException):
    """The process ends here."""


async def damaged(path: Path) -> bytes:
    """A state of many turns, of which one page is broken; the latest is in its log only."""
    database = await Database.open(path, TABLES)
    conversations = SqlConversations(SqliteScripts(database))
    for n in range(TURNS):
        await conversations.record(replace(turn(f"t{n}"), user_text=f"turn {n} " + "x" * 300))
    database._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    content = bytearray(path.read_bytes())
    await conversations.record(replace(turn("late"), user_text="the latest"))
    log = path.with_name(f"{path.name}-wal").read_bytes()
    await database.close()
    at = content.index(b"turn 40 xxx") // 4096 * 4096
    content[at : at + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    path.with_name(f"{path.name}-wal").write_bytes(log)
    return bytes(content)


def texts(path: Path) -> set[str]:
    with contextlib.closing(connect(path, TABLES, "normal")) as connection:
        return {text for (text,) in connection.execute("SELECT user_text FROM turns")}


async def test_a_damaged_file_is_replaced_and_kept(tmp_path):
    """All but the broken page is in the new file, what is in the log too; the old is as it was."""
    path = tmp_path / "state.db"
    content = await damaged(path)
    log = path.with_name("state.db-wal").read_bytes()
    found = look(path)
    assert (found.holder, path.read_bytes()) == (None, content)
    assert found.damage is not None
    done = repair(path, TABLES)
    assert done.kept.name.startswith("state.db.corrupt-")
    assert done.kept.read_bytes() == content
    assert done.kept.with_name(f"{done.kept.name}-wal").read_bytes() == log
    [turns] = [each for each in done.saved if each.table == "turns"]
    assert not turns.whole
    assert TURNS - 20 < turns.rows <= TURNS
    assert Saved("tombstones", 0, whole=True) in done.saved
    assert look(path).damage is None
    kept = texts(path)
    assert len(kept) == turns.rows
    assert {"the latest", "turn 0 " + "x" * 300} <= kept
    assert path.stat().st_mode & 0o077 == 0
    names = {p.name.split(".corrupt")[0] for p in tmp_path.iterdir()}
    assert names <= {"state.db", "state.db.lock", "state.db-wal", "state.db-shm"}
    with pytest.raises(StateError, match="sound"):
        repair(path, TABLES)


async def test_a_file_in_use_is_left_alone(tmp_path):
    """Whoever has its lock is named, and nothing is changed or even looked at."""
    path = tmp_path / "state.db"
    content = await damaged(path)
    owner = Ownership.claim(path)
    assert look(path).holder is not None
    assert look(path).damage is None
    before = {p.name for p in tmp_path.iterdir()}
    with pytest.raises(StateError, match=r"in use by .*nothing was changed"):
        repair(path, TABLES)
    owner.release()
    assert {p.name for p in tmp_path.iterdir()} == before
    assert path.read_bytes() == content


def test_another_format_is_not_repaired(tmp_path):
    """Its tables are not ours to copy: it stays as it is."""
    path = tmp_path / "state.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE t (x); PRAGMA user_version = 99")
        connection.executemany("INSERT INTO t VALUES (?)", [("x" * 500,) for _ in range(50)])
        connection.commit()
    content = bytearray(path.read_bytes())
    content[8192:12288] = b"\xff" * 4096
    path.write_bytes(content)
    with pytest.raises(StateError, match="without a format number"):
        repair(path, TABLES)
    assert [p.name for p in tmp_path.glob("state.db*") if p.suffix == ".db"] == ["state.db"]
    assert path.read_bytes() == content


STEPS = ((os, "link"), (os, "fsync"), (shutil, "copyfile"), (Path, "replace"), (Path, "unlink"))
"""What changes the folder."""


@contextlib.contextmanager
def failing(nth: int, fail: Callable[[], None], *, after: bool) -> Iterator[list[str]]:
    """The `nth` step fails, before or after it was done; the steps so far."""
    seen: list[str] = []

    def wrapped(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def step(*args: object, **kwargs: object) -> object:
            seen.append(name)
            mine = len(seen) == nth
            if mine and not after:
                fail()
            result = real(*args, **kwargs)
            if mine and after:
                fail()
            return result

        return step

    with pytest.MonkeyPatch.context() as patch:
        for owner, name in STEPS:
            patch.setattr(owner, name, wrapped(name, getattr(owner, name)))
        yield seen


def killed() -> None:
    raise Killed


def full() -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(("fail", "after"), [(killed, True), (full, False)])
async def test_a_repair_that_ends_at_any_step(tmp_path, fail, after):
    """The next one finishes it; until then nobody begins anything, and nothing is ever missing."""
    source = tmp_path / "source"
    source.mkdir()
    content = await damaged(source / "state.db")
    for nth in itertools.count(1):
        folder = tmp_path / f"run{nth}"
        shutil.copytree(source, folder)
        path = folder / "state.db"
        with failing(nth, fail, after=after) as seen, contextlib.suppress(Killed, StateError):
            repair(path, TABLES)
        if len(seen) < nth:
            break
        if look(path).damage is not None:
            with pytest.raises(StateDamagedError, match="recollect repair"):
                connect(path, TABLES, "normal")
            repair(path, TABLES)
        assert "the latest" in texts(path), (nth, seen)
        assert len(texts(path)) > TURNS - 20
        kept = [p for p in folder.glob("state.db.corrupt-*") if not p.name.endswith("-wal")]
        assert content in [p.read_bytes() for p in kept]
        assert not list(folder.glob(".state.db.repair-*"))
        assert not list(folder.glob("*.repaired"))
    assert set(seen) == {name for _, name in STEPS}


async def test_where_a_file_has_one_name_only(tmp_path, monkeypatch):
    """On a file system without hard links the damaged file is kept as a copy."""
    path = tmp_path / "state.db"
    content = await damaged(path)

    def refuse(*_: object) -> None:
        raise PermissionError("not supported")

    monkeypatch.setattr(os, "link", refuse)
    done = repair(path, TABLES)
    assert done.kept.read_bytes() == content
    assert done.kept.stat().st_mode & 0o077 == 0

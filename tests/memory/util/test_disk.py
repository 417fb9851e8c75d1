"""Files, folders and their locks."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recollect.memory.model.errors import StateGoneError
from recollect.memory.util import locks
from recollect.memory.util.anchor import Anchor, AnchoredFolder
from recollect.memory.util.disk import (
    MadeOnce,
    file_mtime,
    force,
    replace_text,
)
from recollect.memory.util.heap import give_back
from recollect.memory.util.locks import Ownership, byte_holder, flock_holder, lock_of, named
from tests.support.folding import rows


@rows("what", ["file", "."])
def test_files_and_folders_are_forced(tmp_path, monkeypatch, what):
    """The very one that is named, and nothing is left open."""
    (tmp_path / "file").write_text("x")
    forced, closed, real = [], [], os.close
    monkeypatch.setattr(
        os, "fsync", lambda opened: forced.append((opened, os.fstat(opened).st_ino))
    )
    monkeypatch.setattr(os, "close", lambda opened: (closed.append(opened), real(opened)))
    force(tmp_path / what)
    [(opened, inode)] = forced
    assert inode == (tmp_path / what).stat().st_ino
    assert opened in closed


def test_a_folder_is_made_once(tmp_path):
    """With those above it, for nobody else; if it is gone later, it is not made again."""
    folder = MadeOnce(tmp_path / "a" / "b")
    folder.make()
    folder.make()
    assert folder.folder.stat().st_mode & 0o077 == 0
    folder.folder.rename(tmp_path / "elsewhere")
    with pytest.raises(FileNotFoundError):
        folder.make()
    (tmp_path / "elsewhere").rename(folder.folder)
    folder.make()


def test_a_folder_that_was_there_is_not_made(tmp_path):
    """Nor is a file written into a new one in its place."""
    path = tmp_path / "data" / "file"
    path.parent.mkdir()
    folder = MadeOnce(path.parent)
    replace_text(path, "x", folder)
    assert path.read_text() == "x"
    path.parent.rename(tmp_path / "elsewhere")
    with pytest.raises(FileNotFoundError):
        replace_text(path, "y", folder)
    assert not path.parent.exists()


def test_it_changes_with_the_file(tmp_path):
    """Written again, replaced by another of the same size, removed."""
    path, other = tmp_path / "a", tmp_path / "b"
    assert file_mtime(path) is None
    path.write_text("1")
    first = file_mtime(path)
    assert first == file_mtime(path)
    path.write_text("12")
    second = file_mtime(path)
    other.write_text("34")
    other.replace(path)
    assert len({first, second, file_mtime(path)}) == 3


@pytest.fixture
def anchor(tmp_path):
    path = tmp_path / "data" / "file"
    path.parent.mkdir()
    path.write_text("x")
    with path.open():  # open, so that its inode is not given to another file
        yield Anchor.of(path)


def test_what_is_moved_is_gone_until_it_is_back(anchor, tmp_path):
    """The same file in the same place goes on, with its folder or alone."""
    elsewhere = tmp_path / "elsewhere"
    for what in (anchor.path, anchor.path.parent):
        what.rename(elsewhere)
        assert f"{anchor.path} is gone" in anchor.gone
        elsewhere.rename(what)
        assert anchor.gone == ""


def test_a_copy_is_something_else(anchor, tmp_path):
    """Whoever has the old one open writes into the old one."""
    copy = tmp_path / "copy"
    shutil.copy(anchor.path, copy)
    copy.replace(anchor.path)
    assert "something else is in its place" in anchor.gone


async def test_a_folder_is_told_when_it_goes_and_comes(tmp_path, caplog):
    """Once each in the log, and to whoever asks; what was never there is not missed."""
    path = tmp_path / "data"
    folder = AnchoredFolder(path)
    await folder.ping()
    path.mkdir()
    await folder.ping()
    path.rename(tmp_path / "elsewhere")
    for _ in range(2):
        with pytest.raises(StateGoneError):
            await folder.ping()
    path.mkdir()
    assert "something else" in folder.look()
    path.rmdir()
    (tmp_path / "elsewhere").rename(path)
    await folder.ping()
    assert [each.levelname for each in caplog.records] == ["ERROR", "WARNING"]
    folder.close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted in /proc")
def test_a_closed_folder_is_held_no_more(tmp_path):
    """Whoever opens and closes many has no descriptors left."""
    open_ = len(list(Path("/proc/self/fd").iterdir()))
    folder = AnchoredFolder(tmp_path)
    folder.look()
    folder.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == open_


LOCKING = """
import fcntl, os, sys
descriptor = os.open(sys.argv[1], os.O_RDWR)
fcntl.lockf(descriptor, fcntl.LOCK_SH, 1, 128) if len(sys.argv) > 2 else fcntl.flock(descriptor, 2)
print("locked", flush=True)
sys.stdin.read()
"""


def holding(path, *more):
    """Another process with a lock on the file, or on one byte of it; ends with its input."""
    process = subprocess.Popen(
        [sys.executable, "-c", LOCKING, str(path), *more],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "locked\n"
    return process


@pytest.mark.process
@pytest.mark.parametrize("byte", [None, 128])
def test_a_process_that_holds_it_is_told(tmp_path, byte):
    """While it lives, however it locks; afterwards nobody has it."""
    path = tmp_path / "lock"
    path.touch()

    def ask():
        return flock_holder(path) if byte is None else byte_holder(path, byte)

    with holding(path, *([] if byte is None else ["byte"])) as process:
        assert ask() in {f"process {process.pid}", "another process"}
        assert process.stdin is not None
        process.stdin.close()
        process.wait()
    assert ask() is None


def test_the_list_of_locks_is_read(tmp_path, monkeypatch):
    """The line with the file's inode tells the process; lines of other shapes are passed over."""
    path = tmp_path / "lock"
    path.touch()
    inode = path.stat().st_ino
    table = tmp_path / "locks"
    table.write_text(
        f"garbage\n1: POSIX ADVISORY WRITE 7 08:02:{inode + 1} 0 EOF\n"
        f"2: FLOCK ADVISORY WRITE 4711 08:02:{inode} 0 EOF\n"
    )
    monkeypatch.setattr(locks, "_TABLE", table)
    assert named(path) == "process 4711"
    table.write_text("")
    assert named(path) == "another process"


def test_one_owner_at_a_time(tmp_path):
    """The second is told that there is one; it may be the owner when the first has gone."""
    path = tmp_path / "x"
    first, second = Ownership.claim(path), Ownership.claim(path)
    assert (first.sole, first.taken) == (True, False)
    assert (second.sole, second.taken) == (False, True)
    assert flock_holder(lock_of(path)) is not None
    first.release()
    assert Ownership.claim(path).sole


def test_without_such_locks_nobody_is_the_owner(tmp_path, monkeypatch):
    """Some network file systems have none: that is no second instance."""

    def refuse(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(locks.fcntl, "flock", refuse)
    found = Ownership.claim(tmp_path / "x")
    assert (found.sole, found.taken) == (False, False)


def test_a_note_for_whoever_finds_it_taken(tmp_path):
    """It replaces that of an earlier owner; who is no owner writes none."""
    first = Ownership.claim(tmp_path / "x")
    first.note("unix:/a/long/address")
    Ownership.claim(tmp_path / "x").note("mine")
    assert lock_of(tmp_path / "x").read_text() == "unix:/a/long/address"
    first.note("short")
    first.release()
    assert lock_of(tmp_path / "x").read_text() == "short"


@rows("missing", [AttributeError, OSError])
def test_a_c_library_that_cannot_is_no_error(monkeypatch, missing):
    """Where there is no `malloc_trim`, as in musl and macOS, the memory stays, and nothing fails."""

    def load(_name):
        raise missing

    monkeypatch.setattr(ctypes, "CDLL", load)
    give_back()

"""Who has a lock on a file."""

from __future__ import annotations

import errno
import subprocess
import sys

import pytest

from recollect.memory.util import locks
from recollect.memory.util.locks import Ownership, byte_holder, flock_holder, lock_of, named

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

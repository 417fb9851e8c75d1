"""Lines that are on the disk in their order, in files of bounded number and size."""

import errno
import os

import pytest

from recollect.proxy.access import audit_file
from recollect.proxy.access.audit_file import KEPT, AuditFile


def numbered(number):
    return f"{number:08}\n".encode()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "logs" / "audit.jsonl"


def test_lines_in_order_and_for_the_owner_only(path):
    """What was there stays; the folder is made, and nobody else may read."""
    for number in range(3):
        file = AuditFile(path)
        file.append(numbered(number))
        file.close()
    assert path.read_bytes() == b"".join(map(numbered, range(3)))
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_large_files_are_set_aside(path):
    """The newest lines are kept, each file is within its size, and no line is in two files."""
    file = AuditFile(path, max_bytes=100)
    for number in range(100):
        file.append(numbered(number))
    file.close()
    files = [path, *(path.with_name(f"{path.name}.{number}") for number in range(1, KEPT))]
    assert sorted(files) == sorted(path.parent.iterdir())
    assert all(0 < each.stat().st_size <= 100 for each in files)
    kept = b"".join(each.read_bytes() for each in reversed(files))
    first = 100 - len(kept) // 9
    assert kept == b"".join(map(numbered, range(first, 100)))
    assert first <= 100 - (KEPT - 1) * 11


def test_a_folder_that_is_gone_is_not_made_again(path):
    """It would be in the way of the old one; the line waits for that."""
    file = AuditFile(path)
    file.append(numbered(0))
    elsewhere = path.parent.rename(path.parent.with_name("elsewhere"))
    with pytest.raises(FileNotFoundError):
        file.append(numbered(1))
    assert not path.parent.exists()
    assert file.waiting == 1
    elsewhere.rename(path.parent)
    file.append(numbered(2))
    assert path.read_bytes() == b"".join(map(numbered, range(3)))
    file.close()


def test_what_cannot_be_written_waits(path, monkeypatch):
    """A full disk takes half of a line; the rest follows in the same file when there is room."""
    file = AuditFile(path, max_bytes=100)
    room = 12
    write = os.write

    def full(descriptor, data):
        nonlocal room
        taken = min(room, len(data))
        if not taken:
            raise OSError(errno.ENOSPC, "no space left")
        room -= taken
        return write(descriptor, bytes(data[:taken]))

    monkeypatch.setattr(audit_file.os, "write", full)
    file.append(b"first\n")
    for line in (b"second line\n", b""):
        with pytest.raises(OSError, match="no space"):
            file.append(line)
    assert file.waiting == 1
    assert path.read_bytes() == b"first\nsecond"
    room = 10_000
    file.append(b"x" * 95 + b"\n")
    assert file.waiting == 0
    assert path.read_bytes() == b"first\nsecond line\n" + b"x" * 95 + b"\n"
    file.close()

"""Making sure that what was written is on the disk."""

import os
import stat

import pytest

from recollect.memory.util.disk import (
    MadeOnce,
    append_text,
    file_mtime,
    force,
    keep_private,
    replace_text,
)


@pytest.mark.parametrize("what", ["file", "."])
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


def test_a_disk_that_refuses_is_told(tmp_path):
    """What is not there cannot be forced either."""
    with pytest.raises(OSError, match="absent"):
        force(tmp_path / "absent")


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_appended_is_for_its_owner_alone(tmp_path):
    """From the first byte on, and what is there stays."""
    before = os.umask(0)
    try:
        for _ in range(2):
            append_text(tmp_path / "file", "é\n")
    finally:
        os.umask(before)
    assert (tmp_path / "file").read_text("utf-8") == "é\né\n"
    assert mode_of(tmp_path / "file") == 0o600


@pytest.mark.parametrize(
    ("mode", "kept"), [(0o644, 0o600), (0o640, 0o600), (0o400, 0o400), (0o600, 0o600)]
)
def test_a_file_is_made_private(tmp_path, mode, kept):
    """What its owner may do is not changed; a file that is not there needs nothing."""
    (tmp_path / "file").touch()
    (tmp_path / "file").chmod(mode)
    keep_private(tmp_path / "file")
    keep_private(tmp_path / "absent")
    assert mode_of(tmp_path / "file") == kept


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

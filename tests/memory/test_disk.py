"""Making sure that what was written is on the disk."""

import os

import pytest

from recollect.memory.disk import force


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

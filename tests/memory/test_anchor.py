"""Whether what was opened is still at its path."""

import shutil

import pytest

from recollect.memory.anchor import Anchor, first_gone


@pytest.fixture
def anchor(tmp_path):
    path = tmp_path / "data" / "file"
    path.parent.mkdir()
    path.write_text("x")
    with path.open():  # open, so that its inode is not given to another file
        yield Anchor.of(path)


def test_what_is_there_is_not_gone(anchor):
    """Whatever is written into it."""
    anchor.path.write_text("longer")
    assert anchor.gone == ""


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


def test_the_first_that_is_gone_is_told(anchor, tmp_path):
    """Nothing is told if all are there."""
    other = tmp_path / "other"
    other.write_text("y")
    anchors = (anchor, Anchor.of(other))
    assert first_gone(anchors) == ""
    other.unlink()
    assert str(other) in first_gone(anchors)

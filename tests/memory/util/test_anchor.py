"""Whether what was opened is still at its path."""

import shutil
from pathlib import Path

import pytest

from recollect.memory.model.errors import StateGoneError
from recollect.memory.util.anchor import Anchor, AnchoredFolder, first_gone


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


def test_the_first_that_is_gone_is_told(anchor, tmp_path):
    """Nothing is told if all are there."""
    other = tmp_path / "other"
    other.write_text("y")
    anchors = (anchor, Anchor.of(other))
    assert first_gone(anchors) == ""
    other.unlink()
    assert str(other) in first_gone(anchors)


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

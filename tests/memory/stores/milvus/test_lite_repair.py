"""Looking at an embedded store's folder, and moving a damaged one out of the way."""

import fcntl
from pathlib import Path

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.stores.milvus.lite_repair import look, set_aside


@pytest.fixture
def damaged(tmp_path):
    """A folder with a collection whose schema cannot be read."""
    schema = tmp_path / "memories.db" / "collections" / "c" / "schema.json"
    schema.parent.mkdir(parents=True)
    schema.write_text("{")
    return tmp_path / "memories.db"


def test_a_damaged_folder_is_kept_under_another_name(damaged):
    """With everything in it; looking changes nothing."""
    found = look(damaged)
    assert found.damage is not None
    assert "schema.json" in found.damage
    kept = set_aside(damaged)
    assert kept.name.startswith("memories.db.corrupt-")
    assert (kept / "collections" / "c" / "schema.json").read_text() == "{"
    assert list(damaged.parent.iterdir()) == [kept]


def test_a_folder_in_use_is_left_alone(damaged):
    """What is being written to is not looked at."""
    with (damaged / "LOCK").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = look(damaged)
        assert (found.holder is None, found.damage) == (False, None)
        with pytest.raises(StoreError, match="in use"):
            set_aside(damaged)
    assert damaged.exists()


def test_a_sound_folder_is_not_moved(tmp_path):
    """Nor is one that is not there."""
    with pytest.raises(StoreError, match="sound"):
        set_aside(tmp_path / "memories.db")


def test_a_folder_that_cannot_be_renamed(damaged, monkeypatch):
    """It is ours that says so."""

    def refuse(*_: object) -> None:
        raise PermissionError("no")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(StoreError, match="cannot rename"):
        set_aside(damaged)

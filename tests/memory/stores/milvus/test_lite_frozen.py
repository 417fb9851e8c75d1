"""A store's folder that holds still while it is copied."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import StoreDamagedError, StoreError
from recollect.memory.stores.milvus import lite_frozen
from recollect.memory.stores.milvus.lite import LiteProcess
from recollect.memory.stores.milvus.lite_frozen import frozen
from recollect.memory.stores.milvus.lite_snapshot import snapshot_of
from recollect.memory.util.locks import Ownership


@pytest.fixture
def folder(tmp_path):
    """An empty store's folder that no process uses."""
    path = tmp_path / "memories.db"
    path.mkdir()
    return path


def test_a_folder_that_nobody_uses_is_read_in_place(folder):
    """And nobody can begin to use it meanwhile."""
    with frozen(folder) as still:
        assert still == folder
        assert Ownership.claim(folder).taken
    assert Ownership.claim(folder).sole


@pytest.mark.process
def test_the_process_that_serves_it_makes_a_snapshot(folder):
    """It goes on serving; the snapshot is removed, and a second one in between is refused."""
    server = LiteProcess(folder)
    server.start()
    try:
        with frozen(folder) as still:
            assert still == snapshot_of(folder)
            assert (still / "collections").is_dir()
            with pytest.raises(StoreError, match="being copied by another process"), frozen(folder):
                pass
        assert not still.exists()
        assert server.running
    finally:
        server.stop()


@pytest.mark.process
def test_what_a_killed_backup_left_is_removed_at_the_next_start(folder):
    """It would keep what is forgotten from then on."""
    snapshot_of(folder).mkdir()
    server = LiteProcess(folder)
    server.start()
    server.stop()
    assert not snapshot_of(folder).exists()


def test_who_uses_it_and_does_not_answer(folder, monkeypatch):
    """A process that is starting, and one in another container, whose socket is not here."""
    monkeypatch.setattr(lite_frozen, "ASK_SECONDS", 0.5)
    owner = Ownership.claim(folder)
    with pytest.raises(StoreError, match="is starting"), frozen(folder):
        pass
    owner.note(f"unix:{folder}/gone.sock")
    with pytest.raises(StoreError, match="does not answer: run this command"), frozen(folder):
        pass
    owner.release()


def test_a_damaged_folder_is_refused(folder):
    """A copy of it would be no backup."""
    schema = folder / "collections" / "c" / "schema.json"
    schema.parent.mkdir(parents=True)
    schema.write_text("{")
    with pytest.raises(StoreDamagedError, match=r"schema\.json"), frozen(folder):
        pass

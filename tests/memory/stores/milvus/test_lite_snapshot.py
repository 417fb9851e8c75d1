"""A snapshot of a folder that is served: links to what never changes, copies of the rest."""

from __future__ import annotations

import threading

import pytest

from recollect.memory.stores.milvus.lite_snapshot import (
    snapshot_of,
    sweep_snapshot,
    take_snapshot,
)


class Database:
    """What a snapshot needs of Milvus Lite: collections with a lock on their files."""

    def __init__(self) -> None:
        self._maintenance_lock = threading.RLock()

    def list_collections(self) -> list[str]:
        return ["c"]

    def get_collection(self, _name: str) -> Database:
        return self


@pytest.fixture
def folder(tmp_path):
    """A file of rows, a log, a manifest, and what belongs to the process alone."""
    path = tmp_path / "memories.db"
    (path / "c" / "wal").mkdir(parents=True)
    for name in ("c/rows.parquet", "c/wal/log.arrow", "c/manifest.json", "c/x.tmp", "LOCK"):
        (path / name).write_text(name)
    return path


def test_rows_are_linked_and_logs_are_copied(folder):
    """What is appended to later does not change the snapshot; locks are not in it."""
    taken = take_snapshot(Database(), folder)
    assert taken == snapshot_of(folder)
    assert (taken / "c/rows.parquet").samefile(folder / "c/rows.parquet")
    with (folder / "c/wal/log.arrow").open("a") as log:
        log.write("more")
    assert (taken / "c/wal/log.arrow").read_text() == "c/wal/log.arrow"
    assert sorted(p.name for p in taken.rglob("*") if p.is_file()) == [
        "log.arrow",
        "manifest.json",
        "rows.parquet",
    ]


def test_a_snapshot_replaces_what_a_killed_backup_left(folder):
    """What was forgotten in between is in neither."""
    (snapshot_of(folder) / "c").mkdir(parents=True)
    (snapshot_of(folder) / "c" / "old.parquet").touch()
    assert not (take_snapshot(Database(), folder) / "c" / "old.parquet").exists()
    sweep_snapshot(folder)
    sweep_snapshot(folder)
    assert not snapshot_of(folder).exists()


def test_half_a_snapshot_is_removed(folder, monkeypatch):
    """A full disk: nothing is left, and the files are as they were."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copy2", full)
    with pytest.raises(OSError, match="No space left"):
        take_snapshot(Database(), folder)
    assert not snapshot_of(folder).exists()
    assert (folder / "c/rows.parquet").exists()

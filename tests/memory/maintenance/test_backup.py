"""Backups of the local files of a configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.memory.database.sqlite import TABLES
from recollect.memory.database.sqlite.connect import connect
from recollect.memory.maintenance import backup as backing
from recollect.memory.maintenance.backup import back_up, plan_backup
from recollect.memory.maintenance.backup_files import BackupError, read_note
from recollect.memory.model.errors import StateDamagedError
from tests.support.composing import settings

FILES = {"database__url": None, "index__backend": "milvus"}


def nothing(_more: int) -> None:
    """Progress that nobody looks at."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a database, an index and a key."""
    folder = tmp_path / "data"
    (folder / "index.milvus").mkdir(parents=True)
    (folder / "index.milvus" / "recollect-index").touch()
    connect(folder / "recollect.db", TABLES, "normal").close()
    (folder / "identity.key").write_text("k" * 64)
    return folder


def test_everything_is_in_it(data: Path, tmp_path: Path) -> None:
    """But for an index; with a note that lists it. The bytes that are told are those of the files."""
    options, told, target = settings(tmp_path, **FILES), [], tmp_path / "backup"
    planned = plan_backup(options, data)
    note = back_up(options, data, target, "1.2", told.append)
    assert list(note.files) == ["recollect.db", "identity.key"]
    assert read_note(target) == note
    assert sum(told) == note.bytes
    assert note.bytes <= planned
    assert target.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_is_not_empty(data: Path, tmp_path: Path) -> None:
    """Nothing in it is changed; nor is a file in its place."""
    options, target = settings(tmp_path, **FILES), tmp_path / "backup"
    target.mkdir()
    (target / "mine").touch()
    with pytest.raises(BackupError, match="not empty"):
        back_up(options, data, target, "1", nothing)
    assert [path.name for path in target.iterdir()] == ["mine"]
    with pytest.raises(BackupError, match="cannot use"):
        back_up(options, data, target / "mine", "1", nothing)


def test_a_damaged_part(data: Path, tmp_path: Path) -> None:
    """It is named, and no half of a backup stays, in a folder of yours or in a new one."""
    target, new = tmp_path / "backup", tmp_path / "new"
    target.mkdir()
    (data / "recollect.db").write_bytes(b"no database " * 500)
    for folder in (target, new):
        with pytest.raises(StateDamagedError):
            back_up(settings(tmp_path, **FILES), data, folder, "1", nothing)
    assert not list(target.iterdir())
    assert not new.exists()


def test_a_full_disk(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle: what was written goes."""

    def full(source: Path, target: Path, told: object) -> None:
        target.parent.mkdir(exist_ok=True)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backing, "copied", full)
    target = tmp_path / "backup"
    target.mkdir()
    with pytest.raises(BackupError, match="No space left"):
        back_up(settings(tmp_path, **FILES), data, target, "1", nothing)
    assert not list(target.iterdir())


def test_a_name_that_no_backup_can_hold(data: Path, tmp_path: Path) -> None:
    """It is refused now, and not when the backup is needed."""
    (data / "a\nb").touch()
    with pytest.raises(BackupError, match=r"no file called 'a\\nb'"):
        back_up(settings(tmp_path, **FILES), data, tmp_path / "backup", "1", nothing)


def test_keys_alone(tmp_path: Path) -> None:
    """They are a backup if the database is on a server; if its file is missing, it is refused."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "tokens.json").write_text("{}")
    assert plan_backup(settings(tmp_path), data) == 2
    note = back_up(settings(tmp_path), data, tmp_path / "backup", "1", nothing)
    assert list(note.files) == ["tokens.json"]
    with pytest.raises(BackupError, match="there is nothing in"):
        plan_backup(settings(tmp_path, **FILES), data)


def test_nothing_to_back_up(tmp_path: Path) -> None:
    """Everything is on servers, or nothing is there yet."""
    with pytest.raises(BackupError, match="back up the server"):
        plan_backup(settings(tmp_path), tmp_path / "data")
    with pytest.raises(BackupError, match="there is nothing in"):
        plan_backup(settings(tmp_path, **FILES), tmp_path / "data")
    (tmp_path / "data" / "index.milvus").mkdir(parents=True)
    with pytest.raises(BackupError, match="there is nothing in"):
        back_up(settings(tmp_path, **FILES), tmp_path / "data", tmp_path / "b", "1", nothing)
    assert not (tmp_path / "b").exists()

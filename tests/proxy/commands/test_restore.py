"""`recollect restore`, as a person calls it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from recollect.proxy.cli import main
from tests.support.state import database_at


async def make_database(file: Path) -> None:
    """An empty one."""
    await (await database_at(str(file))).close()


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of an empty database."""
    (tmp_path / "data").mkdir()
    asyncio.run(make_database(tmp_path / "data" / "recollect.db"))
    (tmp_path / "data" / "tokens.json").write_text("{}")
    assert main(["backup", str(tmp_path / "backup")]) == 0
    return tmp_path / "backup"


def test_a_restore(backup: Path, tmp_path: Path, capsys: Any) -> None:
    """Says how old it is, and what has to be forgotten again."""
    assert main(["restore", "--data-dir", str(tmp_path / "new"), str(backup)]) == 0
    assert (tmp_path / "new" / "tokens.json").read_text() == "{}"
    told = capsys.readouterr().err
    assert "as they were on 20" in told
    assert "repeat those requests to forget" in told


def test_a_folder_with_something_in_it(backup: Path, tmp_path: Path, capsys: Any) -> None:
    """Status 1, with the file that is in the way; nothing is changed."""
    assert main(["restore", str(backup)]) == 1
    told = capsys.readouterr().err
    assert f"{tmp_path / 'data'}" in told
    assert "is there already" in told


def test_a_backup_by_somebody_else(backup: Path, tmp_path: Path, capsys: Any) -> None:
    """A name that leads elsewhere: status 1 and one line, and nothing is written."""
    note = backup / "backup.json"
    elsewhere = tmp_path / "authorized_keys"
    note.write_text(note.read_text().replace('"tokens.json"', f'"index.milvus/{elsewhere}"'))
    capsys.readouterr()
    assert main(["restore", "--data-dir", str(tmp_path / "new"), str(backup)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("recollect: ")
    assert "is not the name of a file of a backup" in told
    assert told.count("\n") == 1
    assert not elsewhere.exists()
    assert not (tmp_path / "new").exists()

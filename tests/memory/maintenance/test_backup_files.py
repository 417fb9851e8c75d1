"""What a backup consists of, and what its note may say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect.memory.maintenance.backup_files import (
    NOTE,
    BackupError,
    FileNote,
    copied,
    noted,
    other_files,
    read_note,
)
from recollect.memory.model.format import FORMAT
from tests.support.composing import settings
from tests.support.folding import rows

FILE = {"size": 1, "sha256": "0" * 64}
GOOD = {"recollect": "1", "data": FORMAT, "at": "2026-11-27T12:00:00Z", "files": {"a": FILE}}


def test_files_that_outlive_a_process(tmp_path: Path) -> None:
    """Keys and lists; neither locks and logs, nor folders, nor what a repair set aside."""
    data = tmp_path / "data"
    (data / "models").mkdir(parents=True)
    kept = ["calibration.json", "identity.key", "tokens.json"]
    parts = ["recollect.db"]
    passing = [".x", "recollect.db.lock", "recollect.db-wal", "recollect.db.corrupt-1", NOTE]
    for name in (*kept, *parts, *passing):
        (data / name).touch()
    options = settings(tmp_path, database__url=None)
    assert [path.name for path in other_files(options, data)] == kept
    assert list(other_files(options, tmp_path / "none")) == []


def test_a_copy_is_private_and_known(tmp_path: Path) -> None:
    """Size and checksum are those of the content; the bytes are told."""
    (tmp_path / "a").write_bytes(b"abc")
    told: list[int] = []
    note = copied(tmp_path / "a", tmp_path / "b", told.append)
    assert (tmp_path / "b").read_bytes() == b"abc"
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600
    assert note == noted(tmp_path / "a", told.append) == FileNote(size=3, sha256=note.sha256)
    assert told == [3, 3]


@rows(
    "content, said",
    [
        (None, "no backup, or one that was interrupted"),
        ("{", "cannot be used: content"),
        (json.dumps(GOOD | {"format": 2}), "format"),
        (json.dumps(GOOD | {"data": 1}), "has data of format 1, and this version reads format 2"),
        (json.dumps(GOOD | {"data": 0}), "has data without a format number"),
        (json.dumps(GOOD | {"files": {"../a": FILE}}), "not the name of"),
        (json.dumps(GOOD | {"files": {"/a": FILE}}), "not the name of"),
        (json.dumps(GOOD | {"files": {"a/b": FILE}}), "not the name of"),
        (json.dumps(GOOD | {"files": {"a": FILE | {"size": -1}}}), "files.a.size"),
        (json.dumps(GOOD | {"files": {}}), "files"),
        (17 << 20, "more than 16,777,216 bytes"),
    ],
)
def test_a_note_that_cannot_be_used(content, said, tmp_path):
    """It names what is wrong; no file outside of the folder is ever named."""
    if content is not None:
        text = content if isinstance(content, str) else " " * content + json.dumps(GOOD)
        (tmp_path / NOTE).write_text(text)
    with pytest.raises(BackupError, match=said):
        read_note(tmp_path)
    (tmp_path / "folder" / NOTE).mkdir(parents=True, exist_ok=True)
    with pytest.raises(BackupError, match="cannot read"):
        read_note(tmp_path / "folder")

"""What a backup consists of: its files, and a note that lists them with their checksums.

recollect.db                            the database, wherever it is configured to be, without the
                                        notes of the graph, which is read anew
identity.key, tokens.json, …            the other files of `data_dir`
backup.json                             the note, written last: without it nothing is complete
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..engine.options import EngineOptions
from ..model.errors import RecollectError
from ..model.format import NONE, refuse_other
from ..util.disk import force, opened_within

NOTE = "backup.json"
DATABASE = "recollect.db"
FORMAT: Literal[1] = 1
_CHUNK = 1 << 20
_FLEETING = (".lock", "-wal", "-shm", ".repaired", ".restoring", ".keys")
"""Ends of names of files that belong to a running process or to a repair; and users' keys, which
a copy is not to have: whoever is forgotten is so in all copies."""
_FOLDERS = frozenset({"models", "tasks", "lost+found"})
"""What `data_dir` may hold beside the files of a backup."""
_NOTE_BYTES = 16 << 20
_NAME_BYTES = 200
"""Of one name; a longer one leaves no room for what is added to it while it is restored."""

Told = Callable[[int], None]
"""Gets the number of bytes that have been copied since the last call."""


class BackupError(RecollectError):
    """A backup cannot be made or restored; nothing that was there was changed."""

    code = "backup_refused"


class FileNote(BaseModel):
    """One file of a backup."""

    model_config = ConfigDict(frozen=True)

    size: int = Field(ge=0, lt=1 << 63)
    """Bytes."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class BackupNote(BaseModel):
    """What a backup says of itself."""

    model_config = ConfigDict(frozen=True)

    format: Literal[1] = FORMAT
    recollect: str = Field(max_length=100)
    """The version that made it."""
    at: datetime
    """When it was begun. What was forgotten later is in it."""
    files: dict[str, FileNote] = Field(min_length=1)
    data: int = NONE
    """The format of what is kept in it (`model.format`)."""

    @field_validator("files")
    @classmethod
    def _within(cls, files: dict[str, FileNote]) -> dict[str, FileNote]:
        """Each is a file of the folder that is restored into, and none is in another."""
        for name in files:
            if not is_name(name):
                raise ValueError(f"{_shown(name)} is not the name of a file of a backup")
        return files

    @property
    def bytes(self) -> int:
        """All files together."""
        return sum(each.size for each in self.files.values())


def is_name(name: str) -> bool:
    """Whether a backup can have a file of this name: one of `data_dir`.

    What a name leads to is decided by this alone, before it is joined with a folder.
    """
    if name in {"", ".", ".."} or "/" in name or not name.isprintable():
        return False
    return len(name.encode()) <= _NAME_BYTES and not _is_passing(name)


def _is_passing(name: str) -> bool:
    """Whether a file of `data_dir` belongs to a process, a repair, or the backup itself."""
    known = name in _FOLDERS or name == NOTE
    return known or name.startswith(".") or name.endswith(_FLEETING) or ".corrupt-" in name


def _shown(name: str) -> str:
    return repr(name if len(name) <= _NAME_BYTES else f"{name[:_NAME_BYTES]}…")


def read_note(backup: Path) -> BackupNote:
    """What is in the folder. Raises BackupError if it is no complete backup of a known form."""
    path = backup / NOTE
    try:
        with opened_within(backup, NOTE) as file:
            content = file.read(_NOTE_BYTES + 1)
    except FileNotFoundError:
        raise BackupError(
            f"{backup} is no backup, or one that was interrupted: it has no {NOTE}"
        ) from None
    except OSError as error:
        raise BackupError(f"cannot read {path}: {error.strerror}") from error
    if len(content) > _NOTE_BYTES:
        raise BackupError(f"{path} cannot be used: it has more than {_NOTE_BYTES:,} bytes")
    try:
        note = BackupNote.model_validate_json(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) if is_name(str(part)) else "…" for part in first["loc"])
        raise BackupError(f"{path} cannot be used: {where or 'content'}: {first['msg']}") from None
    refuse_other(f"the backup {backup}", note.data, BackupError)
    return note


def other_files(options: EngineOptions, data_dir: Path) -> Iterator[Path]:
    """The other files of `data_dir` that outlive a process. Folders are made anew."""
    if not data_dir.is_dir():
        return
    for path in sorted(data_dir.iterdir()):
        known = path == options.database.file or path.name == DATABASE
        if path.is_file() and not known and not _is_passing(path.name):
            yield path


def copied(source: Path, target: Path, told: Told) -> FileNote:
    """Copy a file for its owner alone, down to the disk. Raises OSError."""
    with source.open("rb") as file:
        return _written(file, target, told)


def taken_back(backup: Path, name: str, file: FileNote, target: Path, told: Told) -> None:
    """Copy a file of a backup for its owner alone, down to the disk: what was noted, and no more.

    Raises:
        BackupError: it is not what was backed up.
        OSError: the disk refuses.
    """
    with opened(backup, name, file) as source:
        if _written(source, target, told, file.size) != file:
            raise _changed(backup, name)


@contextlib.contextmanager
def opened(backup: Path, name: str, file: FileNote) -> Iterator[BinaryIO]:
    """A file of a backup, if it is a file and as long as was noted; else raises BackupError."""
    with contextlib.ExitStack() as stack:
        try:
            source = stack.enter_context(opened_within(backup, name))
            size = os.fstat(source.fileno()).st_size
        except OSError as error:
            raise BackupError(f"cannot read {backup / name}: {error.strerror}") from error
        if size != file.size:
            raise _changed(backup, name)
        yield source


def _changed(backup: Path, name: str) -> BackupError:
    return BackupError(f"{backup / name} is not as it was backed up")


def noted(path: Path, told: Told) -> FileNote:
    """The note of a file that is in its place already. Raises OSError."""
    with path.open("rb") as file:
        return _read(file, told)


def _written(source: BinaryIO, target: Path, told: Told, most: int | None = None) -> FileNote:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as written:
        note = _read(source, told, written, most)
    force(target)
    return note


def _read(
    source: BinaryIO, told: Told, into: BinaryIO | None = None, most: int | None = None
) -> FileNote:
    """Read to the end, or until more than `most` bytes were there."""
    digest, size = hashlib.sha256(), 0
    while (most is None or size <= most) and (data := source.read(_CHUNK)):
        if into is not None:
            into.write(data)
        digest.update(data)
        size += len(data)
        told(len(data))
    return FileNote(size=size, sha256=digest.hexdigest())

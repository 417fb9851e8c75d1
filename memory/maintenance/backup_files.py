"""What a backup consists of: its files, and a note that lists them with their checksums.

state.db, history.db, memories.db/…     the embedded parts, wherever they are configured to be
graph.db                                the graph, without its notes: it is read anew when restored
identity.key, tokens.json, …            the other files of `data_dir`
backup.json                             the note, written last: without it nothing is complete
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..engine.options import EngineOptions
from ..model.errors import RecollectError
from ..util.disk import PRIVATE, force

NOTE = "backup.json"
STATE, HISTORY, GRAPH, STORE = "state.db", "history.db", "graph.db", "memories.db"
FORMAT: Literal[1] = 1
_CHUNK = 1 << 20
_FLEETING = (".lock", "-wal", "-shm", ".repaired", ".restoring")
"""Ends of names of files that belong to a running process or to a repair."""

Told = Callable[[int], None]
"""Gets the number of bytes that have been copied since the last call."""


class BackupError(RecollectError):
    """A backup cannot be made or restored; nothing that was there was changed."""

    code = "backup_refused"


class FileNote(BaseModel):
    """One file of a backup."""

    model_config = ConfigDict(frozen=True)

    size: int = Field(ge=0)
    """Bytes."""
    sha256: str


class BackupNote(BaseModel):
    """What a backup says of itself."""

    model_config = ConfigDict(frozen=True)

    format: Literal[1] = FORMAT
    recollect: str
    """The version that made it."""
    at: datetime
    """When it was begun. What was forgotten later is in it."""
    files: dict[str, FileNote]
    store: str = "milvus"
    """The kind of store whose folder is in it; earlier versions knew one only."""

    @field_validator("files")
    @classmethod
    def _within(cls, files: dict[str, FileNote]) -> dict[str, FileNote]:
        """No file is written outside of the folder that is restored into."""
        for name in files:
            parts = PurePosixPath(name).parts
            inside = parts and not name.startswith("/") and not {"..", "."} & set(parts)
            if not inside or (len(parts) > 1 and parts[0] != STORE):
                raise ValueError(f"{name!r} is not the name of a file of a backup")
        return files

    @property
    def bytes(self) -> int:
        """All files together."""
        return sum(each.size for each in self.files.values())


def read_note(backup: Path) -> BackupNote:
    """What is in the folder. Raises BackupError if it is no complete backup of a known form."""
    path = backup / NOTE
    try:
        return BackupNote.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise BackupError(
            f"{backup} is no backup, or one that was interrupted: it has no {NOTE}"
        ) from None
    except OSError as error:
        raise BackupError(f"cannot read {path}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "content"
        raise BackupError(f"{path} cannot be used: {where}: {first['msg']}") from None


def part_places(options: EngineOptions) -> dict[str, Path | None]:
    """Where the embedded parts are; None for one that is a server, or is not kept."""
    return {
        STATE: options.state.file,
        HISTORY: options.history.file,
        GRAPH: options.history.graph_file,
        STORE: options.store.folder,
    }


def other_files(options: EngineOptions, data_dir: Path) -> Iterator[Path]:
    """The files of `data_dir` that are no part and outlive a process. Folders are made anew."""
    parts = {*part_places(options).values()}
    if not data_dir.is_dir():
        return
    for path in sorted(data_dir.iterdir()):
        name = path.name
        passing = name.startswith(".") or name.endswith(_FLEETING) or ".corrupt-" in name
        known = path in parts or name in {STATE, HISTORY, GRAPH, STORE, NOTE}
        if path.is_file() and not passing and not known:
            yield path


def copied(source: Path, target: Path, told: Told) -> FileNote:
    """Copy a file for its owner alone, down to the disk. Raises OSError."""
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest, size = hashlib.sha256(), 0
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with source.open("rb") as read, os.fdopen(descriptor, "wb") as written:
        while data := read.read(_CHUNK):
            written.write(data)
            digest.update(data)
            size += len(data)
            told(len(data))
    force(target)
    return FileNote(size=size, sha256=digest.hexdigest())


def noted(path: Path, told: Told) -> FileNote:
    """The note of a file that is in its place already. Raises OSError."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while data := file.read(_CHUNK):
            digest.update(data)
            size += len(data)
            told(len(data))
    return FileNote(size=size, sha256=digest.hexdigest())

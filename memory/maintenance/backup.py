"""Backs up the embedded parts, of a running product too.

A vector index is not in it: it is filled from the memories when the backup is used.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from ..database.sqlite.copying import copy_database, forget_notes
from ..engine.options import EngineOptions
from ..model.format import FORMAT
from ..util.disk import MadeOnce, force, replace_text
from .backup_files import (
    DATABASE,
    NOTE,
    BackupError,
    BackupNote,
    FileNote,
    Told,
    copied,
    is_name,
    noted,
    other_files,
)


def plan_backup(options: EngineOptions, data_dir: Path) -> int:
    """About how many bytes it would have. Raises BackupError if there is nothing to keep."""
    file, others = options.database.file, tuple(other_files(options, data_dir))
    if file is None and not others:
        raise BackupError("nothing is kept in local files: back up the server of the database")
    # Keys without their database are a backup only if it is not in a file.
    if file is not None and not file.exists():
        raise BackupError(f"there is nothing in {data_dir} to back up")
    return sum(each.stat().st_size for each in (file, *others) if each is not None)


def back_up(
    options: EngineOptions, data_dir: Path, target: Path, version: str, told: Told
) -> BackupNote:
    """Write everything of the local files into `target`, which is made, or is empty.

    Raises:
        BackupError: the folder is not empty or cannot be written, or nothing is to be kept.
        StateError: a part is damaged or cannot be read. Nothing stays in `target`.
    """
    began = datetime.now(UTC)
    with _filled(target):
        files = dict(_copied_all(options, data_dir, target, told))
        if not files:
            raise BackupError(f"there is nothing in {data_dir} to back up")
        note = BackupNote(recollect=version, at=began, files=files, data=FORMAT)
        replace_text(target / NOTE, note.model_dump_json(indent=1) + "\n", MadeOnce(target))
        force(target)
    return note


def _copied_all(
    options: EngineOptions, data_dir: Path, target: Path, told: Told
) -> Iterator[tuple[str, FileNote]]:
    path, copy = options.database.file, target / DATABASE
    if path is not None and path.exists():
        copy_database(path, copy)
        forget_notes(copy)
        force(copy)
        yield DATABASE, noted(copy, told)
    for path in other_files(options, data_dir):
        if not is_name(path.name):
            raise BackupError(f"a backup can have no file called {path.name!r}: move it elsewhere")
        yield path.name, copied(path, target / path.name, told)


@contextlib.contextmanager
def _filled(target: Path) -> Iterator[None]:
    """Make the folder if it is not there; if the block fails, it is as it was."""
    new = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True, mode=0o700)
        if any(target.iterdir()):
            raise BackupError(f"{target} is not empty: name a new folder")
    except OSError as error:
        raise BackupError(f"cannot use {target}: {error}") from error
    try:
        yield
    except BaseException as error:
        for path in target.iterdir():
            path.unlink()
        if new:
            target.rmdir()
        if isinstance(error, OSError):
            raise BackupError(f"the backup could not be written: {error}") from error
        raise

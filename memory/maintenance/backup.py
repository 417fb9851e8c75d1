"""Backs up the embedded parts, of a running product too.

A vector index is not in it: it is filled from the memories when the backup is used.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
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
    part_places,
)


@dataclass(frozen=True, slots=True)
class Planned:
    """What a backup of this configuration would hold."""

    parts: tuple[str, ...]
    """Embedded parts that are there."""
    elsewhere: tuple[str, ...]
    """Parts that are not kept in local files, so that they are not in it."""
    bytes: int
    """About how much it is."""


def plan_backup(options: EngineOptions, data_dir: Path) -> Planned:
    """Look at the files. Raises BackupError if there is nothing to keep."""
    places = part_places(options)
    parts = tuple(name for name, path in places.items() if path is not None and path.exists())
    elsewhere = tuple(name for name, path in places.items() if path is None)
    others = tuple(other_files(options, data_dir))
    # Keys without their database are a backup only if it is not in a file.
    if not parts and not (elsewhere and others):
        if elsewhere:
            raise BackupError("nothing is kept in local files: back up the servers")
        raise BackupError(f"there is nothing in {data_dir} to back up")
    size = sum(each.stat().st_size for each in others)
    size += sum(_size(path) for path in places.values() if path is not None)
    return Planned(parts, elsewhere, size)


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
    places = part_places(options)
    path, copy = places[DATABASE], target / DATABASE
    if path is not None and path.exists():
        copy_database(path, copy)
        forget_notes(copy)
        force(copy)
        yield DATABASE, noted(copy, told)
    for path in other_files(options, data_dir):
        _expect_name(path.name)
        yield path.name, copied(path, target / path.name, told)


def _expect_name(name: str) -> None:
    if not is_name(name):
        raise BackupError(f"a backup can have no file called {name!r}: move it elsewhere")


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
        _emptied(target, remove=new)
        if isinstance(error, OSError):
            raise BackupError(f"the backup could not be written: {error}") from error
        raise


def _emptied(target: Path, *, remove: bool) -> None:
    if remove:
        shutil.rmtree(target, ignore_errors=True)
        return
    for path in target.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _size(path: Path) -> int:
    """Bytes of a file, or of the files in a folder that may change meanwhile."""
    total = 0
    for each in path.rglob("*") if path.is_dir() else (path,):
        with contextlib.suppress(OSError):
            total += each.stat().st_size if each.is_file() else 0
    return total

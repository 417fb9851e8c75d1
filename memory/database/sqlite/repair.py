"""Replaces a damaged file with a sound one and keeps the damaged one.

The new file is complete, synced and named ``<name>.repaired`` before any other file moves. From
then on an interrupted repair is finished by the next one, and the file cannot be opened before.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ...model.errors import StateError
from ...model.format import refuse_other
from ...util.disk import force
from ...util.locks import Look, Ownership, byte_holder, flock_holder, named
from .connect import connect, damage_of, format_stated, not_opened, reading_uri, repaired_name
from .salvage import Saved, salvage

_ANYBODY_BYTE = 128
"""A byte of the ``-shm`` file: every connection to a file with a log holds a shared lock on it."""
_LOG, _INDEX = "-wal", "-shm"


@dataclass(frozen=True, slots=True)
class Repaired:
    """The result of a repair."""

    kept: Path
    """Where the damaged file is now."""
    saved: list[Saved]
    """Rows in the new file; empty if an interrupted repair had written it."""


def look(path: Path) -> Look:
    """Check whether the file is sound; changes nothing. A missing file is sound.

    Raises:
        StateError: it cannot be read.
    """
    holder = flock_holder(_beside(path, ".lock")) or byte_holder(
        _beside(path, _INDEX), _ANYBODY_BYTE
    )
    if holder is not None:
        return Look(path, holder=holder)
    if repaired_name(path).exists():
        return Look(path, damage="an earlier repair was interrupted")
    try:
        return Look(path, damage=damage_of(reading_uri(path)) if path.exists() else None)
    except (sqlite3.Error, OSError) as error:
        raise StateError(f"cannot read {path}: {error}") from error


def repair(path: Path, tables: str, *, without: Collection[str] = ()) -> Repaired:
    """Save the readable rows of a damaged file into a new one; the damaged one is kept.

    Tables `without` are empty in the new one.

    Raises:
        StateUnwritableError: there is no room for the new file; the damaged one stays in place.
        StateError: the file is in use, is sound, or of another format; it stays in place.
    """
    owner = Ownership.claim(path)
    try:
        holder = byte_holder(_beside(path, _INDEX), _ANYBODY_BYTE)
        if not owner.sole:
            holder = named(_beside(path, ".lock"))
        if holder is not None:
            raise StateError(f"{path} is in use by {holder}: stop it first; nothing was changed")
        _sweep(path)
        return _repair(path, tables, without)
    except (sqlite3.Error, OSError) as error:
        raise not_opened(error, path) from error
    finally:
        owner.release()


def _repair(path: Path, tables: str, without: Collection[str]) -> Repaired:
    new = repaired_name(path)
    if new.exists():
        _exchange(path, new)
        return Repaired(_last_kept(path), [])
    if damage_of(reading_uri(path)) is None:
        raise StateError(f"{path} is sound: there is nothing to repair")
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=_workshop(path)) as folder:
        fresh, saved = _salvaged(path, Path(folder), tables, without)
        kept = _keep(path)
        fresh.replace(new)
        force(path.parent)
    _exchange(path, new)
    return Repaired(kept, saved)


def _salvaged(
    path: Path, folder: Path, tables: str, without: Collection[str]
) -> tuple[Path, list[Saved]]:
    """A new file with the readable rows; of the damaged one only copies are opened."""
    for suffix in (_LOG, ""):
        if _beside(path, suffix).exists():
            shutil.copyfile(_beside(path, suffix), folder / f"old{suffix}")
    new = folder / "new"
    with (
        contextlib.closing(sqlite3.connect(folder / "old", isolation_level=None)) as old,
        contextlib.closing(connect(new, tables, "full")) as fresh,
    ):
        _refuse_other(old, path)
        saved = salvage(old, fresh, without=without)
        fresh.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    force(new)
    return new, saved


def _refuse_other(connection: sqlite3.Connection, path: Path) -> None:
    with contextlib.suppress(sqlite3.DatabaseError):
        refuse_other(str(path), format_stated(connection))


def _keep(path: Path) -> Path:
    """Give the damaged file and its log a second name."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    kept = path.with_name(f"{path.name}.corrupt-{stamp}")
    for suffix in (_LOG, ""):
        source, target = _beside(path, suffix), _beside(kept, suffix)
        if not source.exists():
            continue
        try:
            os.link(source, target)
        except OSError:
            # Not every file system supports hard links.
            shutil.copyfile(source, target)
            target.chmod(0o600)
            force(target)
    force(path.parent)
    return kept


def _exchange(path: Path, new: Path) -> None:
    """Replace the file. Its log must go first: SQLite would apply it to the new file."""
    for suffix in (_LOG, _INDEX):
        _beside(path, suffix).unlink(missing_ok=True)
    force(path.parent)
    new.replace(path)
    force(path.parent)


def _last_kept(path: Path) -> Path:
    kept = [p for p in path.parent.glob(f"{path.name}.corrupt-*") if not p.name.endswith(_LOG)]
    return max(kept, default=path)


def _sweep(path: Path) -> None:
    """Remove the copies that a killed repair left."""
    for left in path.parent.glob(f"{_workshop(path)}*"):
        shutil.rmtree(left)


def _workshop(path: Path) -> str:
    return f".{path.name}.repair-"


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}{suffix}")

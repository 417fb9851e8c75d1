"""Inspects a Milvus Lite folder that is not in use, and moves a damaged one out of the way."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from ...model.errors import StoreError
from ...util.locks import Look, flock_holder, lock_of
from .lite_damage import find_damage


def look(data_dir: Path) -> Look:
    """Check whether the folder is sound; changes nothing. A missing folder is sound."""
    # First the process that owns the folder, then its child, which may outlive it for seconds.
    for lock in (lock_of(data_dir), data_dir / "LOCK"):
        if (holder := flock_holder(lock)) is not None:
            return Look(data_dir, holder=holder)
    return Look(data_dir, damage=find_damage(data_dir))


def set_aside(data_dir: Path) -> Path:
    """Rename a damaged folder with all its files; the next start creates a new one.

    Raises:
        StoreError: it is in use, it is sound, or it cannot be renamed; nothing was changed.
    """
    found = look(data_dir)
    if found.holder is not None:
        raise StoreError(f"{data_dir} is in use by {found.holder}: stop it first")
    if found.damage is None:
        raise StoreError(f"{data_dir} is sound: there is nothing to repair")
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    try:
        return data_dir.rename(data_dir.with_name(f"{data_dir.name}.corrupt-{stamp}"))
    except OSError as error:
        raise StoreError(f"cannot rename {data_dir}: {error}") from error

"""Checks `data_dir` before anything is opened, so that an error names the setting."""

from __future__ import annotations

import contextlib
import errno
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.config import Settings

PROBE = ".write-probe"
PROBE_BYTES = 65_536
"""Size of the write test: an empty file fits on a full disk."""
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
"""What a disk may do that worked before. Chats go on with the memories that are there."""


@dataclass(frozen=True, slots=True)
class UnusableFolder:
    """Why the folder cannot be used."""

    reason: str
    fatal: bool = True
    """Whether a server cannot start. If not, its parts say what does not work."""
    advice: str = "set data_dir (--data-dir, RECOLLECT_DATA_DIR) to a folder that can be written"

    def __str__(self) -> str:
        return f"data_dir: {self.reason}" + (f"; {self.advice}" if self.fatal else "")


def look(settings: Settings) -> UnusableFolder | None:
    """Create the folder if it is missing, and try to write; None if all is well.

    A folder in which nothing would be kept is not looked at.
    """
    kept = (settings.database.file, settings.index.folder)
    folder = settings.data_dir
    if not any(path is not None and folder in path.parents for path in kept):
        return None
    return _made(folder) or _written(folder)


def in_use(settings: Settings) -> UnusableFolder | None:
    """Whether another process has the embedded memories of this configuration open."""
    from recollect.memory.engine.opening import holder_of

    holder = holder_of(settings)
    if holder is None:
        return None
    file = settings.database.file
    place = settings.data_dir if file and settings.data_dir in file.parents else file
    return UnusableFolder(
        f"{place} is in use by another Recollect ({holder})",
        advice="stop it first, or set data_dir (--data-dir, RECOLLECT_DATA_DIR) to another folder",
    )


def _made(folder: Path) -> UnusableFolder | None:
    if folder.is_dir():
        return None
    if folder.is_symlink() and not folder.exists():
        return UnusableFolder(f"{folder} is a link to {folder.readlink()}, which does not exist")
    if folder.exists():
        return UnusableFolder(f"{folder} is not a folder")
    try:
        folder.mkdir(parents=True, mode=0o700)
    except OSError as error:
        above = _existing(folder.parent)
        if not above.is_dir():
            return UnusableFolder(f"{folder} cannot be created: {above} is not a folder")
        return UnusableFolder(f"{folder} cannot be created in {above}: {_reason(error, above)}")
    return None


def _written(folder: Path) -> UnusableFolder | None:
    probe = folder / PROBE
    try:
        try:
            probe.write_bytes(bytes(PROBE_BYTES))
        finally:
            with contextlib.suppress(OSError):
                probe.unlink(missing_ok=True)
    except OSError as error:
        lasting = error.errno in _NO_ROOM and _holds_data(folder)
        return UnusableFolder(
            f"{folder} cannot be written: {_reason(error, folder)}", fatal=not lasting
        )
    return None


def _holds_data(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        return any(folder.iterdir())
    return False


def _existing(path: Path) -> Path:
    """The nearest path upwards that exists, as whatever it is."""
    while not os.path.lexists(path) and path != path.parent:
        path = path.parent
    return path


def _reason(error: OSError, folder: Path) -> str:
    reason = error.strerror or str(error)
    if error.errno in {errno.EACCES, errno.EPERM} and hasattr(os, "geteuid"):
        with contextlib.suppress(OSError):
            reason += f" (it belongs to user {folder.stat().st_uid}, this process runs as "
            reason += f"{os.geteuid()})"
    return reason

"""Forces written data to the disk, and replaces small files as a whole."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def force(path: Path) -> None:
    """Sync a file, or the names in a folder, so that it survives a power loss. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_text(path: Path, text: str) -> None:
    """Write a new file and rename it: a reader sees the old file or the new one.

    Others on this machine cannot read it, nor a folder that is made for it. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    made = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)
    except BaseException:
        made.unlink()
        raise

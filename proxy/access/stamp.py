"""Tells whether a file has changed."""

from __future__ import annotations

from pathlib import Path


def stamp_of(path: Path) -> tuple[int, int, int] | None:
    """Changes whenever the file is replaced or written; None if it cannot be looked at."""
    try:
        state = path.stat()
    except OSError:
        return None
    return (state.st_mtime_ns, state.st_size, state.st_ino)

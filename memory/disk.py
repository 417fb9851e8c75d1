"""Forces written data to the disk."""

from __future__ import annotations

import os
from pathlib import Path


def force(path: Path) -> None:
    """Sync a file, or the names in a folder, so that it survives a power loss. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

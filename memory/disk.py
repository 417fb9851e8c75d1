"""Making sure that what was written is on the disk."""

from __future__ import annotations

import os
from pathlib import Path


def force(path: Path) -> None:
    """Wait until a file, or the names in a folder, outlive a power loss. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""Whose vectors a folder holds, in a file beside them: it is read while the store is in use."""

from __future__ import annotations

import json
from pathlib import Path

_FILE = "recollect-embedder.json"


def note(folder: Path | None, embedder_id: str, dim: int) -> None:
    """Write it; without a folder nothing. Raises OSError."""
    if folder is not None:
        text = json.dumps({"embedder": embedder_id, "dim": dim})
        fresh = folder / f"{_FILE}.new"
        fresh.write_text(text, "utf-8")
        fresh.replace(folder / _FILE)


def noted(folder: Path | None) -> tuple[str, int] | None:
    """What was written last; None if nothing was, or it cannot be read."""
    if folder is None:
        return None
    try:
        said = json.loads((folder / _FILE).read_text("utf-8"))
        return str(said["embedder"]), int(said["dim"])
    except (OSError, ValueError, LookupError, TypeError):
        return None

"""Whose vectors a folder holds, and in which format, in a file beside them.

It is read while the store is in use, and before it is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...model.format import FORMAT, NONE

_FILE = "recollect-embedder.json"


def note(folder: Path | None, embedder_id: str, dim: int) -> None:
    """Write it; without a folder nothing. Raises OSError."""
    if folder is not None:
        text = json.dumps({"format": FORMAT, "embedder": embedder_id, "dim": dim})
        fresh = folder / f"{_FILE}.new"
        fresh.write_text(text, "utf-8")
        fresh.replace(folder / _FILE)


def noted(folder: Path | None) -> tuple[str, int] | None:
    """What was written last; None if nothing was, or it cannot be read."""
    said = _said(folder)
    try:
        return str(said["embedder"]), int(said["dim"])
    except (ValueError, LookupError, TypeError):
        return None


def noted_format(folder: Path | None) -> int | None:
    """The format that was written last; None if nothing was, or it cannot be read."""
    said = _said(folder)
    found = said.get("format", NONE)
    return found if said and isinstance(found, int) else None


def _said(folder: Path | None) -> dict[str, Any]:
    if folder is None:
        return {}
    try:
        return dict(json.loads((folder / _FILE).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return {}

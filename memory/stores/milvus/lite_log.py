"""Finds a log of Milvus Lite that is open in its process, and no longer in its folder."""

from __future__ import annotations

import os
from pathlib import Path

_LOG, _END = "wal_", ".arrow"
_DELETED = " (deleted)"
"""How the kernel marks the name of a removed file (``proc(5)``)."""


def lost_log(pid: int | None, data_dir: Path) -> str:
    """What happened to the log that the process has open; empty if nothing did."""
    found = missing_log(pid, data_dir)
    return f"{found} is gone: it is open, and not in its folder" if found else ""


def missing_log(pid: int | None, data_dir: Path) -> Path | None:
    """The log that the process has open elsewhere; None also where the system does not tell."""
    if pid is None:
        return None
    opened = Path(f"/proc/{pid}/fd")
    try:
        numbers = os.listdir(opened)  # noqa: PTH208 - a fifth of the time, for every write
    except OSError:  # no Linux, or it ended just now
        return None
    inside = f"{data_dir.resolve()}{os.sep}"
    for number in numbers:
        try:
            name = os.readlink(opened / number)  # noqa: PTH115 - Path drops nothing, but is slower
        except OSError:  # closed just now
            continue
        path = Path(name.removesuffix(_DELETED))
        is_log = path.name.startswith(_LOG) and path.suffix == _END
        if is_log and (name.endswith(_DELETED) or not name.startswith(inside)):
            return path
    return None

"""How many workers, when one is started again, and the names of files that each has alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

HEALTHY_SECONDS = 60.0
"""A worker that ran this long did not die of its start: it is started again at once."""
LONGEST_SECONDS = 30.0


def workers_of(asked: int | Literal["all"]) -> int:
    """The number of workers; `all` is one for each core that this process may use."""
    if asked != "all":
        return asked
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pause(deaths: int) -> float:
    """Seconds before a worker is started again that died so often, soon after its start."""
    return 0.0 if deaths <= 1 else min(2.0 ** (deaths - 2), LONGEST_SECONDS)


def own_file(path: Path, number: int) -> Path:
    """The file of a worker in place of one that each process needs for itself.

    The first has the file itself: `audit.jsonl`, then `audit-2.jsonl`. A pipe or a terminal takes
    the lines of all.
    """
    if number == 0 or (path.exists() and not path.is_file()):
        return path
    return path.with_name(f"{path.stem}-{number + 1}{path.suffix}")

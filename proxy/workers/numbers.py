"""How many workers, and how long to wait before one is started again. Pure but for the cores."""

from __future__ import annotations

import os
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

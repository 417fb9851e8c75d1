"""The deadline that follows what this machine can do (`recall.deadline_ms: auto`). Pure.

A quick machine answers in a fraction of the least deadline, so that only defects take longer. A
slow one needs more for the same work. What counts is the time of a recall with few others beside
it: under load all recalls take longer, and a later deadline would only make the queue longer.
"""

from __future__ import annotations

import math
from collections import deque

LEAST_SECONDS = 0.15
MOST_SECONDS = 0.4
"""Nobody waits longer than this for memories of a machine that is too slow."""
ROOM = 4.0
"""The deadline is so many times the time of a slow recall: room for others beside it."""
SLOW = 0.9
"""The share of recalls that are quicker than what is called a slow one."""
KEPT = 64
"""Recalls that are remembered."""
ENOUGH = 16
"""Until so many were seen, the deadline is the longest."""
FEW = 2.0
"""A recall with more others beside it, on average, shows the load and not the machine."""


class AutoDeadline:
    """Follows the recalls of this process."""

    def __init__(self) -> None:
        self._seen: deque[float] = deque(maxlen=KEPT)
        self._seconds = MOST_SECONDS

    @property
    def seconds(self) -> float:
        """The deadline in force, between `LEAST_SECONDS` and `MOST_SECONDS`."""
        return self._seconds

    def note(self, seconds: float, together: float, *, late: bool = False) -> None:
        """A recall took so long, with so many at a time.

        A `late` one was cancelled then: it would have taken longer, nobody knows how much, and
        counts as longer than all that ended.
        """
        if together > FEW:
            return
        self._seen.append(math.inf if late else seconds)
        if len(self._seen) >= ENOUGH:
            ordered = sorted(self._seen)
            slow = ordered[math.ceil(SLOW * len(ordered)) - 1]
            self._seconds = min(MOST_SECONDS, max(LEAST_SECONDS, ROOM * slow))

"""Logs why credentials are refused, without a line for each of many."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

QUIET_SECONDS = 1.0
"""Shortest time between two lines. Anybody can send wrong credentials as fast as they like."""


class Refusals:
    """Counts what it does not log."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._quiet_until = -math.inf
        self._untold = 0

    def note(self, what: str, reason: Exception) -> None:
        """A credential was refused; the reason names no secret."""
        if self._clock() < self._quiet_until:
            self._untold += 1
            return
        more = f" ({self._untold} more were refused before it)" if self._untold else ""
        log.warning("%s: %s%s", what, reason, more)
        self._quiet_until, self._untold = self._clock() + QUIET_SECONDS, 0

"""How far an index is: for `/readyz`, and as lines of the log."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from ..util.clock import Clock

log = logging.getLogger(__name__)

_TOLD_SECONDS = 5.0
"""Between two lines about filling."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """`str` of it is for people."""

    word: str = "starting"
    """``starting``, ``resting`` (too few memories), ``filling``, ``ready`` or ``down``."""
    filled: int = 0
    total: int = 0
    why: str = ""

    def __str__(self) -> str:
        if self.word == "filling" and self.total:
            return f"filling: {self.filled:,} of {self.total:,} memories"
        return f"{self.word}: {self.why}" if self.why else self.word


class IndexProgress:
    """The state of one index. Logs when filling begins, goes on and ends, and failures once."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.state = IndexState()
        self._began: float | None = None
        self._told = 0.0

    @property
    def is_new(self) -> bool:
        """Whether this process has not begun to fill it."""
        return self._began is None

    def rest(self) -> None:
        self.state = IndexState("resting")

    def begin(self, total: int, filled: int = 0) -> None:
        self._began = self._told = self._clock.monotonic()
        self.state = IndexState("filling", filled, total)
        log.info("index: filling it, %s of %s memories are in it", f"{filled:,}", f"{total:,}")

    def filled(self, more: int) -> None:
        now = self._clock.monotonic()
        filled, total = self.state.filled + more, self.state.total
        self.state = IndexState("filling", filled, max(filled, total))
        if now >= self._told + _TOLD_SECONDS:
            self._told = now
            log.info("index: %s of %s memories", f"{filled:,}", f"{self.state.total:,}")

    def end(self) -> None:
        seconds = self._clock.monotonic() - (self._began or 0.0)
        log.info("index: filled with %s memories in %.1f s", f"{self.state.filled:,}", seconds)
        self._began = None
        self.ready()

    def ready(self) -> None:
        if self.state.word == "down":
            log.warning("index: it answers again")
        self._began = None
        self.state = IndexState("ready")

    def watch(self, *, complete: bool) -> None:
        """Another process has the turn."""
        self._began = None
        self.state = IndexState("ready" if complete else "filling")

    def fail(self, error: Exception) -> None:
        if self.state.word != "down":
            log.warning("index: it is down, memories are compared one by one: %s", error)
        self._began = None
        self.state = IndexState("down", why=str(error))

"""Detects stalls of the event loop: during a stall no chat makes progress.

The loop itself measures how long it computes, and a thread looks where it is while it does. Both
sleep while the loop waits: nothing wakes up for them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import selectors
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

STALL_SECONDS = 0.1
"""A loop that does not come back to waiting for longer than this has stalled."""
TICK_SECONDS = 0.05
"""Interval in which the thread looks where the loop is, while that runs."""
START_SECONDS = 1.0
"""Stalls are not counted this soon after `begin`: the loop still finishes start-up work."""
QUIET_SECONDS = 10.0
"""Every stall is counted; this is the shortest time between two log lines."""
_ROOT = Path(__file__).resolve().parent.parent
_LIBRARIES = "site-packages"
"""Libraries below a checkout. If we are installed among them, their frames count as ours."""
_ELSEWHERE = "no code of ours"


class WatchedLoop(asyncio.SelectorEventLoop):
    """An event loop that a `Watchdog` can watch."""

    def __init__(self) -> None:
        self.rounds = Rounds()
        super().__init__(self.rounds)


def run_watched(main: Coroutine[Any, Any, T]) -> T:
    """Run it as `asyncio.run` does, in a loop that can be watched."""
    with asyncio.Runner(loop_factory=WatchedLoop) as runner:
        return runner.run(main)


class Rounds(selectors.DefaultSelector):
    """The rounds of a loop: it waits here, and computes until it waits again."""

    def __init__(self) -> None:
        super().__init__()
        self.waits = False
        self.since = time.perf_counter()
        """When the running round began."""
        self.busy_since = 0.0
        """Processor time of the loop's thread at most `TICK_SECONDS` before, if it is watched."""
        self.wanted: threading.Event | None = None
        """Is set, once, when a round begins."""
        self.on_late: Callable[[float, float], None] | None = None
        """Told of each round that took longer than a stall, and of its processor time."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        taken = time.perf_counter() - self.since
        if taken > STALL_SECONDS and self.on_late is not None:
            self.on_late(taken, min(taken, time.thread_time() - self.busy_since))
        self.waits = True
        ready = super().select(timeout)
        self.waits, self.since = False, time.perf_counter()
        if self.wanted is not None:
            self.busy_since = time.thread_time()
            self.wanted.set()
            self.wanted = None
        return ready


class Watchdog:
    """Counts and logs stalls, with the place in our code where the loop was."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`clock` is wall-clock time, in seconds."""
        self._clock = clock
        self._seen = ""
        self._stalls = 0
        self._longest = 0.0
        self._logged = -QUIET_SECONDS
        self._unlogged = 0
        self._begun = asyncio.Event()
        self._stopped = False

    @property
    def counted(self) -> Mapping[str, int]:
        """Stalls since the start, and the longest in milliseconds."""
        return {"stalls": self._stalls, "longest_ms": round(self._longest * 1000)}

    def begin(self) -> None:
        """Clients are accepted: from now on somebody waits for the loop."""
        self._begun.set()

    async def run(self) -> None:
        """Watch the running loop, if it is a `WatchedLoop`, from `begin` until cancelled."""
        await self._begun.wait()
        await asyncio.sleep(START_SECONDS)
        loop = asyncio.get_running_loop()
        if not isinstance(loop, WatchedLoop):
            return
        sampler = threading.Thread(
            target=self._sample, args=(loop, threading.get_ident()), name="watchdog", daemon=True
        )
        sampler.start()
        loop.rounds.on_late = self.note
        try:
            await asyncio.Event().wait()
        finally:
            self._stopped, loop.rounds.on_late = True, None

    def note(self, late: float, busy: float) -> None:
        """Record that the loop was `late` seconds late, `busy` of them spent computing."""
        place, self._seen = self._seen or _ELSEWHERE, ""
        if late < STALL_SECONDS:
            return
        self._stalls += 1
        self._longest = max(self._longest, late)
        self._unlogged += 1
        now = self._clock()
        if now - self._logged < QUIET_SECONDS:
            return
        log.warning(
            "the event loop stalled for %.0f ms, %.0f of them computing, at %s "
            "(%d stalls since the last line): no request makes progress during a stall",
            late * 1000,
            busy * 1000,
            place,
            self._unlogged,
        )
        self._logged, self._unlogged = now, 0

    def _sample(self, loop: WatchedLoop, thread: int) -> None:
        """Runs in another thread: find out where a stalled loop is."""
        rounds = loop.rounds
        while not self._stopped:
            rounds.wanted = begun = threading.Event()
            if rounds.waits:
                begun.wait()
            before = self._clock()
            time.sleep(TICK_SECONDS)
            now = self._clock()
            if rounds.waits:
                self._held(loop, now - before - TICK_SECONDS)
            elif not self._seen and now - rounds.since > STALL_SECONDS:
                frames = sys._current_frames()  # noqa: SLF001 - documented, for debuggers
                self._seen = place_of(frames.get(thread))

    def _held(self, loop: WatchedLoop, late: float) -> None:
        """A loop that waits is late all the same where another thread holds the interpreter."""
        if late > STALL_SECONDS:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self.note, late, 0.0)


def place_of(frame: FrameType | None) -> str:
    """File, line and function of the innermost frame of our code; empty if there is none."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(_ROOT) and _LIBRARIES not in path.relative_to(_ROOT).parts:
            return f"{path.relative_to(_ROOT)}:{frame.f_lineno} {frame.f_code.co_name}"
        frame = frame.f_back
    return ""

"""Detects stalls of the event loop: during a stall no chat makes progress."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType

log = logging.getLogger(__name__)

STALL_SECONDS = 0.1
"""A loop that is later than this has stalled."""
TICK_SECONDS = 0.05
"""Interval of the checks: a stall is seen when it ends, at the latest."""
START_SECONDS = 1.0
"""Stalls are not counted this soon after `begin`: the loop still finishes start-up work."""
QUIET_SECONDS = 10.0
"""Every stall is counted; this is the shortest time between two log lines."""
_ROOT = Path(__file__).resolve().parent.parent
_LIBRARIES = "site-packages"
"""Libraries below a checkout. If we are installed among them, their frames count as ours."""
_ELSEWHERE = "no code of ours"


class Watchdog:
    """Counts and logs stalls, with the place in our code where the loop was."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.perf_counter,
        cpu: Callable[[], float] = time.thread_time,
    ) -> None:
        """`clock` is wall-clock time, `cpu` is CPU time of the loop's thread, both in seconds."""
        self._clock = clock
        self._cpu = cpu
        self._beat = clock()
        self._seen = ""
        self._stalls = 0
        self._longest = 0.0
        self._logged = -QUIET_SECONDS
        self._unlogged = 0
        self._begun = asyncio.Event()
        self._stop = threading.Event()

    @property
    def counted(self) -> Mapping[str, int]:
        """Stalls since the start, and the longest in milliseconds."""
        return {"stalls": self._stalls, "longest_ms": round(self._longest * 1000)}

    def begin(self) -> None:
        """Clients are accepted: from now on somebody waits for the loop."""
        self._begun.set()

    async def run(self) -> None:
        """Watch the running loop from `begin` until cancelled."""
        await self._begun.wait()
        await asyncio.sleep(START_SECONDS)
        self._beat = self._clock()
        thread = threading.get_ident()
        sampler = threading.Thread(
            target=self._sample, args=(thread,), name="watchdog", daemon=True
        )
        sampler.start()
        try:
            while True:
                before = self._beat, self._cpu()
                await asyncio.sleep(TICK_SECONDS)
                self._beat = self._clock()
                self.note(self._beat - before[0] - TICK_SECONDS, self._cpu() - before[1])
        finally:
            self._stop.set()

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

    def _sample(self, thread: int) -> None:
        """Runs in another thread: find out where a stalled loop is."""
        while not self._stop.wait(TICK_SECONDS):
            if not self._seen and self._clock() - self._beat > STALL_SECONDS:
                frames = sys._current_frames()  # noqa: SLF001 - documented, for debuggers
                self._seen = place_of(frames.get(thread))


def place_of(frame: FrameType | None) -> str:
    """File, line and function of the innermost frame of our code; empty if there is none."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(_ROOT) and _LIBRARIES not in path.relative_to(_ROOT).parts:
            return f"{path.relative_to(_ROOT)}:{frame.f_lineno} {frame.f_code.co_name}"
        frame = frame.f_back
    return ""

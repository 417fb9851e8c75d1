"""Notices when the event loop stands still: while it does, nobody's chat moves."""

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
"""A loop that is later than this stood still."""
TICK_SECONDS = 0.05
"""How often it is looked at: a stall is seen at the latest when it is over."""
START_SECONDS = 1.0
"""What start-up has left for the loop is nobody's stall."""
QUIET_SECONDS = 10.0
"""Stalls are counted all, and logged so often at the most."""
_ROOT = Path(__file__).resolve().parent.parent
_LIBRARIES = "site-packages"
"""Below a checkout; where we are installed among them, their frames count as ours."""
_ELSEWHERE = "no code of ours"


class Watchdog:
    """Counts and logs stalls, with the place in our code at which the loop was found."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.perf_counter,
        cpu: Callable[[], float] = time.thread_time,
    ) -> None:
        """`clock` and `cpu` are in seconds, of the world and of the loop's thread."""
        self._clock = clock
        self._cpu = cpu
        self._beat = clock()
        self._seen = ""
        self._stalls = 0
        self._longest = 0.0
        self._logged = -QUIET_SECONDS
        self._unlogged = 0
        self._stop = threading.Event()

    @property
    def counted(self) -> Mapping[str, int]:
        """Stalls since the start, and the longest in milliseconds."""
        return {"stalls": self._stalls, "longest_ms": round(self._longest * 1000)}

    async def run(self) -> None:
        """Watch the loop this runs on until it is cancelled."""
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
        """The loop came `late` seconds after its time, `busy` of which its thread computed."""
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
            "the event loop stood still for %.0f ms, %.0f of them computing, at %s "
            "(%d such since the last line): nobody's request moves meanwhile",
            late * 1000,
            busy * 1000,
            place,
            self._unlogged,
        )
        self._logged, self._unlogged = now, 0

    def _sample(self, thread: int) -> None:
        """From another thread: where the loop is, when it does not come back."""
        while not self._stop.wait(TICK_SECONDS):
            if not self._seen and self._clock() - self._beat > STALL_SECONDS:
                frames = sys._current_frames()  # noqa: SLF001 - documented, for debuggers
                self._seen = place_of(frames.get(thread))


def place_of(frame: FrameType | None) -> str:
    """File, line and name of the innermost frame that is our code; empty if there is none."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(_ROOT) and _LIBRARIES not in path.relative_to(_ROOT).parts:
            return f"{path.relative_to(_ROOT)}:{frame.f_lineno} {frame.f_code.co_name}"
        frame = frame.f_back
    return ""

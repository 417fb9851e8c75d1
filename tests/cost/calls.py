"""How many functions the product calls, in every thread that works for it, without a clock."""

from __future__ import annotations

import asyncio
import selectors
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

HERE = Path(__file__).resolve().parent
UNHEARD = frozenset(
    [
        asyncio.base_events.__file__,
        asyncio.events.__file__,
        asyncio.selector_events.__file__,
        selectors.__file__,
        *(str(path) for path in HERE.glob("*.py") if path.stem != "elsewhere"),
    ]
)
"""The event loop's own rounds, which depend on how the kernel hands over bytes; and what counts."""


class _Thread:
    """The calls of one thread; only that thread writes the number."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.number = 0

    def hear(self, frame: FrameType, event: str, _argument: Any) -> None:
        if (
            self._calls.counting
            and (event == "call" or event == "c_call")  # noqa: PLR1714 - heard for every call
            and frame.f_code.co_filename not in UNHEARD
        ):
            self.number += 1


class Calls:
    """Calls of functions in Python and in C, and each time that a coroutine or generator goes on.

    Only threads are heard that were started within `hearing`, by whomever.
    """

    def __init__(self) -> None:
        self.counting = False
        self._threads: list[_Thread] = []

    @contextmanager
    def hearing(self) -> Iterator[None]:
        """Threads that start within are heard for as long as they live."""
        threading.setprofile(self._begin)
        try:
            yield
        finally:
            threading.setprofile(None)  # type: ignore[arg-type]

    @property
    def number(self) -> int:
        return sum(thread.number for thread in self._threads)

    def _begin(self, frame: FrameType, event: str, argument: Any) -> None:
        thread = _Thread(self)
        self._threads.append(thread)
        sys.setprofile(thread.hear)
        thread.hear(frame, event, argument)


class unheard:  # noqa: N801 - used like a function; those of contextlib would be counted
    """The block is not counted, as a model or a server of its own would not be."""

    def __enter__(self) -> None:
        self._heard = sys.getprofile()
        sys.setprofile(None)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._heard)

"""What the product calls and hands on, in every thread that works for it, without a clock."""

from __future__ import annotations

import asyncio
import json
import queue
import selectors
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

HERE = Path(__file__).resolve().parent
UNHEARD = frozenset(
    [
        asyncio.base_events.__file__,
        asyncio.events.__file__,
        asyncio.selector_events.__file__,
        selectors.__file__,
        *(str(path) for path in HERE.glob("*.py")),
    ]
)
"""The event loop's own rounds, which depend on how the kernel hands over bytes; and what counts."""


@dataclass(slots=True)
class Tally:
    """What was heard of one thread, or of all of them."""

    functions: int = 0
    """Calls of functions in Python and in C, and each time a coroutine or generator goes on."""
    tasks: int = 0
    """Tasks of asyncio that were made."""
    hops: int = 0
    """Times that a thread hands something to another one: what it puts into a queue between threads
    (an executor's too), and calls that it leaves to the thread of a loop."""
    copied: int = 0
    """Bytes, or characters of text, of which a copy in another form was made: JSON that was read
    or written, bytes that were decoded, texts that were encoded. A body that is parsed twice
    counts twice. What a slice or a join copies is not seen."""


def _code(function: Any) -> CodeType:
    found: CodeType = function.__code__
    return found


MAKES_A_TASK = _code(asyncio.BaseEventLoop.create_task)
WAKES_A_LOOP = _code(asyncio.BaseEventLoop.call_soon_threadsafe)
PUTS = _code(queue.Queue.put)
READS = _code(json.JSONDecoder.raw_decode)
WRITES = _code(json.JSONEncoder.encode)
NOTED = frozenset(code.co_name for code in (MAKES_A_TASK, WAKES_A_LOOP, PUTS))
"""Their names tell most functions apart, in less time than a comparison with each."""
TURNED = frozenset(code.co_name for code in (READS, WRITES))
IN_C = frozenset({"put", "decode", "encode"})


class _Thread:
    """What one thread does; only that thread writes the tally."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.tally = Tally()

    def hear(self, frame: FrameType, event: str, argument: Any) -> None:
        if not self._calls.counting:
            return
        code = frame.f_code
        if event == "call":
            if code.co_name in NOTED:
                self._note(code, frame)
        elif event == "c_call":
            if argument.__name__ in IN_C:
                self._note_in_c(argument.__name__, argument.__self__)
        else:
            if event == "return" and code.co_name in TURNED and argument is not None:
                self._note_turned(code, frame, argument)
            return
        if code.co_filename not in UNHEARD:
            self.tally.functions += 1

    def _note(self, code: CodeType, frame: FrameType) -> None:
        if code is MAKES_A_TASK:
            self.tally.tasks += 1
        elif code is WAKES_A_LOOP or code is PUTS:
            self.tally.hops += 1

    def _note_turned(self, code: CodeType, frame: FrameType, result: Any) -> None:
        if code is WRITES:
            self.tally.copied += len(result)
        elif code is READS:
            self.tally.copied += result[1] - frame.f_locals["idx"]

    def _note_in_c(self, name: str, of: Any) -> None:
        if name == "put":
            self.tally.hops += isinstance(of, queue.SimpleQueue)
        elif isinstance(of, (bytes, bytearray, str)):
            self.tally.copied += len(of)


class Calls:
    """Listens to threads that were started within `hearing`, by whomever, and to no others."""

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
    def tally(self) -> Tally:
        """The sums over all threads, as they are now."""
        told = [thread.tally for thread in self._threads]
        return Tally(
            functions=sum(each.functions for each in told),
            tasks=sum(each.tasks for each in told),
            hops=sum(each.hops for each in told),
            copied=sum(each.copied for each in told),
        )

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

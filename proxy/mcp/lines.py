"""Lines of standard input for an event loop: it may be a pipe, a file or a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

MAX_LINE_BYTES = 2**22
"""Of a message. The rest of a longer line is left out: what remains is no JSON."""
_PIECE = 2**16
_BEFORE = 2
"""Lines that are read before they are wanted."""


class InputLines:
    """The lines, by a thread that ends with the process: nothing can wake it from a read."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._found: asyncio.Queue[str | None] = asyncio.Queue(_BEFORE)
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True, name="stdin").start()

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        line = await self._found.get()
        if line is None:
            raise StopAsyncIteration
        return line

    def _read(self) -> None:
        # The loop may end while this waits for it.
        with contextlib.suppress(RuntimeError, asyncio.CancelledError, OSError):
            for line in lines_of(self._fd):
                self._put(line.decode("utf-8", "replace"))
            self._put(None)

    def _put(self, line: str | None) -> None:
        work = self._found.put(line)
        try:
            asyncio.run_coroutine_threadsafe(work, self._loop).result()
        finally:
            work.close()


def lines_of(fd: int) -> Iterator[bytes]:
    """The lines of a file, each without what is beyond `MAX_LINE_BYTES`."""
    line = bytearray()
    while piece := os.read(fd, _PIECE):
        *whole, rest = piece.split(b"\n")
        for end in whole:
            line += end[: MAX_LINE_BYTES - len(line)]
            yield bytes(line)
            line.clear()
        line += rest[: MAX_LINE_BYTES - len(line)]
    if line:
        yield bytes(line)


@contextmanager
def own_input() -> Iterator[int]:
    """Standard input for this alone: whoever else reads it meanwhile finds its end."""
    private = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device, for its descriptor
        os.dup2(nothing.fileno(), 0)
    try:
        yield private
    finally:
        # It stays open: the thread may read it, and its number must not be another file's.
        os.dup2(private, 0)

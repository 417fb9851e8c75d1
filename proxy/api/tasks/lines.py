"""The file of a task, for a thread that reads it."""

from __future__ import annotations

import asyncio
import io

from typing_extensions import Buffer

from recollect.memory.model.tasks import TASK_PIECE, Task
from recollect.memory.state import SqlTasks

_MOST_SECONDS = 60.0
"""For a piece. Without an end, a thread would wait for a loop that is no more."""


def lines_of(store: SqlTasks, task: Task, at: int) -> io.BufferedReader:
    """The file from there on, for another thread than that of the loop, which must run.

    It ends early if it is removed: nobody has the task any more then. Reading raises StateError.
    """
    return io.BufferedReader(_Pieces(store, task, at), TASK_PIECE)


class _Pieces(io.RawIOBase):
    def __init__(self, store: SqlTasks, task: Task, at: int) -> None:
        self._store = store
        self._task = task
        self._at = at
        self._loop = asyncio.get_running_loop()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at}.get(whence, self._task.size)
        if self._at < 0:
            raise ValueError("before the beginning of the file")
        return self._at

    def readinto(self, target: Buffer, /) -> int:
        asked = asyncio.run_coroutine_threadsafe(self._store.read(self._task, self._at), self._loop)
        data = asked.result(_MOST_SECONDS)
        room = memoryview(target)
        size = min(len(data), len(room))
        room[:size] = data[:size]
        self._at += size
        return size

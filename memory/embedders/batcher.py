"""Batches texts: while runs are in progress, texts gather for the next run. There is no timer.

A single caller is served at once; with more callers the runs get larger. Everything here happens on
the event loop; the `start` function decides where a run happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..model.errors import EmbeddingError
from ..model.types import Vectors
from .call_queue import Call, CallQueue
from .checks import check

CLOSED = "the embedder is closed"


Cancel = Callable[[], object]
"""Cancels a run if possible; otherwise it continues and keeps its slot until it ends."""
Rows = Callable[[], Vectors]
"""Returns the rows of the first texts of a run, at least one, or raises the run's error."""
Start = Callable[[list[str], Callable[[Rows], None]], Cancel]
"""Starts embedding texts and returns at once. When the run has ended, and after `Start` returned,
the second argument is called on the loop. Texts without a row are asked for again."""


@dataclass(eq=False, slots=True)
class _Run:
    calls: list[Call]
    texts: list[list[str]]
    cancel: Cancel = bool

    @property
    def is_unwanted(self) -> bool:
        return all(call.left for call in self.calls)

    @property
    def is_bulk(self) -> bool:
        return self.calls[0].is_bulk


class Batcher:
    """Runs waiting calls, `slots` runs at a time, each of at most `max_batch` texts.

    Questions go before bulk, and with two or more slots one is always reserved for them. Cancelling
    a call does not affect the others: its texts are not run unless they already are, and a run
    without remaining callers is cancelled. If a run of several calls fails, each is run alone, so
    that an error reaches only the call whose text causes it.
    """

    def __init__(
        self,
        start: Start,
        *,
        dim: int,
        max_batch: int,
        slots: int,
        background_batch: int | None = None,
    ) -> None:
        """A background run has `background_batch` texts; a question may have to wait for it."""
        self._start = start
        self._dim = dim
        self._max_batch = max_batch
        self._background_batch = background_batch or max_batch
        self._slots = slots
        self._queue = CallQueue()
        self._running: set[_Run] = set()
        self._closed = False

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return ``float32[len(texts), dim]``.

        Raises EmbeddingError when closed or for vectors of the wrong shape or not finite, and any
        error of a run.
        """
        if not texts:
            return np.zeros((0, self._dim), np.float32)
        if self._closed:
            raise EmbeddingError(CLOSED)
        answer = asyncio.get_running_loop().create_future()
        call = Call(list(texts), answer, background=is_background())
        self._queue.put(call)
        self._run_next()
        try:
            return await call.answer
        except asyncio.CancelledError:
            self._leave(call)
            raise

    def close(self) -> None:
        """Fail waiting calls and cancel running ones where possible; later calls are errors."""
        self._closed = True
        for call in self._queue.drain():
            call.fail(EmbeddingError(CLOSED))
        for run in self._running:
            run.cancel()

    def _run_next(self) -> None:
        while len(self._running) < self._slots:
            bulk = sum(run.is_bulk for run in self._running) < max(1, self._slots - 1)
            calls = self._queue.take(self._max_batch, bulk=bulk)
            if not calls:
                return
            run = _Run(
                calls,
                [
                    call.rest(self._background_batch if call.background else self._max_batch)
                    for call in calls
                ],
            )
            texts = [text for texts in run.texts for text in texts]
            self._running.add(run)
            run.cancel = self._start(texts, partial(self._ended, run))

    def _ended(self, run: _Run, result: Rows) -> None:
        self._running.discard(run)
        try:
            rows = result()
            check(rows, most=sum(map(len, run.texts)), dim=self._dim)
        except (asyncio.CancelledError, CancelledError):  # by `close`, or no caller is left
            self._failed(run, EmbeddingError(CLOSED))
        except Exception as error:  # noqa: BLE001 - passed to the callers
            self._failed(run, error)
        else:
            self._deliver(run, rows)
        self._run_next()

    def _deliver(self, run: _Run, rows: Vectors) -> None:
        unfinished = []
        for call, texts in zip(run.calls, run.texts, strict=True):
            mine, rows = rows[: len(texts)], rows[len(texts) :]
            if not call.add(mine):
                unfinished.append(call)
        self._again(unfinished)

    def _failed(self, run: _Run, error: Exception) -> None:
        if len(run.calls) == 1:
            run.calls[0].fail(error)
            return
        for call in run.calls:
            call.alone = True
        self._again(run.calls)

    def _again(self, calls: list[Call]) -> None:
        waiting = [call for call in calls if not call.left]
        if self._closed:
            for call in waiting:
                call.fail(EmbeddingError(CLOSED))
        else:
            self._queue.put_back(waiting)

    def _leave(self, call: Call) -> None:
        self._queue.discard(call)
        for run in self._running:
            if run.is_unwanted:
                run.cancel()


_BACKGROUND: ContextVar[bool] = ContextVar("embed_in_background", default=False)


@contextmanager
def in_background() -> Iterator[None]:
    """Within, this task's texts are embedded after all questions, however few they are."""
    token = _BACKGROUND.set(True)
    try:
        yield
    finally:
        _BACKGROUND.reset(token)


def is_background() -> bool:
    """Whether the running task embeds in the background."""
    return _BACKGROUND.get()

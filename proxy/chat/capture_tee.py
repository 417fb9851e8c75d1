"""Captures an answer while it is relayed, and cannot break it.

The pipeline handles failures of memory. A defect around it loses the turn: the log gets a number,
and the answer continues.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from recollect.filters import Answer, Exchange
from recollect.memory.util.fair_thread_pool import FairThreadPool
from recollect.memory.util.tasks import Tasks

from ..dialects.transcript import Transcript
from ..errors import unexpected
from .chat_amounts import answer_amounts
from .pipeline import Pipeline

T = TypeVar("T")
INLINE_BYTES = 32 * 1024
"""An answer up to this size is read on the loop, in a millisecond."""


class CaptureTee:
    """The `Tee` of one exchange: the turn is durable before the last byte is sent."""

    def __init__(
        self,
        exchange: Exchange,
        transcript: Transcript,
        pipeline: Pipeline,
        tasks: Tasks,
        bulk: FairThreadPool,
        on_answer: Callable[[Answer], None],
    ) -> None:
        self._exchange = exchange
        self._transcript = transcript
        self._pipeline = pipeline
        self._tasks = tasks
        self._bulk = bulk
        self._on_answer = on_answer
        self._captured = -1
        self._counted = False
        self._is_lost = False

    def feed(self, chunk: bytes) -> bool:
        if self._is_lost:
            return False
        try:
            return self._transcript.feed(chunk)
        except Exception as error:  # noqa: BLE001 - logged; the client's answer must continue
            self._lose(error)
            return False

    async def finish(self, *, complete: bool) -> None:
        if self._is_lost:
            return
        try:
            await self._finish(complete=complete)
        except Exception as error:  # noqa: BLE001 - as above
            self._lose(error)

    def abandon(self) -> None:
        self._tasks.start(self.finish(complete=False), name="capture of an abandoned answer")

    def _lose(self, error: Exception) -> None:
        self._is_lost = True
        unexpected(error, "the memory of an answer, which is lost")

    async def _finish(self, *, complete: bool) -> None:
        size = self._transcript.size
        if self._captured == size:
            return
        answer = await self._read(lambda: self._transcript.answer(complete=complete))
        if answer is not None:
            self._on_answer(answer)
            self._count(answer)
            await self._pipeline.capture(self._exchange, answer)
        elif complete and size and not await self._read(self._transcript.reports_error):
            self._pipeline.unreadable(self._exchange)
        # Set last: a client that disconnects cancels the capture, which then runs again.
        self._captured = size

    def _count(self, answer: Answer) -> None:
        """Once: an answer whose capture is interrupted is read again."""
        if answer.usage is not None and not self._counted:
            self._counted = True
            self._pipeline.count(self._exchange.scope.tenant, answer_amounts(answer.usage))

    async def _read(self, work: Callable[[], T]) -> T:
        """Off the loop, if the answer is large or may become so when it is unpacked."""
        if self._transcript.size <= INLINE_BYTES and not self._transcript.is_packed:
            return work()
        return await self._bulk.run(self._exchange.scope, work)

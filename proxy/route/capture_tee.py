"""Captures an answer while it is relayed."""

from __future__ import annotations

from collections.abc import Callable

from recollect.filters import Answer, Exchange
from recollect.memory.tasks import Tasks

from ..dialects.transcript import Transcript
from .pipeline import Pipeline


class CaptureTee:
    """The `Tee` of one exchange: the turn is durable before the last byte is sent."""

    def __init__(
        self,
        exchange: Exchange,
        transcript: Transcript,
        pipeline: Pipeline,
        tasks: Tasks,
        on_answer: Callable[[Answer], None],
    ) -> None:
        self._exchange = exchange
        self._transcript = transcript
        self._pipeline = pipeline
        self._tasks = tasks
        self._on_answer = on_answer
        self._captured = -1

    def feed(self, chunk: bytes) -> bool:
        return self._transcript.feed(chunk)

    async def finish(self, *, complete: bool) -> None:
        size = self._transcript.size
        if self._captured == size:
            return
        answer = self._transcript.answer(complete=complete)
        if answer is not None:
            self._on_answer(answer)
            await self._pipeline.capture(self._exchange, answer)
        elif complete and size and not self._transcript.reports_error():
            self._pipeline.unreadable(self._exchange)
        # Set last: a client that disconnects cancels the capture, which then runs again.
        self._captured = size

    def abandon(self) -> None:
        self._tasks.start(self.finish(complete=False), name="capture of an abandoned answer")

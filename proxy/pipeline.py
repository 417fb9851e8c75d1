"""Runs the filters around one exchange.

The deadline, fail-open, the span and the outcome are here, once, so that no filter and no backend
has to think of them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from filters import Answer, Capture, Exchange, Outcome, RequestFilter, Verdict
from memory.errors import RecollectError

from .telemetry import Telemetry

log = logging.getLogger(__name__)


class Pipeline:
    """The memory side of a chat request. Neither method raises anything but cancellation."""

    def __init__(
        self,
        filters: Sequence[RequestFilter],
        capture: Capture,
        telemetry: Telemetry,
        *,
        deadline_seconds: float,
        on_due: Callable[[], None],
    ) -> None:
        self._filters = filters
        self._capture = capture
        self._telemetry = telemetry
        self._deadline = deadline_seconds
        self._on_due = on_due

    async def recall(self, exchange: Exchange) -> Verdict:
        """Run the request filters; the exchange has an injection only if the outcome says so."""
        with self._telemetry.recall(exchange) as note:
            verdict = await self._bounded(exchange)
            if verdict.outcome is not Outcome.INJECTED:
                exchange.injection = None
            note(verdict)
        return verdict

    async def capture(self, exchange: Exchange, answer: Answer) -> None:
        """Make the turn durable; a failure costs the turn, never the answer."""
        try:
            due = await self._capture.response(exchange, answer)
        except Exception:
            log.exception("a turn of conversation %s is lost", exchange.conversation_id)
        else:
            if due:
                self._on_due()

    async def _bounded(self, exchange: Exchange) -> Verdict:
        try:
            async with asyncio.timeout(self._deadline):
                return await self._run(exchange)
        except TimeoutError:
            log.warning("recall took longer than %.0f ms", self._deadline * 1000)
            return Verdict(Outcome.DEGRADED, "deadline")
        except RecollectError as error:
            log.warning("recall failed: %s: %s", error.code, error)
            return Verdict(Outcome.DEGRADED, error.code)
        except Exception:
            # Promise 2: whatever is wrong with memory, the chat goes on.
            log.exception("recall failed in a way nobody thought of")
            return Verdict(Outcome.DEGRADED, "internal_error")

    async def _run(self, exchange: Exchange) -> Verdict:
        for step in self._filters:
            await step.request(exchange)
            if exchange.verdict is not None:
                return exchange.verdict
        return Verdict(Outcome.EMPTY, "no_memories")

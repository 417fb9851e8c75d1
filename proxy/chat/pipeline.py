"""Runs the filters around one exchange.

Deadlines, fail-open, the span and the outcome are handled here and nowhere else: filters and
backends need not care. A request is held for the deadline in force at most; an improvement that a
filter offers (opt-in) adds its own seconds once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from recollect.filters import (
    Answer,
    Capture,
    Exchange,
    Outcome,
    RequestFilter,
    RequestRecallOptions,
    Verdict,
)
from recollect.filters.exchange import Improvement
from recollect.filters.inject.working_blocks import with_blocks
from recollect.memory.model.daily_sums import PAYER, Amounts
from recollect.memory.model.errors import RecollectError
from recollect.memory.model.types import Scope, Turn
from recollect.memory.util.idle_gate import IdleGate

from ..telemetry.tracing import Telemetry
from .bounds import LATE, Bounds
from .chat_amounts import uncounted
from .compressing import CompressingModels
from .warming import warm_up

log = logging.getLogger(__name__)

T = TypeVar("T")

_NOT_KNOWN = "it is not known whether a request is a turn of the user"


class Pipeline:
    """The memory side of a chat request. Its methods raise nothing but cancellation."""

    def __init__(
        self,
        filters: Sequence[RequestFilter],
        capture: Capture,
        telemetry: Telemetry,
        *,
        options: RequestRecallOptions,
        wake: Callable[[], None],
        quiet: IdleGate | None = None,
    ) -> None:
        """`wake` tells the learner that there is a job.

        `idle_gate` is notified while a request waits for a recall.
        """
        self._filters = filters
        self._capture = capture
        self._telemetry = telemetry
        self.bounds = Bounds(options)
        self.recalls = options.enabled
        """Whether chats get memories; the switch of an operator turns it."""
        self.why_off = "off_by_configuration"
        """The reason word while they get none."""
        self.asks_model = options.rewrite.asks_model
        """Whether query rewrites call a model, possibly with the client's credential."""
        self.compressing: CompressingModels | None = None
        """Of which models old turns may be taken out; None: of none."""
        self.wake = wake
        self._quiet = quiet or IdleGate()
        self.count: Callable[[str, Amounts], None] = uncounted
        """Takes what a chat adds to its tenant's sums of the day."""

    @property
    def learns(self) -> bool:
        """Whether turns are captured for learning."""
        return self._capture.learns

    async def warm_up(self) -> None:
        """Load what a recall needs, before the first request."""
        if self.recalls:
            await warm_up(self._filters)

    async def notice(self, exchange: Exchange, *, learns: bool) -> None:
        """Tell a side request, which a client makes for itself, from a turn."""
        # Fail open: it is a turn.
        try:
            shape = self._capture.notice(exchange, learns=learns)
        except Exception:
            log.exception(_NOT_KNOWN)
            return
        if shape is not None:
            guard = self.bounds.of("side_requests", name="telling requests of clients")
            await self._failing_open(
                _NOT_KNOWN,
                self.bounds.deadline_seconds,
                lambda deadline: guard.run(
                    lambda: self._capture.judge(exchange, shape), deadline, exchange.scope
                ),
            )

    async def thread(self, scope: Scope, name: str, *, limit: int) -> list[Turn]:
        """The newest recorded turns that a request continues from; none if not found in time."""
        found = await self._failing_open(
            "the conversation that is continued is not known",
            self.bounds.deadline_seconds,
            lambda _: self._capture.thread(scope, name, limit),
        )
        return [] if isinstance(found, str) else found

    async def recall(self, exchange: Exchange, *, spent: float = 0.0) -> Verdict:
        """Run the request filters.

        Their injections for this recall are dropped unless the outcome is `injected`. The request
        was held for `spent` seconds already: the deadline is that much shorter.
        """
        PAYER.set(exchange.payer)
        foreground, reading = self._quiet.foreground(), exchange.reading()
        with foreground, reading, self._telemetry.recall(exchange) as note:
            verdict = await self._bounded(exchange, spent)
            self.bounds.count(verdict)
            if verdict.outcome is not Outcome.INJECTED:
                exchange.injections, exchange.injected = (), frozenset()
            if verdict.outcome is Outcome.DEGRADED:
                # What is taken out could not be recalled: the conversation goes as it came.
                exchange.compressed = None
            self._settle(exchange)
            verdict = with_blocks(verdict, exchange)
            note(verdict)
        return verdict

    async def capture(self, exchange: Exchange, answer: Answer) -> None:
        """Make the turn durable; a failure loses the turn, never the answer."""
        try:
            due = await self._capture.response(exchange, answer)
        except RecollectError as error:
            # A part that is down fails every turn alike: its name says more than a traceback.
            log.error(  # noqa: TRY400 - likewise
                "a turn of conversation %s is lost: %s: %s",
                exchange.conversation_id,
                error.code,
                error,
            )
        except Exception:
            log.exception("a turn of conversation %s is lost", exchange.conversation_id)
        else:
            if due:
                self.wake()

    def unreadable(self, exchange: Exchange) -> None:
        """Count a complete answer in which nothing could be read."""
        self._capture.note_unreadable(exchange)

    def _settle(self, exchange: Exchange) -> None:
        """Put the blocks of earlier turns back, and working blocks, even if this recall failed."""
        if exchange.is_side_request:
            return
        try:
            for step in reversed(self._filters):
                step.settle(exchange)
        except Exception:
            # Fail open, as below.
            log.exception("earlier blocks could not be put back")
            exchange.injections, exchange.injected, exchange.working = (), frozenset(), ""
            exchange.compressed = None

    async def _bounded(self, exchange: Exchange, spent: float) -> Verdict:
        seconds = self.bounds.deadline_seconds
        exchange.notes["deadline_ms"] = f"{seconds * 1000:.0f}"
        verdict = await self._failing_open(
            "recall failed", seconds - spent, lambda deadline: self._run(exchange, deadline)
        )
        return Verdict(Outcome.DEGRADED, verdict) if isinstance(verdict, str) else verdict

    async def _failing_open(
        self, failure: str, seconds: float, work: Callable[[asyncio.Timeout], Awaitable[T]]
    ) -> T | str:
        """The result, or the reason word if it failed or was late: no failure stops a chat."""
        try:
            async with asyncio.timeout(seconds) as deadline:
                return await work(deadline)
        except TimeoutError:
            log.warning("%s: it took longer than %.0f ms", failure, seconds * 1000)
            return LATE
        except RecollectError as error:
            log.warning("%s: %s: %s", failure, error.code, error)
            return error.code
        except Exception:
            log.exception("%s with an unexpected error", failure)
            return "internal_error"

    async def _run(self, exchange: Exchange, deadline: asyncio.Timeout) -> Verdict:
        for step in self._filters:
            verdict = await self._step(step, exchange, deadline) or exchange.verdict
            if verdict is not None:
                return verdict
            better = step.improvement(exchange)
            if better is not None:
                await self._improve(better, deadline)
        return Verdict(Outcome.EMPTY, "no_memories")

    async def _step(
        self, step: RequestFilter, exchange: Exchange, deadline: asyncio.Timeout
    ) -> Verdict | None:
        if not step.calls_out(exchange):
            await step.request(exchange)
            return None
        return await self.bounds.recall.run(
            lambda: step.request(exchange), deadline, exchange.scope
        )

    async def _improve(self, better: Improvement, deadline: asyncio.Timeout) -> None:
        """Run an improvement in its own time, on top of the deadline of the filters."""
        with _paused(deadline):
            reason = await self._try(better)
        if reason is not None:
            better.give_up(reason)

    async def _try(self, better: Improvement) -> str | None:
        """Run an improvement if its guard admits it; returns why it failed, None if it did not."""
        try:
            async with asyncio.timeout(better.seconds) as own:
                refused = await self.bounds.of(better.part).run(better.run, own)
                return refused.reason if refused is not None else None
        except TimeoutError:
            return LATE
        except RecollectError as error:
            log.info("a recall continues without its improvement: %s: %s", error.code, error)
            return error.code
        except Exception:
            # Fail open: even the recall itself goes on.
            log.exception("an improvement failed with an unexpected error")
            return "internal_error"


@contextmanager
def _paused(deadline: asyncio.Timeout) -> Iterator[None]:
    """The deadline does not run within the block; after it, as many seconds are left as before."""
    now = asyncio.get_running_loop().time
    left = (deadline.when() or now()) - now()
    deadline.reschedule(None)
    try:
        yield
    finally:
        deadline.reschedule(now() + left)

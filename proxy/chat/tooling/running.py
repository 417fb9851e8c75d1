"""Runs the calls of one round."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from recollect.filters import Exchange
from recollect.memory.model.types import ToolCall
from recollect.memory.tools import ToolAnswer, ToolSet
from recollect.memory.util.tasks import Tasks

from ...errors import unexpected
from ...telemetry.tracing import Telemetry
from .rounds import NOT_RUN, OurNames

log = logging.getLogger(__name__)

CALL_SECONDS = 30.0
MAX_RESULT_CHARS = 40_000
"""Of one call: a model with little room is told to ask for less."""
MAX_CALLS = 16
"""Of one round."""


class ToolRunner:
    """Runs calls one after the other, since they may write.

    A write that has begun is finished, also if the client leaves or it takes too long.
    """

    def __init__(self, tasks: Tasks, telemetry: Telemetry) -> None:
        """`tasks` finishes writes that nobody waits for any more."""
        self._tasks = tasks
        self._telemetry = telemetry
        self.returned: Callable[[Exchange, Mapping[str, Any]], None] = _unheard
        """Told what the model gets of each call that was done."""

    async def results(
        self, exchange: Exchange, tools: ToolSet, calls: Sequence[ToolCall]
    ) -> list[tuple[ToolCall, str]]:
        """What each call answers, in order. Raises nothing but cancellation."""
        ours, results = OurNames(tools.names), []
        for number, call in enumerate(calls):
            if call.name not in ours:
                results.append((call, NOT_RUN))
            elif number >= MAX_CALLS:
                results.append((call, '{"error":"not run: too many calls at once"}'))
            else:
                with exchange.telling():
                    results.append((call, await self._result(exchange, tools, call)))
        return results

    async def _result(self, exchange: Exchange, tools: ToolSet, call: ToolCall) -> str:
        tool = tools.get(call.name)
        name = "unknown" if tool is None else tool.name
        with self._telemetry.tool(name):
            said, failed = await self._said(exchange, tools, call)
        self._telemetry.totals.tool(name, failed=failed)
        return said

    async def _said(self, exchange: Exchange, tools: ToolSet, call: ToolCall) -> tuple[str, bool]:
        tool = tools.get(call.name)
        called = tools.call(call.name, call.arguments)
        asked: Awaitable[ToolAnswer] = called
        if tool is not None and tool.guard != "read":
            asked = asyncio.shield(self._tasks.start(called, name=f"tool {tool.name}"))
        try:
            async with asyncio.timeout(CALL_SECONDS):
                answer = await asked
        except TimeoutError:
            log.warning("the tool %s took longer than %.0f s", call.name, CALL_SECONDS)
            return '{"error":"it took too long; it may have been done"}', True
        except Exception as error:  # noqa: BLE001 - logged; the model is told, the chat goes on
            unexpected(error, "a tool that a model called")
            return '{"error":"internal error"}', True
        told = "refused" if answer.is_error else "done"
        log.info("tool %s of conversation %s: %s", call.name, exchange.conversation_id, told)
        if len(answer.text) > MAX_RESULT_CHARS:
            return '{"error":"the answer is too long; ask for less"}', True
        if not answer.is_error:
            self.returned(exchange, answer.value)
        return answer.text, answer.is_error


def _unheard(_exchange: Exchange, _value: Mapping[str, Any]) -> None:
    """Nobody asks what models get."""

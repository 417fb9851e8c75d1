"""The gate as a step of the pipeline."""

from __future__ import annotations

from ..base import RequestFilter
from ..exchange import Exchange, Outcome, Verdict
from .decide import decide
from .options import GateOptions


class Gate(RequestFilter):
    """Ends the recall of messages that need no memory."""

    name = "gate"

    def __init__(self, options: GateOptions) -> None:
        self._options = options

    async def request(self, exchange: Exchange) -> None:
        reason = decide(exchange.messages, exchange.tools, self._options)
        exchange.notes["gate"] = reason.value
        if not reason.recall:
            exchange.verdict = Verdict(Outcome.SKIPPED, reason.value)

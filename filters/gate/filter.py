"""The gate as a step of the pipeline."""

from __future__ import annotations

from recollect.memory.language.message import is_chore
from recollect.memory.types import MemoryType

from ..base import RequestFilter
from ..exchange import Exchange, Outcome, Verdict, turn_text
from .decide import decide
from .options import GateOptions
from .verdict import GateReason


class Gate(RequestFilter):
    """Ends the recall of messages that need no memory.

    A message that a tool answers goes on, for procedures only: they say how it is done.
    """

    name = "gate"

    def __init__(self, options: GateOptions) -> None:
        self._options = options

    async def request(self, exchange: Exchange) -> None:
        reason = decide(exchange.messages, exchange.tools, self._options)
        exchange.notes["gate"] = reason.value
        if reason is GateReason.TOOL and not is_chore(turn_text(exchange.messages, "")):
            exchange.only = MemoryType.PROCEDURAL
        elif not reason.recall:
            exchange.verdict = Verdict(Outcome.SKIPPED, reason.value)

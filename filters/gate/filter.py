"""The gate as a step of the pipeline."""

from __future__ import annotations

from recollect.memory.language.message import is_chore
from recollect.memory.model.types import MemoryType

from ..exchange import Exchange, Outcome, RequestFilter, Verdict, turn_text
from .reasons import GateReason, decide


class Gate(RequestFilter):
    """Decides which messages need no memory.

    These go on for the user's wishes about answers only, and a message that a tool answers for
    procedures too: they say how it is done. What a client writes needs nothing at all.
    """

    name = "gate"

    async def request(self, exchange: Exchange) -> None:
        reason = decide(exchange.heard)
        exchange.notes["gate"] = reason.value
        if reason.recall:
            return
        if reason is GateReason.EMPTY or is_chore(turn_text(exchange.heard, "")):
            exchange.verdict = Verdict(Outcome.SKIPPED, reason.value)
        elif reason is GateReason.TOOL:
            exchange.only = MemoryType.PROCEDURAL
        else:
            exchange.wishes_only = True

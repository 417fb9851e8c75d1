"""The recall: asks the engine once per turn."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.blocks import show
from recollect.memory.model.messages import TOOL_ROLES
from recollect.memory.model.types import MemoryType
from recollect.memory.recall import Drop, Selection

from .exchange import Exchange, Outcome, Recalls, RequestFilter, Verdict, turn_text
from .gate.reasons import GateReason
from .turn_cache import TurnCache, TurnKey


class Recall(RequestFilter):
    """Finds the memories for `exchange.query`.

    A request that continues a turn (its last message is a tool's result) gets the selection of the
    turn's first request, so that the provider's cached prefix stays valid.
    """

    name = "recall"

    def __init__(self, recaller: Recalls, kept: TurnCache, *, reserve_tokens: int) -> None:
        self._recaller = recaller
        self._kept = kept
        self._reserve_tokens = reserve_tokens

    async def request(self, exchange: Exchange) -> None:
        selection = self._remembered(exchange)
        exchange.notes["recall"] = "asked" if selection is None else "kept"
        if selection is None:
            selection = await self._ask(exchange)
            if exchange.manner.tools:  # without them no result of one comes back
                self._kept.selections.put(_key(exchange), selection)
        if selection.for_tool:
            exchange.notes["gate"], exchange.only = GateReason.TOOL.value, MemoryType.PROCEDURAL
        if exchange.wishes_only and not selection.chosen:
            exchange.notes["recall"] = "none"
            exchange.verdict = Verdict(Outcome.SKIPPED, exchange.notes["gate"])
            return
        exchange.selection = selection
        if not selection.chosen and exchange.only is not None:
            exchange.verdict = Verdict(Outcome.SKIPPED, exchange.notes["gate"])
        elif not selection.chosen:
            exchange.verdict = Verdict(Outcome.EMPTY, _why_empty(selection))

    def calls_out(self, exchange: Exchange) -> bool:
        return self._remembered(exchange) is None

    def _remembered(self, exchange: Exchange) -> Selection | None:
        continues = bool(exchange.messages) and exchange.messages[-1].role in TOOL_ROLES
        return self._kept.selections.get(_key(exchange)) if continues else None

    async def _recalled(self, exchange: Exchange) -> Selection:
        reserve, for_tool = self._reserve_tokens, False
        if not exchange.wishes_only:
            message = turn_text(exchange.messages, exchange.asked)
            out = exchange.compressed.turn_ids if exchange.compressed is not None else ()
            found = await self._recaller.recall(
                exchange.scope,
                replace(
                    exchange.query,
                    message=message,
                    visible=exchange.visible,
                    searched=frozenset(out),
                    conversation=exchange.conversation_id,
                    may_order=True,
                ),
                reserve_tokens=reserve,
                show=show,
                only=exchange.only,
            )
            if found.chosen or not (exchange.only or found.for_tool):
                return found
            for_tool = found.for_tool
        wished = await self._recaller.wishes(
            exchange.scope,
            reserve_tokens=reserve,
            show=show,
            visible=exchange.visible,
            conversation=exchange.conversation_id,
            message=turn_text(exchange.messages, exchange.asked),
        )
        return replace(wished, for_tool=True) if for_tool else wished

    async def _ask(self, exchange: Exchange) -> Selection:
        """Ask again if memories were forgotten during the recall."""
        tenant = exchange.scope.tenant
        while True:
            before = self._kept.times_forgotten(tenant)
            selection = await self._recalled(exchange)
            if self._kept.times_forgotten(tenant) == before:
                return selection


def _key(exchange: Exchange) -> TurnKey:
    return TurnKey(exchange.scope, exchange.turn_id, exchange.reader)


def _why_empty(selection: Selection) -> str:
    if any(why is Drop.WITHHELD for _, why in selection.dropped):
        return "withheld"
    if any(why is Drop.VISIBLE for _, why in selection.dropped):
        return "in_conversation"
    return "below_threshold" if selection.dropped else "no_memories"

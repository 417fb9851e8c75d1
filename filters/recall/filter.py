"""The recall: ask the engine, once for each turn."""

from __future__ import annotations

from collections import OrderedDict

from memory.recall import Recaller, Selection
from memory.types import ScoredMemory

from ..exchange import Exchange, Outcome, Verdict
from ..inject.render import render_line

REMEMBERED_TURNS = 2048
"""Turns whose recall is kept for their tool round-trips; a selection is a few kilobytes."""


class Recall:
    """Finds the memories for `exchange.query`.

    A request that continues a turn (its last message is a tool's result) gets what the turn's first
    request got: the model sees one consistent past, and the provider's cached prefix stays valid.
    """

    name = "recall"

    def __init__(self, recaller: Recaller, *, reserve_tokens: int) -> None:
        self._recaller = recaller
        self._reserve_tokens = reserve_tokens
        self._turns: OrderedDict[str, Selection] = OrderedDict()

    async def request(self, exchange: Exchange) -> None:
        selection = self._remembered(exchange)
        if selection is None:
            selection = await self._recaller.recall(
                exchange.scope,
                exchange.query,
                reserve_tokens=self._reserve_tokens,
                render=_render,
            )
            self._remember(exchange.turn_id, selection)
        exchange.selection = selection
        if not selection.chosen:
            exchange.verdict = Verdict(
                Outcome.EMPTY, "below_threshold" if selection.dropped else "no_memories"
            )

    def _remembered(self, exchange: Exchange) -> Selection | None:
        continues = bool(exchange.messages) and exchange.messages[-1].role in {"tool", "function"}
        return self._turns.get(exchange.turn_id) if continues else None

    def _remember(self, turn_id: str, selection: Selection) -> None:
        self._turns[turn_id] = selection
        self._turns.move_to_end(turn_id)
        while len(self._turns) > REMEMBERED_TURNS:
            self._turns.popitem(last=False)


def _render(hit: ScoredMemory) -> str:
    return render_line(hit.item)

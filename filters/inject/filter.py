"""The injection of one new block per request."""

from __future__ import annotations

from ..base import RequestFilter
from ..exchange import Exchange, Outcome, Verdict
from .blocks import version_of, versions_of
from .fence import Fence
from .options import Position
from .places import injection
from .render import render

REPLAYED = "replayed"
"""Reason: blocks of earlier turns have all recalled memories."""


class Inject(RequestFilter):
    """Adds a system message to the exchange, for the request's tail or start."""

    name = "inject"

    def __init__(self, position: Position, fence: Fence, *, merge_system: bool = False) -> None:
        self._fence = fence
        self._position = position
        self._merge_system = merge_system

    async def request(self, exchange: Exchange) -> None:
        if exchange.selection is None or not exchange.selection.chosen:
            return
        items = [hit.item for hit in exchange.selection.chosen]
        new = [item for item in items if version_of(item) not in exchange.shown]
        if new:
            text = render(new, self._fence)
            placed = injection(
                exchange.messages, text, self._position, merge_system=self._merge_system
            )
            if placed is None:
                return
            exchange.injections = [placed]
        exchange.injected = versions_of(items)
        reason = exchange.notes.get("gate", "default") if new else REPLAYED
        exchange.verdict = Verdict(Outcome.INJECTED, reason)

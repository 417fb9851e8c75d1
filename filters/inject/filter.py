"""The injection of one new block per request."""

from __future__ import annotations

from ..base import RequestFilter
from ..exchange import Exchange, Outcome, Verdict
from .blocks import version_of, versions_of
from .fence import Fence
from .places import injection
from .render import render

REPLAYED = "replayed"
"""Reason: blocks of earlier turns have all recalled memories."""


class Inject(RequestFilter):
    """Adds one block to the exchange, for the place that the model server takes."""

    name = "inject"

    def __init__(self, fence: Fence) -> None:
        self._fence = fence

    async def request(self, exchange: Exchange) -> None:
        if exchange.selection is None or not exchange.selection.chosen:
            return
        items = [hit.item for hit in exchange.selection.chosen]
        new = [item for item in items if version_of(item) not in exchange.shown]
        if new:
            text = render(new, self._fence)
            placed = injection(exchange.messages, text, exchange.place)
            if placed is None:
                return
            exchange.injections = [placed]
        exchange.injected = versions_of(items)
        reason = exchange.notes.get("gate", "default") if new else REPLAYED
        exchange.verdict = Verdict(Outcome.INJECTED, reason)

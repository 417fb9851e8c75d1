"""The injection: where the recalled memories go."""

from __future__ import annotations

from collections.abc import Sequence

from memory.types import Message

from ..exchange import Exchange, Injection, Outcome, Verdict, last_user_index
from .options import Position
from .render import render


class Inject:
    """Notes the system message that the request will get."""

    name = "inject"

    def __init__(self, position: Position) -> None:
        self._position = position

    async def request(self, exchange: Exchange) -> None:
        if exchange.selection is None or not exchange.selection.chosen:
            return
        items = [hit.item for hit in exchange.selection.chosen]
        index = injection_index(exchange.messages, self._position)
        exchange.injection = Injection(index, render(items))
        exchange.verdict = Verdict(Outcome.INJECTED, exchange.notes.get("gate", "default"))


def injection_index(messages: Sequence[Message], position: Position) -> int:
    """Before which message to insert.

    Always directly before a user message or the first one, so that an assistant's tool calls are
    never parted from their results.
    """
    if position is Position.START:
        return 0
    return last_user_index(messages) or 0

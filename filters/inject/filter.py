"""The injection of a new block per request, also with the blocks of earlier turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from recollect.memory.blocks import Fence, RecalledBlock, lines_of, render, version_of
from recollect.memory.model.messages import TOOL_ROLES
from recollect.memory.model.turn_ids import turn_ids_of
from recollect.memory.model.types import MemoryItem, Message

from ..exchange import Exchange, Injection, Outcome, Place, RequestFilter, Verdict, last_user_index
from ..turn_cache import TurnCache, TurnKey

_CALLERS = frozenset({"assistant", ""})
"""Roles of tool calls. In the Responses API a call is an item without a role."""


def places(messages: Sequence[Message], place: Place) -> list[int]:
    """For each user message the index of the message that its block belongs to.

    That is its own index. A system message must not separate a tool's call from its result: for a
    user message between the two, ``tail`` is the call's index. Never decreasing; linear time.
    """
    if place is not Place.TAIL:
        return [index for index, message in enumerate(messages) if message.role == "user"]
    awaited = _awaiting_results(messages)
    found = []
    call = None
    for index, message in enumerate(messages):
        if message.role == "user":
            found.append(call if call is not None and awaited[index] else index)
        elif message.role in _CALLERS and not _continues_calls(messages, index):
            call = index
    return found


def injection(messages: Sequence[Message], text: str, place: Place) -> Injection | None:
    """The injection of a request's block; None without a user message."""
    found = places(messages, place)
    if not found:
        return None
    return Injection(0 if place is Place.START else found[-1], text, place)


def _awaiting_results(messages: Sequence[Message]) -> list[bool]:
    """For each message, whether the result of an earlier tool call follows."""
    found = [False] * len(messages)
    awaited = False
    for index in reversed(range(len(messages))):
        found[index] = awaited
        role = messages[index].role
        awaited = role in TOOL_ROLES or (awaited and role not in _CALLERS)
    return found


def _continues_calls(messages: Sequence[Message], index: int) -> bool:
    return index > 0 and messages[index].role == "" and messages[index - 1].role in _CALLERS


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
        items = {version_of(hit.item): hit.item for hit in exchange.selection.chosen}
        new = [item for version, item in items.items() if version not in exchange.shown]
        if new:
            text = render(new, self._fence)
            placed = injection(exchange.messages, text, exchange.place)
            if placed is None:
                return
            exchange.injections = [replace(placed, lines=lines_of(new))]
        exchange.injected = frozenset(items)
        reason = exchange.notes.get("gate", "default") if new else REPLAYED
        exchange.verdict = Verdict(Outcome.INJECTED, reason)


class Placed(NamedTuple):
    """A cached block and its place."""

    at: int
    turn_id: str
    block: RecalledBlock


class Replay(RequestFilter):
    """Puts each turn's block back in its place and adds a block with new memories.

    A request always gets the cached blocks of its turns, so retries, tool round-trips and the next
    turn repeat them.
    """

    name = "inject"

    def __init__(self, kept: TurnCache, fence: Fence) -> None:
        self._kept = kept
        self._fence = fence

    async def request(self, exchange: Exchange) -> None:
        """Cache a block for this turn, unless it has one or needs none."""
        selection = exchange.selection
        if selection is None or not selection.chosen or last_user_index(exchange.messages) is None:
            return
        items = {version_of(hit.item): hit.item for hit in selection.chosen}
        shown = exchange.shown.union(*(p.block.versions for p in self._earlier(exchange)))
        block = self._block(exchange, [i for v, i in items.items() if v not in shown])
        seen = shown | block.versions if block else shown
        exchange.injected = frozenset(items.keys() & seen)
        reason = exchange.notes.get("gate", "default") if block else REPLAYED
        exchange.verdict = Verdict(Outcome.INJECTED, reason)

    def settle(self, exchange: Exchange) -> None:
        """Inject the cached blocks of all turns, whatever the verdict is."""
        placed = self._placed(exchange)
        place = _place(exchange)
        blocks = [Injection(p.at, p.block.text, place, p.block.lines) for p in placed]
        exchange.injections = sorted([*blocks, *exchange.notice], key=lambda one: one.index)
        for p in placed:
            if p.turn_id == exchange.turn_id:
                exchange.injected |= p.block.versions
            else:
                exchange.shown |= p.block.versions

    def _block(self, exchange: Exchange, new: list[MemoryItem]) -> RecalledBlock | None:
        """The turn's block. The first one is kept, even if a retry finds more."""
        key = TurnKey(exchange.scope, exchange.turn_id, exchange.reader)
        block = self._kept.blocks.get(key)
        if block is None and new:
            block = RecalledBlock.of(new, self._fence)
            self._kept.blocks.put(key, block)
        return block

    def _earlier(self, exchange: Exchange) -> Iterable[Placed]:
        return (p for p in self._placed(exchange) if p.turn_id != exchange.turn_id)

    def _placed(self, exchange: Exchange) -> list[Placed]:
        """The blocks of this request's turns, in the order of their places."""
        if not self._kept.blocks:
            return []
        found = []
        indexes = places(exchange.messages, _place(exchange))
        for index, turn_id in zip(indexes, _turn_ids(exchange), strict=True):
            block = self._kept.blocks.get(TurnKey(exchange.scope, turn_id, exchange.reader))
            if block is not None and exchange.goes(index):
                found.append(Placed(index, turn_id, block))
        return found


def _place(exchange: Exchange) -> Place:
    """The start has no room for the blocks of several turns."""
    return Place.USER if exchange.place is Place.START else exchange.place


def _turn_ids(exchange: Exchange) -> list[str]:
    ids = turn_ids_of(exchange.conversation_id, exchange.messages)
    if not ids or ids[-1] == exchange.turn_id:
        return ids
    # The request continues a conversation that the upstream keeps: only the last turn's id is
    # known, and the upstream repeats the earlier blocks.
    return [*("" for _ in ids[:-1]), exchange.turn_id]

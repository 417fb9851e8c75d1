"""The injection that repeats earlier blocks, so that each request extends the previous one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from recollect.memory.model.types import MemoryItem

from ..base import RequestFilter
from ..capture.turns import turn_ids_of
from ..exchange import Exchange, Injection, Outcome, Place, Verdict, last_user_index
from ..turn_cache import TurnCache, TurnKey
from .blocks import Block, version_of
from .fence import Fence
from .filter import REPLAYED
from .places import places


class Placed(NamedTuple):
    """A cached block and its place."""

    at: int
    turn_id: str
    block: Block


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
        items = [hit.item for hit in selection.chosen]
        shown = exchange.shown.union(*(p.block.versions for p in self._earlier(exchange)))
        block = self._block(exchange, [i for i in items if version_of(i) not in shown])
        seen = shown | block.versions if block else shown
        exchange.injected = frozenset(v for v in map(version_of, items) if v in seen)
        reason = exchange.notes.get("gate", "default") if block else REPLAYED
        exchange.verdict = Verdict(Outcome.INJECTED, reason)

    def settle(self, exchange: Exchange) -> None:
        """Inject the cached blocks of all turns, whatever the verdict is."""
        placed = self._placed(exchange)
        place = _place(exchange)
        blocks = [Injection(p.at, p.block.text, place) for p in placed]
        exchange.injections = sorted([*blocks, *exchange.notice], key=lambda one: one.index)
        for p in placed:
            if p.turn_id == exchange.turn_id:
                exchange.injected |= p.block.versions
            else:
                exchange.shown |= p.block.versions

    def _block(self, exchange: Exchange, new: list[MemoryItem]) -> Block | None:
        """The turn's block. The first one is kept, even if a retry finds more."""
        key = TurnKey(exchange.scope, exchange.turn_id)
        block = self._kept.blocks.get(key)
        if block is None and new:
            block = Block.of(new, self._fence)
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
            block = self._kept.blocks.get(TurnKey(exchange.scope, turn_id))
            if block is not None:
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

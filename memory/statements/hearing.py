"""Makes finished turns recallable: at once by their words, then by their meaning.

    recorded -> passages -> shelf -> embed -> contradictions -> shelf, note

A crash at any arrow loses nothing: the turn is on disk, and whoever reads its shelf does what is
left. What is forgotten meanwhile is not shown: a shelf is then read again from what is left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..embedders import in_background
from ..model.types import Turn, Vector
from ..recall import HotIndexes
from ..recall.prototypes import Prototypes
from ..records.parts import Parts
from ..util.fair_thread_pool import FairThreadPool
from ..util.loops import guarded
from .contradictions import contradicted, nearest
from .notes import Noted, dump
from .orders import orders_of, wishes_among
from .passages import passage, texts_of
from .shelves import SaidShelves

MOST_WAITING = 1000
"""Turns that wait for their passages; of further ones the shelf is read again."""
AT_A_TIME = 16
"""Turns that are embedded together."""
INLINE_CHARS = 2000
"""A longer turn is read in a thread."""


class _Told(NamedTuple):
    """A turn, and the shelf's epoch when it was known to be there."""

    turn: Turn
    epoch: tuple[int, int, int]
    begins: bool = False
    """Whether the conversation began with it, as far as is known."""


class Hearing:
    """The background work for what is said."""

    def __init__(
        self,
        parts: Parts,
        shelves: SaidShelves,
        indexes: HotIndexes,
        *,
        bulk: FairThreadPool,
        pause: Callable[[], Awaitable[None]],
        prototypes: Callable[[], Prototypes | None] = lambda: None,
    ) -> None:
        """`bulk` runs long computations, `pause` yields to foreground requests.

        `prototypes` are what orders are compared with, once they are there.
        """
        self._parts = parts
        self._shelves = shelves
        self._indexes = indexes
        self._bulk = bulk
        self._pause = pause
        self._prototypes = prototypes
        self._heard: asyncio.Queue[_Told] = asyncio.Queue(MOST_WAITING)
        self._bare: asyncio.Queue[_Told] = asyncio.Queue(MOST_WAITING)
        self._waiting: set[str] = set()
        shelves.on_bare = self._take

    def note(self, turn: Turn, begins: bool = False) -> None:  # noqa: FBT002 - a callback
        """Queue a recorded turn, which may begin a conversation. Quick, without IO."""
        if self._heard.full():
            self._shelves.forget(turn.scope)
        else:
            self._heard.put_nowait(_Told(turn, self._shelves.epoch(turn.scope), begins))

    async def listen(self) -> None:
        """Show queued turns until cancelled."""
        while True:
            told = await self._heard.get()
            await guarded(lambda told=told: self._hear(told))  # type: ignore[misc]

    async def embed(self) -> None:
        """Complete shown turns until cancelled: their vectors, contradictions and notes."""
        while True:
            told = [await self._bare.get()]
            while len(told) < AT_A_TIME and not self._bare.empty():
                told.append(self._bare.get_nowait())
            await guarded(lambda told=told: self._complete(told))  # type: ignore[misc]
            self._waiting.difference_update(one.turn.id for one in told)

    @property
    def depth(self) -> int:
        """Turns that are not shown, or not complete, yet."""
        return self._heard.qsize() + len(self._waiting)

    def _take(self, turns: Sequence[Turn]) -> None:
        for turn in turns:
            self._wait(_Told(turn, self._shelves.epoch(turn.scope)))

    def _wait(self, told: _Told) -> None:
        if told.turn.id not in self._waiting and not self._bare.full():
            self._waiting.add(told.turn.id)
            self._bare.put_nowait(told)

    async def _hear(self, told: _Told) -> None:
        texts = await self._texts(told.turn)
        self._show(told, [Noted(text) for text in texts])
        await self._shelves.changed(told.turn.scope)
        self._wait(told)

    async def _texts(self, turn: Turn) -> list[str]:
        known: list[str] = []
        if turn.recalled:
            items = await self._parts.store.get(turn.scope.tenant, turn.recalled)
            known = [item.text for item in items]
        if len(turn.user_text) <= INLINE_CHARS:
            return texts_of(turn, known)
        return await self._bulk.run(turn.scope, lambda: texts_of(turn, known))

    async def _complete(self, told: Sequence[_Told]) -> None:
        texts = [await self._texts(one.turn) for one in told]
        orders = [self._orders(*pair) for pair in zip(told, texts, strict=True)]
        said = [text for some in (*texts, *orders) for text in some]
        vectors = dict[str, Vector]()
        if said:
            with in_background():
                vectors = dict(zip(said, await self._parts.embedder.embed(said), strict=True))
        for one, some, order in zip(told, texts, orders, strict=True):
            turn = one.turn
            found = [Noted(text, vectors[text]) for text in some]
            found += [Noted(text, vectors[text]) for text in self._wishes(order, vectors)]
            self._show(one, found)
            found = await self._compared(turn, found)
            self._show(one, found)
            note = dump(found, self._parts.embedder.id)
            await self._parts.state.conversations.annotate(turn.conversation_id, {turn.id: note})
            await self._shelves.changed(turn.scope)

    def _orders(self, told: _Told, texts: Sequence[str]) -> Sequence[str]:
        """What may be a wish by its meaning, though not by its words."""
        if not told.begins or self._prototypes() is None:
            return ()
        return orders_of(told.turn, texts)

    def _wishes(self, orders: Sequence[str], vectors: Mapping[str, Vector]) -> Sequence[str]:
        prototypes = self._prototypes()
        if prototypes is None or not orders:
            return ()
        return wishes_among(prototypes, orders, [vectors[one] for one in orders])

    def _show(self, told: _Told, found: Sequence[Noted]) -> None:
        """Show it, unless something was forgotten since: then the shelf is read again."""
        if told.epoch == self._shelves.epoch(told.turn.scope):
            self._shelves.put(told.turn, found)
        else:
            self._shelves.forget(told.turn.scope)

    async def _compared(self, turn: Turn, found: Sequence[Noted]) -> list[Noted]:
        """The passages with what they contradict, as far as it is in memory."""
        index = await self._indexes.get(turn.scope)
        if index is None or not found:
            return list(found)
        shelf = await self._shelves.get(turn.scope)
        with index.lock:
            index.host(shelf)
        compared = []
        for number, one in enumerate(found):
            await self._pause()
            item = passage(turn, number, one.text, embedder_id="", learned=False).item
            assert one.vector is not None  # noqa: S101 - it was embedded just now
            near = nearest(index, self._parts.sight(turn.scope), one.vector, item.id)
            compared.append(replace(one, over=contradicted(item, near)))
        return compared

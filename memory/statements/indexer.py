"""Makes finished turns recallable: at once by their words, then by their meaning.

    recorded -> passages -> shown -> embed -> contradictions -> shown again, noted

A crash at any arrow loses nothing: the turn is on disk, and whoever reads the statements of its
user does what is left. What is forgotten meanwhile is not shown: they are then read again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

import numpy as np

from ..embedders import in_background
from ..learn.reconcile import is_denied
from ..model.ports import ConversationStore
from ..model.types import MemoryItem, OwnerRef, Recent, Recorded, Scope, ScoredMemory, Turn, Vector
from ..recall import HotIndexes
from ..recall.index.user_index import UserIndex
from ..recall.prototypes import Prototypes
from ..records.parts import Parts
from ..util.fair_thread_pool import FairThreadPool
from ..util.loops import guarded
from .passages import Noted, dump_note, orders_of, passage, texts_of, wishes_among
from .recent import StatementCache

NEAREST = 10


def nearest(index: UserIndex, scope: Scope, vector: Vector, but: str) -> list[ScoredMemory]:
    """The nearest memories and passages of a scope, best first, without the one with id `but`."""
    with index.lock:
        admitted = np.flatnonzero(index.admitted(scope))
        cosines = index.vectors.cosines(vector[np.newaxis])[admitted]
        best = np.argsort(-cosines)[: NEAREST + 1]
        entries = index.entries
        hits = [(entries[int(admitted[at])], float(cosines[at])) for at in best]
    found = [ScoredMemory(entry.item, score) for entry, score in hits if entry is not None]
    return [hit for hit in found if hit.item.id != but][:NEAREST]


def contradicted(item: MemoryItem, near: Sequence[ScoredMemory]) -> frozenset[str]:
    """The ids among `near` that are not true any more, or never were, if this one is."""
    earlier = [hit.item for hit in near if hit.item.updated_at <= item.created_at]
    return frozenset(each.id for each in earlier if is_denied(each.text, item.text))


MOST_WAITING = 1000
"""Turns that wait for their passages; of further ones the statements are read again."""
AT_A_TIME = 16
"""Turns that are embedded together."""
SHOWN_SECONDS = 0.1
"""Longest time that the end of an answer waits for its turn to be shown to other processes."""
INLINE_CHARS = 2000
"""A longer turn is read in a thread."""


class _Pending(NamedTuple):
    """A turn, and the epoch of its user when it was known to be there."""

    turn: Turn
    epoch: tuple[int, int, int]
    begins: bool = False
    """Whether the conversation began with it, as far as is known."""


class StatementIndexer:
    """The background work for what is said."""

    def __init__(
        self,
        parts: Parts,
        cache: StatementCache,
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
        self._cache = cache
        self._indexes = indexes
        self._bulk = bulk
        self._pause = pause
        self._prototypes = prototypes
        self._heard: asyncio.Queue[_Pending] = asyncio.Queue(MOST_WAITING)
        self._bare: asyncio.Queue[_Pending] = asyncio.Queue(MOST_WAITING)
        self._waiting: set[str] = set()
        cache.on_bare = self._take

    def note(self, turn: Turn, begins: bool = False) -> None:  # noqa: FBT002 - a callback
        """Queue a recorded turn, which may begin a conversation. Quick, without IO."""
        if self._heard.full():
            self._cache.forget(turn.scope)
        else:
            self._heard.put_nowait(_Pending(turn, self._cache.epoch(turn.scope), begins))

    async def listen(self) -> None:
        """Show queued turns until cancelled."""
        while True:
            told = await self._heard.get()
            await guarded(partial(self._hear, told))
            self._heard.task_done()

    async def shown(self) -> None:
        """Wait until the queued turns are shown, here and to others; not for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SHOWN_SECONDS):
                await self._heard.join()

    async def embed(self) -> None:
        """Complete shown turns until cancelled: their vectors, contradictions and notes."""
        while True:
            told = [await self._bare.get()]
            while len(told) < AT_A_TIME and not self._bare.empty():
                told.append(self._bare.get_nowait())
            await guarded(partial(self._complete, told))
            self._waiting.difference_update(one.turn.id for one in told)

    @property
    def depth(self) -> int:
        """Turns that are not shown, or not complete, yet."""
        return self._heard.qsize() + len(self._waiting)

    def _take(self, turns: Sequence[Turn]) -> None:
        for turn in turns:
            self._wait(_Pending(turn, self._cache.epoch(turn.scope)))

    def _wait(self, told: _Pending) -> None:
        if told.turn.id not in self._waiting and not self._bare.full():
            self._waiting.add(told.turn.id)
            self._bare.put_nowait(told)

    async def _hear(self, told: _Pending) -> None:
        texts = await self._texts(told.turn)
        self._show(told, [Noted(text) for text in texts])
        await self._cache.changed(told.turn.scope)
        self._wait(told)

    async def _texts(self, turn: Turn) -> list[str]:
        known: list[str] = []
        if turn.recalled:
            items = await self._parts.store.get(turn.scope.tenant, turn.recalled)
            known = [item.text for item in items]
        if len(turn.user_text) <= INLINE_CHARS:
            return texts_of(turn, known)
        return await self._bulk.run(turn.scope, lambda: texts_of(turn, known))

    async def _complete(self, told: Sequence[_Pending]) -> None:
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
            note = dump_note(found, self._parts.embedder.id)
            await self._parts.state.conversations.annotate(turn.conversation_id, {turn.id: note})
            await self._cache.changed(turn.scope)

    def _orders(self, told: _Pending, texts: Sequence[str]) -> Sequence[str]:
        """What may be a wish by its meaning, though not by its words."""
        if not told.begins or self._prototypes() is None:
            return ()
        return orders_of(told.turn, texts)

    def _wishes(self, orders: Sequence[str], vectors: Mapping[str, Vector]) -> Sequence[str]:
        prototypes = self._prototypes()
        if prototypes is None or not orders:
            return ()
        return wishes_among(prototypes, orders, [vectors[one] for one in orders])

    def _show(self, told: _Pending, found: Sequence[Noted]) -> None:
        """Show it, unless something was forgotten since: then they are read again."""
        if told.epoch == self._cache.epoch(told.turn.scope):
            self._cache.put(told.turn, found)
        else:
            self._cache.forget(told.turn.scope)

    async def _compared(self, turn: Turn, found: Sequence[Noted]) -> list[Noted]:
        """The passages with what they contradict, as far as it is in memory."""
        index = await self._indexes.get(turn.scope)
        if index is None or not found:
            return list(found)
        statements = await self._cache.get(turn.scope)
        with index.lock:
            index.host(statements)
        compared = []
        for number, one in enumerate(found):
            await self._pause()
            item = passage(turn, number, one.text, embedder_id="", learned=False).item
            assert one.vector is not None  # noqa: S101 - it was embedded just now
            near = nearest(index, self._parts.sight(turn.scope), one.vector, item.id)
            compared.append(replace(one, over=contradicted(item, near)))
        return compared


class IndexingConversations:
    """Wraps another `ConversationStore`. Reads are passed on unchanged."""

    def __init__(
        self,
        inner: ConversationStore,
        cache: StatementCache,
        on_turn: Callable[[Turn, bool], None],
        shown: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`on_turn` is called with every recorded turn, and whether it begins a conversation.

        Quick, without IO. `shown`: wait for it, because the client's next request may go to another
        process.
        """
        self._shown = shown
        self._inner = inner
        self._cache = cache
        self._on_turn = on_turn

    async def record(self, turn: Turn) -> Recorded:
        recorded = await self._inner.record(turn)
        self._on_turn(turn, recorded.seq == 1)
        if self._shown is not None:
            await self._shown()
        return recorded

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        return await self._inner.unlearned(conversation_id, upto_seq)

    async def turns(
        self, conversation_id: str, after_seq: int, upto_seq: int, *, learned_only: bool = False
    ) -> list[Turn]:
        return await self._inner.turns(
            conversation_id, after_seq, upto_seq, learned_only=learned_only
        )

    async def thread(self, scope: Scope, name: str, *, limit: int) -> list[Turn]:
        return await self._inner.thread(scope, name, limit=limit)

    async def mark_learned(
        self, conversation_id: str, upto_seq: int, *, after_seq: int | None = None
    ) -> None:
        await self._inner.mark_learned(conversation_id, upto_seq, after_seq=after_seq)

    async def give_up(self, conversation_id: str, after_seq: int, upto_seq: int) -> None:
        await self._inner.give_up(conversation_id, after_seq, upto_seq)

    async def recent(self, scope: Scope, *, limit: int) -> list[Recent]:
        return await self._inner.recent(scope, limit=limit)

    async def named(self, tenant: str, turn_ids: Sequence[str]) -> list[Recent]:
        return await self._inner.named(tenant, turn_ids)

    async def recent_ids(self, scope: Scope, *, limit: int) -> list[str]:
        return await self._inner.recent_ids(scope, limit=limit)

    async def scopes(self, owner_ref: OwnerRef | None) -> list[Scope]:
        return await self._inner.scopes(owner_ref)

    async def annotate(self, conversation_id: str, notes: Mapping[str, str]) -> None:
        await self._inner.annotate(conversation_id, notes)

    async def mark_remembered(
        self, scope: Scope, conversation_id: str, turn_ids: Collection[str]
    ) -> None:
        await self._inner.mark_remembered(scope, conversation_id, turn_ids)
        await self._cache.stale(scope)

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        return await self._inner.pending(idle_since=idle_since, scope=scope)

    async def erase(self, owner_ref: OwnerRef) -> int:
        try:
            return await self._inner.erase(owner_ref)
        finally:
            self._cache.forget(owner_ref)

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        try:
            return await self._inner.erase_turns(tenant, turn_ids)
        finally:
            self._cache.forget(tenant)

    async def prune(self, *, learned_before: datetime) -> int:
        erased = await self._inner.prune(learned_before=learned_before)
        if erased:
            self._cache.clear()
        return erased

    async def close(self) -> None:
        await self._inner.close()

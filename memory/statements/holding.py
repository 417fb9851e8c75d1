"""Keeps statements out of recall that wait for a person, or are never to be told again.

What waits (`trust.review`) becomes a quarantined memory in the user's words, and no passage of its
turn. A crash between the two repeats it: the memory is there already.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import timedelta

from ..learn import Applier, Batch, ReviewedText, ReviewKinds, as_waiting, held_id, is_refused
from ..learn.denials import ended_in
from ..learn.learner import Guards
from ..learn.reconcile import repeats
from ..model.endings import denied_since, is_never_again
from ..model.types import (
    Decision,
    EventKind,
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    Turn,
    utc_now,
)
from ..recall.index.entry import ASKED, PASTED
from ..records.parts import Parts
from ..trust.options import ReviewKind
from ..util.lru import Lru
from .denial import says_it
from .passages import Noted
from .statement_cache import StatementCache
from .turn_notes import embedded, without

MOST_SCOPES = 10_000
LATE = timedelta(seconds=5)
"""What was said longer ago may have been denied before it was recorded."""
_NOBODYS = frozenset({ASKED, PASTED})
_Ended = tuple[tuple[int, ...], Sequence[MemoryItem]]


class StatementHolder:
    """Takes passages out of turns. Raises StoreError, StateError and EmbeddingError."""

    def __init__(
        self,
        parts: Parts,
        cache: StatementCache,
        guard: Guards,
        review: ReviewKinds,
        refuses: Callable[[], bool | None],
    ) -> None:
        """`refuses` tells whether anything was ever refused for good; None: nobody knows."""
        self._refuses = refuses
        self._store = parts.store
        self._embedder = parts.embedder
        self._applier = Applier(parts.store, parts.writer, parts.embedder)
        self._cache = cache
        self._guard = guard
        self.review = review
        self._known: Lru[Scope, _Ended] = Lru(MOST_SCOPES)

    async def kept(self, turn: Turn, found: Sequence[Noted]) -> list[Noted]:
        """The passages of a turn that are recalled; they have their vectors."""
        if not found:
            return []
        kept = await self._undenied(turn, found)
        if not self.review:
            return kept
        await self.review.prepare()
        told = [one for one in kept if _is_statement(one)]
        found_kinds = await self.review.each([_reviewed(one) for one in told])
        waiting = [
            _waiting(turn, one, kinds)
            for one, kinds in zip(told, found_kinds, strict=True)
            if kinds
        ]
        if waiting:
            guard = await self._guard(turn.scope)
            await self._applier.apply(await self._new(turn.scope, waiting), _batch(turn), guard)
        texts = {each.text for each in waiting}
        return [one for one in kept if one.text not in texts]

    async def _undenied(self, turn: Turn, found: Sequence[Noted]) -> list[Noted]:
        """Without the sentences that a person denied since they were said, or for good."""
        is_late = utc_now() - turn.created_at > LATE
        ended = await self._ended(turn.scope) if is_late or self._refuses() is not False else ()
        if not ended:
            return list(found)
        never = [item for item in ended if is_never_again(item)]
        later = denied_since(ended, turn.created_at)

        def is_denied(text: str) -> bool:
            return repeats(text, never) or any(says_it(text, turn, item) for item in later)

        return await embedded(self._embedder, without(found, turn, is_denied))

    async def _new(self, scope: Scope, waiting: Sequence[Decision]) -> list[Decision]:
        """Without what waits already; what was refused, and is said again, waits again."""
        ids = [each.memory_id for each in waiting]
        known = {item.id: item for item in await self._store.get(scope.tenant, ids)}
        again = "|".join(sorted({name for each in waiting for name in each.turn_ids}))
        return [
            replace(each, memory_id=held_id(scope, f"{again}|{each.text}"))
            if (item := known.get(each.memory_id)) is not None and is_refused(item)
            else each
            for each in waiting
        ]

    async def _ended(self, scope: Scope) -> Sequence[MemoryItem]:
        """What persons denied of a scope; read once until a memory changes."""
        state = self._cache.epoch(scope)
        known = self._known.get(scope)
        if known is None or known[0] != state:
            known = state, await ended_in(self._store, scope)
            self._known.put(scope, known)
        return known[1]


def _is_statement(one: Noted) -> bool:
    return one.vector is not None and _NOBODYS.isdisjoint(one.flags)


def _reviewed(one: Noted) -> ReviewedText:
    assert one.vector is not None  # noqa: S101 - as `_is_statement`
    return ReviewedText(one.text, one.vector)


def _waiting(turn: Turn, one: Noted, kinds: Collection[ReviewKind]) -> Decision:
    """The decision to keep a passage, in the user's words, until a person judges it."""
    said = Decision(
        event=EventKind.ADD,
        memory_id="",
        text=one.text,
        type=MemoryType.SEMANTIC,
        source=Source.USER,
        turn_ids=(turn.id,),
        quote=one.text,
        importance=one.importance,
        at=turn.created_at,
    )
    return as_waiting(said, kinds, held_id(turn.scope, one.text))


def _batch(turn: Turn) -> Batch:
    said = Provenance(conversation_id=turn.conversation_id)
    return Batch(
        id=f"review|{turn.id}",
        scope=turn.scope,
        at=turn.created_at,
        provenance=said,
        moments={turn.id: turn.created_at},
    )

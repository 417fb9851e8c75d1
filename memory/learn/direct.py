"""Stores messages as they are, each text once in its scope."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

from ..model.types import Decision, EventKind, MemoryEvent, MemoryItem, MemoryStatus, Scope, Vector
from ..records.parts import Parts
from .apply import Applier
from .driver import Guards
from .given import Given, GivenText, Skipped, SkipReason, key_of
from .neighbours import MAX_SEEN, NEIGHBOURS
from .records import Batch

FEW = 16
"""Up to this many texts are searched for one by one; for more, the scope's memories are listed."""
NEAR = 0.9
"""Cosine below which no memory can have the same text but for white space."""
_HELD = frozenset({MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED})


@dataclass(frozen=True, slots=True)
class Stored:
    """The result of one call."""

    events: list[MemoryEvent]
    """Of the memories that were stored, one for each."""
    skipped: list[Skipped]
    """In the order of their messages."""


class Direct:
    """Stores given messages. Calls with the same text wait for each other in this process."""

    def __init__(self, parts: Parts, *, guard: Guards) -> None:
        self._store = parts.store
        self._embedder = parts.embedder
        self._applier = Applier(parts.store, parts.embedder, parts.history, parts.state.locks)
        self._guard = guard
        self._writing: WeakValueDictionary[tuple[Scope, str], asyncio.Lock] = WeakValueDictionary()

    async def store(self, given: Given, batch: Batch, *, dedupe: bool) -> Stored:
        """Store the messages; with `dedupe`, none whose text the scope has.

        A text is known if a memory of exactly this scope, active or quarantined, has it, and with
        it all of the batch's metadata: other metadata is something new. A known text changes
        nothing but the history of its memory, which gets a NONE.

        Raises as `Applier.apply`.
        """
        async with AsyncExitStack() as stack:
            if dedupe:
                # In one order, so that two calls cannot wait for each other.
                for key in sorted(given.texts):
                    lock = self._writing.setdefault((batch.scope, key), asyncio.Lock())
                    await stack.enter_async_context(lock)
            guard = await self._guard(batch.scope, batch.id)
            known = await self._known(given, batch) if dedupe else {}
            decisions, repeated = _divided(given, known, dedupe=dedupe)
            applied = await self._applier.apply(decisions, batch, guard)
        events = [event for event in applied.events if event.event is not EventKind.NONE]
        skipped = sorted([*given.skipped, *repeated], key=lambda one: one.index)
        return Stored(events, skipped)

    async def _known(self, given: Given, batch: Batch) -> dict[str, MemoryItem]:
        """The stored memories that have one of the texts, by `key_of`."""
        texts = given.texts
        if len(texts) > FEW:
            listed = await self._store.list(batch.scope, limit=None, statuses=_HELD)
            return _with_texts(listed, texts.keys(), batch)
        if not texts:
            return {}
        vectors = await self._embedder.embed(list(texts.values()))
        known: dict[str, MemoryItem] = {}
        for key, vector in zip(texts, vectors, strict=True):
            known |= await self._nearest(key, vector, batch)
        return known

    async def _nearest(self, key: str, vector: Vector, batch: Batch) -> dict[str, MemoryItem]:
        """A memory with this text, among the nearest. Long texts may have one vector."""
        limit = NEIGHBOURS
        while True:
            hits = await self._store.search(
                batch.scope, vector, limit=limit, statuses=_HELD, fresh=True
            )
            found = _with_texts([hit.item for hit in hits], {key}, batch)
            others = len(hits) == limit < MAX_SEEN and min(hit.score for hit in hits) >= NEAR
            if found or not others:
                return found
            limit *= 4


def _with_texts(
    items: Iterable[MemoryItem], keys: Iterable[str], batch: Batch
) -> dict[str, MemoryItem]:
    """The memories with one of these texts, or with the rest of one, by the text's key."""
    wanted = set(keys)
    return {
        key: item
        for item in items
        if item.scope == batch.scope and _has(item.metadata, batch.metadata)
        for key in (key_of(item.text), item.provenance.given or "")
        if key in wanted
    }


def _has(metadata: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    return all(name in metadata and metadata[name] == value for name, value in said.items())


def _divided(
    given: Given, known: Mapping[str, MemoryItem], *, dedupe: bool
) -> tuple[Sequence[Decision], list[Skipped]]:
    """The decisions to apply, with a NONE about each known memory, and the duplicates."""
    if not dedupe:
        return [one for piece in given.pieces for one in piece.decisions], []
    ids = {key: item.id for key, item in known.items()}
    decisions: list[Decision] = []
    repeated: dict[int, str] = {}
    new: set[int] = set()
    for piece in given.pieces:
        if (held := ids.get(piece.key)) is None:
            ids[piece.key] = piece.decision.memory_id
            decisions += _linked(piece, ids, known)
            new.add(piece.index)
            continue
        repeated.setdefault(piece.index, held)
        if piece.key in known:
            decisions.append(_none(piece.decision, known[piece.key]))
    skipped = [
        Skipped(index, SkipReason.DUPLICATE, held)
        for index, held in repeated.items()
        if index not in new
    ]
    return decisions, skipped


def _linked(
    piece: GivenText, ids: dict[str, str], known: Mapping[str, MemoryItem]
) -> list[Decision]:
    """The decisions of a new text. A sentence that is there already is withheld once."""
    made: list[Decision] = []
    held: list[str] = []
    for part in piece.withheld:
        key = key_of(part.text)
        if key not in ids:
            ids[key] = part.memory_id
            made.append(part)
        elif key in known:
            made.append(_none(part, known[key]))
        held.append(ids[key])
    return [replace(piece.decision, withheld=tuple(held)), *made]


def _none(decision: Decision, item: MemoryItem) -> Decision:
    return replace(
        decision,
        event=EventKind.NONE,
        memory_id=item.id,
        text=item.text,
        reason="the same text",
        flags=(),
        reasons=(),
        taken_from=None,
        withheld=(),
        given=None,
    )

"""Stores messages as they are, without a model: each text once in its scope."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

from ..model.types import (
    Decision,
    EventKind,
    MemoryEvent,
    MemoryItem,
    MemoryStatus,
    Scope,
    ScoredMemory,
    Vector,
)
from ..recall.importance import ImportanceScale
from ..records.parts import Parts
from .apply import Also, Applier
from .confirmation import is_only_unproven
from .given_texts import Given, GivenText, Skipped, SkipReason, key_of
from .learner import Guards
from .reconcile.changed_matter import tells_change
from .reconcile.rules import Neighbour, changed_by, contradicts
from .reconcile.text_relation import Statement
from .reconciler import MAX_SEEN
from .records import Batch
from .review import ReviewKinds
from .safe_embedding import each_embedded
from .waiting import as_waiting

FEW = 16
"""Up to this many texts are searched for one by one; for more, the scope's memories are listed."""
COMPARED = 8
"""Memories that a given text is compared with at first."""
NEAR = 0.9
"""Cosine below which no memory can have the same words."""
_FEW_OTHERS = 6
"""Words in which a text and its contrary differ at most: "now" and a value for another."""
CONTRARY, CHANGED = "kept beside what it contradicts", "kept beside what it may change"
"""The reasons of a text that says that a stored one does not hold, and of one that tells a change:
both wait for a judgement."""
_HELD = frozenset({MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED})


@dataclass(frozen=True, slots=True)
class Stored:
    """The result of one call."""

    events: list[MemoryEvent]
    """Of the memories that were stored, one for each."""
    skipped: list[Skipped]
    """In the order of their messages."""


@dataclass(slots=True)
class Around:
    """The stored memories near some texts."""

    known: dict[str, MemoryItem] = field(default_factory=dict)
    """Those that have one of the texts, by `key_of` it."""
    contrary: dict[str, list[MemoryItem]] = field(default_factory=dict)
    """Those that do not hold if a text does, by the text; not asked for many texts at once."""
    changed: dict[str, list[MemoryItem]] = field(default_factory=dict)
    """The one that a text tells a change of, likewise."""


class VerbatimWriter:
    """Stores given messages. Calls with the same text wait for each other in this process."""

    def __init__(self, parts: Parts, *, guard: Guards, review: ReviewKinds | None = None) -> None:
        """`review` tells which texts wait, where somebody else than the user writes."""
        self._review = review
        self._store = parts.store
        self._embedder = parts.embedder
        self._calibration = parts.calibration
        self._applier = Applier(parts.store, parts.writer, parts.embedder)
        self._guard = guard
        self._scale = parts.scale
        self._writing: WeakValueDictionary[tuple[Scope, str], asyncio.Lock] = WeakValueDictionary()

    async def store(
        self, given: Given, batch: Batch, *, dedupe: bool, also: Also | None = None
    ) -> Stored:
        """Store the messages; with `dedupe`, none whose text the scope has.

        A text is known if a memory of exactly this scope, active or quarantined, has it, and with
        it all of the batch's metadata: other metadata is something new. A known text changes
        nothing but the history of its memory, which gets a NONE. A message of which a text cannot
        be embedded is skipped. `also` belongs to the same transaction.

        Raises as `Applier.apply`.
        """
        given, vectors = await self._embedded(given)
        async with AsyncExitStack() as stack:
            if dedupe:
                # In one order, so that two calls cannot wait for each other.
                for key in sorted(given.texts):
                    lock = self._writing.setdefault((batch.scope, key), asyncio.Lock())
                    await stack.enter_async_context(lock)
            guard = await self._guard(batch.scope)
            around = await self._around(given, batch, vectors) if dedupe else Around()
            decisions, repeated = _divided(given, around.known, dedupe=dedupe)
            decisions = [_beside(one, around) for one in decisions]
            decisions = await self._reviewed(decisions)
            if batch.importance is None and self._scale is not None:
                decisions = _weighed(decisions, vectors, self._scale)
            applied = await self._applier.apply(decisions, batch, guard, also=also)
        events = [event for event in applied.events if event.event is not EventKind.NONE]
        skipped = sorted([*given.skipped, *repeated], key=lambda one: one.index)
        return Stored(events, skipped)

    async def _reviewed(self, decisions: list[Decision]) -> list[Decision]:
        """What a tool or an assistant tells waits as a learned fact does.

        What a program writes as the user's is a person's act.
        """
        if not self._review or not any(map(_is_foreign, decisions)):
            return decisions
        kinds = await self._review.of_decisions(decisions)
        return [
            as_waiting(each, kinds[number], each.memory_id)
            if number in kinds and _is_foreign(each)
            else each
            for number, each in enumerate(decisions)
        ]

    async def _embedded(self, given: Given) -> tuple[Given, dict[str, Vector]]:
        """Without the messages that cannot be embedded, and the vectors of the others' texts.

        The embedder keeps these: the write does not embed them again.

        Raises EmbeddingError: there is no other one.
        """
        texts = [(piece.index, each.text) for piece in given.pieces for each in piece.decisions]
        found = await each_embedded(self._embedder, [text for _, text in texts])
        without, vectors = set[int](), dict[str, Vector]()
        for (index, text), vector in zip(texts, found, strict=True):
            if vector is None:
                without.add(index)
            else:
                vectors[text] = vector
        if not without:
            return given, vectors
        left = tuple(piece for piece in given.pieces if piece.index not in without)
        named = (Skipped(index, SkipReason.NOT_EMBEDDED) for index in without)
        return Given(left, (*given.skipped, *named)), vectors

    async def _around(self, given: Given, batch: Batch, vectors: Mapping[str, Vector]) -> Around:
        """What the stored memories say of the texts."""
        texts = given.texts
        if len(texts) > FEW:
            listed = await self._store.list(batch.scope, limit=None, statuses=_HELD)
            return Around(_with_texts(listed, texts.keys(), batch))
        around = Around()
        if not texts:
            return around
        limit, left = COMPARED, [(each, vectors[each[1]]) for each in texts.items()]
        while left:
            further = []
            found = await self._store.search_each(
                batch.scope, [vector for _, vector in left], limit=limit, statuses=_HELD
            )
            for ((key, text), vector), hits in zip(left, found, strict=True):
                near = [hit.item for hit in hits]
                same = _with_texts(near, {key}, batch)
                # Long texts may have one vector: others may be as near as one of these words.
                others = len(hits) == limit < MAX_SEEN and min(hit.score for hit in hits) >= NEAR
                if others and not same:
                    further.append(((key, text), vector))
                    continue
                around.known |= same
                around.contrary[text] = _contrary(text, near, batch.scope)
                around.changed[text] = self._changed(text, hits, batch.scope)
            limit, left = limit * 4, further
        return around

    def _changed(self, text: str, hits: Sequence[ScoredMemory], scope: Scope) -> list[MemoryItem]:
        """The memory that a text tells a change of, if its words do."""
        if not tells_change(text):
            return []
        held = {hit.item.id: hit for hit in hits if _holds(hit.item, scope)}
        near = changed_by(text, [Neighbour.of(hit) for hit in held.values()], self._calibration)
        return [] if near is None else [held[near.id].item]


def _weighed(
    decisions: Iterable[Decision], vectors: Mapping[str, Vector], scale: ImportanceScale
) -> Sequence[Decision]:
    """The decisions with what their texts are worth by their meaning."""
    return [
        replace(each, importance=scale.told(each.text, vectors[each.text]))
        if each.event is EventKind.ADD
        else each
        for each in decisions
    ]


def _contrary(text: str, items: Iterable[MemoryItem], scope: Scope) -> list[MemoryItem]:
    """The memories that a text says do not hold, in so many words."""
    words = set(text.casefold().split())
    held = [
        item
        for item in items
        if _holds(item, scope)
        # Most are not even near it in words, which is cheap to see.
        and len(words.symmetric_difference(item.text.casefold().split())) <= _FEW_OTHERS
    ]
    said = Statement(text) if held else None
    return [item for item in held if said is not None and contradicts(said, item.text)]


def _holds(item: MemoryItem, scope: Scope) -> bool:
    return item.scope == scope and item.status is MemoryStatus.ACTIVE


def _beside(decision: Decision, around: Around) -> Decision:
    """The ADD of a text, linked to what it contradicts or changes: both stay until a judgement."""
    contrary = around.contrary.get(decision.text)
    beside = contrary or around.changed.get(decision.text)
    if decision.event is not EventKind.ADD or not beside:
        return decision
    return replace(
        decision,
        reason=CONTRARY if contrary else CHANGED,
        matter=beside[0].provenance.matter or beside[0].id,
        pending=tuple(item.id for item in beside),
    )


def _with_texts(
    items: Iterable[MemoryItem], keys: Iterable[str], batch: Batch
) -> dict[str, MemoryItem]:
    """The memories with one of these texts, or with the rest of one, by the text's key.

    Of several, one that is the user's own word.
    """
    wanted = set(keys)
    return {
        key: item
        for item in sorted(items, key=lambda item: not item.provenance.source.is_hearsay)
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
    # What only others said so far, or nobody is known to have said, does not stand for what the
    # user says now.
    own = {piece.key for piece in given.pieces if not piece.decision.source.is_hearsay}
    known = {
        key: item
        for key, item in known.items()
        if key not in own or not (item.provenance.source.is_hearsay or is_only_unproven(item))
    }
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


def _is_foreign(decision: Decision) -> bool:
    return decision.event is EventKind.ADD and decision.source.is_hearsay

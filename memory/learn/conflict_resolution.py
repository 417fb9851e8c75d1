"""Asks a model about stored memories of one matter that nobody judged yet.

These are the facts that got no answer when they were learned (`Provenance.pending`), and once, the
facts that were imported without groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..embedders import in_background
from ..model.endings import began
from ..model.ports import ChatModel
from ..model.types import (
    Candidate,
    Decision,
    EventKind,
    MemoryItem,
    Scope,
    ScoredMemory,
    Source,
    StoredMemory,
    Vector,
    with_context,
)
from ..records.parts import Parts
from ..records.writing import InsidePorts
from ..util.idle_gate import Pause, at_once
from .options import LearnOptions
from .reconcile import Neighbour, Undecided, added, asked_about, likely
from .reconciler import Group, clarify, nearest
from .records import grounds_of

_CHANGES = frozenset({EventKind.UPDATE, EventKind.DELETE})


@dataclass(slots=True)
class Verdicts:
    """The verdicts on memories that a model was asked about."""

    decisions: list[Decision] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)
    """Ids of those with an answer."""
    _ended: set[str] = field(default_factory=set)
    _stay: set[str] = field(default_factory=set)

    def note(
        self, one: Decision, asked: MemoryItem | None, other: MemoryItem | None, asked_id: str
    ) -> None:
        """What an answer about the memory `asked` makes of it and of the `other` that it names."""
        if one.event is EventKind.NONE:
            self.end(one, asked, one.memory_id)
        elif one.event in _CHANGES:
            self.end(one, other, asked_id)
        if one.event is EventKind.UPDATE and asked is not None:
            self.reword(one, asked)

    def end(self, decision: Decision, gone: MemoryItem | None, stays: str) -> None:
        """End a memory because another one stays, unless an answer has said otherwise."""
        if gone is None or gone.id in self._stay or stays in self._ended:
            return
        self._ended.add(gone.id)
        self._stay.add(stays)
        self.decisions.append(
            replace(
                decision,
                event=EventKind.DELETE,
                memory_id=gone.id,
                text=decision.text,
                old_text=gone.text,
            )
        )

    def reword(self, decision: Decision, item: MemoryItem) -> None:
        """Give a memory the text that is of both."""
        if item.id not in self._ended and decision.text != item.text:
            self.decisions.append(
                replace(decision, event=EventKind.UPDATE, memory_id=item.id, old_text=item.text)
            )


def verdicts(groups: Mapping[str, Group], known: Mapping[str, MemoryItem]) -> Verdicts:
    """What the answers say, by the id of the memory that was asked about."""
    found = Verdicts()
    for memory_id, group in groups.items():
        if any(one.pending for one in group):
            continue
        found.settled.append(memory_id)
        # What says only a part of it takes nothing from the memory that has it whole.
        apart = any(one.event is EventKind.ADD for one in group)
        for one in group:
            asked = None if apart and one.event is EventKind.UPDATE else known.get(memory_id)
            found.note(one, asked, known.get(one.memory_id), memory_id)
    return found


MOST = 24
"""Memories that one run asks about: three calls."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The answers of a model on the conflicts of a scope."""

    decisions: tuple[Decision, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    """By id, the group of each memory that is judged."""
    moments: Mapping[str, datetime] = field(default_factory=dict)
    """When the turns were that the decisions name."""
    asked: int = 0
    answered: int = 0
    more: bool = False
    """Whether memories are left that this run did not come to."""


class ConflictResolver:
    """Asks about what is pending in a scope; writes nothing. Stateless."""

    def __init__(self, parts: Parts, options: LearnOptions, *, pause: Pause = at_once) -> None:
        self._store = parts.store
        self._embedder = parts.embedder
        self._calibration = parts.calibration
        self._options = options
        self._pause = pause

    async def waits(self, scope: Scope) -> bool:
        """Whether a memory of exactly this scope waits for a model. Raises StoreError."""
        return any(map(_waits, await self._known(scope)))

    async def judge(self, scope: Scope, model: ChatModel) -> Settled:
        """Ask about what waits; what gets no answer stays as it is.

        Raises:
            ModelError: no call of the model succeeded.
            EmbeddingError, StoreError: call it again.
        """
        known = {item.id: item for item in await self._known(scope)}
        waiting = sorted(filter(_waits, known.values()), key=began)
        asked, alone = await self._questions(scope, waiting[:MOST], known)
        told = await clarify(model, dict(enumerate(asked)), prompt=self._options.judging)
        if told.failure and not told.groups:
            raise told.failure
        ids = [one.deferred.memory_id for one in asked]
        told_of = {ids[n]: group for n, group in told.groups.items()}
        found = verdicts(told_of, known)
        of_asked = {one.deferred.memory_id: _group(one, known) for one in asked}
        named = {turn for one in found.decisions for turn in one.turn_ids}
        said = {turn: began(item) for item in known.values() for turn in item.provenance.turn_ids}
        return Settled(
            tuple(found.decisions),
            alone | {name: of_asked[name] for name in found.settled},
            {turn: said[turn] for turn in named & said.keys()},
            len(asked),
            len(found.settled),
            more=len(waiting) > MOST,
        )

    async def _questions(
        self, scope: Scope, some: Sequence[MemoryItem], known: dict[str, MemoryItem]
    ) -> tuple[list[Undecided], dict[str, str]]:
        """The questions about memories, and the groups of those that stand beside nothing."""
        alone: dict[str, str] = {}
        asked: list[Undecided] = []
        with in_background():
            vectors = await self._embedder.embed([item.sought for item in some]) if some else ()
        around = await nearest(self._store, scope, [*vectors])
        for item, hits in zip(some, around, strict=True):
            await self._pause()
            linked, near = self._near(item, known, hits)
            if near:
                asked.append(question_about(item, near, linked))
            else:
                alone[item.id] = item.provenance.matter or item.id
        return asked, alone

    async def _known(self, scope: Scope) -> list[MemoryItem]:
        return [item for item in await self._store.list(scope, limit=None) if item.scope == scope]

    def _near(
        self, item: MemoryItem, known: dict[str, MemoryItem], hits: Sequence[ScoredMemory]
    ) -> tuple[list[Neighbour], list[Neighbour]]:
        """The memories that may be of one's matter, and all that it is to be compared with.

        It waits for the first, or they are likely; of the others none was said later.
        """
        near = [
            Neighbour.of(hit)
            for hit in hits
            if hit.item.id in known and hit.item.id != item.id
            and (began(hit.item), hit.item.id) < (began(item), item.id)
        ]  # fmt: skip
        candidate = Candidate(text=item.text)
        waits = [known[name] for name in item.provenance.pending if name in known]
        linked = {one.id: Neighbour.of(ScoredMemory(one, 0.0)) for one in waits}
        linked |= {one.id: one for one in likely(candidate, near, self._calibration)}
        rest = asked_about(candidate, near, self._calibration)
        return [*linked.values()], [
            *linked.values(),
            *(one for one in rest if one.id not in linked),
        ]


class Marks:
    """Notes which memories were judged, and their groups, within the transaction that says how."""

    def __init__(self, groups: Mapping[str, str], says: Mapping[str, Vector]) -> None:
        self._groups, self._says = groups, says

    @classmethod
    async def of(
        cls, parts: Parts, tenant: str, groups: Mapping[str, str], decisions: Sequence[Decision]
    ) -> Marks:
        """With the vectors of what they say, and of what decisions make them say."""
        found = await parts.store.get(tenant, sorted(groups)) if groups else []
        texts = {item.sought for item in found}
        texts |= {with_context(each.text, each.context) for each in decisions}
        some = sorted(texts) if groups else []
        vectors = await parts.embedder.embed(some) if some else ()
        return cls(groups, dict(zip(some, vectors, strict=True)))

    async def write(self, ports: InsidePorts, tenant: str) -> None:
        """Note them. One that says something else by now was not what was judged."""
        if not self._groups:
            return
        await ports.memories.put(
            [
                StoredMemory(_judged(item, self._groups[item.id]), self._says[item.sought])
                for item in await ports.memories.get(tenant, sorted(self._groups))
                if item.sought in self._says
            ]
        )


def _judged(item: MemoryItem, group: str) -> MemoryItem:
    return replace(item, provenance=replace(item.provenance, pending=(), matter=group))


def _waits(item: MemoryItem) -> bool:
    origin = item.provenance
    unseen = origin.matter is None and origin.source is Source.EXTRACTION
    return bool(origin.pending) or unseen


def _group(one: Undecided, known: Mapping[str, MemoryItem]) -> str:
    """The group of a memory that was judged: that of what may be of the same matter."""
    name, found = one.deferred.memory_id, one.deferred.matter
    return found if found and found != name else known[name].provenance.matter or name


def question_about(
    item: MemoryItem, near: Sequence[Neighbour], linked: Sequence[Neighbour] | None = None
) -> Undecided:
    """The question of what becomes of a stored memory beside others, the likeliest first.

    `linked` may be of the same matter; None: all of them.
    """
    candidate = Candidate(text=item.text, type=item.type, **grounds_of(item))
    deferred = added(candidate, near if linked is None else linked, item.id)
    return Undecided(candidate, near, deferred, began(item), stored=item)

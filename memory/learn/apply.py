"""Applies decisions, and counts which memories they confirmed or corrected.

History, earlier versions, memories and whatever belongs to the batch are one transaction: it is
there as a whole or not at all.

What a person said is not so while it was decided is left out of it (`denials.standing`).

A decision was made about a text. If the memory says something else when the decision is applied,
the later text stays: what was to replace it is added beside it, and what was to end stays.

`forget.WriteGuard` keeps memories that are forgotten during a batch from coming back: it is asked
within the transaction.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..database.usage import SqlUsage
from ..forget import WriteGuard
from ..memories import SqlMemories
from ..model.doubts import CALLED_WRONG
from ..model.endings import ended_by_a_person
from ..model.ports import Embedder
from ..model.types import (
    ACTIVE,
    Decision,
    EventKind,
    MemoryEvent,
    MemoryItem,
    MemoryStatus,
    StoredMemory,
    Vector,
    utc_now,
)
from ..model.usage import UseKind
from ..records.writing import InsidePorts, MemoryWriter
from .confirmation import is_only_unproven
from .denials import ended_in, may_be_denied, standing
from .records import ADDS, Batch, Rows, memory_id, rows_of

CHANGED = "the memory was changed meanwhile"
_ABOUT = frozenset(
    {EventKind.UPDATE, EventKind.DELETE, EventKind.ARCHIVE, EventKind.VALIDATE, EventKind.RESTORE}
)
"""Decisions about the text that a memory had."""
_NEW = ADDS | {EventKind.NONE}
"""Decisions whose texts are known without the memories that are stored."""
_NEEDED = {
    EventKind.VALIDATE: frozenset({MemoryStatus.QUARANTINED}),
    # Whoever takes back what a run concluded ends it, confirmed or not.
    EventKind.DELETE: ACTIVE | {MemoryStatus.QUARANTINED},
    # But for what a person ended.
    EventKind.RESTORE: frozenset({MemoryStatus.ARCHIVED, MemoryStatus.SUPERSEDED}),
}
"""The status that a memory must have, by decision; ACTIVE for others."""


def holding(
    decisions: Sequence[Decision], known: Mapping[str, MemoryItem], batch: Batch
) -> list[Decision]:
    """The decisions that still hold, and what to do instead of the others."""
    decisions = _of_the_same(decisions, known)
    says: dict[str, str] = {}
    kept: list[Decision] = []
    for each in decisions:
        item = known.get(each.memory_id)
        about = item is not None and each.event in _ABOUT
        if item is not None and about and _is_stale(each, item, says.get(each.memory_id)):
            kept.append(_instead(each, item, batch))
            continue
        if each.event in {EventKind.ADD, EventKind.UPDATE}:
            says[each.memory_id] = each.text
        kept.append(each)
    return kept


def _of_the_same(
    decisions: Sequence[Decision], known: Mapping[str, MemoryItem]
) -> Sequence[Decision]:
    """The decisions without those that cite what somebody changed since it was read.

    Which text was read is known of what is archived in favour of them.
    """
    changed = {
        each.memory_id
        for each in decisions
        if each.event is EventKind.ARCHIVE
        and (item := known.get(each.memory_id)) is not None
        and _is_stale(each, item, None)
    }
    return grounded(decisions, changed)


def _is_stale(decision: Decision, item: MemoryItem, said: str | None) -> bool:
    """`said` is what an earlier decision of the same batch makes the memory say."""
    holds = item.status in _NEEDED.get(decision.event, ACTIVE) and not ended_by_a_person(item)
    if said is None and not holds and not _proves(decision, item):
        return True
    return decision.old_text not in {None, item.text if said is None else said}


def _proves(decision: Decision, item: MemoryItem) -> bool:
    """Whether the user now says what was only held back for want of evidence."""
    return (
        decision.event is EventKind.UPDATE and _says_the_same(decision) and is_only_unproven(item)
    )


def _is_wrong(text: str, item: MemoryItem) -> bool:
    """Whether it says what somebody called wrong meanwhile."""
    doubts = {each.kind for each in item.provenance.reasons}
    held = item.status is MemoryStatus.QUARANTINED
    return held and CALLED_WRONG in doubts and item.text == text


def _instead(decision: Decision, item: MemoryItem, batch: Batch) -> Decision:
    reason = f"{decision.reason}: {CHANGED}" if decision.reason else CHANGED
    if decision.event is not EventKind.UPDATE or _is_wrong(decision.text, item):
        return replace(decision, event=EventKind.NONE, text=item.text, old_text=None, reason=reason)
    return replace(
        decision,
        event=EventKind.ADD,
        memory_id=memory_id(batch.id, decision.text),
        old_text=None,
        reason=reason,
        pending=(item.id,),
    )


_CORRECTIONS = frozenset({EventKind.UPDATE, EventKind.DELETE})


def uses_of(
    decisions: Sequence[Decision], events: Sequence[MemoryEvent]
) -> dict[UseKind, frozenset[str]]:
    """The memories that a batch used, by kind; `events` are what was made of its decisions.

    A memory is confirmed if the user said it again, not if the assistant or a tool did, and not if
    it is new in this batch.
    """
    done = {(event.event, event.id) for event in events}
    made = [each for each in decisions if (each.event, each.memory_id) in done]
    new = {each.memory_id for each in made if each.event in {EventKind.ADD, EventKind.QUARANTINE}}
    return {
        UseKind.CONFIRMED: frozenset(
            each.memory_id
            for each in made
            if _says_the_same(each) and not (each.source.is_hearsay or each.flags)
        )
        - new,
        UseKind.CORRECTED: frozenset(
            each.memory_id
            for each in made
            if each.event in _CORRECTIONS and not (_says_the_same(each) or each.stays or each.cites)
        )
        - new,
    }


def _says_the_same(decision: Decision) -> bool:
    """Whether it keeps the text: as known, or as the user's own word from now on."""
    kept = decision.event is EventKind.UPDATE and decision.text == decision.old_text
    return decision.event is EventKind.NONE or kept


async def count_uses(
    usage: SqlUsage,
    batch: Batch,
    decisions: Sequence[Decision],
    events: Sequence[MemoryEvent],
) -> None:
    """Count them once for the batch. Raises StateError."""
    for use, ids in uses_of(decisions, events).items():
        if ids:
            await usage.count(batch.scope.tenant, use, sorted(ids), occasion=batch.id, at=utc_now())


@dataclass(frozen=True, slots=True)
class Applied:
    """The result of a batch."""

    events: list[MemoryEvent]
    taken_back: bool = False
    """Some of it was forgotten since the batch began, and not written."""
    versions: Mapping[str, int] = field(default_factory=dict)
    """Of its memories, after it."""


Also = Callable[[InsidePorts, Applied], Awaitable[None]]
"""What else belongs to a batch, within its transaction."""


@dataclass(frozen=True, slots=True)
class _Unembedded:
    """Nothing was written: these texts have no vectors yet."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Applier:
    """Writes decisions to the history and the memories, a batch in one transaction."""

    store: SqlMemories
    writer: MemoryWriter
    embedder: Embedder
    clock: Callable[[], datetime] = utc_now

    async def apply(
        self,
        decisions: Sequence[Decision],
        batch: Batch,
        guard: WriteGuard,
        *,
        also: Also | None = None,
        whole: bool = False,
    ) -> Applied:
        """Apply a batch; `guard` must have been made before anything of the batch was read.

        Decisions about forgotten memories or another scope's memories are left out. Of a memory
        that somebody changed since the decision, the later text stays (`holding`). Nothing is
        written if the whole scope was forgotten since; and of a `whole` batch, if anything was.

        Raises:
            EmbeddingError, StoreError, StateError, and what `also` raises: call it again.
        """
        if not (decisions or also):
            return Applied([])
        vectors = await self._embedded(await self._texts(decisions, batch))

        async def work(ports: InsidePorts) -> Applied | _Unembedded:
            made = await self._made(ports, decisions, batch, guard, whole=whole)
            if isinstance(made, Applied):
                return made
            rows, applied = made
            if missing := [item.sought for item in rows.items if item.sought not in vectors]:
                return _Unembedded(tuple(missing))
            await _put(ports, rows, vectors)
            if also is not None:
                await also(ports, applied)
            return applied

        while True:
            done = await self.writer.change(work, tenants={batch.scope.tenant})
            if isinstance(done, Applied):
                return done
            # Somebody changed a memory meanwhile, so another text is written.
            vectors.update(await self._embedded(done.texts))

    async def _texts(self, decisions: Sequence[Decision], batch: Batch) -> list[str]:
        """What will be embedded, as far as it is known beforehand."""
        ids = sorted({each.memory_id for each in decisions if each.event not in _NEW})
        found = await self.store.get(batch.scope.tenant, ids) if ids else []
        known = {item.id: item for item in found}
        rows = self._rows(holding(decisions, known, batch), known, batch)
        return [item.sought for item in rows.items]

    async def _embedded(self, texts: Sequence[str]) -> dict[str, Vector]:
        new = list(dict.fromkeys(texts))
        return dict(zip(new, await self.embedder.embed(new), strict=True)) if new else {}

    async def _made(
        self,
        ports: InsidePorts,
        decisions: Sequence[Decision],
        batch: Batch,
        guard: WriteGuard,
        *,
        whole: bool,
    ) -> tuple[Rows, Applied] | Applied:
        """What is to be written, and what it makes of the batch; nothing of what was forgotten."""
        if await guard.is_void(ports):
            return Applied([], taken_back=True)
        ids = _sought(decisions, batch)
        found = await ports.memories.get(batch.scope.tenant, ids) if ids else []
        known = {item.id: item for item in found}
        # A decision about another scope's memory is a bug or an attack.
        left_out = {item.id for item in known.values() if item.scope != batch.scope}
        asked = cited(decisions).union(each.memory_id for each in decisions)
        refused = await guard.refused(ports, asked)
        left_out |= refused
        kept = [e for e in grounded(decisions, left_out) if e.memory_id not in left_out]
        kept = holding(kept, known, batch)
        if any(map(may_be_denied, kept)):
            kept = standing(kept, await ended_in(ports.memories, batch.scope), batch)
        rows = self._rows(kept, known, batch)
        gone = await guard.buried(ports, rows.items, asked=asked, refused=refused)
        if whole and gone:
            return Applied([], taken_back=True)
        rows = rows.without(gone)
        stored = known | rows.live
        events = [
            _event(each, batch, stored.get(each.memory_id))
            for each in kept
            if each.memory_id not in gone
        ]
        versions = {name: item.version for name, item in stored.items()}
        return rows, Applied(events, taken_back=bool(gone), versions=versions)

    def _rows(
        self, decisions: Sequence[Decision], known: Mapping[str, MemoryItem], batch: Batch
    ) -> Rows:
        return rows_of(decisions, known, batch, now=self.clock(), embedder_id=self.embedder.id)


async def _put(ports: InsidePorts, rows: Rows, vectors: Mapping[str, Vector]) -> None:
    await ports.history.append(rows.history)
    await ports.memories.put([StoredMemory(item, vectors[item.sought]) for item in rows.items])


def _sought(decisions: Sequence[Decision], batch: Batch) -> list[str]:
    """The ids of rows that may be there. Nobody else knows that of a memory that is to be added."""
    new = {EventKind.ADD} if batch.fresh else frozenset[EventKind]()
    return sorted({each.memory_id for each in decisions if each.event not in new})


def _event(decision: Decision, batch: Batch, stored: MemoryItem | None) -> MemoryEvent:
    kept = decision.event not in {EventKind.NONE, EventKind.DELETE, EventKind.ARCHIVE}
    return MemoryEvent(
        event=decision.event,
        id=decision.memory_id,
        new_memory=decision.text if kept else None,
        old_memory=decision.old_text,
        # A call may say of which type its memories are, and an old one keeps its own.
        type=decision.type if stored is None else stored.type,
        metadata=batch.metadata,
        reasons=decision.reasons,
        taken_from=decision.taken_from,
    )


_WORDED = frozenset({EventKind.ADD, EventKind.QUARANTINE, EventKind.UPDATE})


def cited(decisions: Sequence[Decision]) -> set[str]:
    """The ids that the decisions stand on."""
    return {name for each in decisions for name in each.cites}


def grounded(decisions: Sequence[Decision], gone: Collection[str]) -> list[Decision]:
    """The decisions without those that cite a memory that is gone, or what fell with it.

    What is said of a topic falls with a memory that it was condensed from, and the others are then
    not archived in its favour.
    """
    lost, kept = set(gone), list(decisions)
    while falling := [each for each in kept if not lost.isdisjoint(each.cites)]:
        lost |= {each.memory_id for each in falling if each.event in _WORDED}
        kept = [each for each in kept if each not in falling]
    return kept

"""Converts decisions into rows. Pure.

The live version of a memory keeps its id. Its earlier text becomes a `superseded` row whose
`valid_to` is the time of the change, so a decision never destroys data.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any, Self

from ..forget.retention import archived, restored
from ..model.claims import NO_CLAIMS, GraphClaims
from ..model.endings import held_again, status_kept
from ..model.times import sequence_from
from ..model.turns import TOLD_UNKNOWN, told_to_of
from ..model.types import (
    Decision,
    EventKind,
    Grounds,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Turn,
    utc_now,
)
from ..trust.claims import NameText, supported, together
from .procedure import CRITERION

_MEMORY_IDS = uuid.UUID("0c9d8f4e-7f3a-4a56-8a0b-2c1f0d9be6a1")
_HISTORY_IDS = uuid.UUID("6f0b5bd0-5b0e-4f0e-9a39-7d3e6f1a2c44")
_VERSION_IDS = uuid.UUID("b1f6f7de-51a5-4a52-8a46-9a1f5f0f7f0e")

_KEPT = {each.name for each in fields(Decision)} & {each.name for each in fields(Provenance)}
"""What a memory keeps of its decision, by the same names."""
_OF_STORED = frozenset({EventKind.DELETE, EventKind.ARCHIVE, EventKind.RESTORE, EventKind.VALIDATE})
"""What is done to a stored memory without new words."""
ADDS = frozenset({EventKind.ADD, EventKind.QUARANTINE})
"""The id of these follows from the batch, or from a text that is quarantined already."""
_WRITES = _OF_STORED | ADDS | {EventKind.UPDATE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The origin of decisions: a job or a call of `add`."""

    id: str
    scope: Scope
    at: datetime
    """The time of decisions whose turns have none."""
    provenance: Provenance = field(default_factory=Provenance)
    """Of all its memories; a decision's own fields take precedence."""
    moments: Mapping[str, datetime] = field(default_factory=dict)
    """The time of each turn, by id."""
    turns: Sequence[Turn] = ()
    """Those that tell who its memories were told to."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    type: MemoryType | None = None
    importance: float | None = None
    """Of all its new memories, whatever their decisions say."""
    fresh: bool = False
    """Nobody else can have written one of its new memories: they are not looked for."""

    @classmethod
    def of_call(
        cls, name: str, scope: Scope, at: datetime, metadata: Mapping[str, Any] | None
    ) -> Self:
        """The batch of a call that nobody repeats."""
        provenance = Provenance(sequence=sequence_from(utc_now()))
        return cls(
            id=name, scope=scope, at=at, provenance=provenance, metadata=metadata or {}, fresh=True
        )

    def said_at(self, decision: Decision) -> datetime:
        """The decision's own time, or that of the latest of its turns."""
        return decision.at or latest(decision.turn_ids, self.moments) or self.at


@dataclass(slots=True)
class Rows:
    """The rows of a batch."""

    versions: dict[str, MemoryItem] = field(default_factory=dict)
    live: dict[str, MemoryItem] = field(default_factory=dict)
    history: list[HistoryRecord] = field(default_factory=list)

    @property
    def items(self) -> list[MemoryItem]:
        """Earlier versions, then memories."""
        return [*self.versions.values(), *self.live.values()]

    def without(self, ids: Collection[str]) -> Rows:
        """The rows but these, and but what is told of them."""
        if not ids:
            return self
        return Rows(
            {name: item for name, item in self.versions.items() if name not in ids},
            {name: item for name, item in self.live.items() if name not in ids},
            [record for record in self.history if record.memory_id not in ids],
        )


def latest(turn_ids: Sequence[str], moments: Mapping[str, datetime]) -> datetime | None:
    """The time of the last of these turns; None if no time is known."""
    return max((moments[turn] for turn in turn_ids if turn in moments), default=None)


def grounds_of(item: MemoryItem) -> dict[str, Any]:
    """The fields of `Grounds` by name, as a stored memory has them."""
    names = _KEPT & {each.name for each in fields(Grounds)}
    own = {name: getattr(item.provenance, name) for name in names}
    return own | {"importance": item.importance}


def about_stored(item: MemoryItem, event: EventKind, stage: str, reason: str) -> Decision:
    """The decision to do something to a stored memory, whose text stays."""
    return Decision(
        event=event,
        memory_id=item.id,
        text=item.text,
        type=item.type,
        old_text=item.text,
        stage=stage,
        reason=reason,
        source=item.provenance.source,
        importance=item.importance,
    )


def memory_id(batch: str, text: str) -> str:
    """The id of a memory that `batch` creates with this text."""
    return str(uuid.uuid5(_MEMORY_IDS, f"{batch}|{text}"))


def rows_of(
    decisions: Sequence[Decision],
    known: Mapping[str, MemoryItem],
    batch: Batch,
    *,
    now: datetime,
    embedder_id: str,
) -> Rows:
    """The rows of a batch; `known` are the stored memories that its decisions name.

    What is to be added and is there already is left as it is: somebody may have reworded or
    validated it since. A NONE writes only history.
    """
    rows = Rows()
    for number, decision in enumerate(decisions):
        there = decision.event in ADDS and decision.memory_id in known
        if decision.event in _WRITES and not there:
            before = rows.live.get(decision.memory_id, known.get(decision.memory_id))
            if decision.event in _OF_STORED and before is None:
                continue
            stored = known.get(decision.memory_id)
            if decision.event is EventKind.UPDATE and stored is not None:
                earlier = version_of(
                    stored, batch=batch.id, until=batch.said_at(decision), ended=ended_by(decision)
                )
                rows.versions[earlier.id] = earlier
            live = _live(decision, before, batch, number=number, now=now, embedder_id=embedder_id)
            # However many decisions of a batch change it, it is one change.
            version = 1 if stored is None else stored.version + 1
            rows.live[decision.memory_id] = replace(live, version=version)
        item = rows.live.get(decision.memory_id) or known.get(decision.memory_id)
        if item is not None:
            rows.history.append(history_record(decision, item.scope, batch=batch, now=now))
    return rows


def ended_by(decision: Decision) -> str:
    """What a superseded memory says of its end."""
    return f"{decision.stage}: {decision.reason}"


def history_record(
    decision: Decision, scope: Scope, *, batch: Batch, now: datetime
) -> HistoryRecord:
    """The audit row of a decision; the same decision of the same batch has the same id.

    A NONE has the memory's text as both values. However often a batch decides it about a memory for
    the same reason, it is one row.
    """
    none = decision.event is EventKind.NONE
    deleted = decision.event is EventKind.DELETE
    kept = none or decision.event in _OF_STORED - {EventKind.DELETE}
    what = f"{decision.stage}|{decision.reason}" if none else decision.text
    name = f"{batch.id}|{decision.memory_id}|{decision.event}|{what}"
    return HistoryRecord(
        id=str(uuid.uuid5(_HISTORY_IDS, name)),
        memory_id=decision.memory_id,
        event=decision.event,
        old_value=decision.text if kept else decision.old_text,
        new_value=None if deleted else decision.text,
        timestamp=now,
        is_deleted=deleted,
        scope=scope,
        valid_at=batch.said_at(decision),
        stage=decision.stage,
        reason=decision.reason,
        scores=decision.scores,
        reasons=decision.reasons,
        taken_from=decision.taken_from,
        withheld=decision.withheld,
    )


def version_id(batch: str, memory_id: str) -> str:
    """The id of the row of a memory's text before this batch changed it."""
    return str(uuid.uuid5(_VERSION_IDS, f"{batch}|{memory_id}"))


def version_of(
    item: MemoryItem, *, batch: str, until: datetime, ended: str | None = None
) -> MemoryItem:
    """The row of a memory's text before a batch changed it, valid `until` then.

    `ended` is what it says of its end (`ended_by`).
    """
    return replace(
        item,
        id=version_id(batch, item.id),
        status=MemoryStatus.SUPERSEDED,
        valid_to=_not_before(until, item.valid_from),
        provenance=replace(
            item.provenance,
            superseded_by=item.id,
            matter=item.provenance.matter or item.id,
            ended=ended,
            ended_from=status_kept(item),
        ),
    )


def _live(
    decision: Decision,
    before: MemoryItem | None,
    batch: Batch,
    *,
    number: int,
    now: datetime,
    embedder_id: str,
) -> MemoryItem:
    if before is not None and decision.event in _OF_STORED:
        return _moved(before, decision, batch, now)
    at = batch.said_at(decision)
    origin = _provenance(decision, before, batch, number=number, now=now)
    if before is None:
        return _new(decision, batch, at, origin, embedder_id)
    return replace(
        before,
        text=decision.text,
        type=decision.type,
        # One that was held back has the user's word from now on (`confirmation`).
        status=MemoryStatus.ACTIVE if decision.event is EventKind.UPDATE else before.status,
        updated_at=at,
        valid_from=at,
        embedder_id=embedder_id,
        importance=max(before.importance, decision.importance),
        provenance=origin,
        metadata={**before.metadata, **_metadata(decision, batch)},
    )


def _new(
    decision: Decision, batch: Batch, at: datetime, origin: Provenance, embedder_id: str
) -> MemoryItem:
    quarantined = decision.event is EventKind.QUARANTINE
    return MemoryItem(
        id=decision.memory_id,
        text=decision.text,
        type=batch.type or decision.type,
        scope=batch.scope,
        status=MemoryStatus.QUARANTINED if quarantined else MemoryStatus.ACTIVE,
        created_at=at,
        updated_at=at,
        valid_from=at,
        importance=decision.importance if batch.importance is None else batch.importance,
        embedder_id=embedder_id,
        provenance=origin,
        metadata=_metadata(decision, batch),
    )


def _metadata(decision: Decision, batch: Batch) -> dict[str, Any]:
    """That of the batch, which may say more of success than the run does."""
    own = {CRITERION: decision.success} if decision.success else {}
    return {**own, **batch.metadata}


def _moved(before: MemoryItem, decision: Decision, batch: Batch, now: datetime) -> MemoryItem:
    """A stored memory that ends, goes to the archive, comes back, or is confirmed."""
    match decision.event:
        case EventKind.ARCHIVE:
            moved = archived(before, now, next(iter(decision.cites), None))
        case EventKind.RESTORE:
            moved = restored(before, now) or held_again(before, now)
        case EventKind.VALIDATE:
            moved = _confirmed(before, decision)
        case _:
            return _ended(before, decision, batch, now)
    return replace(moved, provenance=replace(moved.provenance, batch=batch.id))


def _confirmed(before: MemoryItem, decision: Decision) -> MemoryItem:
    """A quarantined memory that something confirmed, which it stands on too from now on.

    No person validated it: it goes with no message unasked for that.
    """
    cites = tuple(dict.fromkeys((*before.provenance.cites, *decision.cites)))
    origin = replace(before.provenance, flags=(), reasons=(), cites=cites)
    return replace(
        before, status=MemoryStatus.ACTIVE, version=before.version + 1, provenance=origin
    )


def _ended(before: MemoryItem, decision: Decision, batch: Batch, now: datetime) -> MemoryItem:
    at = batch.said_at(decision)
    return replace(
        before,
        status=MemoryStatus.SUPERSEDED,
        # A duplicate is still so: it comes back as old as it was.
        updated_at=before.updated_at if decision.stays else at,
        valid_to=_not_before(at, before.valid_from),
        # The history has the evidence for the end; this row keeps its own.
        provenance=replace(
            before.provenance,
            batch=batch.id,
            recorded_at=now,
            ended=ended_by(decision),
            # A duplicate goes where its memory goes: it is forgotten with it.
            superseded_by=decision.stays or before.provenance.superseded_by,
            ended_from=status_kept(before),
        ),
    )


def _provenance(
    decision: Decision, before: MemoryItem | None, batch: Batch, *, number: int, now: datetime
) -> Provenance:
    common = batch.provenance
    matter = before.provenance.matter if before is not None else None
    says_the_same = before is not None and before.text == decision.text
    return replace(
        replace(common, **{name: getattr(decision, name) for name in _KEPT}),
        turn_ids=decision.turn_ids or common.turn_ids,
        told_to=_told_to(decision, before, batch),
        sequence=common.sequence + number,
        batch=batch.id,
        recorded_at=now,
        matter=matter or decision.matter,
        claims=_claims(decision, before),
        put_off=before.provenance.put_off if before is not None else (),
        # Who validated it saw this text.
        validated_at=before.provenance.validated_at if before and says_the_same else None,
    )


def _claims(decision: Decision, before: MemoryItem | None) -> GraphClaims:
    """What is claimed of the memory from now on: of what it said, as much as it still says."""
    earlier = before.provenance.claims if before is not None else NO_CLAIMS
    every = together(decision.claims, earlier)
    return supported(every, NameText(decision.text, decision.quote)) if every else NO_CLAIMS


def _not_before(moment: datetime, begin: datetime | None) -> datetime:
    """`moment`, but not before `begin`: clocks and backdated calls may go back."""
    return moment if begin is None else max(moment, begin)


def _told_to(decision: Decision, before: MemoryItem | None, batch: Batch) -> tuple[str, ...]:
    """Whom all that it says was told to; what an earlier version says may be in it."""
    named = frozenset(decision.turn_ids)
    told = told_to_of(turn for turn in batch.turns if not named or turn.id in named)
    new = decision.told_to or told or batch.provenance.told_to
    if before is None:
        return new
    known = before.provenance
    earlier = known.told_to or ((TOLD_UNKNOWN,) if new and known.turn_ids else ())
    return tuple(sorted({*earlier, *new}))

"""Changes to memories requested by id; no model decides them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ..learn.learner import Guards
from ..learn.records import Batch, version_of
from ..memories import SqlMemories
from ..model.claims import NO_CLAIMS
from ..model.doubts import FAILED, MAX_SENTENCE, unquoted
from ..model.endings import REFILED, ended_by_hand
from ..model.errors import InvalidInputError
from ..model.inputs import check_metadata
from ..model.shares import ShareKind
from ..model.types import (
    Doubt,
    EventKind,
    MemoryItem,
    MemoryStatus,
    OwnerRef,
    Provenance,
    Scope,
    Source,
    utc_now,
)
from ..model.usage import UNUSED, Feedback, Usage
from ..records.parts import Parts
from ..records.writing import InsidePorts
from ..statements.remaining_words import RemainingWords
from ..trust.claims import NameText, supported
from ..trust.text_quarantine import held, planting_doubts
from .changing import (
    ChangedRows,
    Changing,
    Looked,
    MemoryInHand,
    Permit,
    batch_of,
    check_version,
    doubted,
    feedback_reason,
    gone,
    nobody_looks,
    occasions_of,
    versions_of,
)


@dataclass(frozen=True, slots=True)
class Amendment:
    """What changes of a memory; None: as it is."""

    text: str | None = None
    metadata: Mapping[str, Any] | None = None
    """Merged key by key; a key whose value is None is removed."""
    importance: float | None = None


_UNSURE = frozenset({MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED})


class Changes(Changing):
    """Rewords, validates, judges and deletes single memories."""

    def __init__(
        self,
        parts: Parts,
        *,
        guard: Guards,
        clock: Callable[[], datetime] = utc_now,
        looked: Looked = nobody_looks,
    ) -> None:
        super().__init__(parts, guard=guard, clock=clock, looked=looked)
        self._leaver = RemainingWords(parts)

    async def amend(
        self,
        item: MemoryItem,
        amendment: Amendment,
        expected: int | str | None = None,
        permit: Permit | None = None,
        author: str | None = None,
    ) -> MemoryItem:
        """Change what the amendment names; what it was is kept as a version of its own.

        A new text is judged like one that is added. With an `author`, another user whom the memory
        is attached to, it is that user's word for everybody, and no more its owner's.

        Raises:
            InvalidInputError: it is an earlier version, which is never rewritten.
            NotFoundError: it was forgotten meanwhile.
        """

        def make(hand: MemoryInHand) -> ChangedRows:
            changed = _amended(hand, amendment, author, self._embedder.id)
            kept = REFILED if amendment.text is None else None
            version = version_of(hand.item, batch=hand.batch.id, until=hand.now, ended=kept)
            reason = f"written by {author}" if author else ""
            record = self._record(EventKind.UPDATE, changed, hand.item, hand.batch, reason=reason)
            return ChangedRows(changed, [record], [version])

        return await self._change(item, make, expected=expected, permit=permit)

    async def validate(self, item: MemoryItem, expected: int | str | None = None) -> MemoryItem:
        """Make a quarantined memory active; it is recalled like any other.

        An active one may go with every message afterwards, if it is a wish that nobody but a
        person may let through (`recall.injection_policy`).

        Raises:
            InvalidInputError: it is neither, or was validated before.
            NotFoundError: it was forgotten meanwhile.
        """

        def make(hand: MemoryInHand) -> ChangedRows:
            was, now = hand.item, hand.now
            if was.status not in _UNSURE or was.provenance.validated_at is not None:
                raise InvalidInputError(
                    "memory_id",
                    "expected a memory that nobody validated, quarantined or active; this one is "
                    + ("validated" if was.status in _UNSURE else was.status.value),
                )
            believed = replace(
                was,
                status=MemoryStatus.ACTIVE,
                version=was.version + 1,
                updated_at=now,
                provenance=replace(was.provenance, validated_at=now),
            )
            record = self._record(EventKind.VALIDATE, believed, was, hand.batch)
            return ChangedRows(believed, [record])

        believed = await self._change(item, make, expected=expected)
        if item.status is MemoryStatus.QUARANTINED:
            await self._leaver.release([believed])
        return believed

    async def withdraw(self, item: MemoryItem, why: str) -> MemoryItem:
        """Quarantine an active memory that failed when it was used; else it is as it is.

        Raises NotFoundError if it was forgotten meanwhile.
        """

        def make(hand: MemoryInHand) -> ChangedRows:
            was = hand.item
            if was.status is not MemoryStatus.ACTIVE:
                return ChangedRows(was, unchanged=True)
            withdrawn = doubted(hand, Doubt(FAILED, sentence=why[:MAX_SENTENCE]))
            record = self._record(EventKind.QUARANTINE, withdrawn, was, hand.batch)
            return ChangedRows(withdrawn, [record])

        return await self._change(item, make)

    async def settle(self, item: MemoryItem, replaced: Sequence[MemoryItem]) -> MemoryItem:
        """Say that a memory is judged: it replaces these, and stays beside all others.

        Raises:
            InvalidInputError: one of `replaced` is of another scope, or does not hold.
            NotFoundError: one was forgotten meanwhile.
        """
        ids = [each.id for each in replaced]

        async def others(store: SqlMemories, item: MemoryItem) -> Sequence[MemoryItem]:
            there = {one.id: one for one in await store.get(item.scope.tenant, ids)} if ids else {}
            for memory_id in ids:
                if memory_id not in there:
                    raise gone(memory_id)
            return [there[memory_id] for memory_id in ids]

        def make(hand: MemoryInHand) -> ChangedRows:
            was, now = hand.item, hand.now
            for each in (was, *hand.others):
                _check_settled(each, was.scope)
            ended = [ended_by_hand(one, HAND, until=now, now=now) for one in hand.others]
            records = [
                self._record(EventKind.DELETE, one, one, batch_of(one, now)) for one in ended
            ]
            settled = replace(was, provenance=replace(was.provenance, pending=()))
            return ChangedRows(settled, records, ended)

        return await self._change(item, make, others=others)

    async def feedback(self, item: MemoryItem, told: Feedback, reason: str) -> tuple[Usage, str]:
        """Count one feedback, and keep its reason in the history; the counters, and its id.

        Raises NotFoundError if the memory was forgotten meanwhile.
        """
        now, call, tenant = self._clock(), uuid.uuid4().hex, item.scope.tenant
        batch = Batch(id=call, scope=item.scope, at=now)

        async def work(ports: InsidePorts) -> tuple[Usage, str]:
            there = await ports.memories.get(tenant, [item.id])
            if not there:
                raise gone(item.id)
            noted = self._noted(there[0], batch, feedback_reason(told, reason))
            await ports.history.append([noted])
            usage = ports.state.usage
            if told.use is not None:
                for occasion in occasions_of(noted.id, told):
                    await usage.count(tenant, told.use, [item.id], occasion=occasion, at=now)
            return (await usage.of(tenant, [item.id])).get(item.id, UNUSED), noted.id

        return await self._writer.change(work, tenants={tenant})

    async def delete(self, items: Sequence[MemoryItem], expected: int | str | None = None) -> int:
        """Remove memories and their earlier versions for good; their history stays.

        Returns the number of memories, without earlier versions. What was removed meanwhile is
        left out.

        Raises:
            NotFoundError: a version was expected, and the memory was removed meanwhile.
            VersionError: a memory is not at the expected version.
        """
        if not items:
            return 0
        tenant, ids = items[0].scope.tenant, [item.id for item in items]

        async def work(ports: InsidePorts) -> list[MemoryItem]:
            there = await ports.memories.get(tenant, ids)
            if expected is not None and not there:
                raise gone(ids[0])
            for item in there:
                check_version(item, expected)
            await self._delete(ports, tenant, there)
            return there

        there = await self._writer.change(work, tenants={tenant}, erases=True)
        # What was an attack in somebody's eyes is not told by the words that it was read from.
        held = [item for item in there if item.status is MemoryStatus.QUARANTINED]
        await self._leaver.release(held)
        return sum(item.provenance.superseded_by is None for item in there)

    async def _delete(self, ports: InsidePorts, tenant: str, there: Sequence[MemoryItem]) -> None:
        rows = {one.id: one for one in (*there, *await versions_of(ports.memories, *there))}
        ids, now = list(rows), self._clock()
        # Learning that runs at this moment does not write them again.
        await ports.state.tombstones.add(tenant, ids)
        await ports.state.usage.erase(tenant, ids)
        memories = [item for item in rows.values() if item.provenance.superseded_by is None]
        await ports.history.append(
            [self._record(EventKind.DELETE, item, item, batch_of(item, now)) for item in memories]
        )
        await ports.memories.delete(tenant, ids)
        if ids:
            await ports.state.attachments.erase_items(tenant, ShareKind.MEMORY, ids)


def author_of(owner_ref: OwnerRef, item: MemoryItem) -> str | None:
    """Who else than its owner writes a memory, for its history; None: its own user."""
    if not isinstance(owner_ref, Scope) or owner_ref.user_id == item.scope.user_id:
        return None
    return owner_ref.named


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**old, **new}.items() if value is not None}


def _amended(
    hand: MemoryInHand, amendment: Amendment, author: str | None, embedder_id: str
) -> MemoryItem:
    """The memory with what the amendment names; a new text is judged like one that is added."""
    was, importance = hand.item, amendment.importance
    if was.status is MemoryStatus.SUPERSEDED:
        raise InvalidInputError("memory_id", "expected a memory that holds, not an earlier one")
    changed = replace(
        was,
        metadata=_merged(was.metadata, amendment.metadata or {}),
        importance=was.importance if importance is None else importance,
        version=was.version + 1,
        updated_at=hand.now,
    )
    if amendment.metadata:
        check_metadata(changed.metadata)
    if amendment.text is None:
        return changed
    origin = _reworded(was.provenance, amendment.text, hand.batch.id, hand.now, author)
    reworded = replace(
        changed,
        text=amendment.text,
        valid_from=hand.now,
        embedder_id=embedder_id,
        provenance=origin,
    )
    return held(reworded, planting_doubts(reworded, origin.source.value))


def _reworded(
    provenance: Provenance, text: str, batch: str, now: datetime, author: str | None
) -> Provenance:
    """Without the words of the old text: its quote is no evidence for the new one."""
    source = provenance.source
    if author is not None:
        source = Source.SHARED
    elif source is Source.SHARED:
        source = Source.USER  # its owner has written it anew
    claims = supported(provenance.claims, NameText(text)) if provenance.claims else NO_CLAIMS
    return replace(
        provenance,
        source=source,
        author=author,
        claims=claims,
        # It situated the old text.
        context=None,
        batch=batch,
        recorded_at=now,
        quote=None,
        given=None,
        # Who validated the old text did not see the new one.
        validated_at=None,
        reasons=unquoted(provenance.reasons),
    )


HAND = "asked: somebody settled it by hand"
"""What a memory says that a person superseded (`Provenance.ended`)."""


def _check_settled(item: MemoryItem, scope: Scope) -> None:
    if item.scope != scope:
        raise InvalidInputError("replaces", "expected memories of the same scope")
    if item.status is not MemoryStatus.ACTIVE:
        raise InvalidInputError(
            "replaces", f"expected active memories, {item.id!r} is {item.status.value}"
        )

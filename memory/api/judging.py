"""What somebody says of a memory that they were shown, beside counting it; and its taking back."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from ..learn.records import Batch
from ..model.doubts import CALLED_WRONG, MAX_SENTENCE
from ..model.errors import ConflictError, InvalidInputError, NotFoundError
from ..model.put_off import PutOff, name_of_put_off, put_off_with, put_off_without
from ..model.quantities import moment_of
from ..model.times import iso
from ..model.types import Doubt, EventKind, HistoryRecord, MemoryItem, MemoryStatus
from ..model.usage import Feedback
from ..records.writing import InsidePorts
from .changing import (
    FEEDBACK,
    ChangedRows,
    Changing,
    MemoryInHand,
    doubted,
    feedback_reason,
    occasions_of,
)

_UNDONE = "undone "
_VALIDATED = "validated "
_ENDING = frozenset({Feedback.WRONG, Feedback.OUTDATED})
_SINCE = "somebody changed the memory since: its history tells how, and `revert` takes that back"


def undone(feedback_id: str) -> str:
    """What the history says of a feedback that is taken back."""
    return f"{_UNDONE}{feedback_id}"


def given_as(item: MemoryItem, records: Sequence[HistoryRecord], feedback_id: str) -> Feedback:
    """What a feedback said that may be taken back now; `records` are the memory's, oldest first.

    An import brings the marks of `not_now` without its records.

    Raises:
        NotFoundError: the memory has no such feedback.
        ConflictError: it is taken back already, or a later one has to be before it.
    """
    told = {
        one.id: Feedback(one.reason.split(":", 1)[0])
        for one in records
        if one.stage == FEEDBACK and not one.reason.startswith(_UNDONE)
    }
    if feedback_id in map(name_of_put_off, item.provenance.put_off):
        return Feedback.NOT_NOW
    if feedback_id not in told:
        raise NotFoundError(f"there is no feedback {feedback_id!r} of this memory")
    over = {one.reason for one in records if one.stage == FEEDBACK}
    if undone(feedback_id) in over:
        raise ConflictError(f"feedback {feedback_id!r} is undone already")
    ending = [name for name, one in told.items() if one in _ENDING and undone(name) not in over]
    if told[feedback_id] in _ENDING and ending[-1] != feedback_id:
        raise ConflictError(f"undo the later feedback {ending[-1]!r} first")
    return told[feedback_id]


class Judging(Changing):
    """Gives feedback that changes a memory, and takes any back.

    All methods raise NotFoundError if the memory was forgotten meanwhile.
    """

    async def doubt(self, item: MemoryItem, reason: str) -> tuple[MemoryItem, str]:
        """Quarantine an active memory that somebody calls wrong; with the id of the feedback.

        Raises InvalidInputError if it is not active.
        """

        def make(hand: MemoryInHand) -> tuple[MemoryItem, list[HistoryRecord]]:
            since = hand.item.provenance.validated_at
            detail = f"{_VALIDATED}{iso(since)}" if since else ""
            doubt = Doubt(
                CALLED_WRONG, detail=detail, sentence=reason[:MAX_SENTENCE], at=iso(hand.now)
            )
            # A person moves no time: it comes back as old as it was.
            held = replace(doubted(hand, doubt), updated_at=hand.item.updated_at)
            return held, [self._record(EventKind.QUARANTINE, held, hand.item, hand.batch)]

        return await self._judge(item, Feedback.WRONG, reason, make)

    async def put_off(self, item: MemoryItem, question: str, reason: str) -> tuple[MemoryItem, str]:
        """Keep an active memory from questions like this one; with the id of the feedback.

        Raises InvalidInputError if it is not active, and EmbeddingError.
        """
        asked, said = await self._embedder.embed([question, item.sought])
        call, near, space = _batch(item, self._clock()), float(asked @ said), self._embedder.id

        def make(hand: MemoryInHand) -> tuple[MemoryItem, list[HistoryRecord]]:
            batch = replace(call, at=hand.now)
            noted = self._noted(hand.item, batch, feedback_reason(Feedback.NOT_NOW, reason))
            origin = hand.item.provenance
            marks = put_off_with(origin.put_off, PutOff(noted.id, space, near, asked))
            return replace(hand.item, provenance=replace(origin, put_off=marks)), [noted]

        return await self._judge(item, Feedback.NOT_NOW, "", make)

    async def _judge(
        self,
        item: MemoryItem,
        told: Feedback,
        reason: str,
        make: Callable[[MemoryInHand], tuple[MemoryItem, list[HistoryRecord]]],
    ) -> tuple[MemoryItem, str]:
        noted: list[HistoryRecord] = []

        def rows(hand: MemoryInHand) -> ChangedRows:
            if (status := hand.item.status) is not MemoryStatus.ACTIVE:
                active = f"{told.value!r} is said of an active memory"
                raise InvalidInputError("feedback", f"{active}, this one is {status.value} already")
            changed, records = make(hand)
            if records[-1].stage != FEEDBACK:
                records.append(self._noted(hand.item, hand.batch, feedback_reason(told, reason)))
            noted[:] = records
            return ChangedRows(changed, records)

        return await self._change(item, rows), noted[-1].id

    async def believe(self, item: MemoryItem, feedback_id: str) -> MemoryItem:
        """The memory as it was before it was called wrong.

        Raises ConflictError if it is not held back for that any more.
        """

        def make(hand: MemoryInHand) -> ChangedRows:
            was = hand.item
            doubts = {each.kind: each for each in was.provenance.reasons}
            if was.status is not MemoryStatus.QUARANTINED or CALLED_WRONG not in doubts:
                raise ConflictError(_SINCE)
            before = doubts.pop(CALLED_WRONG).detail.removeprefix(_VALIDATED)
            validated = moment_of(before, seconds=False) if before else None
            origin = replace(was.provenance, reasons=tuple(doubts.values()), validated_at=validated)
            back = replace(
                was, status=MemoryStatus.ACTIVE, version=was.version + 1, provenance=origin
            )
            record = self._record(EventKind.RESTORE, back, was, hand.batch)
            return ChangedRows(back, [record, self._noted(back, hand.batch, undone(feedback_id))])

        return await self._change(item, make)

    async def put_back(self, item: MemoryItem, feedback_id: str) -> MemoryItem:
        """The memory without the question that this feedback kept it from."""

        def make(hand: MemoryInHand) -> ChangedRows:
            origin = hand.item.provenance
            marks = put_off_without(origin.put_off, feedback_id)
            if marks == origin.put_off:
                raise ConflictError("it is given for such questions again already")
            back = replace(hand.item, provenance=replace(origin, put_off=marks))
            return ChangedRows(back, [self._noted(back, hand.batch, undone(feedback_id))])

        return await self._change(item, make)

    async def uncount(self, item: MemoryItem, told: Feedback, feedback_id: str) -> None:
        """Say in the history that a feedback is taken back, and take back what it counted, if any.

        Raises ConflictError if that is not counted any more, or too old to be told apart.
        """
        tenant, batch = item.scope.tenant, _batch(item, self._clock())
        names, use = occasions_of(feedback_id, told), told.use

        async def work(ports: InsidePorts) -> None:
            uncount = ports.state.usage.uncount
            if use and not await uncount(tenant, use, item.id, occasions=names):
                raise ConflictError(f"feedback {feedback_id!r} is undone already, or too old")
            await ports.history.append([self._noted(item, batch, undone(feedback_id))])

        await self._writer.change(work, tenants={tenant})


def _batch(item: MemoryItem, now: datetime) -> Batch:
    """The batch of a call that nobody repeats."""
    return Batch(id=uuid.uuid4().hex, scope=item.scope, at=now)

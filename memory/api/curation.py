"""What a person takes out of recall, and takes back; every change of it can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from ..learn.records import Batch
from ..model.endings import PERSON, UNSAID, began, by_person, ended_by_hand, is_version
from ..model.errors import InvalidInputError
from ..model.times import iso
from ..model.types import EventKind, MemoryItem, MemoryStatus
from .changing import ChangedRows, Changing, MemoryInHand, versions_of
from .reverting import holding, reverted


class Curation(Changing):
    """Invalidates, reverts and restores single memories."""

    async def invalidate(
        self,
        item: MemoryItem,
        reason: str = "",
        until: datetime | None = None,
        expected: int | str | None = None,
        feedback: str = "",
        *,
        never: bool = False,
    ) -> MemoryItem:
        """Say that a memory is not so: it leaves recall, and stays with its times and links.

        With `until` it was so until then; without, nobody is told that it ever was. `feedback` is
        the one that says so, for the history. `never`: it is not to be learned again.

        Raises:
            InvalidInputError: it has ended already or is an earlier version, or `until` is to come
                or before it began.
            NotFoundError: it was forgotten meanwhile.
        """

        def make(hand: MemoryInHand) -> ChangedRows:
            was, now = hand.item, hand.now
            if was.status is MemoryStatus.SUPERSEDED or is_version(was):
                raise InvalidInputError(
                    "memory_id", "expected a memory that holds, not an earlier or ended one"
                )
            _check_end(was, until, now)
            told_end = by_person(reason)
            ended = ended_by_hand(was, told_end, until=until or began(was), now=now, never=never)
            batch = replace(hand.batch, at=until or now)
            told = reason or UNSAID
            record = self._record(EventKind.DELETE, ended, was, batch, stage=PERSON, reason=told)
            noted = [self._noted(was, hand.batch, feedback)] if feedback else []
            return ChangedRows(ended, [record, *noted])

        return await self._change(item, make, expected=expected)

    async def revert(
        self,
        item: MemoryItem,
        to: int | None = None,
        expected: int | str | None = None,
    ) -> MemoryItem:
        """Take a memory back `to` an earlier version, or undo what was changed last.

        What was changed last is that it ended or was archived, else its last edit. It has the
        words, evidence, metadata, importance and times of then. What it was until now is kept as
        a version too, so that a revert can be reverted.

        Raises:
            InvalidInputError: there is nothing to return to, or it is an earlier version.
            NotFoundError: it was forgotten meanwhile.
        """

        def make(hand: MemoryInHand) -> ChangedRows:
            was, batch = hand.item, hand.batch
            done = reverted(
                was,
                _newest_first(hand.others),
                to,
                batch=batch.id,
                now=hand.now,
                embedder_id=self._embedder.id,
            )
            told = partial(self._record, stage=PERSON, reason=done.reason)
            records = [
                told(event, was if event is EventKind.RESTORE else done.item, was, batch)
                for event in done.events
            ]
            return ChangedRows(done.item, records, done.versions)

        return await self._change(item, make, expected=expected, others=versions_of)

    async def versions(self, item: MemoryItem) -> list[MemoryItem]:
        """The earlier versions of a memory, the newest first. Raises StoreError."""
        return _newest_first(await versions_of(self._store, item))

    async def restore(self, item: MemoryItem) -> MemoryItem:
        """Take a memory out of the archive, or undo that it ended.

        It has the status, times and links it had before, beside what superseded it; an earlier
        version is a memory of its own.

        Raises:
            InvalidInputError: it is neither, or it did not hold when it was archived.
            NotFoundError: it was forgotten meanwhile.
        """

        def make(hand: MemoryInHand) -> ChangedRows:
            was, now = hand.item, hand.now
            back = holding(was, now)
            name = f"{was.id}^{was.version}^{_away_since(was).isoformat()}"
            batch = Batch(id=name, scope=was.scope, at=now)
            return ChangedRows(back, [self._record(EventKind.RESTORE, back, was, batch)])

        return await self._change(item, make)


def _newest_first(versions: Sequence[MemoryItem]) -> list[MemoryItem]:
    found = filter(is_version, versions)
    return sorted(found, key=lambda each: (each.version, each.updated_at), reverse=True)


def _check_end(item: MemoryItem, until: datetime | None, now: datetime) -> None:
    if until is None:
        return
    if until > now:
        raise InvalidInputError("valid_to", "expected a time that has passed")
    if until < began(item):
        raise InvalidInputError(
            "valid_to", f"expected a time from {iso(began(item))} on, when it began; or none"
        )


def _away_since(item: MemoryItem) -> datetime:
    told = (item.provenance.archived_at, item.provenance.ended_at)
    return max(filter(None, told), default=item.valid_to or item.updated_at)

"""What a person takes out of recall, and takes back; every change of it can be undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial

from ..learn.records import Batch
from ..model.ending import PERSON, UNSAID, began, by_person, ended_by_hand, is_version
from ..model.errors import InvalidInputError
from ..model.times import iso
from ..model.types import EventKind, MemoryItem, MemoryStatus
from .changing import Changing
from .reverting import holding, reverted


class Curation(Changing):
    """Invalidates, reverts and restores single memories."""

    async def invalidate(
        self,
        item: MemoryItem,
        reason: str = "",
        until: datetime | None = None,
        expected: int | str | None = None,
    ) -> MemoryItem:
        """Say that a memory is not so: it leaves recall, and stays with its times and links.

        With `until` it was so until then; without, nobody is told that it ever was.

        Raises:
            InvalidInputError: it has ended already or is an earlier version, or `until` is to come
                or before it began.
            NotFoundError: it was forgotten meanwhile.
        """
        now = self._clock()
        async with self._changing(item, now, expected) as change:
            item = change.item
            if item.status is MemoryStatus.SUPERSEDED or is_version(item):
                raise InvalidInputError(
                    "memory_id", "expected a memory that holds, not an earlier or ended one"
                )
            _check_end(item, until, now)
            ended = ended_by_hand(item, by_person(reason), until=until or began(item), now=now)
            batch = replace(change.batch, at=until or now)
            record = self._record(
                EventKind.DELETE, ended, item, batch, stage=PERSON, reason=reason or UNSAID
            )
            await self._history.append([record])
            await self._put(change, ended)
        return ended

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
        now = self._clock()
        async with self._changing(item, now, expected) as change:
            item = change.item
            done = reverted(
                item,
                await self.versions(item),
                to,
                batch=change.batch.id,
                now=now,
                embedder_id=self._embedder.id,
            )
            told = partial(self._record, stage=PERSON, reason=done.reason)
            await self._history.append(
                [
                    told(
                        event, item if event is EventKind.RESTORE else done.item, item, change.batch
                    )
                    for event in done.events
                ]
            )
            await self._put(change, *done.versions, done.item)
        return done.item

    async def versions(self, item: MemoryItem) -> list[MemoryItem]:
        """The earlier versions of a memory, the newest first. Raises StoreError."""
        found = filter(is_version, await self._versions([item]))
        return sorted(found, key=lambda each: (each.version, each.updated_at), reverse=True)

    async def restore(self, item: MemoryItem) -> MemoryItem:
        """Take a memory out of the archive, or undo that it ended.

        It has the status, times and links it had before, beside what superseded it; an earlier
        version is a memory of its own.

        Raises:
            InvalidInputError: it is neither, or it did not hold when it was archived.
            NotFoundError: it was forgotten meanwhile.
        """
        now = self._clock()
        async with self._changing(item, now) as change:
            item = change.item
            back = holding(item, now)
            name = f"{item.id}^{item.version}^{_away_since(item).isoformat()}"
            batch = Batch(id=name, scope=item.scope, at=now)
            await self._history.append([self._record(EventKind.RESTORE, back, item, batch)])
            await self._put(change, back)
        return back


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

"""Decides whether derived memories are still supported, and what follows if not. Pure.

A derived memory (`Provenance.cites`) stands as long as everything that it cites holds and says what
it said then. If not, it ends: it is superseded, and comes back if the evidence does. What it stood
for in the archive is then shown by itself again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from ..learn.records import about_stored
from ..model.endings import DUPLICATE, PERSON
from ..model.types import Decision, EventKind, HistoryRecord, MemoryItem, MemoryStatus
from .undo import STAGE as UNDO

STAGE = "falls"
"""The stage of these decisions, and what a memory says of such an end (`Provenance.ended`)."""
UNFOUNDED = "what it stands on does not hold"
FOUNDED = "what it stands on holds again"
ALONE = "what stood for it does not hold"

_SAYS_ELSEWHERE = f"{DUPLICATE}: "
"""How the end of a memory begins whose words another one has."""
_BY_HAND = (f"{PERSON}: ", "asked: ", f"{UNDO}: ", _SAYS_ELSEWHERE)
"""Ends that say nothing against the sources, or that put them in order themselves."""
_WRITES = frozenset({EventKind.ADD, EventKind.UPDATE, EventKind.QUARANTINE})
"""Records with a memory's text."""


def is_merged(item: MemoryItem) -> bool:
    """Whether another memory says the same, and this one ended for that."""
    superseded = item.status is MemoryStatus.SUPERSEDED
    return superseded and (item.provenance.ended or "").startswith(_SAYS_ELSEWHERE)


def holds(item: MemoryItem) -> bool:
    """Whether a cited memory is still true, as far as is known; the archive says nothing of it."""
    if is_merged(item):
        return True
    if item.provenance.superseded_by is not None:
        return False
    if item.status is MemoryStatus.ARCHIVED:
        return item.provenance.archived_from is MemoryStatus.ACTIVE
    return item.status is MemoryStatus.ACTIVE


def among(derived: MemoryItem, grounds: Mapping[str, MemoryItem]) -> list[MemoryItem]:
    """What a memory cites, as far as it is there."""
    return [grounds[name] for name in derived.provenance.cites if name in grounds]


def may_be_reworded(derived: MemoryItem, grounds: Iterable[MemoryItem]) -> bool:
    """Whether one of them may say something else by now: only the history tells, if so."""
    since = derived.provenance.recorded_at
    if since is None or lost_support(derived):
        return True
    return any((item.provenance.recorded_at or since) >= since for item in grounds)


def written_at(item: MemoryItem, records: Iterable[HistoryRecord]) -> datetime | None:
    """When a derived memory got its text, which is when its evidence was read; None if unknown."""
    times = [
        record.timestamp
        for record in records
        if record.event in _WRITES and record.new_value == item.text
    ]
    return max(times, default=None)


def reworded(item: MemoryItem, records: Sequence[HistoryRecord], since: datetime | None) -> bool:
    """Whether a memory says something else than it said then; false if nothing tells."""
    if since is None:
        return False
    writes = sorted(
        (record for record in records if record.event in _WRITES),
        key=lambda record: record.timestamp,
    )
    before = [record.new_value for record in writes if record.timestamp <= since]
    later = [record.old_value for record in writes if record.timestamp > since]
    then = before[-1] if before else next(iter(later), None)
    return then is not None and then != item.text


def is_supported(
    derived: MemoryItem,
    grounds: Iterable[MemoryItem],
    histories: Mapping[str, Sequence[HistoryRecord]],
) -> bool:
    """Whether all that it cites holds, and says what it said when this one was written.

    What is not there says nothing: an import may bring it later. Of what was erased the caller
    knows.
    """
    since = written_at(derived, histories.get(derived.id, ()))
    return all(
        holds(item) and not reworded(item, histories.get(item.id, ()), since) for item in grounds
    )


def lost_support(item: MemoryItem) -> bool:
    """Whether it ended only because of what it cites."""
    return _ended(item) and (item.provenance.ended or "").startswith(f"{STAGE}: ")


def releases_archive(item: MemoryItem) -> bool:
    """Whether its end is no reason to keep what it stood for in the archive.

    Learning ends a summary for one of its facts; the others are as true as before.
    """
    return _ended(item) and not (item.provenance.ended or "").startswith(_BY_HAND)


def is_live(item: MemoryItem) -> bool:
    """Whether it is a derived memory that may be shown."""
    return item.status is MemoryStatus.ACTIVE and bool(item.provenance.cites)


def withdrawn(derived: MemoryItem, archive: Iterable[MemoryItem]) -> list[Decision]:
    """It ends, and what it stood for comes back."""
    ended = about_stored(derived, EventKind.DELETE, STAGE, UNFOUNDED)
    return [ended, *returned(derived.id, archive)]


def restored(derived: MemoryItem) -> Decision:
    """It holds again; what came back meanwhile stays beside it."""
    return about_stored(derived, EventKind.RESTORE, STAGE, FOUNDED)


def returned(derived_id: str, items: Iterable[MemoryItem]) -> list[Decision]:
    """What a memory stood for comes back from the archive."""
    return [
        about_stored(item, EventKind.RESTORE, STAGE, ALONE)
        for item in items
        if item.status is MemoryStatus.ARCHIVED and item.provenance.archived_for == derived_id
    ]


def _ended(item: MemoryItem) -> bool:
    superseded = item.status is MemoryStatus.SUPERSEDED
    return superseded and (item.provenance.superseded_by is None or is_merged(item))

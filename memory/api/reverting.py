"""What a memory is after somebody took it back to an earlier version. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..forget.retention import RESTORABLE, restored
from ..learn.records import version_of
from ..model.doubts import MAX_DOUBTS, unquoted
from ..model.endings import held_again, is_version, put_back, taken_back
from ..model.errors import InvalidInputError
from ..model.types import Doubt, EventKind, MemoryItem, MemoryStatus, Provenance
from ..trust.text_quarantine import held, planting_doubts


@dataclass(frozen=True, slots=True)
class Reverted:
    """The rows of a revert."""

    item: MemoryItem
    """The memory itself."""
    versions: tuple[MemoryItem, ...] = ()
    """Earlier versions to write before it: what it said until now, and those that change."""
    events: tuple[EventKind, ...] = (EventKind.RESTORE,)
    """What the history tells: that it holds again, and that it says something else."""
    reason: str = ""


def holding(item: MemoryItem, now: datetime) -> MemoryItem:
    """A memory that was archived or superseded, as it was.

    Raises InvalidInputError if it is neither, or did not hold when it was archived.
    """
    if item.status is MemoryStatus.SUPERSEDED:
        return held_again(item, now)
    if item.status is not MemoryStatus.ARCHIVED:
        raise InvalidInputError(
            "memory_id",
            f"expected an archived or superseded memory, this one is {item.status.value}",
        )
    if item.provenance.ended_at is not None and not is_version(item):
        return held_again(_out_of_archive(item), now)
    back = restored(item, now)
    if back is None:
        raise InvalidInputError(
            "memory_id", "expected a memory that held when it was archived, not an earlier version"
        )
    return back


def _out_of_archive(item: MemoryItem) -> MemoryItem:
    """A memory that a person had ended before it was archived, as it was then.

    What an import found to be suspicious is trusted by nobody yet.
    """
    origin = replace(item.provenance, archived_from=None, archived_at=None)
    if origin.flags and origin.validated_at is None:
        origin = replace(origin, ended_from=MemoryStatus.QUARANTINED)
    return replace(item, status=MemoryStatus.SUPERSEDED, provenance=origin)


def reverted(
    item: MemoryItem,
    versions: Sequence[MemoryItem],
    to: int | None,
    *,
    batch: str,
    now: datetime,
    embedder_id: str,
) -> Reverted:
    """Take a memory back `to` the version of this number, or undo what was changed last.

    What was changed last is that it ended or was archived, else its last edit. `versions` are its
    earlier versions; `batch` names the change.

    Raises InvalidInputError if there is nothing to return to.
    """
    if is_version(item):
        raise InvalidInputError(
            "memory_id",
            f"expected a memory, not an earlier version: revert {item.provenance.superseded_by!r} "
            f"to version {item.version}",
        )
    holds = item.status in RESTORABLE
    if not holds and to in (None, item.version):
        return Reverted(holding(item, now))
    before = [each for each in versions if each.version < item.version]
    target = _chosen(item, before, to)
    now_holding = item if holds else holding(item, now)
    left = version_of(replace(now_holding, version=item.version), batch=batch, until=now)
    marked = [_marked(each, target.version, item.version) for each in before]
    changed = [new for old, new in zip(before, marked, strict=True) if new != old]
    back = _as_it_was(now_holding, target, batch=batch, now=now)
    return Reverted(
        replace(back, version=item.version + 1, embedder_id=embedder_id),
        (*changed, taken_back(left, item.version)),
        (EventKind.UPDATE,) if holds else (EventKind.RESTORE, EventKind.UPDATE),
        f"taken back to version {target.version}",
    )


def _chosen(item: MemoryItem, before: Sequence[MemoryItem], to: int | None) -> MemoryItem:
    """The version to return to; of releases that did not count, the newest of a number."""
    fits = [each for each in before if to in (None, each.version)]
    if fits:
        return max(fits, key=lambda each: (each.version, each.valid_to or each.updated_at))
    there = ", ".join(str(number) for number in sorted({each.version for each in before}))
    raise InvalidInputError(
        "version",
        f"expected an earlier version of {item.id!r}: "
        + (f"there are {there}" if there else "there is none, nobody has edited it"),
    )


def _marked(version: MemoryItem, to: int, at: int) -> MemoryItem:
    return put_back(version, to) if version.version < to else taken_back(version, at)


def _as_it_was(item: MemoryItem, target: MemoryItem, *, batch: str, now: datetime) -> MemoryItem:
    """The memory with the words, the evidence and the times of an earlier version.

    It is as old as that was, and never trusted more than either; links that were made since stay.
    What another user made of it is no reason to doubt what it was.
    """
    was, since = target.provenance, item.provenance
    pending = [name for name in (*was.pending, *since.pending) if name != item.id]
    doubts = {was.ended_from} if since.author is not None else {was.ended_from, item.status}
    doubted = MemoryStatus.QUARANTINED in doubts
    origin = replace(
        was,
        flags=tuple(dict.fromkeys((*was.flags, *since.flags))) if doubted else was.flags,
        reasons=_doubts(was, since) if doubted else was.reasons,
        superseded_by=None,
        ended=None,
        ended_at=None,
        ended_from=None,
        archived_from=None,
        archived_at=None,
        batch=batch,
        recorded_at=now,
        restored_at=since.restored_at,
        matter=since.matter or was.matter,
        pending=tuple(dict.fromkeys(pending)),
        put_off=since.put_off,
    )
    back = replace(
        item,
        text=target.text,
        type=target.type,
        metadata=target.metadata,
        importance=target.importance,
        status=MemoryStatus.QUARANTINED if doubted else MemoryStatus.ACTIVE,
        valid_from=target.valid_from,
        valid_to=None,
        updated_at=target.updated_at,
        provenance=origin,
    )
    return held(back, planting_doubts(back, origin.source.value))


def _doubts(was: Provenance, since: Provenance) -> tuple[Doubt, ...]:
    return tuple(dict.fromkeys((*was.reasons, *unquoted(since.reasons))))[:MAX_DOUBTS]

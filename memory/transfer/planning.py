"""Decides what becomes of the rows of a page. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ..forget.guard import names
from ..model.errors import InvalidInputError
from ..model.times import from_ms, to_ms
from ..model.types import HistoryRecord, MemoryItem, Provenance, Source
from .ids import derived, renamed
from .line_reader import Carried
from .lines import MOMENTS
from .preparing import FileLine
from .state import ImportCounts, ImportOptions, OnError

_MOMENTS = ("created_at", "updated_at", "valid_from", "valid_to", "last_accessed_at")
T = TypeVar("T", MemoryItem, Provenance)


@dataclass(slots=True)
class Plan:
    """The rows of a page that are written, and how many are not."""

    new: dict[str, Carried] = field(default_factory=dict)
    changed: dict[str, Carried] = field(default_factory=dict)
    """Rows that are there in an earlier version."""
    counts: ImportCounts = field(default_factory=ImportCounts)
    lacking: dict[str, str] = field(default_factory=dict)
    """Texts that are to be embedded first: nothing was written."""
    error: InvalidInputError | None = None
    """Why a row stops the import. What stands before it is written."""

    @property
    def rows(self) -> dict[str, Carried]:
        """The rows to write, by id."""
        return self.new | self.changed


def ids_of(rows: Sequence[tuple[FileLine, Carried]]) -> set[str]:
    """The ids of memories that tell what becomes of these rows."""
    ids: set[str] = set()
    for _, carried in rows:
        ids.add(carried.item.id)
        if not carried.sealed:
            ids |= carried.references
            ids.add(derived(carried.item.scope, carried.item.id))
    return ids


def with_new_ids(carried: Carried, there: Mapping[str, MemoryItem], how: ImportOptions) -> Carried:
    """The row under the ids that it gets here."""
    scope = carried.item.scope
    if carried.sealed and carried.unchanged:
        return carried

    def rename(old: str) -> str:
        own = old in there and there[old].scope == scope
        if carried.sealed or own or how.keep_ids:
            return old
        return derived(scope, old)

    return renamed(carried, rename, trusted=carried.unchanged or how.keep_ids)


def buried_as(old: Carried, new: Carried) -> set[str]:
    """The ids under which a row may be buried.

    A forgotten memory does not come back under another id.
    """
    return names(old.item) | names(new.item)


def planned(
    rows: Sequence[tuple[FileLine, Carried]],
    named: Sequence[Carried],
    there: Mapping[str, MemoryItem],
    gone: Collection[str],
    on_error: OnError,
) -> Plan:
    """What becomes of the rows, in order; `gone` are the new ids of what was forgotten."""
    plan = Plan()
    counts = plan.counts
    for (line, old), carried in zip(rows, named, strict=True):
        item = carried.item
        earlier = plan.new.get(item.id) or plan.changed.get(item.id)
        known = there.get(item.id) if earlier is None else earlier.item
        if item.id in gone:
            counts.forgotten += 1
        elif known is None:
            plan.new[item.id] = carried
        elif known.scope != item.scope:
            other = InvalidInputError("memory.id", "is that of a memory of another scope")
            if on_error is OnError.STOP:
                plan.error = line.refuse(other)
                break
            counts.refuse(str(line.refuse(other)))
        elif _as_stored(known) == _as_stored(_as_known(item, known)):
            counts.same += 1
        elif known.version >= item.version:
            counts.kept += 1
        else:
            (plan.new if item.id in plan.new else plan.changed)[item.id] = carried
        counts.read += 1
        counts.renamed += item.id != old.item.id
    counts.added, counts.updated = len(plan.new), len(plan.changed)
    return plan


def unknown_of(carried: Carried, known: Sequence[HistoryRecord]) -> Sequence[HistoryRecord]:
    """The records of a row that its memory does not have, under whatever id."""
    there = set(map(_told_by, known))
    return [record for record in carried.history if _told_by(record) not in there]


def _told_by(record: HistoryRecord) -> tuple[object, ...]:
    """Equal for records that say the same."""
    return (record.event, to_ms(record.timestamp), record.old_value, record.new_value, record.stage)


def _as_known(item: MemoryItem, known: MemoryItem) -> MemoryItem:
    """The row with the source of the one that is there, if its line could not prove another."""
    if item.provenance.source is not Source.IMPORTED:
        return item
    return replace(item, provenance=replace(item.provenance, source=known.provenance.source))


def _as_stored(item: MemoryItem) -> MemoryItem:
    """For comparing: times as stores keep them, whatever the embedder."""
    origin = _cut(item.provenance, MOMENTS)
    return _cut(replace(item, embedder_id="", provenance=origin), _MOMENTS)


def _cut(whole: T, moments: Sequence[str]) -> T:
    there = {name: getattr(whole, name) for name in moments}
    cut: dict[str, Any] = {name: from_ms(to_ms(at)) for name, at in there.items() if at is not None}
    return replace(whole, **cut)

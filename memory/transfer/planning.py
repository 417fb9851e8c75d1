"""Decides what becomes of the rows of a page. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..model.errors import InvalidInputError
from ..model.times import from_ms, to_ms
from ..model.types import HistoryRecord, MemoryItem, Source
from .ids import derived, renamed
from .line_reader import Carried
from .lines import MOMENTS
from .source import FileLine
from .state import ImportOptions

_MOMENTS = ("created_at", "updated_at", "valid_from", "valid_to", "last_accessed_at")


@dataclass(slots=True)
class Plan:
    """The rows of a page that are written, and how many are not."""

    new: dict[str, Carried] = field(default_factory=dict)
    changed: dict[str, Carried] = field(default_factory=dict)
    """Rows that are there in an earlier version."""
    same: int = 0
    kept: int = 0
    forgotten: int = 0
    renamed: int = 0

    @property
    def rows(self) -> dict[str, Carried]:
        """The rows to write, by id."""
        return self.new | self.changed


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


def planned(
    rows: Sequence[tuple[FileLine, Carried]],
    named: Sequence[Carried],
    there: Mapping[str, MemoryItem],
    buried: set[str],
) -> tuple[Plan, list[tuple[int, InvalidInputError]]]:
    """What becomes of the rows, in order; and the places of those that are refused."""
    plan = Plan()
    refused: list[tuple[int, InvalidInputError]] = []
    for number, ((line, old), carried) in enumerate(zip(rows, named, strict=True)):
        item = carried.item
        plan.renamed += item.id != old.item.id
        earlier = plan.new.get(item.id) or plan.changed.get(item.id)
        known = there.get(item.id) if earlier is None else earlier.item
        if item.id in buried:
            plan.forgotten += 1
        elif known is None:
            plan.new[item.id] = carried
        elif known.scope != item.scope:
            other = InvalidInputError("memory.id", "is that of a memory of another scope")
            refused.append((number, line.refuse(other)))
        elif _as_stored(known) == _as_stored(_as_known(item, known)):
            plan.same += 1
        elif known.version >= item.version:
            plan.kept += 1
        else:
            (plan.new if item.id in plan.new else plan.changed)[item.id] = carried
    return plan, refused


def told_by(record: HistoryRecord) -> tuple[object, ...]:
    """Equal for records that say the same, under whatever id."""
    return (record.event, to_ms(record.timestamp), record.old_value, record.new_value, record.stage)


def _as_known(item: MemoryItem, known: MemoryItem) -> MemoryItem:
    """The row with the source of the one that is there, if its line could not prove another."""
    if item.provenance.source is not Source.IMPORTED:
        return item
    return replace(item, provenance=replace(item.provenance, source=known.provenance.source))


def _as_stored(item: MemoryItem) -> MemoryItem:
    """For comparing: times as stores keep them, whatever the embedder."""
    moments: dict[str, Any] = {
        name: from_ms(to_ms(moment))
        for name in _MOMENTS
        if (moment := getattr(item, name)) is not None
    }
    origin = item.provenance
    known: dict[str, Any] = {
        name: from_ms(to_ms(moment))
        for name in MOMENTS
        if (moment := getattr(origin, name)) is not None
    }
    return replace(item, embedder_id="", provenance=replace(origin, **known), **moments)

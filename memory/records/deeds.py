"""What a change of memories did, as deeds: by the records that it adds to the history. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from ..model.deeds import Deed, DeedKind, DeedLine, digest_of
from ..model.types import EventKind, HistoryRecord, MemoryItem, Scope

if TYPE_CHECKING:
    from .writing import WrittenChange

MOST_LINES = 100
"""Memories of one deed; of more there are several."""
FORGET = "FORGET"
"""A memory was erased everywhere."""
IMPORT = "IMPORT"
"""A memory came from another place, with its history."""
_KINDS: Mapping[EventKind, DeedKind] = {
    EventKind.ADD: DeedKind.APPEND,
    EventKind.UPDATE: DeedKind.AMEND,
    EventKind.DELETE: DeedKind.REVOKE,
    EventKind.ARCHIVE: DeedKind.REVOKE,
    EventKind.VALIDATE: DeedKind.PROMOTE,
    EventKind.RESTORE: DeedKind.PROMOTE,
}
_TELLS_TEXT = frozenset({DeedKind.APPEND, DeedKind.AMEND, DeedKind.PROMOTE})
_Done = tuple[DeedKind, str, Scope]


def deeds_of(change: WrittenChange, now: datetime) -> list[Deed]:
    """The deeds of one transaction, in their order: what follows alike is one."""
    items = {each.item.id: each.item for each in change.put}
    carried = change.carried
    done = [
        (_done(record, items), _line(record, items))
        for record in change.records
        if record.memory_id not in carried
    ]
    done += [
        ((_KINDS[kind], IMPORT, items[each].scope), DeedLine(each, digest_of(items[each].text)))
        for each, kind in carried.items()
        if each in items and items[each].provenance.superseded_by is None
    ]
    done += [
        ((DeedKind.REVOKE, FORGET, item.scope), DeedLine(item.id))
        for item in change.erased
        if item.provenance.superseded_by is None
    ]
    return list(_grouped([(what, line) for what, line in done if what is not None], now))


def _grouped(done: Sequence[tuple[_Done, DeedLine]], now: datetime) -> Iterator[Deed]:
    for (kind, why, scope), some in groupby(done, key=lambda each: each[0]):
        lines = [line for _, line in some]
        for at in range(0, len(lines), MOST_LINES):
            few = tuple(lines[at : at + MOST_LINES])
            yield Deed(kind=kind, scope=scope, at=now, lines=few, why=why)


def _done(record: HistoryRecord, items: Mapping[str, MemoryItem]) -> _Done | None:
    """What a record tells of; None if nothing changed."""
    kind = _KINDS.get(record.event)
    if record.event is EventKind.QUARANTINE:
        item = items.get(record.memory_id)
        # What was there before, and is doubted now, does not count any more.
        kind = DeedKind.REVOKE if item is not None and item.version > 1 else DeedKind.APPEND
    return None if kind is None else (kind, record.event.value, record.scope)


def _line(record: HistoryRecord, items: Mapping[str, MemoryItem]) -> DeedLine:
    if record.event is EventKind.QUARANTINE or _KINDS.get(record.event) in _TELLS_TEXT:
        item = items.get(record.memory_id)
        text = record.new_value if item is None else item.text
        return DeedLine(record.memory_id, None if text is None else digest_of(text))
    return DeedLine(record.memory_id)

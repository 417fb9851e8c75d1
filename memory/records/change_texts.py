"""Changes as followers are told of them, with the texts that the history still has.

A change waits for its reader, and a webhook's for its server. Meanwhile its memory may be
forgotten, by this process or by another: then only the ids and the kind of the change are told.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from ..database.history import SqlHistory
from ..model.errors import StateError
from ..model.times import iso
from ..model.types import EventKind, HistoryRecord, MemoryItem, OwnerRef, Scope, utc_now

FORGET = "FORGET"
"""A memory was erased everywhere. No text is told."""


class ChangeDict(TypedDict):
    """A change of a memory: an `event` of its history, `FORGET`, or `GAP` with those `missed`."""

    id: str
    """The same if a change is told twice."""
    event: str
    tenant: NotRequired[str]
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]
    memory_id: NotRequired[str]
    memory: NotRequired[str]
    old_memory: NotRequired[str]
    timestamp: NotRequired[str]
    missed: NotRequired[int]


class ChangeTexts:
    """What the history says of changes. A `Cache` of the bus, which tells when to look."""

    def __init__(self, history: SqlHistory, *, shared: bool = False) -> None:
        """`shared`: other processes forget too, and may be heard late; so it always looks."""
        self._history = history
        self._shared = shared
        self._removals = 0

    @property
    def moment(self) -> int:
        """Changes whenever something may have been forgotten."""
        return self._removals

    def are_current(self, since: int) -> bool:
        """Whether nothing can have been forgotten since that moment."""
        return not self._shared and since == self._removals

    def forget(self, _whose: OwnerRef, _memory_id: str | None = None) -> None:
        """Something was removed, or is being removed."""
        self._removals += 1

    def clear(self) -> None:
        """Something may have been removed by another process."""
        self._removals += 1

    async def current(self, changes: Sequence[ChangeDict]) -> list[ChangeDict]:
        """The changes as the history has them now.

        Without their texts if it has them no more, or does not answer.
        """
        asked: dict[str, set[str]] = defaultdict(set)
        for change in changes:
            if has_text(change):
                asked[change["tenant"]].add(change["memory_id"])
        found: dict[str, HistoryRecord] = {}
        for tenant, ids in asked.items():
            try:
                known = await self._history.of_many(tenant, sorted(ids))
            except StateError:
                continue
            found |= {record.id: record for history in known.values() for record in history}
        return [
            with_texts(change, found.get(change["id"])) if has_text(change) else change
            for change in changes
        ]


def told_of(
    records: Iterable[HistoryRecord], erased: Iterable[MemoryItem]
) -> list[tuple[Scope, ChangeDict]]:
    """What is told of a change: nothing of what changed nothing, and of no earlier version."""
    told = [(each.scope, _change(each)) for each in records if each.event is not EventKind.NONE]
    now = iso(utc_now())
    for item in erased:
        if item.provenance.superseded_by is None:
            change = ChangeDict(id=uuid.uuid4().hex, event=FORGET, memory_id=item.id, timestamp=now)
            told.append((item.scope, _owned(change, item.scope)))
    return told


def without_texts(change: ChangeDict) -> ChangeDict:
    """With the place of its texts, which a reader fills."""
    told = change.copy()
    if has_text(told):
        told["memory"] = ""
        told.pop("old_memory", None)
    return told


def has_text(change: Mapping[str, object]) -> bool:
    """Whether the change tells a text of its memory."""
    return "memory" in change or "old_memory" in change


def with_texts(change: ChangeDict, record: HistoryRecord | None) -> ChangeDict:
    """The change with the texts of this record, or with none."""
    told = change.copy()
    for name in ("memory", "old_memory"):
        told.pop(name, None)  # type: ignore[misc]  # both may be missing
    if record is not None and record.new_value is not None:
        told["memory"] = record.new_value
    if record is not None and record.old_value is not None:
        told["old_memory"] = record.old_value
    return told


def _change(record: HistoryRecord) -> ChangeDict:
    change = ChangeDict(
        id=record.id,
        event=record.event.value,
        memory_id=record.memory_id,
        timestamp=iso(record.timestamp),
    )
    return _owned(with_texts(change, record), record.scope)


def _owned(change: ChangeDict, scope: Scope) -> ChangeDict:
    change["tenant"] = scope.tenant
    for name, value in scope.ids().items():
        change[name] = value  # type: ignore[literal-required]  # the names of `ChangeDict`
    return change

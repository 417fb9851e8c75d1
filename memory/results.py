"""What the public methods return: plain dictionaries, the same in Python and over REST.

Times are ISO 8601 in UTC. Keys that have no value are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from .types import EventKind, HistoryRecord, MemoryEvent, MemoryItem


class MemoryDict(TypedDict):
    """A memory; `score` (cosine) and `relevance` are there on search results."""

    id: str
    memory: str
    hash: str
    type: str
    status: str
    metadata: dict[str, Any]
    created_at: str
    updated_at: str
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]
    score: NotRequired[float]
    relevance: NotRequired[float]


class EventDict(TypedDict):
    """What `add` did about one fact."""

    event: str
    id: str
    type: str
    new_memory: NotRequired[str]
    old_memory: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]


class ErrorDict(TypedDict):
    """Why nothing could be extracted: not the same as nothing worth keeping."""

    code: str
    message: str


class AddResult(TypedDict):
    """Answer of `add`; `error` is there if the extraction model failed."""

    results: list[EventDict]
    error: NotRequired[ErrorDict]


class MemoryResults(TypedDict):
    """Answer of `search` and `get_all`."""

    results: list[MemoryDict]


class DeleteResult(TypedDict):
    """Answer of `delete_all`."""

    deleted: int


class HistoryDict(TypedDict):
    """One row of a memory's history."""

    id: str
    memory_id: str
    event: str
    old_value: str | None
    new_value: str | None
    timestamp: str
    is_deleted: bool


def memory_dict(
    item: MemoryItem, score: float | None = None, relevance: float | None = None
) -> MemoryDict:
    """A memory as it is shown."""
    shown = MemoryDict(
        id=item.id,
        memory=item.text,
        hash=item.hash,
        type=item.type.value,
        status=item.status.value,
        metadata=dict(item.metadata),
        created_at=iso(item.created_at),
        updated_at=iso(item.updated_at),
    )
    scope = item.scope
    if scope.user_id is not None:
        shown["user_id"] = scope.user_id
    if scope.agent_id is not None:
        shown["agent_id"] = scope.agent_id
    if scope.run_id is not None:
        shown["run_id"] = scope.run_id
    if score is not None:
        shown["score"] = score
    if relevance is not None:
        shown["relevance"] = relevance
    return shown


def event_dict(event: MemoryEvent) -> EventDict:
    """An event as it is shown."""
    shown = EventDict(event=event.event.value, id=event.id, type=event.type.value)
    if event.new_memory is not None:
        shown["new_memory"] = event.new_memory
    if event.old_memory is not None:
        shown["old_memory"] = event.old_memory
    if event.metadata and event.event is not EventKind.NONE:
        shown["metadata"] = dict(event.metadata)
    return shown


def history_dicts(records: Sequence[HistoryRecord]) -> list[HistoryDict]:
    """History as it is shown, in the order given."""
    return [
        HistoryDict(
            id=record.id,
            memory_id=record.memory_id,
            event=record.event.value,
            old_value=record.old_value,
            new_value=record.new_value,
            timestamp=iso(record.timestamp),
            is_deleted=record.is_deleted,
        )
        for record in records
    ]


def iso(moment: datetime) -> str:
    """ISO 8601 with milliseconds and offset."""
    return moment.isoformat(timespec="milliseconds")

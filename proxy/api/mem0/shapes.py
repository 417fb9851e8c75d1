"""The answers that mem0's clients read, made from our results. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired

from typing_extensions import TypedDict
from yarl import URL

from recollect.memory.api.results import AddResult, EventDict, HistoryDict, MemoryDict, SkippedDict
from recollect.memory.api.users import EntityDict

SUCCEEDED, FAILED = "SUCCEEDED", "FAILED"
_UNKNOWN: dict[str, Any] = {
    "user_id": None,
    "agent_id": None,
    "run_id": None,
    "app_id": None,
    "categories": [],
    "immutable": False,
    "expiration_date": None,
}
"""What their memories have, and ours do not always."""


class AddedMemory(EventDict):
    """What an addition did with one fact, in their words and in ours."""

    memory: str
    data: dict[str, str]
    """The same text once more."""


class Added(TypedDict):
    """An addition that is done."""

    results: list[AddedMemory]
    status: str
    event_id: str
    message: str
    skipped: NotRequired[list[SkippedDict]]
    rejected: NotRequired[dict[str, int]]


class DoneDict(TypedDict):
    """Something that was done."""

    message: str


class RemovedDict(DoneDict):
    """How many memories were removed."""

    deleted: int


class BatchDone(DoneDict):
    """What became of each memory of a batch."""

    results: list[dict[str, str]]
    """`memory_id` and `status`; of one that failed also `code` and `detail`."""
    succeeded: int
    failed: int


class FeedbackDone(DoneDict):
    """What everybody has said about a memory so far, if something was counted."""

    id: NotRequired[str]
    positive: NotRequired[int]
    negative: NotRequired[int]
    standing: NotRequired[float]


class SingleList(TypedDict):
    """Memories, under both names that clients read."""

    memories: list[MemoryDict]
    results: list[MemoryDict]


class HistoryRow(HistoryDict):
    """A row of a history, with the names that it has in mem0."""

    old_memory: str | None
    new_memory: str | None
    created_at: str
    updated_at: str


class CountedPage(TypedDict):
    """A page of all; `next` and `previous` are URLs, to be asked with the same body."""

    count: int
    next: str | None
    previous: str | None


class PageDict(CountedPage):
    """A page of memories."""

    results: list[dict[str, Any]]


class FoundDict(TypedDict):
    """What a search found, best first."""

    results: list[dict[str, Any]]


class EntityRow(EntityDict):
    """A user, an agent or a run; its id is its name."""

    id: str


class EntityPage(CountedPage):
    """Users, agents and runs."""

    results: list[EntityRow]


def added(result: AddResult, event_id: str) -> Added:
    """The answer to an addition that succeeded."""
    told = Added(
        results=[_added_memory(event) for event in result["results"]],
        status=SUCCEEDED,
        event_id=event_id,
        message="The memories are stored.",
    )
    if "skipped" in result:
        told["skipped"] = result["skipped"]
    if "rejected" in result:
        told["rejected"] = result["rejected"]
    return told


def _added_memory(event: EventDict) -> AddedMemory:
    text = event.get("new_memory") or event.get("old_memory") or ""
    return {**event, "memory": text, "data": {"memory": text}}


def history_row(row: HistoryDict) -> HistoryRow:
    """A row of a history; none is changed after it is written."""
    return HistoryRow(
        **row,
        old_memory=row["old_value"],
        new_memory=row["new_value"],
        created_at=row["timestamp"],
        updated_at=row["timestamp"],
    )


def memory(shown: MemoryDict, only: Sequence[str] | None = None) -> dict[str, Any]:
    """A memory with every key that mem0's have; with `only`, these keys and the id."""
    told: dict[str, Any] = _UNKNOWN | dict(shown)
    if not only:
        return told
    return {name: value for name, value in told.items() if name == "id" or name in only}


def page_urls(url: URL, number: int, size: int, count: int) -> dict[str, str | None]:
    """Where the pages before and after this one are; None where there is none."""

    def at(page: int) -> str:
        return str(url.update_query({"page": str(page), "page_size": str(size)}))

    return {
        "next": at(number + 1) if number * size < count else None,
        "previous": at(number - 1) if number > 1 else None,
    }


def entity_row(entity: EntityDict) -> EntityRow:
    """An entity as their clients read it."""
    return EntityRow(**entity, id=entity["name"])

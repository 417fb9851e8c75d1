"""The answers that mem0's clients read, made from our results. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired, cast

from typing_extensions import TypedDict
from yarl import URL

from recollect.memory.api.about_user import ProfileLine
from recollect.memory.api.results import (
    AddResult,
    EventDict,
    FeedbackDict,
    HistoryDict,
    MemoryDict,
    SkippedDict,
)
from recollect.memory.api.users import EntityDict

_UNKNOWN: dict[str, Any] = {
    **dict.fromkeys(("user_id", "agent_id", "run_id", "app_id", "expiration_date")),
    "categories": [],
    "immutable": False,
}
"""What their memories have, and ours do not always."""
NOTHING_TO_DO = "A profile is computed when it is read; nothing had to be done."
AS_THEY_ARE = "An export holds the memories as they are: no model fills the schema."


def _answer(name: str, texts: str = "", /, **parts: Any) -> Any:
    """The type of an answer with these `texts`, by their names, and other parts."""
    return cast("Any", TypedDict)(name, dict.fromkeys(texts.split(), str) | parts)


class AddedMemory(EventDict):
    """What an addition did with one fact, in their words and in ours; `data` has its text too."""

    memory: str
    data: dict[str, str]


class HistoryRow(HistoryDict):
    """A row of a history, with the names that it has in mem0."""

    old_memory: str | None
    new_memory: str | None
    created_at: str
    updated_at: str


class EntityRow(EntityDict):
    """A user, an agent or a run; its id is its name."""

    id: str


_ROWS = list[dict[str, Any]]
_TEXTS = dict[str, str]
_MAYBE = str | None
_PAGED: dict[str, Any] = {"count": int, "next": _MAYBE, "previous": _MAYBE}
_COUNTED = {name: NotRequired[kind] for name, kind in FeedbackDict.__annotations__.items()}
Added = _answer(
    "Added", "status event_id message", results=list[AddedMemory],
    skipped=NotRequired[list[SkippedDict]], rejected=NotRequired[dict[str, int]],
)  # fmt: skip
Done = _answer("DoneDict", "message")
BatchDone = _answer("BatchDone", "message", results=list[_TEXTS], succeeded=int, failed=int)
FeedbackDone = _answer("FeedbackDone", "message", **_COUNTED)
SingleList = _answer("SingleList", memories=list[MemoryDict], results=list[MemoryDict])
Found = _answer("FoundDict", results=_ROWS)
Page = _answer("PageDict", **_PAGED, results=_ROWS)
EntityPage = _answer("EntityPage", **_PAGED, results=list[EntityRow])
Event: Any = _answer(
    "AdditionEvent", "id event_type status created_at updated_at started_at completed_at",
    payload=_TEXTS, metadata=_TEXTS, results=list[_TEXTS],
)  # fmt: skip
EventPage = _answer("EventPage", **_PAGED, results=cast("Any", list)[Event])
Issue = _answer("Issue", "id status message")
Exported = _answer(
    "Exported", "message", results=_ROWS, count=int, complete=bool, schema_filled=bool
)
Summary = _answer("SummaryDict", "status summary source", ids=list[str])
UserProfile = _answer(
    "UserProfile", "status entity_type entity_id", updated_at=_MAYBE,
    profile=dict[str, list[ProfileLine]] | None,
)  # fmt: skip
ProfileJob = _answer(
    "ProfileJob", "job_id status status_url operation entity_type message", sampled=int,
    entity_count_reserved=int, entity_ids=list[str], event_id=None, replayed=bool,
)  # fmt: skip
ProfileSettings = _answer(
    "ProfileSettings", "message", enabled=bool, capabilities=dict[str, bool],
    entities=dict[str, dict[str, _MAYBE]],
)  # fmt: skip
Pong = _answer("Pong", "status org_id project_id")
Webhook: Any = _answer(
    "WebhookDict", "webhook_id name url project", event_types=list[str], is_active=bool
)
SETTINGS = {
    "enabled": True,
    "capabilities": {"custom_schema": False, "custom_instructions": False},
    "entities": {"user": {"schema": None, "custom_instructions": None}},
    "message": NOTHING_TO_DO,
}
"""What can be set about profiles: nothing."""


def added(result: AddResult, event_id: str) -> dict[str, Any]:
    """The answer to an addition that succeeded."""
    more = {name: part for name, part in result.items() if name in {"skipped", "rejected"}}
    return {
        "results": [_added_memory(event) for event in result["results"]],
        "status": "SUCCEEDED",
        "event_id": event_id,
        "message": "The memories are stored.",
        **more,
    }


def _added_memory(event: EventDict) -> AddedMemory:
    text = event.get("new_memory") or event.get("old_memory") or ""
    return {**event, "memory": text, "data": {"memory": text}}


def history_row(row: HistoryDict) -> dict[str, Any]:
    """A row of a history; none is changed after it is written."""
    times = dict.fromkeys(("created_at", "updated_at"), row["timestamp"])
    return {**row, "old_memory": row["old_value"], "new_memory": row["new_value"], **times}


def memory(shown: MemoryDict, only: Sequence[str] | None = None) -> dict[str, Any]:
    """A memory with every key that mem0's have; with `only`, these keys and the id."""
    told: dict[str, Any] = _UNKNOWN | dict(shown)
    if not only:
        return told
    return {name: value for name, value in told.items() if name == "id" or name in only}


def page(url: URL, number: int, size: int, count: int, results: Sequence[Any]) -> dict[str, Any]:
    """A page of all, and where the pages before and after it are; None where there is none."""

    def at(page: int) -> str:
        return str(url.update_query({"page": str(page), "page_size": str(size)}))

    return {
        "count": count,
        "next": at(number + 1) if number * size < count else None,
        "previous": at(number - 1) if number > 1 else None,
        "results": list(results),
    }


def entity_row(entity: EntityDict) -> dict[str, Any]:
    """An entity as their clients read it."""
    return {**entity, "id": entity["name"]}

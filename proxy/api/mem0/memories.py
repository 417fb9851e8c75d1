"""Adding, searching, listing and judging memories in mem0's words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from recollect.memory import InvalidInputError, NotFoundError, RecollectError
from recollect.memory.api.results import AddResult, MemoryDict
from recollect.memory.model.inputs import MAX_LIMIT
from recollect.memory.model.types import MemoryStatus
from recollect.memory.query import check_filled

from ..adding import FAILURES, failed
from ..call import ApiCall
from ..operations import scope_ids
from .events import Additions, event_page
from .filters import Meant, meant
from .shapes import added, history_row, memory, page_urls

DELETED = "Memory deleted successfully!"
ALL_DELETED = "Memories deleted successfully!"


class Mem0Memories:
    """The handlers of the routes about memories."""

    def __init__(self, additions: Additions) -> None:
        self._additions = additions

    async def add_v3(self, call: ApiCall) -> Any:
        """An addition that is done when it is answered."""
        asked = call.asked
        where = meant(call.owner, scope_ids(asked), asked["filters"])
        if where.filters is not None:
            raise InvalidInputError("filters", "only ids go with an addition")
        adding = call.memory.add(
            readable(asked["messages"]),
            **where.ids,
            metadata=asked["metadata"],
            infer=asked["infer"],
            prompt=asked["prompt"],
            timestamp=asked["timestamp"],
        )
        return await answer_added(self._additions, call, where.ids, adding)

    async def search_v2(self, call: ApiCall) -> Any:
        return await found(call)

    async def search_v3(self, call: ApiCall) -> Any:
        return await found(call)

    async def list_v2(self, call: ApiCall) -> Any:
        return await listed(call)

    async def list_v3(self, call: ApiCall) -> Any:
        return await listed(call)

    async def event(self, call: ApiCall) -> Any:
        """One addition of before."""
        return self._additions.one(call.owner.whose(), call.asked["event_id"])

    async def list_events(self, call: ApiCall) -> Any:
        """The last additions."""
        return event_page(self._additions.all(call.owner.whose()))

    async def give_feedback(self, call: ApiCall) -> Any:
        """Judge a memory, or withdraw nothing: what was counted stays counted."""
        asked = call.asked
        reason, word = asked["feedback_reason"], asked["feedback"]
        if word is None:
            if await call.memory.get(asked["memory_id"]) is None:
                raise NotFoundError(f"there is no memory {asked['memory_id']!r}")
            return {"message": "Accepted; without a feedback nothing is counted."}
        told = await call.memory.feedback(asked["memory_id"], word, reason=reason)
        return {"message": "The feedback is counted.", **told}

    async def batch_update(self, call: ApiCall) -> Any:
        """Change some memories, each by itself."""

        async def change(item: Mapping[str, Any]) -> None:
            await call.memory.update(
                item["memory_id"], item.get("text"), metadata=item.get("metadata")
            )

        return await each_of(call.asked["memories"], change, "updated")

    async def batch_delete(self, call: ApiCall) -> Any:
        """Remove some memories, each by itself."""

        async def remove(item: Mapping[str, Any]) -> None:
            await call.memory.delete(item["memory_id"])

        return await each_of(call.asked["memories"], remove, "deleted")


async def answer_added(
    additions: Additions, call: ApiCall, ids: Mapping[str, str], adding: Awaitable[AddResult]
) -> Any:
    """The answer to an addition; a failure of the model is an error, not an empty success."""
    try:
        result = await adding
    except FAILURES as error:
        additions.note_failure(call.owner.scope(**ids), error.code)
        return failed(error)
    return added(result, additions.note(call.owner.scope(**ids), result))


async def found(call: ApiCall) -> dict[str, Any]:
    """The results of a search."""
    asked = call.asked
    query, threshold, only = asked["query"], asked["threshold"], asked["fields"]
    limit, most, where = asked["limit"], asked["top_k"], _meant(call)
    results = await call.memory.search(
        query, **where.ids, limit=limit or most, threshold=threshold, filters=where.filters
    )
    return {"results": [memory(each, only) for each in results["results"]]}


async def listed(call: ApiCall) -> dict[str, Any]:
    """A page of memories, newest first."""
    asked = call.asked
    times = {"gte": asked["start_date"], "lte": asked["end_date"]}
    created = {name: value for name, value in times.items() if value is not None}
    where = _meant(call, *([{"created_at": created}] if created else []))
    number, size, only = asked["page"], asked["page_size"], asked["fields"]
    if number * size > MAX_LIMIT:
        raise InvalidInputError(
            "page",
            f"expected at most {MAX_LIMIT} memories up to it; see `cursor` of GET /v1/memories",
        )
    counted = await call.memory.count(**where.ids, filters=where.filters)
    upto = await call.memory.get_all(**where.ids, limit=number * size, filters=where.filters)
    rows = upto["results"][(number - 1) * size :]
    return {
        "count": counted["count"],
        **page_urls(call.request.url, number, size, counted["count"]),
        "results": [memory(each, only) for each in rows],
    }


def _meant(call: ApiCall, *more: Mapping[str, Any]) -> Meant:
    asked = call.asked
    keys = {"metadata"} & asked.keys()  # mem0's own server has no such field
    conditions = [{name: asked[name]} for name in keys if asked[name]]
    return meant(call.owner, scope_ids(asked), asked["filters"], *conditions, *more)


async def delete_all(call: ApiCall) -> dict[str, Any]:
    """Remove the memories of a scope, or those that the filters describe. Their history stays."""
    asked = call.asked
    check_project(call)
    for name, value in scope_ids(asked).items():
        if value == "*":
            raise InvalidInputError(
                name, "a deletion takes no wildcard; POST /v1/reset removes all"
            )
    for name in ("filters", "metadata"):
        check_filled(asked[name], name)
    if asked["filters"] is None and asked["metadata"] is None:
        deleted = (await call.memory.delete_all(**scope_ids(asked)))["deleted"]
    else:
        deleted = await _delete_some(call, _meant(call))
    return {"deleted": deleted, "message": ALL_DELETED}


async def _delete_some(call: ApiCall, where: Meant) -> int:
    if where.filters is None:
        return (await call.memory.delete_all(**where.ids))["deleted"]
    statuses = [status.value for status in MemoryStatus]
    removed = await call.memory.delete_by_query(
        **where.ids, filters=where.filters, statuses=statuses
    )
    return removed["deleted"]


def check_project(call: ApiCall) -> None:
    """A deletion for another project than the credential's is refused: it would hit this one."""
    if call.asked["project_id"] not in (None, call.tenant):
        raise InvalidInputError(
            "project_id",
            f"a project is a tenant here, and the credential is for {call.tenant!r}: leave it out",
        )


async def existing(call: ApiCall) -> MemoryDict:
    """The memory that is named. Raises NotFoundError."""
    found_one = await call.memory.get(call.asked["memory_id"], **scope_ids(call.asked))
    if found_one is None:
        raise NotFoundError(f"there is no memory {call.asked['memory_id']!r}")
    return found_one


def cleared(call: ApiCall) -> bool:
    """Whether an update asks for nothing but that the memory has no time of its end."""
    asked = call.asked
    changes = (asked["text"], asked["metadata"], asked.get("importance"))
    return bool(asked["expiration_date"]) and all(change is None for change in changes)


async def history(call: ApiCall) -> list[Any]:
    """The history of a memory, with mem0's names beside ours; one of somebody else is not there."""
    memory_id, ids = call.asked["memory_id"], scope_ids(call.asked)
    rows = await call.memory.history(memory_id, **ids)
    if not rows and await call.memory.get(memory_id, **ids) is None:
        raise NotFoundError(f"there is no memory {memory_id!r}")
    return [history_row(row) for row in rows]


def readable(messages: Any) -> Any:
    """Messages as the library reads them: mem0 takes a single part as a content, too."""
    if isinstance(messages, list):
        return [_readable(message) for message in messages]
    return _readable(messages)


def _readable(message: Any) -> Any:
    if isinstance(message, dict) and isinstance(message.get("content"), dict):
        return {**message, "content": [message["content"]]}
    return message


async def each_of(
    items: list[dict[str, Any]], work: Callable[[Mapping[str, Any]], Awaitable[None]], done: str
) -> dict[str, Any]:
    """What became of each item. Raises the first error if none succeeded."""
    results: list[dict[str, str]] = []
    first: RecollectError | None = None
    for item in items:
        try:
            await work(item)
            results.append({"memory_id": item["memory_id"], "status": done})
        except RecollectError as error:
            first = first or error
            failed = {"status": "failed", "code": error.code, "detail": str(error)}
            results.append({"memory_id": item["memory_id"], **failed})
    succeeded = sum(one["status"] == done for one in results)
    if first is not None and not succeeded:
        raise first
    message = f"Successfully {done} {succeeded} memories" + (
        "." if first is None else "; see results."
    )
    failed_count = len(items) - succeeded
    return {
        "message": message, "results": results, "succeeded": succeeded, "failed": failed_count
    }  # fmt: skip

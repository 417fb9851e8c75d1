"""Adding, searching, listing and judging memories in mem0's words, and what its own server answers.

The latter is below `/mem0`, and on with `api.mem0_server`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from recollect.memory import InvalidInputError, NotFoundError, RecollectError
from recollect.memory.api.results import AddResult, MemoryDict
from recollect.memory.model.inputs import MAX_LIMIT
from recollect.memory.model.types import MemoryStatus
from recollect.memory.operations.scope import ScopeFields
from recollect.memory.query import check_filled

from ...access.rights import Right
from ..answers import FAILURES, failed
from ..operations import endpoint, operations_of
from ..request import ApiRequest
from . import models
from .events import AdditionEvent, Additions, EventPage, event_page
from .fields import ProjectFields
from .filters import Meant, meant
from .shapes import (
    Added,
    BatchDone,
    DoneDict,
    EntityRow,
    FeedbackDone,
    FoundDict,
    PageDict,
    RemovedDict,
    SingleList,
    added,
    entity_row,
    memory,
    page_urls,
)

SERVER = "/mem0"
DELETED = "Memory deleted successfully!"
ALL_DELETED = "Memories deleted successfully!"
KINDS = {"user": "user_id", "agent": "agent_id", "run": "run_id"}
_HOW = ("metadata", "infer", "prompt", "includes", "excludes")
_EVERY = [status.value for status in MemoryStatus]
_MEMORIES = f"{SERVER}/memories"
_ONE = f"{_MEMORIES}/{{memory_id}}"
_ENTITY = "/entities/{entity_type}/{entity_name}"
_SEARCH = "mem0: the memories that match a query, best first"
_PAGE = "mem0: a page of memories, newest first"
_ENTITY_REMOVED = "mem0: remove the memories of a user, an agent or a run"
_CONFIGURED = "the configuration is a file; see docs/configuration.md"


class Mem0Memories:
    """The handlers of the routes about memories, of the hosted service and of the server."""

    def __init__(self, additions: Additions) -> None:
        self._additions = additions

    @endpoint("POST", "/v3/memories/add", Added, Right.WRITE, body=models.AddV3Body)
    async def add_v3(self, request: ApiRequest) -> Any:
        """mem0: remember a conversation; it is stored when the answer comes."""
        values = request.values
        where = meant(request.owner, request.ids, values["filters"])
        if where.filters is not None:
            raise InvalidInputError("filters", "only ids go with an addition")
        return await self._added(request, where, timestamp=values["timestamp"])

    @endpoint("POST", _MEMORIES, Added, Right.WRITE, body=models.ServerAddBody)
    async def server_add(self, request: ApiRequest) -> Any:
        """mem0's server: remember a conversation."""
        return await self._added(request, meant(request.owner, request.ids))

    async def _added(self, request: ApiRequest, where: Meant, **more: Any) -> Any:
        said = request.values.only(*_HOW) | more
        messages = readable(request.values["messages"])
        adding = request.memory.add(messages, **where.ids, **said)
        return await answer_added(self._additions, request, where.ids, adding)

    @endpoint(
        "POST", "/v2/memories/search", FoundDict, body=models.Mem0SearchBody, name="search_v2",
        summary=_SEARCH,
    )  # fmt: skip
    @endpoint(
        "POST", "/v3/memories/search", FoundDict, body=models.Mem0SearchBody, name="search_v3",
        summary=_SEARCH,
    )  # fmt: skip
    @endpoint(
        "POST", f"{SERVER}/search", FoundDict, body=models.ServerSearchBody, name="server_search",
        summary="mem0's server: the memories that match a query",
    )  # fmt: skip
    async def search(self, request: ApiRequest) -> Any:
        values, where = request.values, _meant(request)
        only = values["fields"]
        results = await request.memory.search(
            values["query"],
            **where.ids,
            limit=values["limit"] or values["top_k"],
            threshold=values["threshold"],
            filters=where.filters,
        )
        return {"results": [memory(each, only) for each in results["results"]]}

    @endpoint(
        "POST", "/v2/memories", PageDict, query=models.PageQuery, body=models.Mem0ListBody,
        name="list_v2", summary=_PAGE,
    )  # fmt: skip
    @endpoint(
        "POST", "/v3/memories", PageDict, query=models.PageQuery, body=models.Mem0ListBody,
        name="list_v3", summary=_PAGE,
    )  # fmt: skip
    async def list_page(self, request: ApiRequest) -> Any:
        values = request.values
        times = {"gte": values["start_date"], "lte": values["end_date"]}
        created = {name: value for name, value in times.items() if value is not None}
        where = _meant(request, *([{"created_at": created}] if created else []))
        number, size, only = values["page"], values["page_size"], values["fields"]
        if number * size > MAX_LIMIT:
            raise InvalidInputError(
                "page",
                f"expected at most {MAX_LIMIT} memories up to it; see `cursor` of GET /v1/memories",
            )
        asked: dict[str, Any] = {**where.ids, "filters": where.filters}
        count = (await request.memory.count(**asked))["count"]
        upto = await request.memory.get_all(**asked, limit=number * size)
        rows = upto["results"][(number - 1) * size :]
        return {
            "count": count,
            **page_urls(request.http.url, number, size, count),
            "results": [memory(each, only) for each in rows],
        }

    @endpoint("PUT", "/v1/batch", BatchDone, Right.WRITE, body=models.BatchUpdateBody)
    async def batch_update(self, request: ApiRequest) -> Any:
        """mem0: change up to 1000 memories, each by itself."""

        async def change(item: models.BatchChange) -> None:
            await request.memory.update(item.memory_id, item.text, metadata=item.metadata)

        return await each_of(request.values["memories"], change, "updated")

    @endpoint("DELETE", "/v1/batch", BatchDone, Right.WRITE, body=models.BatchDeleteBody)
    async def batch_delete(self, request: ApiRequest) -> Any:
        """mem0: remove up to 1000 memories, each by itself."""

        async def remove(item: models.BatchTarget) -> None:
            await request.memory.delete(item.memory_id)

        return await each_of(request.values["memories"], remove, "deleted")

    @endpoint("POST", "/v1/feedback", FeedbackDone, Right.WRITE, body=models.Mem0FeedbackBody)
    async def give_feedback(self, request: ApiRequest) -> Any:
        """mem0: judge a memory.

        Without a word nothing is withdrawn: what was counted stays counted.
        """
        memory_id, word = request.values["memory_id"], request.values["feedback"]
        reason = request.values["feedback_reason"]
        if word is None:
            if await request.memory.get(memory_id) is None:
                raise NotFoundError(f"there is no memory {memory_id!r}")
            return {"message": "Accepted; without a feedback nothing is counted."}
        told = await request.memory.feedback(memory_id, word.lower(), reason=reason)
        return {"message": "The feedback is counted.", **told}

    @endpoint("GET", "/v1/event/{event_id}", AdditionEvent, query=ProjectFields)
    async def event(self, request: ApiRequest) -> Any:
        """mem0: what an addition did; ids and no text."""
        return self._additions.one(request.owner.owner_ref(), request.values["event_id"])

    @endpoint("GET", "/v1/events", EventPage, query=ProjectFields)
    async def list_events(self, request: ApiRequest) -> Any:
        """mem0: the last additions of this process, newest first."""
        return event_page(self._additions.all(request.owner.owner_ref()))

    @endpoint("GET", f"{SERVER}/entities", list[EntityRow])
    async def server_entities(self, request: ApiRequest) -> Any:
        """mem0's server: the users, agents and runs that have memories."""
        return [entity_row(one) for one in await request.memory.users()]

    @endpoint(
        "DELETE", f"/v1{_ENTITY}", RemovedDict, Right.WRITE, query=ProjectFields,
        name="delete_entity_v1", summary=_ENTITY_REMOVED,
    )  # fmt: skip
    @endpoint(
        "DELETE", f"/v2{_ENTITY}", RemovedDict, Right.WRITE, query=ProjectFields,
        name="delete_entity_v2", summary=_ENTITY_REMOVED,
    )  # fmt: skip
    @endpoint(
        "DELETE", f"{SERVER}{_ENTITY}", RemovedDict, Right.WRITE, name="server_delete_entity",
        summary="mem0's server: remove the memories of one of them",
    )  # fmt: skip
    async def delete_entity(self, request: ApiRequest) -> Any:
        kind, name = request.values["entity_type"], request.values["entity_name"]
        result = await request.memory.delete_all(**{scope_id(kind): name})
        return {
            "message": f"The memories of this {kind} are deleted.", "deleted": result["deleted"]
        }  # fmt: skip

    @endpoint("GET", "/v1/memory", SingleList, query=models.SingleQuery)
    async def list_single(self, request: ApiRequest) -> Any:
        """The newest memories of a user."""
        one_user(request)
        limit = request.values["limit"]
        found = await request.memory.get_all(**request.ids, limit=limit, **_types(request))
        return {"memories": found["results"], "results": found["results"]}

    @endpoint("DELETE", "/v1/memory", RemovedDict, Right.WRITE, query=models.SingleDeleteQuery)
    async def delete_single_all(self, request: ApiRequest) -> Any:
        """Remove the memories of a user, or those of some types."""
        one_user(request)
        check_project(request)
        if types := _types(request):
            removed = await request.memory.delete_by_query(**request.ids, **types, statuses=_EVERY)
            return {"deleted": removed["deleted"], "message": ALL_DELETED}
        deleted = await request.memory.delete_all(**request.ids)
        return {"deleted": deleted["deleted"], "message": ALL_DELETED}

    @endpoint("GET", _MEMORIES, FoundDict, query=models.ServerListQuery)
    async def server_list(self, request: ApiRequest) -> Any:
        """mem0's server: the newest memories of a scope."""
        listed = await request.memory.get_all(**request.ids, limit=request.values["top_k"])
        return {"results": [memory(each) for each in listed["results"]]}

    @endpoint("DELETE", _MEMORIES, DoneDict, Right.WRITE, query=ScopeFields)
    async def server_delete_all(self, request: ApiRequest) -> Any:
        """mem0's server: remove the memories of a scope."""
        await request.memory.delete_all(**request.ids)
        return {"message": ALL_DELETED}

    @endpoint("GET", _ONE, MemoryDict | None, query=ScopeFields)
    async def server_get(self, request: ApiRequest) -> Any:
        """mem0's server: one memory, or null."""
        return await request.memory.get(request.values["memory_id"], **request.ids)

    @endpoint("PUT", _ONE, DoneDict, Right.WRITE, query=ScopeFields, body=models.ServerUpdateBody)
    async def server_update(self, request: ApiRequest) -> Any:
        """mem0's server: change a memory."""
        if cleared(request):
            await existing(request)
        else:
            said = request.values.only("memory_id", "text", "metadata")
            await request.memory.update(**said, **request.ids)
        return {"message": "Memory updated successfully!"}

    @endpoint("DELETE", _ONE, DoneDict, Right.WRITE, query=ScopeFields)
    async def server_delete(self, request: ApiRequest) -> Any:
        """mem0's server: remove a memory."""
        await request.memory.delete(request.values["memory_id"], **request.ids)
        return {"message": DELETED}

    @endpoint("POST", f"{SERVER}/reset", DoneDict, Right.ADMIN)
    async def server_reset(self, request: ApiRequest) -> Any:
        """mem0's server: remove all memories of the tenant.

        Nothing has to be confirmed, as there.
        """
        await request.memory.reset()
        return {"message": "All memories reset"}

    @endpoint("GET", f"{SERVER}/configure", dict[str, Any], Right.ADMIN)
    async def configuration(self, request: ApiRequest) -> Any:
        """mem0's server: that the configuration is a file.

        The configuration is not shown: it may hold secrets.
        """
        request.owner.whole_tenant()
        return {"server": "recollect", "config": "[redacted]", "message": _CONFIGURED}

    @endpoint(
        "POST", f"{SERVER}/configure", dict[str, Any], Right.ADMIN, body=models.ConfigurationBody
    )
    async def configure(self, request: ApiRequest) -> Any:
        """mem0's server: refused; the configuration is a file."""
        request.owner.whole_tenant()
        raise InvalidInputError("body", f"cannot be set over HTTP: {_CONFIGURED}")


OF_MEMORIES = operations_of(Mem0Memories)


async def answer_added(
    additions: Additions, request: ApiRequest, ids: Mapping[str, Any], adding: Awaitable[AddResult]
) -> Any:
    """The answer to an addition; a failure of the model is an error, not an empty success."""
    try:
        result = await adding
    except FAILURES as error:
        additions.note_failure(request.owner.scope(**ids), error.code)
        return failed(error)
    return added(result, additions.note(request.owner.scope(**ids), result))


def _meant(request: ApiRequest, *more: Mapping[str, Any]) -> Meant:
    values = request.values
    keys = {"metadata"} & values.keys()  # mem0's own server has no such field
    conditions = [{name: values[name]} for name in keys if values[name]]
    return meant(request.owner, request.ids, values["filters"], *conditions, *more)


async def delete_all(request: ApiRequest) -> dict[str, Any]:
    """Remove the memories of a scope, or those that the filters describe. Their history stays."""
    values = request.values
    check_project(request)
    for name, value in request.ids.items():
        if value == "*":
            raise InvalidInputError(
                name, "a deletion takes no wildcard; POST /v1/reset removes all"
            )
    for name in ("filters", "metadata"):
        check_filled(values[name], name)
    where = Meant(request.ids)
    if values["filters"] is not None or values["metadata"] is not None:
        where = _meant(request)
    if where.filters is None:
        deleted = (await request.memory.delete_all(**where.ids))["deleted"]
    else:
        removed = await request.memory.delete_by_query(
            **where.ids, filters=where.filters, statuses=_EVERY
        )
        deleted = removed["deleted"]
    return {"deleted": deleted, "message": ALL_DELETED}


def check_project(request: ApiRequest) -> None:
    """A deletion for another project than the credential's is refused: it would hit this one."""
    if request.values["project_id"] not in (None, request.tenant):
        raise InvalidInputError(
            "project_id",
            "a project is a tenant here, and the credential is for "
            f"{request.tenant!r}: leave it out",
        )


async def existing(request: ApiRequest) -> MemoryDict:
    """The memory that is named. Raises NotFoundError."""
    memory_id = request.values["memory_id"]
    found = await request.memory.get(memory_id, **request.ids)
    if found is None:
        raise NotFoundError(f"there is no memory {memory_id!r}")
    return found


def cleared(request: ApiRequest) -> bool:
    """Whether an update asks for nothing but that the memory has no time of its end."""
    values = request.values
    changes = (values["text"], values["metadata"], values.get("importance"))
    return bool(values["expiration_date"]) and all(change is None for change in changes)


def one_user(request: ApiRequest) -> None:
    """Raises InvalidInputError if neither the request nor the credential names a user."""
    if request.values["user_id"] is None and request.owner.user_id is None:
        raise InvalidInputError("user_id", "expected the user whose memories are meant")


def _types(request: ApiRequest) -> dict[str, Any]:
    said = request.values["type"]
    return {} if said is None else {"types": [each.strip() for each in said.split(",")]}


def scope_id(kind: str) -> str:
    """The id that names such an entity. Raises InvalidInputError."""
    if kind not in KINDS:
        said = "there is no app level; " if kind == "app" else ""
        raise InvalidInputError("entity_type", f"{said}expected one of {', '.join(KINDS)}")
    return KINDS[kind]


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
    items: list[Any], work: Callable[[Any], Awaitable[None]], done: str
) -> dict[str, Any]:
    """What became of each item. Raises the first error if none succeeded."""
    results: list[dict[str, str]] = []
    first: RecollectError | None = None
    for item in items:
        result = {"memory_id": item.memory_id, "status": done}
        try:
            await work(item)
        except RecollectError as error:
            first = first or error
            result |= {"status": "failed", "code": error.code, "detail": str(error)}
        results.append(result)
    succeeded = sum(one["status"] == done for one in results)
    if first is not None and not succeeded:
        raise first
    more = "." if first is None else "; see results."
    return {
        "message": f"Successfully {done} {succeeded} memories{more}",
        "results": results,
        "succeeded": succeeded,
        "failed": len(items) - succeeded,
    }

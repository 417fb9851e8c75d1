"""What mem0's routes do with a request: mostly one call of the library, in their words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from yarl import URL

from recollect.config.server import WebhookOptions
from recollect.memory import InvalidInputError, NotFoundError, RecollectError
from recollect.memory.api.results import RemovedDict
from recollect.memory.model.inputs import MAX_LIMIT
from recollect.memory.model.scope import SCOPE_IDS
from recollect.memory.model.types import MemoryStatus

from ..answers import MODEL_FAILURES
from ..request import ApiRequest
from . import shapes
from .events import Additions
from .fields import operation
from .filters import Meant, meant
from .issued_ids import asked_under, issued_for
from .shapes import memory

ALL_DELETED = "Memories deleted successfully!"
CONFIGURED = "the configuration is a file; see docs/configuration.md"
MOST_SUMMED = 20
"""Memories of a summary without a profile."""
_KINDS = {"user": "user_id", "agent": "agent_id", "run": "run_id"}
_HOW = ("messages", "metadata", "infer", "prompt", "includes", "excludes", "timestamp")
_EVERY = [status.value for status in MemoryStatus]
Handler = Callable[..., Awaitable[Any]]
Told = Callable[[ApiRequest, Any], Any]


def calls(
    name: str, fields: str = "", told: Told = lambda _, found: found, *, whose: bool = True
) -> Handler:
    """The handler of a route that is one operation of ours.

    `fields` are those of the request, `limit=top_k` where ours has another name; with `whose` the
    ids of the scope go with them. `told` makes the answer.
    """
    renamed = [each.rpartition("=") for each in fields.split()]

    async def handle(_mem0: Mem0, request: ApiRequest) -> Any:
        values = {ours or theirs: request.values[theirs] for ours, _, theirs in renamed}
        ids = request.ids if whose else {}
        return told(request, await operation(name).call(request.memory, values | ids))

    return handle


def says(answer: Any) -> Handler:
    """The handler of a route that always answers the same."""

    async def handle(_mem0: Mem0, _request: ApiRequest) -> Any:
        return answer

    return handle


def done(message: str) -> Told:
    """Only that something was done."""
    return lambda _request, _found: {"message": message}


def found(request: ApiRequest, listed: Mapping[str, Any]) -> Any:
    """Memories with the keys that mem0's have, or with those that are asked for."""
    only = request.values.get("fields")
    return {"results": [memory(each, only) for each in listed["results"]]}


def entities(_request: ApiRequest, listed: Mapping[str, Any]) -> Any:
    """Users, agents and runs by themselves."""
    return [shapes.entity_row(one) for one in listed["results"]]


def history(_request: ApiRequest, rows: Sequence[Any]) -> Any:
    """A history with mem0's names."""
    return [shapes.history_row(row) for row in rows]


def profile(request: ApiRequest, known: Mapping[str, Any]) -> Any:
    """What is known about a user as a person; `insufficient_data` if nothing of that kind is."""
    lines = known["results"]
    return {
        "status": "succeeded" if lines else "insufficient_data",
        "profile": {"lines": lines} if lines else None,
        "entity_type": "user",
        "entity_id": request.values["entity_id"],
        "updated_at": max((line["updated_at"] for line in lines), default=None),
    }


class Mem0:
    """The handlers of mem0's routes that are more than one call, and what they stand on."""

    def __init__(self, webhook: WebhookOptions) -> None:
        self._webhook = webhook
        self.additions = Additions()
        """The last additions, for those who ask for them as events."""

    async def add(self, request: ApiRequest, inner: Handler | None = None) -> Any:
        """`inner` adds what our own route is sent."""
        values = request.values
        where = meant(request.owner, request.ids, values.get("filters"))
        if where.filters is not None:
            raise InvalidInputError("filters", "only ids go with an addition")
        values["messages"] = readable(values["messages"])
        said = {name: each for name, each in values.items() if name in _HOW}
        scope = request.owner.scope(**where.ids)
        try:
            adding = inner(request) if inner else request.memory.add(**where.ids, **said)
            result = await adding
        except MODEL_FAILURES as error:
            self.additions.note(scope, (), error=error.code)
            raise
        return shapes.added(result, self.additions.note(scope, result["results"]))

    async def search(self, request: ApiRequest) -> Any:
        values, where = request.values, meant_by(request)
        limit, threshold = values["limit"] or values["top_k"], values["threshold"]
        asked = where.asked | {"limit": limit, "threshold": threshold}
        return found(request, await request.memory.search(values["query"], **asked))

    async def list_page(self, request: ApiRequest) -> Any:
        values = request.values
        times = {"gte": values["start_date"], "lte": values["end_date"]}
        created = {name: value for name, value in times.items() if value is not None}
        where = meant_by(request, None, *([{"created_at": created}] if created else []))
        number, size, only = values["page"], values["page_size"], values["fields"]
        if number * size > MAX_LIMIT:
            raise InvalidInputError(
                "page",
                f"expected at most {MAX_LIMIT} memories up to it; see `cursor` of GET /v1/memories",
            )
        count = (await request.memory.count(**where.asked))["count"]
        upto = await request.memory.get_all(**where.asked, limit=number * size)
        rows = [memory(each, only) for each in upto["results"][(number - 1) * size :]]
        return shapes.page(request.http.url, number, size, count, rows)

    async def feedback(self, request: ApiRequest) -> Any:
        word, reason = request.values["feedback"], request.values["feedback_reason"]
        if word is None:
            await existing(request)
            return {"message": "Accepted; without a feedback nothing is counted."}
        memory_id = request.values["memory_id"]
        told = await request.memory.feedback(memory_id, word.lower(), reason=reason)
        return {"message": "The feedback is counted.", **told}

    async def event(self, request: ApiRequest) -> Any:
        return self.additions.one(request.owner.owner_ref(), request.values["event_id"])

    async def events(self, request: ApiRequest) -> Any:
        known = self.additions.all(request.owner.owner_ref())
        return shapes.page(request.http.url, 1, len(known) or 1, len(known), known)

    async def delete_entity(self, request: ApiRequest) -> Any:
        kind = request.values["entity_type"]
        gone = await request.memory.delete_all(**{scope_id(kind): request.values["entity_name"]})
        return gone | {"message": f"The memories of this {kind} are deleted."}

    async def list_single(self, request: ApiRequest) -> Any:
        limit = request.values["limit"]
        rows = (await request.memory.get_all(**_one_users(request), limit=limit))["results"]
        return {"memories": rows, "results": rows}

    async def delete_single(self, request: ApiRequest) -> Any:
        return await delete_all(request, _one_users(request))

    async def get(self, request: ApiRequest) -> Any:
        return await request.memory.get(request.values["memory_id"], **request.ids)

    async def update(self, request: ApiRequest) -> Any:
        if cleared(request):
            await existing(request)
        else:
            said = request.values.only("memory_id", "text", "metadata")
            await request.memory.update(**said, **request.ids)
        return {"message": "Memory updated successfully!"}

    async def reset(self, request: ApiRequest) -> Any:
        await request.memory.reset()
        return {"message": "All memories reset"}

    async def configuration(self, request: ApiRequest) -> Any:
        request.owner.whole_tenant()
        return {"server": "recollect", "config": "[redacted]", "message": CONFIGURED}

    async def create_export(self, request: ApiRequest) -> Any:
        await request.memory.count(**meant_by(request).asked)  # refuses what cannot be asked
        issued = issued_for("export", request.owner, request.values.only(*SCOPE_IDS, "filters"))
        return {"id": issued, "status": "SUCCEEDED", "message": shapes.AS_THEY_ARE}

    async def get_export(self, request: ApiRequest) -> Any:
        asked: dict[str, Any] = request.values
        if asked["memory_export_id"] is not None:
            asked = asked_under("export", request.owner, asked["memory_export_id"], dict)
        listed = await request.memory.get_all(**meant_by(request, asked).asked, limit=MAX_LIMIT)
        return {
            "results": [memory(each) for each in listed["results"]],
            "count": len(listed["results"]),
            "complete": "next" not in listed,
            "schema_filled": False,
            "message": shapes.AS_THEY_ARE,
        }

    async def summary(self, request: ApiRequest) -> Any:
        where, source, lines = meant_by(request), "profile", list[Any]()
        if where.filters is None:
            lines += (await request.memory.profile(**where.ids))["results"]
        if not lines:
            source = "memories"
            lines += (await request.memory.get_all(**where.asked, limit=MOST_SUMMED))["results"]
        ids = [one for line in lines for one in line.get("ids", [line.get("id")])]
        text = "\n".join(line["memory"] for line in lines)
        return {"status": "succeeded", "summary": text, "source": source, "ids": ids}

    async def generate_profiles(self, request: ApiRequest) -> Any:
        asked = request.values
        sampled, user = asked["operation"] == "sample", asked["entity_id"]
        if sampled == (user is not None):
            raise InvalidInputError(
                "entity_id", "expected with the operation trigger, and only then"
            )
        users = [user if sampled else str(request.owner.scope(user).user_id)]
        if sampled:
            known = await request.memory.users()
            users = [one["name"] for one in known if one["type"] == "user"][: asked["limit"]]
        issued = issued_for("profile job", request.owner, len(users))
        return {
            "job_id": issued,
            "status": "succeeded",
            "status_url": f"/v2/profiles/jobs/{issued}/",
            "operation": asked["operation"],
            "entity_type": "user",
            "entity_count_reserved": len(users),
            "entity_ids": users,
            "sampled": len(users) if sampled else 0,
            "event_id": None,
            "replayed": False,
            "message": shapes.NOTHING_TO_DO,
        }

    async def profile_job(self, request: ApiRequest) -> Any:
        total = asked_under("profile job", request.owner, request.values["profile_job_id"], int)
        counts: dict[str, Any] = dict.fromkeys(("total", "completed", "succeeded"), total)
        rest = {"failed": 0, "skipped": 0, "enumeration_complete": True}
        return {"job": {"status": "succeeded", **counts, **rest}}

    async def set_profile_settings(self, request: ApiRequest) -> Any:
        if request.values["enabled"] is False:
            raise InvalidInputError("enabled", "profiles are computed on reading and cannot be off")
        return shapes.SETTINGS

    async def ping(self, request: ApiRequest) -> Any:
        return {"status": "ok", "org_id": request.tenant, "project_id": request.tenant}

    async def project(self, request: ApiRequest) -> Any:
        own(request)
        told: dict[str, Any] = dict.fromkeys(("id", "name", "project_id", "org_id"), request.tenant)
        known = {"multilingual": True, "enable_graph": request.memory.graph.is_on}
        return {name: known.get(name) for name in request.values["fields"] or ()} | told

    async def members(self, request: ApiRequest) -> Any:
        own(request)
        return []

    async def webhooks(self, request: ApiRequest) -> Any:
        own(request)
        if self._webhook.url is None:
            return []
        shown = URL(self._webhook.url).with_query(None).with_fragment(None).with_user(None)
        names = dict.fromkeys(("webhook_id", "name"), "events.webhook")
        events = list(self._webhook.events)
        more = {"url": str(shown), "event_types": events, "is_active": True}
        return [{**names, **more, "project": request.tenant}]


def refusing(why: str) -> Handler:
    """The handler of what is refused whatever is said."""

    async def refuse(_mem0: Mem0, request: ApiRequest) -> Any:
        request.owner.whole_tenant()
        raise InvalidInputError("body", f"cannot be done over HTTP: {why}")

    return refuse


def meant_by(
    request: ApiRequest, asked: Mapping[str, Any] | None = None, *more: Mapping[str, Any]
) -> Meant:
    """Whose memories a request means, or what was `asked` before, and which of them."""
    values = request.values if asked is None else asked
    said = values.get("metadata")  # mem0's own server has no such field
    conditions = [{"metadata": said}] if said else []
    ids = {name: values.get(name) for name in SCOPE_IDS}
    return meant(request.owner, ids, values.get("filters"), *conditions, *more)


async def delete_all(request: ApiRequest, which: Mapping[str, Any]) -> RemovedDict:
    """Remove the memories of a scope, or those of it that are described; their history stays."""
    if request.values["project_id"] not in (None, request.tenant):
        # It would hit this one.
        raise InvalidInputError(
            "project_id",
            "a project is a tenant here, and the credential is for "
            f"{request.tenant!r}: leave it out",
        )
    gone: Mapping[str, Any]
    if which.keys() - SCOPE_IDS:
        gone = await request.memory.delete_by_query(**which, statuses=_EVERY)
    else:
        gone = await request.memory.delete_all(**which)
    return RemovedDict(deleted=gone["deleted"], message=ALL_DELETED)


def own(request: ApiRequest) -> None:
    """Raises NotFoundError if the path names another organization or project than the tenant's."""
    tenant = request.owner.whole_tenant()
    for name in ("organization", "project"):
        if request.values.get(name, tenant) != tenant:
            raise NotFoundError(f"there is no {name} of this name for this credential")


async def existing(request: ApiRequest) -> Any:
    """The memory that is named. Raises NotFoundError."""
    named = {"memory_id": request.values["memory_id"]}
    ids = {name: each for name, each in request.values.items() if name in SCOPE_IDS}
    return await operation("get").call(request.memory, named | ids)


def cleared(request: ApiRequest) -> bool:
    """Whether an update asks for nothing but that the memory has no time of its end."""
    changes = (request.values.get(name) for name in ("text", "metadata", "importance"))
    return bool(request.values["expiration_date"]) and all(change is None for change in changes)


def _one_users(request: ApiRequest) -> dict[str, Any]:
    """Which memories of a user are meant. Raises InvalidInputError if nobody is named."""
    values = request.values
    if values["user_id"] is None and request.owner.user_id is None:
        raise InvalidInputError("user_id", "expected the user whose memories are meant")
    said = values["type"]
    types = {} if said is None else {"types": [each.strip() for each in said.split(",")]}
    return {**request.ids, **types}


def scope_id(kind: str) -> str:
    """The id that names such an entity. Raises InvalidInputError."""
    if kind not in _KINDS:
        said = "there is no app level; " if kind == "app" else ""
        raise InvalidInputError("entity_type", f"{said}expected one of {', '.join(_KINDS)}")
    return _KINDS[kind]


def readable(messages: Any) -> Any:
    """Messages as the library reads them: mem0 takes a single part as a content, too."""
    if isinstance(messages, list):
        return [readable(message) for message in messages]
    if isinstance(messages, dict) and isinstance(messages.get("content"), dict):
        return {**messages, "content": [messages["content"]]}
    return messages


def each(name: str, word: str) -> Handler:
    """The handler of a batch that is an operation for each item, by itself."""

    async def handle(_mem0: Mem0, request: ApiRequest) -> Any:
        results, errors = [], list[RecollectError]()
        for item in request.values["memories"]:
            result = {"memory_id": item.memory_id, "status": word}
            try:
                await getattr(request.memory, name)(**item.model_dump())
            except RecollectError as error:
                errors.append(error)
                result |= {"status": "failed", "code": error.code, "detail": str(error)}
            results.append(result)
        if len(errors) == len(results):
            raise errors[0]
        counts = {"succeeded": len(results) - len(errors), "failed": len(errors)}
        told = f"Successfully {word} {counts['succeeded']} memories"
        message = f"{told}; see results." if errors else f"{told}."
        return {"message": message, "results": results, **counts}

    return handle

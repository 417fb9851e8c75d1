"""The memory API: `AsyncMemory` over HTTP. Errors are `{"detail": …}`, as its clients expect."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from config.server import ApiOptions, IdentityOptions, ListenOptions
from memory import (
    AsyncMemory,
    InvalidInputError,
    NotFoundError,
    RecollectError,
    Scope,
    ScopeError,
)
from memory.types import SCOPE_REQUIRED

from ..credentials import ClientModels, FixedModel, TenantModel
from ..explaining import Explainer
from ..learning import Learning
from ..source import FOREIGN_HOST, FOREIGN_ORIGIN, cors_headers, foreign_source, preflight_headers
from .auth import UnauthorizedError, api_tenant

log = logging.getLogger(__name__)

PREFIX = "/v1/memories"
RESET = "/v1/reset"

_IDS = ("user_id", "agent_id", "run_id")
_ADD_FIELDS = {*_IDS, "messages", "metadata", "infer", "timestamp", "prompt"}

Handler = Callable[["MemoryApi", web.Request, AsyncMemory], Awaitable[Any]]
Forget = Callable[[Scope | str, str | None], None]


class MemoryApi:
    """The handlers, and which path leads to which."""

    def __init__(
        self,
        *,
        memory: AsyncMemory,
        models: ClientModels | FixedModel,
        learning: Learning,
        api: ApiOptions,
        identity: IdentityOptions,
        listen: ListenOptions,
        on_loopback: bool,
        on_forgotten: Sequence[Forget] = (),
        explainer: Explainer | None = None,
    ) -> None:
        """`on_forgotten` are told whose memories are gone from the store, or which one is.

        Without an `explainer` nothing can be explained.
        """
        self._memory = memory
        self._models = models
        self._learning = learning
        self._options = api
        self._identity = identity
        self._on_loopback = on_loopback
        self._listen = listen
        self._on_forgotten = on_forgotten
        self._explainer = explainer

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Refuse foreign web pages, and let configured ones read the answer."""
        foreign = foreign_source(request.headers, self._listen, on_loopback=self._on_loopback)
        if foreign is not None:
            return _detail(403, _FOREIGN[foreign])
        if request.method == "OPTIONS":
            allowed = preflight_headers(request.headers, self._listen, _METHODS)
            if allowed is not None:
                return web.Response(status=204, headers=allowed)
        response = await self._answer(request)
        response.headers.update(cors_headers(request.headers, self._listen))
        return response

    async def _answer(self, request: web.Request) -> web.Response:
        """Find the tenant, run the handler, turn our errors into answers."""
        handler = _find(request)
        if handler is None:
            return _detail(405, f"{request.method} is not possible here")
        try:
            tenant = api_tenant(
                request.headers, self._options, self._identity, on_loopback=self._on_loopback
            )
            memory = self._memory.for_tenant(tenant, TenantModel(self._models, tenant))
            return _json(200, await handler(self, request, memory))
        except UnauthorizedError:
            response = _detail(401, "a valid API token is required")
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
        except (ScopeError, InvalidInputError) as error:
            return _detail(400, str(error))
        except NotFoundError as error:
            return _detail(404, str(error))
        except web.HTTPRequestEntityTooLarge:
            return _detail(413, f"the body may have {self._options.max_body_bytes} bytes at most")
        except RecollectError as error:
            log.warning("the memory API failed: %s: %s", error.code, error)
            return _detail(503, f"{error.code}: memory is not available at the moment")

    async def add(self, request: web.Request, memory: AsyncMemory) -> Any:
        body = await self._body(request)
        if unknown := sorted(body.keys() - _ADD_FIELDS):
            raise InvalidInputError(unknown[0], "there is no such field")
        if "messages" not in body:
            raise InvalidInputError("messages", "expected a string or a list of messages")
        infer = body.get("infer", True)
        if not isinstance(infer, bool):
            raise InvalidInputError("infer", "expected true or false")
        return await memory.add(
            body["messages"],
            **_ids(body),
            metadata=body.get("metadata"),
            infer=infer,
            prompt=_optional_text(body, "prompt"),
            timestamp=_timestamp(body.get("timestamp")),
        )

    async def search(self, request: web.Request, memory: AsyncMemory) -> Any:
        query = request.query
        threshold = query.get("threshold")
        return await memory.search(
            query.get("q", query.get("query", "")),
            **_ids(query),
            **_page(query),
            threshold=None if threshold is None else _number("threshold", threshold, float),
        )

    async def explain(self, request: web.Request, memory: AsyncMemory) -> Any:
        """What a chat that says `q` would be given, and why."""
        if self._explainer is None:
            raise NotFoundError("this server explains nothing")
        scope = Scope(tenant=memory.tenant, **_ids(request.query))
        message = request.query.get("q", request.query.get("query", ""))
        return await self._explainer.explain(scope, message)

    async def get_all(self, request: web.Request, memory: AsyncMemory) -> Any:
        return await memory.get_all(**_ids(request.query), **_page(request.query))

    async def get(self, request: web.Request, memory: AsyncMemory) -> Any:
        found = await memory.get(_id(request))
        if found is None:
            raise NotFoundError(f"there is no memory {_id(request)!r}")
        return found

    async def update(self, request: web.Request, memory: AsyncMemory) -> Any:
        text = (await self._body(request)).get("text", "")
        try:
            return await memory.update(_id(request), text)
        finally:
            self._forget(memory.tenant, _id(request))

    async def delete(self, request: web.Request, memory: AsyncMemory) -> Any:
        try:
            await memory.delete(_id(request))
        finally:
            self._forget(memory.tenant, _id(request))
        return {"deleted": 1}

    async def delete_all(self, request: web.Request, memory: AsyncMemory) -> Any:
        ids = _ids(request.query)
        try:
            return await memory.delete_all(**ids)
        finally:
            if any(ids.values()):
                self._forget(Scope(tenant=memory.tenant, **ids))

    async def history(self, request: web.Request, memory: AsyncMemory) -> Any:
        return await memory.history(_id(request))

    async def reset(self, _request: web.Request, memory: AsyncMemory) -> Any:
        try:
            await memory.reset()
        finally:
            self._forget(memory.tenant)
        return {"reset": True}

    async def flush(self, request: web.Request, memory: AsyncMemory) -> Any:
        """Learn now what was captured; answers when that is done, with what became of it."""
        ids = _ids(await self._body(request)) if request.body_exists else {}
        scope = Scope(tenant=memory.tenant, **ids) if any(ids.values()) else None
        if scope is None and self._identity.mode == "gateway":
            raise ScopeError(SCOPE_REQUIRED)
        runs = await self._learning.flush(scope)
        return {
            "jobs": dict(Counter(run.outcome.value for run in runs)),
            "events": dict(Counter(event.value for run in runs for event in run.events)),
        }

    def _forget(self, whose: Scope | str, memory_id: str | None = None) -> None:
        """Also what was kept of it outside the store, even if the store failed half-way."""
        for forget in self._on_forgotten:
            forget(whose, memory_id)

    async def _body(self, request: web.Request) -> Mapping[str, Any]:
        raw = await request.clone(client_max_size=self._options.max_body_bytes).read()
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
            raise InvalidInputError("body", "expected a JSON object") from None
        if not isinstance(body, dict):
            raise InvalidInputError("body", "expected a JSON object")
        return body


_FOREIGN = {
    FOREIGN_HOST: "this host name is not one of this server's; see listen.allowed_hosts",
    FOREIGN_ORIGIN: "web pages of other origins may not use the memory API; "
    "see listen.allowed_origins",
}
_METHODS = ("GET", "POST", "PUT", "DELETE")
_COLLECTION: dict[str, Handler] = {
    "POST": MemoryApi.add,
    "GET": MemoryApi.get_all,
    "DELETE": MemoryApi.delete_all,
}
_ONE: dict[str, Handler] = {
    "GET": MemoryApi.get,
    "PUT": MemoryApi.update,
    "DELETE": MemoryApi.delete,
}


def _find(request: web.Request) -> Handler | None:
    """Paths work with and without their last slash."""
    path = request.path.rstrip("/")
    if path == RESET:
        return MemoryApi.reset if request.method == "POST" else None
    match path.removeprefix(PREFIX).split("/")[1:]:
        case []:
            return _COLLECTION.get(request.method)
        case ["search"]:
            return MemoryApi.search if request.method == "GET" else None
        case ["explain"]:
            return MemoryApi.explain if request.method == "GET" else None
        case ["flush"]:
            return MemoryApi.flush if request.method == "POST" else None
        case [_]:
            return _ONE.get(request.method)
        case [_, "history"]:
            return MemoryApi.history if request.method == "GET" else None
        case _:
            return None


def _id(request: web.Request) -> str:
    return request.path.removeprefix(PREFIX).split("/")[1]


def _ids(source: Mapping[str, Any]) -> dict[str, Any]:
    return {name: source.get(name) for name in _IDS}


def _page(query: Mapping[str, str]) -> dict[str, Any]:
    page: dict[str, Any] = {}
    if "limit" in query:
        page["limit"] = _number("limit", query["limit"], int)
    if "status" in query:
        page["status"] = query["status"]
    return page


def _number(field: str, text: str, kind: Callable[[str], Any]) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise InvalidInputError(field, "expected a number") from None


def _optional_text(body: Mapping[str, Any], field: str) -> str | None:
    value = body.get(field)
    if value is not None and not isinstance(value, str):
        raise InvalidInputError(field, "expected text")
    return value


def _timestamp(value: Any) -> datetime | None:
    """Seconds since the epoch, or ISO 8601."""
    try:
        if value is None:
            return None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        return datetime.fromisoformat(value)
    except (TypeError, ValueError, OverflowError, OSError):
        raise InvalidInputError(
            "timestamp", "expected ISO 8601 or seconds since the epoch"
        ) from None


def _json(status: int, value: Any) -> web.Response:
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return web.Response(status=status, body=body, content_type="application/json")


def _detail(status: int, message: str) -> web.Response:
    return _json(status, {"detail": message})

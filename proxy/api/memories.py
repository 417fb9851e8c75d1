"""The memory API: `AsyncMemory` over HTTP. Errors are `{"detail": …}`, as its clients expect."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from config.server import ApiOptions, IdentityOptions
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
from ..learning import Learning
from .auth import ForbiddenError, UnauthorizedError, api_tenant, check_source

log = logging.getLogger(__name__)

PREFIX = "/v1/memories"
RESET = "/v1/reset"

_IDS = ("user_id", "agent_id", "run_id")
_ADD_FIELDS = {*_IDS, "messages", "metadata", "infer", "timestamp", "prompt"}

Handler = Callable[["MemoryApi", web.Request, AsyncMemory], Awaitable[Any]]


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
        on_loopback: bool,
    ) -> None:
        self._memory = memory
        self._models = models
        self._learning = learning
        self._options = api
        self._identity = identity
        self._on_loopback = on_loopback

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Find the tenant, run the handler, turn our errors into answers."""
        handler = _find(request)
        if handler is None:
            return _detail(405, f"{request.method} is not possible here")
        try:
            check_source(request.headers, self._options, on_loopback=self._on_loopback)
            tenant = api_tenant(
                request.headers, self._options, self._identity, on_loopback=self._on_loopback
            )
            memory = self._memory.for_tenant(tenant, TenantModel(self._models, tenant))
            return _json(200, await handler(self, request, memory))
        except ForbiddenError as error:
            return _detail(403, str(error))
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

    async def get_all(self, request: web.Request, memory: AsyncMemory) -> Any:
        return await memory.get_all(**_ids(request.query), **_page(request.query))

    async def get(self, request: web.Request, memory: AsyncMemory) -> Any:
        found = await memory.get(_id(request))
        if found is None:
            raise NotFoundError(f"there is no memory {_id(request)!r}")
        return found

    async def update(self, request: web.Request, memory: AsyncMemory) -> Any:
        return await memory.update(_id(request), (await self._body(request)).get("text", ""))

    async def delete(self, request: web.Request, memory: AsyncMemory) -> Any:
        await memory.delete(_id(request))
        return {"deleted": 1}

    async def delete_all(self, request: web.Request, memory: AsyncMemory) -> Any:
        return await memory.delete_all(**_ids(request.query))

    async def history(self, request: web.Request, memory: AsyncMemory) -> Any:
        return await memory.history(_id(request))

    async def reset(self, _request: web.Request, memory: AsyncMemory) -> Any:
        await memory.reset()
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

    async def _body(self, request: web.Request) -> Mapping[str, Any]:
        raw = await request.clone(client_max_size=self._options.max_body_bytes).read()
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
            raise InvalidInputError("body", "expected a JSON object") from None
        if not isinstance(body, dict):
            raise InvalidInputError("body", "expected a JSON object")
        return body


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

"""The memory API: `AsyncMemory` over HTTP. Errors are `{"detail": …}`, as its clients expect."""

from __future__ import annotations

import contextlib
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
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
from memory.errors import StateError
from memory.ports import ChatModel
from memory.types import SCOPE_REQUIRED

from ..credentials import ClientModels, FixedModel, TenantModel
from ..errors import unexpected
from ..explaining import Explainer
from ..learning import Learning
from ..source import FOREIGN_HOST, FOREIGN_ORIGIN, Sources, cors_headers, preflight_headers
from .auth import UnauthorizedError, api_tenant
from .fields import (
    PREFIX,
    SCOPE_IDS,
    flag,
    memory_id_of,
    number,
    only,
    optional_text,
    page_of,
    scope_ids,
    timestamp_of,
)
from .forgetting import Forgetting
from .jobs import JobsApi

log = logging.getLogger(__name__)

RESET = "/v1/reset"

_ADD_FIELDS = frozenset({*SCOPE_IDS, "messages", "metadata", "infer", "timestamp", "prompt"})

Handler = Callable[["MemoryApi", web.Request, AsyncMemory], Awaitable[Any]]
Forget = Callable[[Scope | str, str | None], None]
Announce = Callable[[Scope | str, str | None], Awaitable[None]]


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
        announce: Announce | None = None,
        explainer: Explainer | None = None,
        forgetting: Forgetting | None = None,
        jobs: JobsApi | None = None,
    ) -> None:
        """`on_forgotten` are told whose memories are gone from the store, or which one is.

        `announce` tells other processes.

        Without an `explainer` nothing can be explained, and so on.
        """
        self._memory = memory
        self._models = models
        self._learning = learning
        self._options = api
        self._identity = identity
        self._on_loopback = on_loopback
        self._sources = Sources(listen, on_loopback=on_loopback)
        self._listen = listen
        self._on_forgotten = on_forgotten
        self._announce = announce
        self._explainer = explainer
        self._forgetting = forgetting
        self._jobs = jobs

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Refuse foreign web pages, and let configured ones read the answer."""
        foreign = self._sources.foreign(request.headers)
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
            memory = self._memory.for_tenant(tenant, self._model(tenant))
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
        except Exception as error:  # noqa: BLE001 - told in the log, and to the client in its shape
            return _detail(500, unexpected(error, "the memory API").message)

    def _model(self, tenant: str) -> ChatModel:
        model = TenantModel(self._models, tenant)
        return model if self._jobs is None else self._jobs.metered(model, tenant)

    async def add(self, request: web.Request, memory: AsyncMemory) -> Any:
        body = await self.body(request)
        only(body, _ADD_FIELDS)
        if "messages" not in body:
            raise InvalidInputError("messages", "expected a string or a list of messages")
        return await memory.add(
            body["messages"],
            **scope_ids(body),
            metadata=body.get("metadata"),
            infer=flag(body, "infer", default=True),
            prompt=optional_text(body, "prompt"),
            timestamp=timestamp_of(body.get("timestamp")),
        )

    async def search(self, request: web.Request, memory: AsyncMemory) -> Any:
        query = request.query
        threshold = query.get("threshold")
        return await memory.search(
            query.get("q", query.get("query", "")),
            **scope_ids(query),
            **page_of(query),
            threshold=None if threshold is None else number("threshold", threshold, float),
        )

    async def explain(self, request: web.Request, memory: AsyncMemory) -> Any:
        """What a chat that says `q` would be given, and why."""
        if self._explainer is None:
            raise NotFoundError("this server explains nothing")
        scope = Scope(tenant=memory.tenant, **scope_ids(request.query))
        message = request.query.get("q", request.query.get("query", ""))
        return await self._explainer.explain(scope, message)

    async def get_all(self, request: web.Request, memory: AsyncMemory) -> Any:
        return await memory.get_all(**scope_ids(request.query), **page_of(request.query))

    async def get(self, request: web.Request, memory: AsyncMemory) -> Any:
        found = await memory.get(memory_id_of(request))
        if found is None:
            raise NotFoundError(f"there is no memory {memory_id_of(request)!r}")
        return found

    async def update(self, request: web.Request, memory: AsyncMemory) -> Any:
        text = (await self.body(request)).get("text", "")
        try:
            return await memory.update(memory_id_of(request), text)
        finally:
            await self._forget(memory.tenant, memory_id_of(request))

    async def delete(self, request: web.Request, memory: AsyncMemory) -> Any:
        try:
            await memory.delete(memory_id_of(request))
        finally:
            await self._forget(memory.tenant, memory_id_of(request))
        return {"deleted": 1}

    async def delete_all(self, request: web.Request, memory: AsyncMemory) -> Any:
        ids = scope_ids(request.query)
        try:
            return await memory.delete_all(**ids)
        finally:
            if any(ids.values()):
                await self._forget(Scope(tenant=memory.tenant, **ids))

    async def validate(self, request: web.Request, memory: AsyncMemory) -> Any:
        return await memory.validate(memory_id_of(request))

    async def forget(self, request: web.Request, memory: AsyncMemory) -> Any:
        """Erase everywhere, with a receipt; or say what would be erased."""
        if self._forgetting is None:
            raise NotFoundError("this server forgets nothing")
        return await self._forgetting.forget(memory.tenant, await self.body(request))

    async def list_jobs(self, request: web.Request, memory: AsyncMemory) -> Any:
        if self._jobs is None:
            raise NotFoundError("this server has no jobs")
        return await self._jobs.list(memory.tenant, request.query)

    async def retry_job(self, request: web.Request, memory: AsyncMemory) -> Any:
        if self._jobs is None:
            raise NotFoundError("this server has no jobs")
        return await self._jobs.retry(memory.tenant, request.path.rstrip("/").split("/")[-2])

    async def usage(self, _request: web.Request, memory: AsyncMemory) -> Any:
        """What learning has cost this tenant today."""
        if self._jobs is None:
            raise NotFoundError("this server learns nothing")
        return await self._jobs.usage(memory.tenant)

    async def history(self, request: web.Request, memory: AsyncMemory) -> Any:
        return await memory.history(memory_id_of(request))

    async def reset(self, _request: web.Request, memory: AsyncMemory) -> Any:
        try:
            await memory.reset()
        finally:
            await self._forget(memory.tenant)
        return {"reset": True}

    async def flush(self, request: web.Request, memory: AsyncMemory) -> Any:
        """Learn now what was captured; answers when that is done, with what became of it."""
        ids = scope_ids(await self.body(request)) if request.body_exists else {}
        scope = Scope(tenant=memory.tenant, **ids) if any(ids.values()) else None
        if scope is None and self._identity.mode == "gateway":
            raise ScopeError(SCOPE_REQUIRED)
        runs = await self._learning.flush(scope)
        return {
            "jobs": dict(Counter(run.outcome.value for run in runs)),
            "events": dict(Counter(event.value for run in runs for event in run.events)),
        }

    async def _forget(self, whose: Scope | str, memory_id: str | None = None) -> None:
        """Also what was kept of it outside the store, even if the store failed half-way."""
        for forget in self._on_forgotten:
            forget(whose, memory_id)
        if self._announce is not None:
            with contextlib.suppress(StateError):  # others hear of the gap when it is over
                await self._announce(whose, memory_id)

    async def body(self, request: web.Request) -> Mapping[str, Any]:
        """The JSON object a request carries. Raises InvalidInputError."""
        raw = await request.clone(client_max_size=self._options.max_body_bytes).read()
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
            raise InvalidInputError("body", "expected a JSON object") from None
        if not isinstance(body, dict):
            raise InvalidInputError("body", "expected a JSON object")
        return body


_FOREIGN = {
    FOREIGN_HOST: "this host name is not one of this server's; "
    "if it is, add it to listen.allowed_hosts",
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


_NAMED: dict[tuple[str, str], Handler] = {
    ("GET", "search"): MemoryApi.search,
    ("GET", "explain"): MemoryApi.explain,
    ("POST", "flush"): MemoryApi.flush,
    ("POST", "forget"): MemoryApi.forget,
    ("GET", "usage"): MemoryApi.usage,
    ("GET", "jobs"): MemoryApi.list_jobs,
}
"""What is no memory's id, whatever the method."""
_OF_ONE: dict[tuple[str, str], Handler] = {
    ("GET", "history"): MemoryApi.history,
    ("POST", "validate"): MemoryApi.validate,
}


def _find(request: web.Request) -> Handler | None:
    """Paths work with and without their last slash."""
    path, method = request.path.rstrip("/"), request.method
    if path == RESET:
        return MemoryApi.reset if method == "POST" else None
    match path.removeprefix(PREFIX).split("/")[1:]:
        case []:
            return _COLLECTION.get(method)
        case [name] if any(name == known for _, known in _NAMED):
            return _NAMED.get((method, name))
        case [_]:
            return _ONE.get(method)
        case ["jobs", _, "retry"]:
            return MemoryApi.retry_job if method == "POST" else None
        case [_, name]:
            return _OF_ONE.get((method, name))
        case _:
            return None


def _json(status: int, value: Any) -> web.Response:
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return web.Response(status=status, body=body, content_type="application/json")


def _detail(status: int, message: str) -> web.Response:
    return _json(status, {"detail": message})

"""`/mcp`: who may use it, for whose memories, how often; the protocol itself is in `protocol`.

A request stands alone: nothing of a client is kept between two of them. So there are no sessions to
bound, each worker and each replica can answer each request, and a restart breaks no client. The
session id that a client is given only tells its calls from others', for it to cancel them. No
answer is a stream, so a GET is refused, as the protocol allows.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import uuid
from collections.abc import AsyncIterator, Hashable, Mapping
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any

from aiohttp import web

from recollect.config import Settings
from recollect.memory import AsyncMemory, Scope
from recollect.memory.model.scope import SCOPE_IDS
from recollect.memory.util.extras import missing_extra
from recollect.memory.util.tasks import Tasks

from ..access.identity import AGENT_HEADER, MEMORY_HEADER
from ..access.naming import SESSION_HEADER, USER_HEADER
from ..access.request_origin import FOREIGN_HOST
from ..access.rights import Grant, Right
from ..api.dispatch import Dispatcher
from ..api.request import ApiRequest, Values
from ..api.sending import claimant_of
from ..api.shares import Ceiling, Shares
from .bridge import exchange
from .calls import Calls
from .desk import Desk, OpenDesk, recorded_of
from .envelope import Envelope, UnreadableError, envelope_of, rpc_error
from .request_scope import only_reads, scope_of

MCP = "/mcp"
SESSION_ID = "Mcp-Session-Id"
ALLOW, EXPOSE = "Access-Control-Allow-Headers", "Access-Control-Expose-Headers"
_PROTOCOLS = (SESSION_ID, "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name")
SENT = ", ".join((*_PROTOCOLS, USER_HEADER, AGENT_HEADER, SESSION_HEADER, MEMORY_HEADER))
"""The headers of clients of the protocol, which a page of a configured origin may send too."""
VISIT = "recollect.visit"
"""The value of the ASGI scope with what a client may use."""
AT_ONCE = Ceiling(total=256, per_tenant=128, per_user=32)
"""Requests that are answered at a time."""
LARGE_BYTES = 2**16
"""Of an answer that is sent in pieces, to a client that has to read them."""
DRAIN_SECONDS = 5.0
"""How long the shutdown waits for writes whose client does not wait any more."""
_CODES = {401: -32001, 403: -32003, 429: -32005}
_INVALID_REQUEST, _INTERNAL = -32600, -32603


class McpEndpoint:
    """The handler of `/mcp`."""

    def __init__(self, api: Dispatcher, settings: Settings) -> None:
        """`api` has the rules on callers, their limits and the audit log: they are the same."""
        self._api = api
        self._settings = settings
        self._tasks = Tasks()
        self._calls = Calls(self._tasks)
        self._at_once = Shares("requests to /mcp", AT_ONCE)
        self._loaded = False

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a client, or say why not: in HTTP's status, and as an error of JSON-RPC."""
        access = self._api.access
        foreign = access.foreign(request.headers)
        if foreign is not None:
            which = "host name" if foreign == FOREIGN_HOST else "origin"
            return _refusal(403, f"this {which} is not one of this server's; see listen.allowed_*")
        if request.method == "OPTIONS":
            headers = access.preflight(request.headers, ("POST",))
            if headers is not None:
                return web.Response(status=204, headers=_with(headers, ALLOW, SENT))
        added = _with(access.cors(request.headers), EXPOSE, SESSION_ID)
        with self._api.telemetry.operation(request.method, MCP, "mcp", request.headers):
            response = await self._told(request, added)
        if not response.prepared:
            response.headers.update(added)
        return response

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[McpEndpoint]:
        """It, and at the end nothing is left of it: by then no request is being answered."""
        try:
            yield self
        finally:
            await self._tasks.drain(DRAIN_SECONDS)

    async def _told(self, request: web.Request, added: dict[str, str]) -> web.StreamResponse:
        """The answer, or what is answered for its error."""
        try:
            return await self._answer(request, added)
        except UnreadableError as error:
            return _refusal(400, str(error), error.code)
        except Exception as error:  # noqa: BLE001 - logged, and answered in the protocol's format
            status, message, headers = self._api.refusal(error, MCP)
            response = _refusal(status, message)
            response.headers.update(headers)
            return response

    async def _answer(self, request: web.Request, added: dict[str, str]) -> web.StreamResponse:
        if request.method != "POST":
            response = _refusal(405, f"{request.method} is not allowed here, only POST: no stream")
            response.headers["Allow"] = "POST"
            return response
        grant = await self._granted(request, added)
        scope = scope_of(
            request.headers,
            request.rel_url.raw_query_string,
            self._settings.identity,
            grant.owner,
            on_loopback=self._api.access.on_loopback,
        )
        reads = grant.right < Right.WRITE or only_reads(request.headers)
        if not self._loaded and (missing := missing_extra("mcp")) is not None:
            return _refusal(501, f"{MCP} {missing}")
        body = await self._api.body_of(request, grant) or b""
        asked = envelope_of(body)
        caller = self._caller(request, grant, scope, added)
        with self._at_once.taken(claimant_of(caller)):
            return await self._carried_out(caller, scope, asked, body, reads=reads)

    async def _granted(self, request: web.Request, added: dict[str, str]) -> Grant:
        grant = self._api.access.grant(request.headers, self._settings.api, request.remote)
        if not grant.administers:
            await self._api.count(grant, added)
        grant.check(Right.READ)
        return grant

    def _caller(
        self, request: web.Request, grant: Grant, scope: Scope, added: dict[str, str]
    ) -> ApiRequest:
        owner = grant.owner
        memory = AsyncMemory(self._api.engine, tenant=owner.tenant, only_user=owner.user_id)
        ids = Values(dict.fromkeys(SCOPE_IDS) | scope.ids())
        return ApiRequest(ids, memory, grant, request, added)

    async def _carried_out(
        self, caller: ApiRequest, scope: Scope, asked: Envelope, body: bytes, *, reads: bool
    ) -> web.StreamResponse:
        if not self._loaded:  # in a thread: it takes long
            await asyncio.to_thread(importlib.import_module, f"{__package__}.protocol")
            self._loaded = True
        from .protocol import Visit, request_key

        session = caller.http.headers.get(SESSION_ID)
        key = _key(caller.grant, scope, session)
        if asked.cancels is not None and key is not None:
            self._calls.cancel((*key, request_key(asked.cancels)))
        visit = Visit(self._desk(caller, scope, reads=reads), key)
        manager = self._manager()
        async with manager.run():
            answer = await exchange(manager.handle_request, caller.http, body, {VISIT: visit})
        if len(answer.body) > LARGE_BYTES:
            return await self._api.sending.whole(caller, answer.status, bytes(answer.body))
        response = web.Response(status=answer.status, body=bytes(answer.body))
        response.headers.update(
            [pair for pair in answer.headers if pair[0].lower() != "content-length"]
        )
        response.headers["Cache-Control"] = "no-store"
        if asked.begins and answer.status == 200:  # noqa: PLR2004 - HTTP's word for success
            response.headers[SESSION_ID] = uuid.uuid4().hex
        return response

    def _desk(self, caller: ApiRequest, scope: Scope, *, reads: bool) -> Desk:
        options = self._settings.tools
        tools = caller.memory.tools(
            **scope.ids(), names=options.names, validates=options.validates, read_only=reads
        )
        recorded = recorded_of(caller, self._api.audit, self._api.telemetry.totals)
        return OpenDesk(caller.memory, scope.ids(), tools, recorded)

    @cached_property
    def _server(self) -> Any:
        from .protocol import server_of

        return server_of(_visit_in, self._calls, importlib.metadata.version("recollect"))

    def _manager(self) -> Any:
        """What reads one request over HTTP, and ends with it."""
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        # Bodies are bounded before, by the tenant's limit.
        return StreamableHTTPSessionManager(
            self._server, stateless=True, json_response=True, max_request_body_size=2**40
        )


def _with(headers: Mapping[str, str], name: str, more: str) -> dict[str, str]:
    """The headers of a browser's answer; one that lists headers, if it is there, lists more."""
    return {each: f"{value}, {more}" if each == name else value for each, value in headers.items()}


def _visit_in(context: Any) -> Any:
    return context.request.scope[VISIT]


def _key(grant: Grant, scope: Scope, session: str | None) -> tuple[Hashable, ...] | None:
    """What a call shares with the others of its client. Of another's session nobody has the key."""
    return None if session is None else (grant.who, grant.owner, scope, session)


def _refusal(status: int, message: str, code: int | None = None) -> web.Response:
    """An answer before any request of the protocol was read."""
    if code is None:
        code = _CODES.get(status, _INTERNAL if status >= 500 else _INVALID_REQUEST)  # noqa: PLR2004
    return web.Response(
        status=status,
        body=json.dumps(rpc_error(code, message)).encode(),
        content_type="application/json",
    )

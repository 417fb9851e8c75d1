"""The application: settings in, routes out; `composing` opens and wires what is behind them.

All parts live in one `cleanup_ctx`, which closes them in reverse order. Handlers get their
collaborators by closure; there are no globals.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

from aiohttp import web

from recollect.config import Settings
from recollect.memory.util.siblings import Sibling
from recollect.memory.util.tasks import Tasks

from .access.reserved_paths import MEMORY_API
from .access.upstream_guard import Handler
from .composing import Handlers, compose
from .dashboard.files import ROOT as DASHBOARD
from .dashboard.handler import Dashboard
from .dialects.chat import CHAT
from .dialects.messages import MESSAGES
from .dialects.ollama import OLLAMA
from .dialects.responses import RESPONSES
from .errors import answer_errors, note_begun
from .mcp.endpoint import MCP
from .transport.header_bytes import keep_header_bytes
from .transport.paths import spellings
from .transport.relay import hide_server
from .transport.routing import ROUTING, Routing

DIALECTS = (CHAT, RESPONSES, MESSAGES, OLLAMA)
"""The APIs with memory: requests get memories, turns are learned."""
HANDLERS = web.AppKey("handlers", Handlers)
TASKS = web.AppKey("tasks", Tasks)


def build_app(settings: Settings, sibling: Sibling | None = None) -> web.Application:
    """The application. Its start-up opens the parts, its shutdown closes them.

    A `sibling` shares embedded parts with others of its machine.

    Raises, at start-up: StateError, StoreError, EmbeddingError; the message says what to do.
    """
    keep_header_bytes()

    async def parts(app: web.Application) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            app[HANDLERS] = await compose(settings, DIALECTS, app[TASKS], stack, sibling)
            yield

    app = web.Application(
        # No limit here: readers bound the bodies they parse, and the upstream decides about the
        # size of proxied ones.
        client_max_size=0,
        middlewares=[answer_errors],
    )
    app[TASKS] = Tasks()
    app[ROUTING] = Routing(app, answer_errors)
    app.cleanup_ctx.append(parts)
    app.on_response_prepare.extend((hide_server, note_begun))
    app.on_shutdown.append(_close_streams)
    _add_routes(app, api=settings.api.enabled)
    return app


async def _close_streams(app: web.Application) -> None:
    """WebSocket sessions and streams of changes do not end by themselves."""
    app[HANDLERS].passthrough.tunnels.close()
    app[HANDLERS].memories.close()
    app[HANDLERS].state.close()


def _add_routes(app: web.Application, *, api: bool) -> None:
    """Our own routes first; every other request goes upstream if the guard lets it."""
    route = app.router.add_route
    for dialect in DIALECTS:
        for path in spellings(dialect.path):
            route("POST", path, _guarded(_remembering(dialect.path)))
    for method in ("GET", "HEAD"):
        route(method, "/healthz", _to(lambda handlers: handlers.health.live))
        route(method, "/readyz", _to(lambda handlers: handlers.health.ready))
    if api:
        for path in MEMORY_API:
            for below in ("", "/{rest:(?s:.*)}"):
                route("*", path + below, _to(lambda handlers: handlers.api.handle))
        dashboard = Dashboard()
        for below in ("", "/{rest:(?s:.*)}"):
            route("*", DASHBOARD + below, dashboard.handle)
        for path in (MCP, MCP + "/"):
            route("*", path, _to(lambda handlers: handlers.mcp.handle))
        # mem0's asynchronous client joins a base URL with a slash at its end like this.
        route("GET", "//v1/ping/", _to(lambda handlers: handlers.api.ping))
    # A path may contain an encoded line break, which a plain dot does not match.
    route("*", "/{path:(?s:.*)}", _guarded(lambda handlers: handlers.passthrough.handle))


def _remembering(path: str) -> Callable[[Handlers], Handler]:
    return lambda handlers: handlers.remembering[path].handle


def _to(pick: Callable[[Handlers], Handler]) -> Handler:
    """A route's handler; its parts exist once the application has started."""

    async def handle(request: web.Request) -> web.StreamResponse:
        return await pick(request.app[HANDLERS])(request)

    return handle


def _guarded(pick: Callable[[Handlers], Handler]) -> Handler:
    """The handler of a route that forwards requests."""

    async def handle(request: web.Request) -> web.StreamResponse:
        handlers = request.app[HANDLERS]
        return await handlers.guard.check(request, pick(handlers))

    return handle

"""Remembers which route a path has, which aiohttp would look up for every request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.web_urldispatcher import UrlMappingMatchInfo

PATHS = 512
"""Most requests have one of a few paths; when there are more, all are forgotten."""
_PATH_CHARS = 256

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Middleware = Callable[[web.Request, Handler], Awaitable[web.StreamResponse]]


class Routing:
    """Answers the requests of an application as it would; handlers must not ask for path parts."""

    def __init__(self, app: web.Application, around: Middleware) -> None:
        """`around` is the only middleware of the application."""
        self._app = app
        self._around = around
        self._known: dict[tuple[str, str], UrlMappingMatchInfo] = {}

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """The answer of the route."""
        path = request.raw_path.partition("?")[0]
        known = self._known.get((request.method, path))
        if known is None or "Expect" in request.headers:
            await self._look_up(request, path)
            return await self._app._handle(request)  # noqa: SLF001 - what a server calls
        request._match_info = known  # noqa: SLF001 - as the application does
        return await self._around(request, known.handler)

    async def _look_up(self, request: web.Request, path: str) -> None:
        found = await self._app.router.resolve(request)
        if found.http_exception is not None or len(path) > _PATH_CHARS:
            return
        found.add_app(self._app)
        found.freeze()
        if len(self._known) >= PATHS:
            self._known.clear()
        self._known[request.method, path] = found


ROUTING = web.AppKey("routing", Routing)
"""Of an application whose servers should use it."""

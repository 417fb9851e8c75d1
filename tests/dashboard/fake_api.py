"""A server with the dashboard and canned answers of the memory API: for what a page makes of them."""

from contextlib import asynccontextmanager

from aiohttp import web

from recollect.proxy.dashboard.handler import Dashboard

EMPTY = {
    "/readyz": {"status": "ok", "parts": {"store": "ok", "learning": "said_only"}},
    "/v1/entities": {"count": 0, "next": None, "previous": None, "results": []},
    "/v1/memories/state": {
        "users": 0, "said": 0, "memories": {}, "archived": 0, "hot": 0, "connected": 0,
        "queue": {"ready": 0, "leased": 0, "dead": 0, "oldest_seconds": 0},
        "index": {"memories": 0, "bytes": 0}, "learned_today": 0,
        "tiers": {"l0": 0, "l1": 0, "l2": 0},
    },
    "/v1/memories/recent": {"exchanges": []},
    "/v1/memories/stats": {"days": [], "totals": {}},
    "/v1/memories/usage": {"calls": 0, "tokens": 0},
    "/v1/memories/live": {},
    "/v1/memories/": {"results": []},
    "/v1/memories/search": {"results": []},
    "/v1/memories/profile": {"results": []},
    "/v1/memories/conflicts": {"results": []},
    "/v1/memories/review": {"results": []},
    "/v1/memories/jobs": {"results": []},
    "/v1/memories/upkeep": {"results": []},
    "/v1/memories/tasks": {"results": []},
    "/v1/memories/map": {"points": [], "axes": []},
    "/v1/memories/graph": {
        "topics": [], "edges": [], "count": 0, "memories": 0, "alone": 0, "more": False,
        "measured": True,
    },
    "/v1/memories/settings": {"settings": [], "switches": {"recall": True, "learn": True}},
}  # fmt: skip
"""The answer to a GET of each path while there is nothing."""


@asynccontextmanager
async def serving(answers, *, token=None):
    """The URL of a server that answers these and, for other paths, those of `EMPTY`.

    A key is a path, or a method and a path (`POST /v1/memories/forget`); a value is what is
    answered, or a status and that; what is changed meanwhile is answered so from then on. With a
    `token` it refuses every call without it.
    """

    async def answer(request):
        known = EMPTY | answers
        if token and request.headers.get("Authorization") != f"Bearer {token}":
            return web.json_response({"detail": "send a token"}, status=401)
        found = known.get(f"{request.method} {request.path}")
        if found is None and request.method == "GET":
            found = known.get(request.path)
        if found is None:
            found = (404, {"detail": f"there is no memory {request.path!r}"})
        status, body = found if isinstance(found, tuple) else (200, found)
        return web.json_response(body, status=status)

    app, dashboard = web.Application(), Dashboard()
    for path in ("/dashboard", "/dashboard/{rest:.*}"):
        app.router.add_route("*", path, dashboard.handle)
    app.router.add_route("*", "/{rest:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()

"""A remembered route answers as the application would."""

from aiohttp import web

from recollect.proxy.transport import routing
from recollect.proxy.transport.routing import ROUTING, Routing

from ..wire import Served, request


class Routed(Served):
    """Routes behind a port; `seen` notes each time that the middleware was passed."""

    def __init__(self):
        async def named(request):
            return web.Response(text=f"named {request.app is self._runner.app}")

        super().__init__(self._rest)
        self.seen = []
        app = self._runner.app
        app.router.add_route("GET", "/named", named)
        app[ROUTING] = Routing(app, self._around)
        self.routing = app[ROUTING]

    async def _rest(self, request):
        return web.Response(text=f"rest {request.path} {request.match_info.route.resource}")

    async def _around(self, request, handler):
        self.seen.append(request.path)
        return await handler(request)


async def test_a_path_is_looked_up_once():
    """The answer stays the same, whatever the query is."""
    async with Routed() as routed:
        asked = [request("GET", f"/a{query}") for query in ("", "", "?x=1")]
        bodies = {(await routed.ask(each)).body for each in asked}
        assert (len(bodies), routed.seen) == (1, ["/a", "/a"])
        assert list(routed.routing._known) == [("GET", "/a")]


async def test_what_expects_a_word_gets_it(monkeypatch):
    """Also on a path that is known."""
    async with Routed() as routed:
        await routed.ask(request("GET", "/a"))
        data = request("GET", "/a", None, "Expect: 100-continue")
        assert (await routed.ask(data, head_only=True)).status == 100


async def test_many_paths_are_not_kept(monkeypatch):
    """Nor long ones: what a client makes up costs no memory."""
    monkeypatch.setattr(routing, "PATHS", 3)
    async with Routed() as routed:
        for number in range(8):
            assert (await routed.ask(request("GET", f"/{number}"))).status == 200
        assert len(routed.routing._known) == 2
        assert (await routed.ask(request("GET", "/" + "a" * 300))).status == 200
        assert len(routed.routing._known) == 2

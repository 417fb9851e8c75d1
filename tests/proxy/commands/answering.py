"""An upstream whose list of models has a status."""

from aiohttp import web
from aiohttp.test_utils import TestServer


class Upstream:
    """Answers `GET /v1/models` with the status, and everything else with 404."""

    def __init__(self, status):
        self.status = status

    async def __aenter__(self):
        app = web.Application()
        app.router.add_get("/v1/models", self._models)
        self._server = TestServer(app)
        await self._server.start_server()
        self.root = str(self._server.make_url("")).rstrip("/")
        self.base_url = f"{self.root}/v1"
        return self

    async def __aexit__(self, *_):
        await self._server.close()

    async def _models(self, _request):
        return web.json_response({}, status=self.status)

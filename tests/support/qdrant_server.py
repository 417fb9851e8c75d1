"""Qdrant's REST API over the client's local mode, for what the store calls.

No package of a registry holds the server. This proves what leaves the client and how answers are
read; what a real server does with it is Qdrant's word (its OpenAPI, which the client is made of).
"""

from __future__ import annotations

import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from qdrant_client import QdrantClient, models

from .ports import free_port

Handler = Callable[[web.Request], Awaitable[web.Response]]


class QdrantServer:
    """Listens on `url` within `serving`; `asked` are the methods and paths that came."""

    def __init__(self, *, key: str | None = None) -> None:
        self._local = QdrantClient(":memory:")
        self._key = key
        self.asked: list[tuple[str, str]] = []
        self.url = ""

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[QdrantServer]:
        app = web.Application(middlewares=[self._middleware], client_max_size=64 * 2**20)
        name = "/collections/{name}"
        app.router.add_get("/aliases", self._aliases)
        app.router.add_post("/collections/aliases", self._change_aliases)
        app.router.add_get("/collections", self._collections)
        app.router.add_put(name, self._create)
        app.router.add_get(name, self._told_of)
        app.router.add_delete(name, self._drop)
        app.router.add_put(f"{name}/index", self._index)
        app.router.add_put(f"{name}/points", self._upsert)
        app.router.add_post(f"{name}/points", self._retrieve)
        app.router.add_post(f"{name}/points/scroll", self._scroll)
        app.router.add_post(f"{name}/points/query", self._query)
        app.router.add_post(f"{name}/points/count", self._count)
        app.router.add_post(f"{name}/points/delete", self._delete)
        runner = web.AppRunner(app)
        await runner.setup()
        port = free_port()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        self.url = f"http://127.0.0.1:{port}"
        try:
            yield self
        finally:
            await runner.cleanup()
            self._local.close()

    @web.middleware
    async def _middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self.asked.append((request.method, request.path))
        if self._key is not None and request.headers.get("api-key") != self._key:
            return web.json_response({"status": {"error": "Must provide an API key"}}, status=401)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return await handler(request)
        except ValueError as error:
            return web.json_response({"status": {"error": str(error)}, "time": 0.0}, status=404)

    async def _aliases(self, _: web.Request) -> web.Response:
        return _told(self._local.get_aliases())

    async def _change_aliases(self, request: web.Request) -> web.Response:
        asked = models.ChangeAliasesOperation(**await request.json())
        self._local.update_collection_aliases(asked.actions)
        return _told(True)

    async def _collections(self, _: web.Request) -> web.Response:
        return _told(self._local.get_collections())

    async def _create(self, request: web.Request) -> web.Response:
        asked = models.CreateCollection(**await request.json())
        self._local.create_collection(request.match_info["name"], vectors_config=asked.vectors)
        return _told(True)

    async def _told_of(self, request: web.Request) -> web.Response:
        return _told(self._local.get_collection(request.match_info["name"]))

    async def _drop(self, request: web.Request) -> web.Response:
        return _told(self._local.delete_collection(request.match_info["name"]))

    async def _index(self, request: web.Request) -> web.Response:
        models.CreateFieldIndex(**await request.json())
        return _told(models.UpdateResult(status=models.UpdateStatus.COMPLETED))

    async def _upsert(self, request: web.Request) -> web.Response:
        assert request.query["wait"] == "true"
        asked = models.PointsList(**await request.json())
        return _told(self._local.upsert(request.match_info["name"], asked.points))

    async def _retrieve(self, request: web.Request) -> web.Response:
        asked = models.PointRequest(**await request.json())
        return _told(self._local.retrieve(request.match_info["name"], asked.ids))

    async def _scroll(self, request: web.Request) -> web.Response:
        asked = models.ScrollRequest(**await request.json())
        found, offset = self._local.scroll(
            request.match_info["name"],
            scroll_filter=asked.filter,
            limit=asked.limit or 10,
            order_by=asked.order_by,
            offset=asked.offset,
            with_payload=asked.with_payload,
            with_vectors=bool(asked.with_vector),
        )
        return _told(models.ScrollResult(points=found, next_page_offset=offset))

    async def _query(self, request: web.Request) -> web.Response:
        asked = models.QueryRequest(**await request.json())
        query: Any = (
            asked.query.nearest if isinstance(asked.query, models.NearestQuery) else asked.query
        )
        return _told(
            self._local.query_points(
                request.match_info["name"],
                query=query,
                query_filter=asked.filter,
                limit=asked.limit or 10,
                with_payload=asked.with_payload or False,
            )
        )

    async def _count(self, request: web.Request) -> web.Response:
        asked = models.CountRequest(**await request.json())
        return _told(self._local.count(request.match_info["name"], count_filter=asked.filter))

    async def _delete(self, request: web.Request) -> web.Response:
        assert request.query["wait"] == "true"
        told = await request.json()
        kind = models.PointIdsList if "points" in told else models.FilterSelector
        return _told(self._local.delete(request.match_info["name"], kind(**told)))


def _told(result: Any) -> web.Response:
    return web.json_response({"result": _plain(result), "status": "ok", "time": 0.0})


def _plain(result: Any) -> Any:
    if isinstance(result, list):
        return [_plain(one) for one in result]
    return result.model_dump(mode="json") if hasattr(result, "model_dump") else result

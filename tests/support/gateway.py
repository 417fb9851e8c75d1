"""One product in gateway mode for all tests of a worker: each test is a tenant with a server of its own.

The product has one model server: a switch, which sends each request on to the server of the tenant
whose credential it has. What a test asks has the header `CHAT`; what has not is learning.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sqlite3
import threading
from collections.abc import Coroutine, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from tests.support.collector import Collector
from tests.support.product import Product
from tests.support.scripted import ScriptedModel
from tests.support.sockets import Watcher
from tests.support.waiting import HANG_SECONDS

T = TypeVar("T")

CHAT = "x-test-chat"
"""A header of the requests of tests; it reaches their servers."""
TENANTS = 400
"""More than a worker has tests."""
PER_CONNECTION = {"host", "connection", "transfer-encoding", "content-length", "keep-alive", CHAT}
KEY_OF_THE_ENVIRONMENT = "sk-of-the-environment"
IDLE_SECONDS = 10 * HANG_SECONDS
"""A conversation is never over because a test is slow; `Gateway.age` ends one."""


@dataclass
class Tenant:
    """One test's part of the product; to helpers it is a product."""

    url: str
    key: str
    chats: str | None = None
    """The address of its model server, without a path; None: the connection breaks."""
    learning: str | None = None
    """Where what is not a chat goes; None: to the same."""
    headers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.headers = {"Authorization": f"Bearer {self.key}", CHAT: "1"}

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def served_by(self, chats: Any, learning: Any = None) -> Self:
        """From now on by these servers, which have a `base_url`."""
        self.chats, self.learning = (
            None if each is None else each.base_url.removesuffix("/v1")
            for each in (chats, learning)
        )
        return self


class Switch:
    """Sends each request to the server of its tenant."""

    def __init__(self) -> None:
        self.tenants: dict[str, Tenant] = {}

    async def open(self) -> str:
        app = web.Application(client_max_size=2**30)
        app.router.add_route("*", "/{path:.*}", self._pass)
        self._session = aiohttp.ClientSession(auto_decompress=False)
        self._server = TestServer(app)
        await self._server.start_server()
        return str(self._server.make_url("/v1"))

    async def close(self) -> None:
        await self._session.close()
        await self._server.close()

    async def _pass(self, request: web.Request) -> web.StreamResponse:
        tenant = self.tenants.get(_key(request))
        goal = None
        if tenant is not None:
            goal = tenant.chats if CHAT in request.headers else tenant.learning or tenant.chats
        if goal is None:
            assert request.transport is not None
            request.transport.abort()
            return web.Response(status=500)
        asked = self._session.request(
            request.method,
            f"{goal}{request.raw_path}",
            data=await request.read() if request.body_exists else None,
            headers=_passed(request.headers),
            allow_redirects=False,
        )
        async with asked as answer:
            passed = web.StreamResponse(status=answer.status, headers=_passed(answer.headers))
            await passed.prepare(request)
            async for piece in answer.content.iter_any():
                await passed.write(piece)
            return passed


def _key(request: web.Request) -> str:
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bearer or request.headers.get("x-api-key", "")


def _passed(headers: Any) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in PER_CONNECTION}


class RelatedLines:
    """A loop in a thread of its own, for servers that live longer than the loop of one test."""

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(HANG_SECONDS)
        self._loop.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(HANG_SECONDS)


class Gateway(RelatedLines):
    """The product, and what is around it."""

    def __init__(self, folder: Path, models_dir: Path) -> None:
        self._folder, self._models_dir = folder, models_dir
        self._numbers = itertools.count()
        self._switch = Switch()
        self.collector = Collector()
        self.trap = ScriptedModel()
        """A model server that only variables of the environment name."""
        self.home = folder / "home"

    def __enter__(self) -> Self:
        super().__enter__()
        switch = self.run(self._switch.open())
        for server in (self.collector, self.trap):
            self.run(server.__aenter__())
        self.home.mkdir()
        self.product = Product(self._folder / "data", **self._settings(switch))
        self.product._environ |= {
            "HOME": str(self.home),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "OPENAI_API_KEY": KEY_OF_THE_ENVIRONMENT,
            "OPENAI_BASE_URL": self.trap.base_url,
        }
        self.product.start()
        assert self.product.process is not None
        self.watcher = Watcher(self.product.process.pid, every=0.5)
        return self

    def __exit__(self, *_: object) -> None:
        self.watcher.stop()
        self.product.stop()
        for server in (self.collector, self.trap):
            self.run(server.__aexit__())
        self.run(self._switch.close())
        super().__exit__()

    def tenant(self) -> Tenant:
        """One that nobody has been yet."""
        number = next(self._numbers)
        tenant = Tenant(self.product.url, f"key-{number}")
        self._switch.tenants[tenant.key] = tenant
        return tenant

    def age(self, said: str, seconds: float) -> bool:
        """Let time pass for the turns that are this text alone; whether there are any."""
        file = self._folder / "data" / "recollect.db"
        with closing(sqlite3.connect(file, timeout=HANG_SECONDS)) as connection, connection:
            sql = "UPDATE turns SET created_at = created_at - ? WHERE user_text = ?"
            return connection.execute(sql, [round(1000 * seconds), said]).rowcount > 0

    def _settings(self, switch: str) -> dict[str, Any]:
        return {
            "upstream__base_url": switch,
            "identity__mode": "gateway",
            "identity__hash_key": "h",
            "identity__tenants": json.dumps({f"t{n}": f"key-{n}" for n in range(TENANTS)}),
            "embedder__model_dir": self._models_dir,
            "telemetry__otlp_endpoint": self.collector.endpoint,
            # A busy test machine is not what is tested here.
            "recall__deadline_ms": 60_000,
            "learn__every_turns": 2,
            "learn__unconfirmed": "keep",
            "learn__max_attempts": 1,
            "learn__idle_seconds": IDLE_SECONDS,
            "learn__idle_check_seconds": 1,
            # Its calls would be counted with those of learning.
            "upkeep__kinds__episodes": False,
        }


@pytest.fixture(scope="session")
def gateway(tmp_path_factory: pytest.TempPathFactory, models_dir: Path) -> Iterator[Gateway]:
    """Started when the first test asks."""
    with Gateway(tmp_path_factory.mktemp("gateway"), models_dir) as running:
        yield running

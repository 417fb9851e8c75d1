"""Two replicas that share servers are replaced one after the other, under many streams."""

from __future__ import annotations

import asyncio
import json
import signal
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Self

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from recollect.memory.util.tasks import Tasks
from tests.support.budget import FACTOR, WHOLE
from tests.support.postgres_server import PostgresAt, empty_database
from tests.support.product import Product
from tests.support.redis_server import RedisAt
from tests.support.scripted import ScriptedModel
from tests.support.waiting import HANG_SECONDS, until

pytestmark = pytest.mark.server

STREAMS = 100 if FACTOR >= WHOLE else 15
"""Of each replica."""
MEANWHILE = 20 if FACTOR >= WHOLE else 5
"""Chats that begin while a replica is away."""
TOKEN = "one-token-for-both"
ENDS = "and that is all"


class HalfAnswers:
    """A model server that answers half, and the rest once the chats of a group are released."""

    def __init__(self) -> None:
        self.half: Counter[str] = Counter()
        """Streams of each group that have begun."""
        self._released: dict[str, asyncio.Event] = {}

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._answer)
        self._server = TestServer(app)
        await self._server.start_server()
        self.base_url = str(self._server.make_url("/v1"))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.close()

    def release(self, group: str) -> None:
        self._event(group).set()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        group = (await request.json())["user"].partition("-")[0]
        answer = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await answer.prepare(request)
        await answer.write(_event("Noted, "))
        self.half[group] += 1
        await self._event(group).wait()
        await answer.write(_event(ENDS) + b"data: [DONE]\n\n")
        return answer

    def _event(self, group: str) -> asyncio.Event:
        return self._released.setdefault(group, asyncio.Event())


def _event(text: str) -> bytes:
    choice = {"index": 0, "delta": {"content": text}}
    chunk = {"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\n".encode()


def told(user: str) -> str:
    """What this user says, which nobody else does."""
    return f"My locker has the number {user}, please remember that."


class Clients:
    """Chats, each of a user of its own, and how each of them ended."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session
        self.tasks = Tasks()
        self.whole: set[str] = set()
        self.broken: list[str] = []

    def open(self, product: Product, group: str, many: int) -> None:
        for number in range(many):
            user = f"{group}-{number}"
            self.tasks.start(self._chat(product, user), name=user)

    async def _chat(self, product: Product, user: str) -> None:
        messages = [{"role": "user", "content": told(user)}]
        body = {"model": "m", "user": user, "stream": True, "messages": messages}
        try:
            async with self._session.post(f"{product.base_url}/chat/completions", json=body) as got:
                text = await got.text()
        except aiohttp.ClientError as error:
            self.broken.append(f"{user}: {error!r}")
            return
        if ENDS in text and text.endswith("data: [DONE]\n\n"):
            self.whole.add(user)
        else:
            self.broken.append(f"{user}: {got.status} {text[-100:]}")


@pytest.fixture
async def shared(
    redis_server: RedisAt, postgres: PostgresAt, server_address: str, extractor: ScriptedModel
) -> AsyncIterator[dict[str, Any]]:
    """What the replicas share, under a name of this test's own."""
    name = f"t{uuid.uuid4().hex[:12]}"
    async with empty_database(postgres) as url:
        yield _settings(name, url, redis_server, server_address, extractor)


def _settings(
    name: str, url: str, redis: RedisAt, server_address: str, extractor: ScriptedModel
) -> dict[str, Any]:
    return {
        "database__url": url,
        "redis__url": redis.url,
        "redis__prefix": name,
        "index__uri": server_address,
        "index__collection": name,
        "index__call_seconds": 20,
        "embedder__backend": "fake",
        "learn__llm__base_url": extractor.base_url,
        "learn__llm__model": "scripted",
        "learn__every_turns": 1000,
        "learn__idle_seconds": 3600,
        "learn__drift": False,
        "api__token": TOKEN,
    }


async def flushed(session: aiohttp.ClientSession, product: Product, users: set[str]) -> None:
    """Have everything learned that was said."""

    async def flush(user: str) -> None:
        async with (
            room,
            session.post(
                f"{product.url}/v1/memories/flush",
                json={"user_id": user},
                headers={"authorization": f"Bearer {TOKEN}"},
            ) as answer,
        ):
            assert answer.status == 200, await answer.text()

    room = asyncio.Semaphore(10)
    await asyncio.gather(*map(flush, sorted(users)))


async def replaced(product: Product, streams: HalfAnswers, group: str) -> None:
    """End a replica in the middle of its streams, as an orchestrator does, and start another."""
    assert product.process is not None
    product.process.send_signal(signal.SIGTERM)
    await until(lambda: "stopping" in product.log())
    streams.release(group)
    assert await asyncio.to_thread(product.process.wait, HANG_SECONDS) == 0
    await asyncio.to_thread(product.start)


async def test_no_stream_breaks_and_no_turn_is_lost(
    tmp_path: Path, shared: dict[str, Any], extractor: ScriptedModel
) -> None:
    """Each stream ends whole, and what was said in each is learned by a replica of afterwards."""
    async with (
        HalfAnswers() as streams,
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session,
    ):
        given = shared | {"upstream__base_url": streams.base_url}
        replicas = [Product(tmp_path / name, **given) for name in ("a", "b")]
        clients = Clients(session)
        async with replicas[0], replicas[1]:
            for product, group in zip(replicas, "ab", strict=True):
                clients.open(product, group, STREAMS)
            await until(lambda: streams.half == {"a": STREAMS, "b": STREAMS})
            for product, other, group in zip(replicas, reversed(replicas), "ab", strict=True):
                # The balancer's part: from here on new chats go to the other one.
                clients.open(other, f"c{group}", MEANWHILE)
                streams.release(f"c{group}")
                await replaced(product, streams, group)
            await clients.tasks.join()
            assert clients.broken == []
            assert len(clients.whole) == 2 * (STREAMS + MEANWHILE)
            await flushed(session, replicas[0], clients.whole)
            learned = extractor.said()
        assert [user for user in sorted(clients.whole) if told(user) not in learned] == []

"""Several replicas on one Redis and one PostgreSQL behave as one.

The first test is the short form of `benchmarks/replicas`.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Self

import aiohttp
import pytest

from benchmarks.replicas.stage import run
from tests.support.budget import FACTOR, WHOLE, examples
from tests.support.postgres_server import PostgresAt, empty_database
from tests.support.product import Product
from tests.support.redis_server import RedisAt
from tests.support.scripted import ScriptedModel
from tests.support.waiting import until

pytestmark = pytest.mark.process

ROUNDS = examples(6)
ASKED = "At which jetty is my boat moored?"
BURST = 6


async def test_kills_lose_nothing_and_double_nothing(tmp_path, models_dir):
    """Each acknowledged chat is one memory; chats fail on the killed replica's open streams only."""
    seconds, replicas = (20, 3) if FACTOR >= WHOLE else (6, 2)
    outcome = await run(
        tmp_path, models_dir, seconds=seconds, every=3, clients=3, replicas=replicas, pause=0.2
    )
    assert outcome.kills >= 1
    assert outcome.acknowledged
    assert not outcome.lost
    assert not outcome.doubled
    assert outcome.broken["elsewhere"] == 0


@pytest.fixture
async def shared(redis_server: RedisAt, postgres: PostgresAt) -> AsyncIterator[dict[str, Any]]:
    """What two replicas share, as settings; nothing of other tests is there."""
    async with empty_database(postgres) as url:
        yield {
            "embedder__backend": "fake",
            "learn__in_process": False,
            "redis__url": redis_server.url,
            "redis__prefix": f"t{uuid.uuid4().hex[:12]}",
            "database__url": url,
            "index__backend": "pgvector",
            "index__uri": url,
        }


class Pair:
    """Two replicas, and the model server that both ask."""

    def __init__(self, folder: Path, model: ScriptedModel, settings: dict[str, Any]) -> None:
        more = settings | {"upstream__base_url": model.base_url}
        self.products = [Product(folder / f"replica-{n}", **more) for n in range(2)]
        self._model = model

    async def __aenter__(self) -> Self:
        await asyncio.gather(*(asyncio.to_thread(each.start) for each in self.products))
        self._session = aiohttp.ClientSession()
        # A product serves before its memory is there, which answers 503 until then.
        await until(self._is_whole)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()
        await asyncio.gather(*(asyncio.to_thread(each.stop) for each in self.products))

    async def _is_whole(self) -> bool:
        for each in self.products:
            async with self._session.get(f"{each.url}/readyz") as answer:
                if (await answer.json())["status"] != "ok":
                    return False
        return True

    async def ask(self, at: int, method: str, path: str, **body: Any) -> Any:
        """What the memory API of one of them answers."""
        url = f"{self.products[at].url}/v1/memories{path}"
        async with self._session.request(method, url, json=body or None) as answer:
            assert answer.status in (200, 202), await answer.text()
            return await answer.json()

    async def status(self, at: int) -> tuple[int, str]:
        """Of a cheap request to the memory API, with its `Retry-After`."""
        url = f"{self.products[at].url}/v1/memories?user_id=alice&limit=1"
        async with self._session.get(url) as answer:
            return answer.status, answer.headers.get("Retry-After", "")

    async def follow(self, at: int, heard: list[str]) -> None:
        """Add the lines of the stream of changes at one of them until cancelled."""
        url = f"{self.products[at].url}/v1/memories/events?user_id=alice"
        async with self._session.get(url) as answer:
            assert answer.status == 200, await answer.text()
            async for line in answer.content:
                heard += [line.decode()] if line.startswith(b"data:") else []

    async def shown(self, at: int) -> str:
        """All that reaches the model server for a chat at one of them."""
        body = {"model": "m", "user": "alice", "messages": [{"role": "user", "content": ASKED}]}
        before = len(self._model.requests)
        url = f"{self.products[at].base_url}/chat/completions"
        async with self._session.post(url, json=body) as answer:
            assert answer.status == 200, await answer.text()
        [sent] = self._model.requests[before:]
        return str(sent["messages"])


async def test_two_replicas_behave_as_one(tmp_path: Path, shared: dict[str, Any]) -> None:
    """For chats and streams of changes, whichever of them is asked."""
    async with ScriptedModel("Noted.") as model, Pair(tmp_path, model, shared) as pair:
        assert await stale_in(pair) == []
        await hears_both(pair)


async def stale_in(pair: Pair) -> list[str]:
    """Added, changed, deleted or forgotten at one: what a chat at the other, whose index is warm, shows wrongly.

    In turn at both; no round may show what is gone, or miss what is there.
    """
    stale: list[str] = []
    for each in range(2):
        await pair.shown(each)
    for number in range(ROUNDS):
        one, two = number % 2, 1 - number % 2
        first, second = f"alpha{number:02}", f"beta{number:02}"
        told = f"User's boat is moored at jetty {first}"
        added = await pair.ask(one, "POST", "", messages=told, user_id="alice", infer=False)
        assert added["results"], (number, added)
        memory_id = added["results"][0]["id"]
        if first not in await pair.shown(two):
            stale.append(f"{first} is missing")
        changed = told.replace(first, second)
        await pair.ask(two, "PUT", f"/{memory_id}", text=changed)
        seen = await pair.shown(one)
        if second not in seen or first in seen:
            stale.append(f"{second} is missing, or {first} is still there")
        if number % 3:
            await pair.ask(one, "DELETE", f"/{memory_id}")
        else:
            await pair.ask(one, "POST", "/forget", ids=[memory_id], user_id="alice")
        for each in (two, one):
            if second in await pair.shown(each):
                stale.append(f"{second} is still there")
    return stale


async def hears_both(pair: Pair) -> None:
    """A stream at one hears what is added at either."""
    heard: list[str] = []
    following = asyncio.ensure_future(pair.follow(1, heard))
    told = {"user_id": "alice", "infer": False}

    async def followed() -> bool:
        await pair.ask(0, "POST", "", messages=f"User saw film {uuid.uuid4().hex}", **told)
        return bool(heard)

    await until(followed)
    await pair.ask(1, "POST", "", messages="User's boat is called Swan", **told)
    await until(lambda: _heard(heard, "Swan"))
    following.cancel()


async def test_a_tenant_has_one_limit_at_all_replicas(
    tmp_path: Path, shared: dict[str, Any]
) -> None:
    """Asked in turn, they allow together what one would, and both refuse the next request."""
    limits = {"api__limits__requests_per_minute": 1, "api__limits__burst": BURST}
    async with ScriptedModel("Noted.") as model, Pair(tmp_path, model, shared | limits) as pair:
        allowed = [(await pair.status(number % 2))[0] for number in range(BURST)]
        refused = [await pair.status(number) for number in range(2)]
    assert allowed == [200] * BURST
    assert [status for status, _ in refused] == [429, 429]
    assert all(0 < int(seconds) <= 60 for _, seconds in refused)


async def _heard(heard: list[str], text: str) -> bool:
    return any(text in line for line in heard)

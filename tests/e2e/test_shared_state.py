"""Two proxies and two workers on one Redis, one Milvus server and one PostgreSQL behave as one."""

from __future__ import annotations

import asyncio
import itertools
import json
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.e2e.asking import ASKED, FACT, TOLD, messages_of, say
from tests.support.fence import parted
from tests.support.postgres_server import PostgresAt, empty_database
from tests.support.product import Product
from tests.support.redis_server import RedisAt
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import FOREVER_SECONDS, HANG_SECONDS, until
from tests.support.worker_process import WorkerProcess

pytestmark = pytest.mark.server

LEASE_SECONDS = 2
TOKEN = "one-token-for-both"
_ASKED = itertools.count(1)
TURNS = (TOLD, "It also has a shed.", "I water it every evening.", "The shed has a red door.")


class Deployment:
    """The processes, which know of each other only by what they share."""

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self.proxies = [Product(folder / f"proxy-{n}", **settings) for n in range(2)]
        self.workers = [WorkerProcess(folder / f"worker-{n}", **settings) for n in range(2)]

    async def start(self, *, workers: int = 2) -> None:
        """All at once: each of them mostly waits for servers."""
        chosen = (*self.proxies, *self.workers[:workers])
        await asyncio.gather(*(asyncio.to_thread(process.start) for process in chosen))

    async def stop(self) -> None:
        every = (*self.proxies, *self.workers)
        await asyncio.gather(*(asyncio.to_thread(process.stop) for process in every))

    async def converse(self, *texts: str) -> list[dict[str, str]]:
        """One conversation whose turns alternate between the proxies; all that was said."""
        said: list[dict[str, str]] = []
        for number, text in enumerate(texts):
            answer, _ = await say(self.proxies[number % 2], text, user="alice", before=said)
            said += [
                {"role": "user", "content": text},
                {"role": "assistant", "content": answer},
            ]
        return said


@pytest.fixture
async def servers(
    redis_server: RedisAt, postgres: PostgresAt, server_address: str
) -> AsyncIterator[dict[str, Any]]:
    """What the processes share, as settings."""
    async with empty_database(postgres) as url:
        yield {
            "redis__url": redis_server.url,
            "index__uri": server_address,
            "database__url": url,
        }


@pytest.fixture
async def deployment(
    tmp_path: Path, model: ScriptedModel, extractor: ScriptedModel, servers: dict[str, Any]
) -> AsyncIterator[Deployment]:
    """Not started; it finds nothing of other tests."""
    name = f"t{uuid.uuid4().hex[:12]}"
    own = {
        "upstream__base_url": model.base_url,
        "learn__llm__base_url": extractor.base_url,
        "learn__llm__model": "scripted",
        "embedder__backend": "fake",
        "redis__prefix": name,
        "index__collection": name,
        "index__call_seconds": 20,
        "learn__in_process": False,
        "learn__every_turns": len(TURNS),
        "learn__drift": False,
        # Their calls would be counted with those of learning.
        "upkeep__kinds__episodes": False,
        "learn__lease_seconds": LEASE_SECONDS,
        "recall__position": "replay",
        "api__token": TOKEN,
    }
    deployment = Deployment(tmp_path, servers | own)
    yield deployment
    await deployment.stop()


async def ask(product: Product, method: str, path: str, **options: Any) -> Any:
    """The memory API's answer."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    url = f"{product.url}/v1/memories/{path}"
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.request(method, url, **options) as answer,
    ):
        assert answer.status == 200, await answer.text()
        return await answer.json()


async def memories(product: Product) -> list[str]:
    found = await ask(product, "GET", "", params={"user_id": "alice", "kinds": "memory"})
    return [item["memory"] for item in found["results"]]


async def jobs(product: Product) -> list[tuple[str, str]]:
    return [(job["id"], job["state"]) for job in (await ask(product, "GET", "jobs"))["results"]]


async def injected(product: Product) -> bool:
    _, headers = await say(product, ASKED, user="alice")
    return headers["x-recollect-memory"] == "injected"


async def test_processes_that_share_all_state(
    deployment: Deployment, extractor: ScriptedModel, model: ScriptedModel
) -> None:
    """What a worker was learning when it died the other one learns, once; the proxies know the same."""
    asked = asyncio.Event()

    async def never(_body: dict[str, Any]) -> str:
        asked.set()
        await asyncio.sleep(FOREVER_SECONDS)
        return facts()

    extractor.replies = [never, facts(FACT)]
    await deployment.start(workers=1)
    one, two = deployment.proxies
    said = await deployment.converse(*TURNS[:-1])
    # A retry at the other proxy is the same turn.
    await say(one, TURNS[1], user="alice", before=said[:2])
    assert await jobs(one) == await jobs(two) == []
    await say(two, TURNS[-1], user="alice", before=said)
    await asyncio.wait_for(asked.wait(), HANG_SECONDS)
    first, second = deployment.workers
    second.start()
    first.kill()
    await until(lambda: _all_done(two))
    assert await memories(one) == await memories(two) == [FACT]
    # One of the first worker; of the second, whose try asks about smaller parts, two and one that
    # verifies.
    assert len(extractor.requests) == 4
    assert await jobs(one) == await jobs(two)
    assert len(await jobs(one)) == 1
    # Each turn was counted once.
    extracted = str(extractor.requests[0])
    assert [extracted.count(f"user: {text}") for text in TURNS] == [1] * len(TURNS)
    await recalled_and_forgotten(deployment, model)
    assert await asyncio.to_thread(second.stop) == 0
    assert "Traceback" not in second.log(), second.log()


async def recalled_and_forgotten(deployment: Deployment, model: ScriptedModel) -> None:
    """Both proxies recall it; forgotten through one, it is gone from the other, which has shown it."""
    one, two = deployment.proxies
    for product in deployment.proxies:
        await until(lambda product=product: injected(product))
    shown = [
        {"role": "user", "content": ASKED},
        {"role": "assistant", "content": "You told me so."},
    ]
    repeated = await sent_for(one, shown, model)
    assert repeated.index(FACT) < repeated.index("You told me so.")
    proposal = await ask(one, "POST", "forget", json={"query": ASKED, "user_id": "alice"})
    # What was said of the shed names the canal too, so it is proposed with the memory.
    found = [item["memory"] for item in proposal["results"]]
    assert FACT in found
    assert all("4711" in each or each == ASKED for each in found)
    confirmed = {"confirm": proposal["confirm"], "user_id": "alice"}
    receipt = await ask(two, "POST", "forget", json=confirmed)
    assert receipt["verified"] is True
    assert await memories(one) == await memories(two) == []

    async def gone() -> bool:
        return FACT not in await sent_for(one, shown, model)

    await until(gone)
    # Nothing of the number is known any more.
    assert "4711" not in await sent_for(two, [], model)


async def _all_done(product: Product) -> bool:
    states = {state for _, state in await jobs(product)}
    return states == {"done"}


async def sent_for(product: Product, before: list[dict[str, str]], model: ScriptedModel) -> str:
    """What reached the upstream for one more question of a conversation."""
    question = f"And is it far from the canal? I ask for the {next(_ASKED)}th time."
    await say(product, question, user="alice", before=before)
    [body] = [b for b in model.requests if parted(messages_of(b)[-1][1])[1] == question]
    return json.dumps(body, ensure_ascii=False)

"""Two workers behind one port: one memory, and the death of one costs the other's clients nothing."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.product import Product
from tests.support.scripted import ScriptedModel
from tests.support.workers import Through, all_serve, through

pytestmark = pytest.mark.process

USER = "alice"
FACT = "My allotment has the number 4711, it is the one by the canal."
ASKED = "Which number does my allotment have?"
CHATS = 20


@pytest.fixture
async def product(tmp_path: Path, models_dir: Path) -> AsyncIterator[Product]:
    """With two workers, before a model server that answers at once."""
    async with ScriptedModel() as upstream:
        settings: dict[str, Any] = {
            "upstream__base_url": upstream.base_url,
            "embedder__model_dir": models_dir,
            "recall__deadline_ms": 5000,
            "listen__workers": 2,
        }
        async with Product(tmp_path / "data", **settings) as product:
            await all_serve(product.url, 2)
            yield product


async def _recalled(worker: Through) -> str:
    return (await worker.chat(ASKED, USER))["x-recollect-memory"]


async def test_two_workers_are_one_memory(product: Product) -> None:
    """What one writes, changes or removes the next request to the other finds so, both ways."""
    async with through(product.url, 1) as one, through(product.url, 2) as two:
        assert await _recalled(two) == "empty"
        for here, there in ((one, two), (two, one)):
            added = await here.post(
                "/v1/memories/", {"messages": FACT, "user_id": USER, "infer": False}
            )
            assert await _recalled(there) == "injected"
            memory_id = added["results"][0]["id"]
            await there.delete(f"/v1/memories/{memory_id}", user_id=USER)
            assert await _recalled(here) == "empty"
            assert await _recalled(there) == "empty"


async def test_what_is_said_to_one_is_known_by_the_other(product: Product) -> None:
    """A chat through one worker is recalled by the other's next one; forgotten, by neither."""
    async with through(product.url, 1) as one, through(product.url, 2) as two:
        assert await _recalled(two) == "empty"
        await one.chat(FACT, USER)
        assert await _recalled(two) == "injected"
        await two.delete("/v1/memories/", user_id=USER)
        assert await _recalled(one) == "empty"
        assert await _recalled(two) == "empty"


async def test_tasks_and_streams_are_those_of_both(product: Product) -> None:
    """An export is found, and changes are followed, at the worker that did not make them."""
    async with through(product.url, 1) as one, through(product.url, 2) as two:
        async with through(product.url, 2) as follower, follower.changes(USER) as changes:
            added = await one.post(
                "/v1/memories/", {"messages": FACT, "user_id": USER, "infer": False}
            )
            change = json.loads(await changes.readline())
        assert change["memory_id"] == added["results"][0]["id"]
        task = await one.post("/v1/memories/tasks", {"kind": "export", "user_id": USER})
        async with asyncio.timeout(60):
            while (await two.get(f"/v1/memories/tasks/{task['id']}"))["state"] != "done":
                await asyncio.sleep(0.05)
        assert FACT in await two.text(f"/v1/memories/tasks/{task['id']}/result")
        await two.delete(f"/v1/memories/tasks/{task['id']}")
        assert (await one.get("/v1/memories/tasks"))["results"] == []


async def test_a_killed_worker_harms_nobody_and_comes_back(product: Product) -> None:
    """Chats through the other one go on, what was told to the dead one is known, and it returns."""
    async with through(product.url, 1) as one:
        async with through(product.url, 2) as two:
            await two.chat(FACT, USER)
            died = (await two.worker())["pid"]
        os.kill(died, signal.SIGKILL)
        answers = [await one.chat(f"How are things, {number}?", "bob") for number in range(CHATS)]
        assert len(answers) == CHATS
        assert await _recalled(one) == "injected"
        await all_serve(product.url, 2)
    async with through(product.url, 2) as again:
        assert (await again.worker())["pid"] != died
        assert await _recalled(again) == "injected"


async def test_they_end_together(product: Product, tmp_path: Path) -> None:
    """SIGTERM ends all; kill -9 of the parent too, and the next start finds the folder free."""
    async with through(product.url, 1) as one, through(product.url, 2) as two:
        await one.chat(FACT, USER)
        pids = [(await each.worker())["pid"] for each in (one, two)]
    await asyncio.to_thread(product.kill)
    await asyncio.to_thread(product.start)
    assert not any(map(_runs, pids))
    await all_serve(product.url, 2)
    async with through(product.url, 2) as two:
        assert await _recalled(two) == "injected"
        pids = [(await two.worker())["pid"]]
    assert await asyncio.to_thread(product.stop) == 0
    assert not any(map(_runs, pids))
    with pytest.raises(aiohttp.ClientConnectorError):
        async with aiohttp.ClientSession() as session, session.get(product.url):
            pass


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True

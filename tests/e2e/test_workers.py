"""Two workers behind one port: one memory, and the death of one costs the other's clients nothing."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from recollect.proxy.telemetry.names import METRICS
from tests.support.gateway import RelatedLines
from tests.support.ports import free_port
from tests.support.product import Product
from tests.support.scripted import ScriptedModel
from tests.support.waiting import until
from tests.support.workers import Through, all_serve, through

pytestmark = pytest.mark.process

FACT = "My allotment has the number 4711, it is the one by the canal."
ASKED = "Which number does my allotment have?"
CHATS = 20


@pytest.fixture(scope="module")
def metrics() -> int:
    """The port of the metrics."""
    return free_port()


@pytest.fixture(scope="module")
def product(
    tmp_path_factory: pytest.TempPathFactory, models_dir: Path, metrics: int
) -> Iterator[Product]:
    """With two workers, before a model server that answers at once; each test has users of its own."""
    with RelatedLines() as beside:
        upstream = beside.run(ScriptedModel().__aenter__())
        product = Product(
            tmp_path_factory.mktemp("workers") / "data",
            upstream__base_url=upstream.base_url,
            embedder__model_dir=models_dir,
            listen__workers=2,
            telemetry__metrics=f"127.0.0.1:{metrics}",
        )
        with product:
            yield product
        beside.run(upstream.__aexit__())


@pytest.fixture(autouse=True)
async def both(product: Product) -> None:
    """Also after one was killed."""
    await all_serve(product.url, 2)


async def _recalled(worker: Through, user: str) -> str:
    return (await worker.chat(ASKED, user))["x-recollect-memory"]


async def _added(worker: Through, user: str) -> str:
    body = {"messages": FACT, "user_id": user, "infer": False}
    return str((await worker.post("/v1/memories/", body))["results"][0]["id"])


async def scraped(port: int) -> str:
    url = f"http://127.0.0.1:{port}/metrics"
    async with aiohttp.ClientSession() as client, client.get(url) as answer:
        return await answer.text()


def samples(text: str) -> Counter[tuple[str, ...]]:
    return Counter(
        {
            (sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }
    )


async def test_one_scrape_has_the_chats_of_all_workers(product: Product, metrics: int) -> None:
    """A chat through each of two workers counts as two, and no name of a user is told."""
    before = samples(await scraped(metrics))
    user = "quokkazebra"  # occurs nowhere else
    async with through(product.url, 1) as one, through(product.url, 2) as two:
        await _added(one, user)
        await one.chat(ASKED, user)
        await two.chat(ASKED, user)
    text = await scraped(metrics)
    found = samples(text)
    found.subtract(before)
    assert found["recollect_chats_total", "injected", "personal"] == 2
    assert found["recollect_recall_seconds_count",] == 2
    assert found["recollect_injected_memories_total",] == 2
    assert found["recollect_injected_tokens_total",] > 0
    assert found["recollect_chats_in_flight",] == 0
    assert [metric.name for metric in METRICS if f"# TYPE {metric.name} " not in text] == []
    assert user not in text


async def test_two_workers_are_one_memory(product: Product) -> None:
    """What one writes, changes or removes the next request to the other finds so, both ways."""
    async with through(product.url, 1) as one, through(product.url, 2) as two:
        assert await _recalled(two, "alice") == "empty"
        for here, there in ((one, two), (two, one)):
            memory_id = await _added(here, "alice")
            assert await _recalled(there, "alice") == "injected"
            await there.delete(f"/v1/memories/{memory_id}", user_id="alice")
            assert await _recalled(here, "alice") == "empty"
            assert await _recalled(there, "alice") == "empty"


async def test_what_is_said_to_one_is_known_by_the_other(product: Product) -> None:
    """A chat through one worker is recalled by the other's next one; forgotten, by neither."""
    async with through(product.url, 1) as one, through(product.url, 2) as two:
        assert await _recalled(two, "bob") == "empty"
        await one.chat(FACT, "bob")
        assert await _recalled(two, "bob") == "injected"
        await two.delete("/v1/memories/", user_id="bob")
        assert await _recalled(one, "bob") == "empty"
        assert await _recalled(two, "bob") == "empty"


async def test_any_worker_tells_of_all_and_a_switch_turns_all(product: Product) -> None:
    """Chats of both are listed by each, figures count both, and each knows a switch."""
    async with through(product.url, 1) as one, through(product.url, 2) as two:
        await _added(one, "ada")
        await one.chat(ASKED, "ada")
        await two.chat(ASKED, "ida")
        for worker in (one, two):
            told = await worker.get("/v1/memories/recent")
            chats = {chat["user_id"]: chat for chat in told["exchanges"]}
            assert {"ada", "ida"} <= set(chats)
            assert chats["ada"]["outcome"] == "injected"
            assert chats["ada"]["recalled"][0]["memory"] == FACT
            state = await worker.get("/v1/memories/state", user_id="ada")
            assert state["memories"] == {"semantic": {"active": 1}}
            # What was asked may be in it, too.
            assert state["index"]["memories"] >= 1
        for here, turned in ((one, False), (two, True)):
            await here.post("/v1/memories/switches", {"recall": turned})
            for worker in (one, two):
                told = await worker.get("/v1/memories/settings")
                assert told["switches"]["recall"] is turned


async def test_a_rule_of_a_user_counts_in_both(product: Product) -> None:
    """What she keeps from a model reaches it through neither, as soon as that is answered."""
    async with through(product.url, 1) as one, through(product.url, 2) as two:
        await _added(one, "eve")
        for here, there in ((one, two), (two, one)):
            assert await _recalled(there, "eve") == "injected"
            rules = {"user_id": "eve", "rules": [{"to": ["local"], "send": "none"}]}
            await here.put("/v1/memories/policy", rules)
            assert await _recalled(there, "eve") == "empty"
            await here.put("/v1/memories/policy", rules | {"rules": []})


async def test_tasks_and_streams_are_those_of_both(product: Product) -> None:
    """An import is found, and changes are followed, at the worker that did not make them."""
    async with through(product.url, 1) as one, through(product.url, 2) as two:
        async with through(product.url, 2) as follower, follower.changes("carl") as changes:
            memory_id = await _added(one, "carl")
            change = json.loads(await changes.readline())
        assert change["memory_id"] == memory_id
        lines = await one.text("/v1/memories/export?user_id=carl")
        assert FACT in lines
        task = await one.upload("/v1/memories/import?user_id=carl", lines.encode())

        async def done() -> bool:
            return (await two.get(f"/v1/memories/tasks/{task['id']}"))["state"] == "done"

        await until(done, "the import")
        await two.delete(f"/v1/memories/tasks/{task['id']}")
        assert (await one.get("/v1/memories/tasks"))["results"] == []


async def test_a_killed_worker_harms_nobody_and_comes_back(product: Product) -> None:
    """Chats through the other one go on, what was told to the dead one is known, and it returns."""
    async with through(product.url, 1) as one:
        async with through(product.url, 2) as two:
            await two.chat(FACT, "dora")
            died = (await two.worker())["pid"]
        os.kill(died, signal.SIGKILL)
        for number in range(CHATS):
            await one.chat(f"How are things, {number}?", "bert")
        assert await _recalled(one, "dora") == "injected"

        async def returned() -> bool:
            """The roll may still name the dead one."""
            try:
                async with aiohttp.ClientSession() as session:
                    found = await Through(session, product.url).worker()
            except aiohttp.ClientError:
                return False
            return found["worker"] == 2 and found["pid"] != died

        await until(returned, "another worker 2")
    async with through(product.url, 2) as again:
        assert await _recalled(again, "dora") == "injected"


async def test_they_end_together(product: Product) -> None:
    """SIGTERM ends all; kill -9 of the parent too, and the next start finds the folder free."""
    async with through(product.url, 1) as one, through(product.url, 2) as two:
        await one.chat(FACT, "emil")
        pids = [(await each.worker())["pid"] for each in (one, two)]
    await asyncio.to_thread(product.kill)
    # They hear of it in their own time; before, they have the port, and would answer for the next.
    await until(lambda: not any(map(_runs, pids)), "the end of the killed parent's workers")
    await asyncio.to_thread(product.start)
    await all_serve(product.url, 2)
    async with through(product.url, 2) as two:
        assert await _recalled(two, "emil") == "injected"
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

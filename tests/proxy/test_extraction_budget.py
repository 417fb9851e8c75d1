"""What a payer sees: the calls that learning makes with the client's own key, in a whole proxy."""

from __future__ import annotations

import json

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from recollect.config import load_settings
from recollect.memory.learn import LearnOptions
from recollect.proxy.app import build_app
from tests.support.budget import examples
from tests.support.scripted import facts
from tests.support.waiting import until

CHATS = max(30, examples(12))
EXTRACTS = "You keep the long-term memory"


class Upstream:
    """Chats in prose with everybody; only the large model writes JSON when asked for it."""

    def __init__(self):
        self.asked = []
        """The model of each call that extracts."""

    async def complete(self, request):
        body = await request.json()
        text = "I see."
        if EXTRACTS in json.dumps(body["messages"]):
            self.asked.append(body["model"])
            if body["model"] == "large":
                text = facts("User likes tea")
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return web.json_response({"model": body["model"], "choices": [choice]})


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(LearnOptions, "retry_seconds", 0.01)


@pytest.fixture
async def upstream():
    said = Upstream()
    app = web.Application()
    app.router.add_post("/v1/chat/completions", said.complete)
    async with TestServer(app) as server:
        said.base_url = str(server.make_url("/v1"))
        yield said


def proxy(tmp_path, upstream, **flags):
    settings = load_settings(
        environ={},
        flags={
            "data_dir": str(tmp_path),
            "upstream.base_url": upstream.base_url,
            "telemetry.metrics": "localhost:0",
            "embedder.backend": "fake",
            "index.backend": "exact",
            "learn.every_turns": 1,
            "learn.drift": False,
            "learn.calls_per_hour": 1000,
            **flags,
        },
    )
    return TestClient(TestServer(build_app(settings)))


async def chat(client, number, model):
    body = {"model": model, "messages": [{"role": "user", "content": f"I like tea {number}"}]}
    answer = await client.post(
        "/v1/chat/completions", json=body, headers={"Authorization": "Bearer sk-mine"}
    )
    assert answer.status == 200


async def ready(client):
    return await (await client.get("/readyz")).json()


async def left_alone(client):
    """What `/readyz` says about learning once it says that a model is left alone."""

    async def told():
        return "left alone since" in (await ready(client)).get("advice", {}).get("learning", "")

    await until(told)
    return (await ready(client))["advice"]["learning"]


async def test_a_chat_model_that_writes_no_json_costs_a_handful_of_calls(tmp_path, upstream):
    """Over a restart too; `/readyz` says which model is left alone, since when and until when.

    With another model everything that waited is learned.
    """
    async with proxy(tmp_path, upstream) as client:
        for number in range(CHATS):
            await chat(client, number, "small")
        told = await left_alone(client)
        assert "(small, 3 tries without a readable answer), tried again at " in told
        assert (await ready(client))["status"] == "ok"
        asked = len(upstream.asked)
        assert 1 <= asked <= 20
    async with proxy(tmp_path, upstream) as client:
        await chat(client, CHATS, "small")
        await left_alone(client)
        assert (await (await client.post("/v1/memories/flush")).json())["jobs"] is not None
        assert len(upstream.asked) == asked
        await chat(client, CHATS + 1, "large")

        async def learned():
            answer = await client.get("/v1/memories/jobs?limit=1000")
            found = (await answer.json())["results"]
            states = [job["state"] for job in found if job["kind"] == "learn"]
            return states == ["done"] * (CHATS + 2)

        await until(learned)
        assert upstream.asked.count("small") == asked
        assert (await ready(client))["parts"]["learning"] == "ok"


async def test_no_calls_is_no_degradation(tmp_path, upstream):
    """With `learn.calls_per_hour: 0` nothing is asked, and what users say is all that is recalled."""
    async with proxy(tmp_path, upstream, **{"learn.calls_per_hour": 0}) as client:
        await chat(client, 1, "large")
        await client.post("/v1/memories/flush")
        said = await ready(client)
        assert (said["status"], said["parts"]["learning"]) == ("ok", "said_only")
        assert upstream.asked == []

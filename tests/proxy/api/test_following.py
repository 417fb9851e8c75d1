"""Answers that take time: changes as they are made, and a flush in bounded time or as it goes on."""

import asyncio
import json

import pytest

from recollect.proxy.api import following, sending
from recollect.proxy.api.sending import Load
from recollect.proxy.api.shares import Ceiling
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import HANG_SECONDS, until
from tests.support.wired import Wired

EVENTS = "/v1/memories/events"
FLUSH = "/v1/memories/flush"
OSLO = facts("User lives in Oslo")


async def next_event(answer):
    """The next event that is no sign of life, as its fields."""
    while True:
        block = []
        while line := (await answer.content.readline()).decode().rstrip("\n"):
            block.append(line)
        fields = dict(line.split(": ", 1) for line in block if not line.startswith(":"))
        if fields:
            return fields


async def test_changes_arrive_as_events(client):
    """Each with its id, its kind and the change as JSON; others' changes are not sent."""
    async with client.get(EVENTS, params={"user_id": "alice"}) as answer:
        assert answer.content_type == "text/event-stream"
        for user in ("bob", "alice"):
            body = {"messages": f"{user} likes tea", "user_id": user, "infer": False}
            assert (await client.post("/v1/memories", json=body)).status == 200
        event = await next_event(answer)
    change = json.loads(event["data"])
    assert (event["event"], event["id"]) == ("ADD", change["id"])
    assert (change["memory"], change["user_id"]) == ("alice likes tea", "alice")


async def test_a_quiet_stream_shows_that_it_lives(client, monkeypatch):
    """Comments come while nothing changes."""
    monkeypatch.setattr(following, "QUIET_SECONDS", 0.01)
    async with client.get(EVENTS) as answer:
        for _ in range(3):
            assert await answer.content.readline() == b": alive\n"
            assert await answer.content.readline() == b"\n"


async def test_streams_are_bounded_and_end_with_the_client(serve, monkeypatch):
    """One too many of a user is refused; others have room, and a client that leaves makes room."""
    monkeypatch.setattr(following, "QUIET_SECONDS", 0.01)
    monkeypatch.setattr(sending, "WRITE_SECONDS", 7)
    monkeypatch.setitem(sending.CEILINGS, Load.FOLLOWED, Ceiling(256, 2, 1))
    client = await serve()
    async with client.get(EVENTS, params={"user_id": "alice"}):
        refused = await client.get(EVENTS, params={"user_id": "alice"})
        assert (refused.status, refused.headers["Retry-After"]) == (429, "7")
        assert "a user may have 1 streams" in (await refused.json())["detail"]
        async with client.get(EVENTS, params={"user_id": "bob"}) as answer:
            assert answer.status == 200
            refused = await client.get(EVENTS)
            assert "a tenant may have 2 streams" in (await refused.json())["detail"]

    async def has_room():
        async with client.get(EVENTS, params={"user_id": "alice"}) as answer:
            return answer.status == 200

    await until(has_room, "the end of the stream of a client that left")


@pytest.fixture
async def slow():
    """A model that answers when `over` is set."""
    over = asyncio.Event()

    async def hang(_body):
        await over.wait()
        return OSLO

    async with ScriptedModel(hang) as model:
        model.over = over
        yield model
        over.set()


async def until_learned(engine):
    async with asyncio.timeout(HANG_SECONDS):
        while not await engine.memories():
            await asyncio.sleep(0.01)


async def test_it_answers_in_time_and_says_what_still_waits(serve, slow):
    """The job goes on without anybody who waits for it."""
    async with Wired(slow.base_url) as engine:
        client = await serve(parts=engine)
        await engine.say("I live in Oslo")

        async def flushed():
            answer = await client.post(FLUSH, json={"user_id": "alice", "seconds": 1})
            said = await answer.json()
            assert (answer.status, said["jobs"], said["done"]) == (200, {}, False)
            return said["waiting"] == {"running": 1}

        await until(flushed, "the job to run")
        slow.over.set()
        await until_learned(engine)


async def test_a_client_that_leaves_stops_no_job(serve, slow):
    """The connection is closed while the model thinks; the job is learned in its first try."""
    async with Wired(slow.base_url) as engine:
        client = await serve(parts=engine)
        await engine.say("I live in Oslo")
        asking = asyncio.ensure_future(client.post(FLUSH))
        await until(lambda: slow.requests, "the question to the model")
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        slow.over.set()
        await until_learned(engine)
        # What extracts, and what verifies.
        assert len(slow.requests) == 2
        [report] = await engine.jobs.reports()
        assert report.job.attempts == 1


@pytest.mark.parametrize("asked", [{"params": {"stream": "true"}}, {"json": {"stream": True}}])
async def test_progress_line_by_line(serve, slow, asked):
    """The first line comes while the job runs, the last one when it is done."""
    async with Wired(slow.base_url) as engine:
        client = await serve(parts=engine)
        await engine.say("I live in Oslo")
        async with client.post(FLUSH, **asked) as answer:
            first = json.loads(await answer.content.readline())
            slow.over.set()
            lines = [json.loads(line) async for line in answer.content]
        assert answer.content_type == "application/x-ndjson"
        assert (first["done"], first["jobs"], sum(first["waiting"].values())) == (False, {}, 1)
        assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]
        assert (lines[-1]["jobs"], lines[-1]["waiting"]) == ({"learned": 1}, {})


async def test_what_a_job_waits_for_is_named(serve):
    """The reason word and what to do, for a model that answers nothing readable."""
    async with (
        ScriptedModel("only words") as model,
        Wired(model.base_url, retry_seconds=500) as engine,
    ):
        client = await serve(parts=engine)
        await engine.say("I live in Oslo")
        said = await (await client.post(FLUSH)).json()
    assert (said["jobs"], said["waiting"]) == ({"retry": 1}, {"model_unreadable": 1})
    assert "recollect check --extract" in said["advice"]["model_unreadable"]

"""Questions over REST: whole answers, and answers that are told while the model writes them."""

import asyncio
import json

import pytest

from recollect.proxy.api import answering
from tests.support.folding import rows
from tests.support.scripted import ScriptedModel

from .serving import add, detail

URL = "/v1/memories/answer"
ASKED = {"question": "What is my cat called?", "user_id": "alice", "threshold": 0}


def reply(answer, *grounds):
    return json.dumps({"grounds": list(grounds), "answer": answer})


@pytest.fixture
async def asking(serve):
    """The API with a scripted model, and a memory of alice."""
    async with ScriptedModel(reply("Your cat is called Mia.", 1)) as model:
        client = await serve(model=model.base_url)
        client.model = model
        client.known = await add(client, "User has a cat called Mia")
        yield client


async def events(client, **more):
    """The events of a streamed answer."""
    answer = await client.post(URL, json={**ASKED, "stream": True, **more})
    assert answer.status == 200
    assert answer.content_type == "text/event-stream"
    found = []
    for block in (await answer.text()).split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


async def test_a_streamed_answer_is_told_and_then_given(asking):
    """The pieces together are the answer, and the last event has the citations."""
    *told, (name, said) = await events(asking)
    assert {each for each, _ in told} == {"text"}
    assert len(told) > 1
    assert "".join(value["text"] for _, value in told) == said["answer"]
    assert (name, said["citations"][0]["id"]) == ("answer", asking.known)
    assert asking.model.requests[-1]["stream"] is True


async def test_nothing_is_told_that_is_not_supported(asking):
    """A number that stands in no memory ends the text; the last event says why."""
    asking.model.replies = [reply("She cost 900 euros.", 1)]
    *told, (_, said) = await events(asking)
    assert "".join(value["text"] for _, value in told) == "She cost"
    assert (said["answer"], said["reason"]) == (None, "unsupported_number")
    asking.model.replies = [reply("Probably Mia.")]
    assert await events(asking) == [
        ("answer", {"answer": None, "citations": [], "abstained": True, "reason": "not_supported"})
    ]


@rows("stream", [False, True])
async def test_a_model_that_fails_is_a_503_with_the_setting(asking, stream):
    """It says where the model is set, and not that memory is broken."""
    asking.model.replies = [404]
    status, said = await detail(await asking.post(URL, json={**ASKED, "stream": stream}))
    assert status == 503
    assert "learn.llm" in said


async def test_after_a_while_a_stream_says_that_it_lives(asking, monkeypatch):
    """And what fails then is an event."""
    monkeypatch.setattr(answering, "QUIET_SECONDS", 0.01)
    go = asyncio.Event()

    async def late(_body):
        await go.wait()
        return 404

    asking.model.replies = [late]
    answer = await asking.post(URL, json={**ASKED, "stream": True})
    assert (await answer.content.readline()) == b": alive\n"
    go.set()
    assert "event: error" in await answer.text()


@rows("stream", [False, True])
async def test_a_client_that_leaves_ends_the_call_of_the_model(asking, stream):
    """The model's server sees that its caller is gone."""
    asked, gone = asyncio.Event(), asyncio.Event()

    async def slow(_body):
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            gone.set()

    asking.model.replies = [slow]
    work = asyncio.ensure_future(asking.post(URL, json={**ASKED, "stream": stream}))
    await asked.wait()
    work.cancel()
    await asyncio.wait_for(gone.wait(), 60)

"""Conversations without their old turns, from the client to the model server and back."""

import json
import logging
from dataclasses import replace
from datetime import timedelta

from recollect.filters import Position
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import MemoryType, StoredMemory
from recollect.memory.recall import HotIndexes
from recollect.proxy.chat.compressing import CompressingModels, IndexedEpisodes
from recollect.proxy.chat.refusing_models import REFUSED_SECONDS
from recollect.proxy.dialects.responses import RESPONSES
from tests.filters.compress.long_chats import (
    ALICE,
    compress_of,
    episode,
    raw_of,
    talk,
)
from tests.proxy.wire import response
from tests.support.memories import InMemoryMemories
from tests.support.withholding import no_policy

from ..chatting import COMPLETION, Chatting, said

COMPRESSED = "x-recollect-compressed"
SLOW = {"deadline_ms": 60_000, "position": Position.USER}


def chatting(script=None, **fields):
    return Chatting(script, compress=compress_of, recall=SLOW, **fields)


async def grown(route, turns):
    """A conversation that was led through the route; the answer to its question."""
    seen = None
    for count in range(turns + 1):
        chat = talk(turns)[: 2 + 2 * count]
        seen = await route.ask(raw_of(chat))
    return seen


def received(route):
    return json.loads(route.received.body)["messages"]


async def test_old_turns_do_not_go_upstream():
    """The answer says how many; the turn is captured with what the client sent."""
    async with chatting() as route:
        seen = await grown(route, 9)
        assert seen.head.values(COMPRESSED) == ["6"]
        assert said(seen)[0] == "empty"
        assert len(received(route)) == len(talk(9)) - 12
        assert (await route.captured()).user_text == talk(9)[-1]["content"]
        again = await route.ask(raw_of(talk(9)))
        assert again.head.values(COMPRESSED) == ["6"]


async def test_a_recall_that_fails_changes_nothing():
    """What was taken out could not be recalled then."""
    fails = False

    async def step(_exchange):
        if fails:
            raise RuntimeError("boom")

    async with chatting(step=step) as route:
        await grown(route, 9)
        fails = True
        seen = await route.ask(raw_of(talk(9)))
        assert said(seen)[0] == "degraded"
        assert seen.head.values(COMPRESSED) == []
        assert route.received.body == raw_of(talk(9))


async def test_a_refused_conversation_is_sent_as_it_came(caplog):
    """Once more, and the next ones at once: their answers are the client's."""

    async def script(_reader, writer, request):
        chat = json.loads(request.body)["messages"]
        whole = "Extract of" not in json.dumps(chat)
        status = "200 OK" if whole else "400 Bad Request"
        writer.write(response(COMPLETION if whole else b"{}", status=status))

    async with chatting(script) as route:
        caplog.set_level(logging.WARNING)
        seen = await grown(route, 9)
        assert (seen.status, seen.body) == (200, COMPLETION)
        assert seen.head.values(COMPRESSED) == []
        before = len(route.server.requests)
        await route.ask(raw_of(talk(9)))
        assert len(route.server.requests) == before + 1
        assert "without its old turns" in caplog.text
        assert route.places.choose("m") is not None


def test_a_model_that_refuses_is_left_alone_for_a_while():
    """Others are not, and it is tried again later."""
    now = 0.0
    models = CompressingModels(clock=lambda: now)
    assert models.takes("m")
    models.refused("m", 400)
    assert not models.takes("m")
    assert models.takes("other")
    now = REFUSED_SECONDS
    assert models.takes("m")


async def test_episodes_come_from_the_index_of_the_user():
    """Only episodes of this conversation, of exactly this scope."""
    embedder = FakeEmbedder()
    store = InMemoryMemories(dim=embedder.dim)
    mine = episode("Mine.", ["t"], minute=1)
    others = [
        replace(mine, id="b", scope=replace(ALICE, user_id="bob")),
        replace(mine, id="s", scope=replace(ALICE, agent_id="helper")),
        replace(mine, id="f", type=MemoryType.SEMANTIC),
        replace(mine, id="c", provenance=replace(mine.provenance, conversation_id="other")),
    ]
    [vector] = await embedder.embed(["x"])
    await store.put([StoredMemory(item, vector) for item in (mine, *others)])
    known = IndexedEpisodes(HotIndexes(store, dim=embedder.dim), timedelta(minutes=30), no_policy())
    assert await known.of(ALICE, "c") == [mine]


def items(chat):
    """A conversation as the Responses API repeats it, with a call in its second turn."""
    found = [{"type": "message", **message} for message in chat]
    call = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}
    return [
        *found[:4],
        call,
        {"type": "function_call_output", "call_id": "a", "output": "x"},
        *found[4:],
    ]


async def test_a_repeated_conversation_of_the_responses_api():
    """Its old items go with their calls; one that the upstream keeps goes as it came."""

    def body(chat, **fields):
        return json.dumps({"model": "m", "input": items(chat), **fields}).encode()

    answer = json.dumps(
        {
            "id": "resp_1",
            "object": "response",
            "output": [
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "Fine."}],
                }
            ],
        }
    ).encode()
    async with chatting(response(answer), dialect=RESPONSES) as route:
        for count in range(1, 11):
            seen = await route.ask(body(talk(9)[: 2 * count]))
        assert seen.head.values(COMPRESSED) == ["6"]
        left = json.loads(route.received.body)["input"]
        assert [item["role"] for item in left[:2]] == ["system", "user"]
        assert not any("call" in item["type"] for item in left)
        kept = body(talk(9)[:20], previous_response_id="resp_1")
        seen = await route.ask(kept)
        assert seen.head.values(COMPRESSED) == []
        assert route.received.body == kept

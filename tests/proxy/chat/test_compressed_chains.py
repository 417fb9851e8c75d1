"""Chains of `previous_response_id` without their old turns: the upstream reads them no more."""

from __future__ import annotations

import json

from tests.filters.compress.long_chats import compress_of, turn
from tests.support.folding import rows

from ..chatting import Chatting, said
from ..wire import response
from .test_compressing import COMPRESSED, SLOW
from .test_responses_route import RESPONSES, json_answer, message

TURNS = 20
QUESTION = "Where did parcel number1 go?"


async def script_of(writer, received, *, refuses=False):
    """Answers each request as its turn of the talk is answered."""
    asked = json.loads(received.body)
    if refuses and asked.get("previous_response_id") is None and isinstance(asked["input"], list):
        writer.write(response(b"{}", status="400 Bad Request"))
        return
    number = int(asked.get("metadata", {}).get("number", TURNS))
    writer.write(json_answer(message(turn(number)[1]["content"]), number=number))


def chatting(**how):
    async def script(_reader, writer, received):
        await script_of(writer, received, **how)

    return Chatting(script, dialect=RESPONSES, compress=compress_of, recall=SLOW)


def asked(number, **fields):
    text = QUESTION if number == TURNS else turn(number)[0]["content"]
    previous = {"previous_response_id": f"resp_{number - 1}"} if number else {}
    given = {"model": "m", "input": text, **previous, "metadata": {"number": str(number)}, **fields}
    return json.dumps(given).encode()


async def grown(route, turns=TURNS, **fields):
    """A chain that was led through the route; the answer to its last message."""
    for number in range(turns + 1):
        seen = await route.ask(asked(number, **fields))
        await route.captured()
    return seen


async def test_old_turns_of_a_chain_do_not_go_upstream():
    """What is left is sent instead of the answer's id, with an extract of what is not."""
    async with chatting() as route:
        seen = await grown(route)
        sent = json.loads(route.received.body)
        assert seen.head.values(COMPRESSED) == ["18"]
        assert sent["previous_response_id"] is None
        told = [item["content"] for item in sent["input"]]
        assert [item["role"] for item in sent["input"]] == ["user", "assistant"] * 2 + ["user"]
        assert turn(17)[1]["content"] not in told
        assert turn(18)[1]["content"] in told
        assert "parcel number1 went to town1" in json.dumps(sent["input"])  # the extract, or a line
        assert sent["metadata"] == {"number": str(TURNS)}
        whole = sum(len(part["content"]) for number in range(TURNS) for part in turn(number))
        assert len(route.received.body) < whole / 2


async def test_it_goes_on_from_the_answer():
    """The chain is told from its turns, whichever answer of it the upstream still has whole."""
    async with chatting() as route:
        await grown(route)
        more = {"input": "And number2?", "previous_response_id": f"resp_{TURNS}"}
        seen = await route.ask(asked(TURNS, **more))
        assert seen.head.values(COMPRESSED) == ["18"]
        last = json.loads(route.received.body)["input"][-1]
        assert last["content"].endswith("And number2?")


async def test_a_short_chain_goes_as_it_came():
    """Also where the operator wants compression."""
    async with chatting() as route:
        seen = await grown(route, 5)
        assert seen.head.values(COMPRESSED) == []
        assert route.received.body == asked(5)


async def test_a_refused_chain_is_sent_as_it_came():
    """Once more, with the id that the client named."""
    async with chatting(refuses=True) as route:
        seen = await grown(route)
        assert seen.status == 200
        assert seen.head.values(COMPRESSED) == []
        assert route.received.body == asked(TURNS)


@rows(
    "fields",
    [
        {"tools": [{"type": "function", "name": "look", "parameters": {}}]},
        {"truncation": "auto"},
        {"conversation": "conv_1"},
    ],
)
async def test_what_may_have_more_than_text_goes_as_it_came(fields):
    """Tools, a conversation that the upstream shortens itself or keeps by name."""
    async with chatting() as route:
        seen = await grown(route, **fields)
        assert seen.head.values(COMPRESSED) == []
        assert route.received.body == asked(TURNS, **fields)


async def test_a_chain_with_something_that_was_not_recorded_goes_as_it_came():
    """A secret that was removed, or a beginning that another process knew."""
    async with chatting() as route:
        for number in range(TURNS + 1):
            before = f"Number {number}. " if number else "My key is [API key removed]. "
            text = f"{before}{turn(number)[0]['content']}"
            seen = await route.ask(asked(number, input=text))
            await route.captured()
        assert seen.head.values(COMPRESSED) == []
    async with chatting() as route:
        for number in range(2, TURNS + 4):
            seen = await route.ask(asked(number))
            await route.captured()
        assert said(seen)[0] == "empty"
        assert seen.head.values(COMPRESSED) == []

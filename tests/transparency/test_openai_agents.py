"""Agents: whatever shape a conversation has, it gets exactly one block, and nothing is parted."""

import json
from itertools import pairwise

from tests.support.folding import rows

from .pair import answer, completion, paired
from .whole import FENCE, QUESTION, take_ours

ASKED = {"role": "user", "content": QUESTION}
TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]


def _calls(*identifiers):
    function = {"name": "weather", "arguments": "{}"}
    calls = [{"id": i, "type": "function", "function": function} for i in identifiers]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _result(identifier):
    return {"role": "tool", "tool_call_id": identifier, "content": "sunny"}


CONVERSATIONS = {
    "one message": [ASKED],
    "system first": [{"role": "system", "content": "Be kind"}, ASKED],
    "developer first": [{"role": "developer", "content": "Be kind"}, ASKED],
    "tool result last": [ASKED, _calls("c1"), _result("c1")],
    "parallel results last": [ASKED, _calls("c1", "c2"), _result("c1"), _result("c2")],
    "two rounds": [ASKED, _calls("c1"), _result("c1"), _calls("c2"), _result("c2")],
    "a round before": [
        {"role": "user", "content": "Hi"},
        _calls("c1", "c2"),
        _result("c2"),
        _result("c1"),
        {"role": "assistant", "content": "ok"},
        ASKED,
    ],
    "prefill": [ASKED, {"role": "assistant", "content": "You live in"}],
    "user twice": [{"role": "user", "content": "Hi"}, ASKED],
    "parts": [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}],
    # Who is named in the last message is a user of their own.
    "names": [{"role": "user", "content": "Hi", "name": "bob"}, ASKED],
    "old function call": [
        ASKED,
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "1"},
    ],
}
"""Ways in which agents call. Each asks what alice's memory answers."""


@rows("messages", CONVERSATIONS.values())
async def test_exactly_one_block(messages):
    """The upstream gets the conversation as it was, with a block inside the last user message."""

    async def call(client):
        return await client.chat.completions.create(
            model="m", messages=messages, tools=TOOLS, parallel_tool_calls=True, user="someone"
        )

    async with paired() as pair:
        _, [received] = await pair.same(call, answer(completion({"content": "ok"})))
        _, [asked] = await pair.through(pair.direct, call, answer(completion({"content": "ok"})))
    sent, got = json.loads(asked.body), json.loads(received.body)
    places = [i for i, message in enumerate(got["messages"]) if FENCE in str(message["content"])]
    last_user = max(i for i, message in enumerate(messages) if message["role"] == "user")
    assert places == [last_user]
    assert len(take_ours(got)) == 1
    assert got == sent


async def test_a_turn_keeps_its_memories_through_its_tools():
    """Each request of an agent's loop carries the same block at the same place: prefixes stay equal."""
    conversation = [ASKED]
    bodies = []
    async with paired() as pair, pair.client(pair.proxied) as client:
        for number in range(3):
            call = _calls(f"c{number}", f"d{number}")
            pair.whole.answers = [answer(completion(call))]
            got = await client.chat.completions.create(
                model="m", messages=conversation, tools=TOOLS
            )
            message = got.choices[0].message
            assert [c.id for c in message.tool_calls] == [f"c{number}", f"d{number}"]
            conversation.append(message.model_dump(exclude_none=True) | {"content": None})
            conversation += [_result(c.id) for c in message.tool_calls]
            bodies.append(json.loads(pair.whole.received.body)["messages"])
        # A turn that goes on is no turn of its own.
        assert (await pair.whole.captured()).seq == 1
    for shorter, longer in pairwise(bodies):
        assert longer[: len(shorter)] == shorter
        assert longer[0]["role"] == "user"
        assert longer[0]["content"].startswith(FENCE)


async def test_nothing_to_add_to():
    """A conversation without a user's message goes up as it is."""
    messages = [{"role": "system", "content": "Be kind"}]

    async def call(client):
        return await client.chat.completions.create(model="m", messages=messages)

    async with paired() as pair:
        _, [received] = await pair.same(call, answer(completion({"content": "ok"})))
    assert json.loads(received.body)["messages"] == messages

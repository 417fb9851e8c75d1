"""What the `openai` client makes of the Responses API through the product."""

import json

from tests.support.folding import rows

from .pair import answer, events, paired, plain
from .whole import FACT, FENCE, QUESTION, take_ours

ITEMS = [{"role": "developer", "content": "Be kind"}, {"role": "user", "content": QUESTION}]


def said(text, identifier="resp_1", **fields):
    """A response that says this."""
    content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
    message = {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant"}
    common = {"id": identifier, "object": "response", "created_at": 1, "status": "completed"}
    rest = {"model": "m", "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return {**common, **rest, "output": [{**message, "content": content}], "x_vendor": 1, **fields}


def streamed(*parts):
    """The events of a response that says these parts."""
    text = "".join(parts)
    at = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    part = {"type": "output_text", "text": "", "annotations": []}
    item = {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "in_progress",
        "content": [],
    }
    begun = said("", output=[], status="in_progress")
    delta = "response.output_text.delta"
    values = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.content_part.added", **at, "part": part},
        *({"type": delta, **at, "delta": p, "logprobs": []} for p in parts),
        {"type": "response.output_text.done", **at, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **at, "part": {**part, "text": text}},
        {"type": "response.output_item.done", "output_index": 0, "item": said(text)["output"][0]},
        {"type": "response.completed", "response": said(text)},
    ]
    return events(*({**v, "sequence_number": i} for i, v in enumerate(values)), done=False)


@rows("given", [QUESTION, ITEMS])
async def test_create_gives_the_same_and_recalls(given):
    """Input as text or as a list: the same object comes back, and one block more went up."""

    async def call(client):
        return await client.responses.create(
            model="m", input=given, store=True, metadata={"a": "b"}
        )

    async with paired() as pair:
        result, [received] = await pair.same(call, answer(said("hello")))
        _, [asked] = await pair.through(pair.direct, call, answer(said("hello")))
        turn = await pair.whole.captured()
    got, sent = json.loads(received.body), json.loads(asked.body)
    [ours] = take_ours(got)
    assert FACT in ours
    assert got == sent
    assert result["x_vendor"] == 1
    assert (turn.user_text, turn.assistant_text) == (QUESTION, "hello")


async def test_the_stream_helper():
    """`responses.stream()` accumulates the same snapshot."""

    async def call(client):
        async with client.responses.stream(model="m", input=ITEMS) as stream:
            seen = [plain(event) async for event in stream]
            return [seen, plain(await stream.get_final_response())]

    async with paired() as pair:
        (_, final), _ = await pair.same(call, streamed("hel", "lo"))
    assert final["output"][0]["content"][0]["text"] == "hello"


async def test_a_conversation_that_the_upstream_keeps():
    """`previous_response_id` goes up as it is, and both turns belong to one conversation."""
    async with paired() as pair, pair.client(pair.proxied) as client:
        pair.whole.answers = [answer(said("hello"))]
        first = await client.responses.create(model="m", input="My name is Ada and I like maps")
        pair.whole.answers = [answer(said("Lisbon", "resp_2"))]
        await client.responses.create(model="m", input=QUESTION, previous_response_id=first.id)
        received = json.loads(pair.whole.received.body)
        turn = await pair.whole.captured()
    assert received["previous_response_id"] == "resp_1"
    assert (turn.seq, turn.user_text) == (2, QUESTION)


async def test_tool_results_stay_with_their_calls():
    """A function's output is sent on behind its call, with a block inside the question."""
    call_item = {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c1", "output": "sunny"}
    reasoning = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "xyz"}
    items = [*ITEMS, reasoning, call_item, output]

    async def call(client):
        return await client.responses.create(
            model="m", input=items, include=["reasoning.encrypted_content"]
        )

    async with paired() as pair:
        _, [received] = await pair.same(call, answer(said("ok")))
    got = json.loads(received.body)
    assert [i for i, item in enumerate(got["input"]) if FENCE in json.dumps(item)] == [1]
    assert len(take_ours(got)) == 1
    assert got["input"] == items

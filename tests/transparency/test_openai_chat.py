"""What the `openai` client makes of chat completions: the same objects as straight from the upstream."""

from tests.support.folding import rows

from .pair import answer, chunks, completion, events, paired, plain
from .whole import QUESTION

ASK = {"model": "m", "messages": [{"role": "user", "content": QUESTION}]}
LOGPROBS = {
    "content": [
        {"token": "h\u00e9", "bytes": [104, 195, 169], "logprob": -0.1, "top_logprobs": []}
    ],
    "refusal": None,
}
TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}


def _call(index, identifier, arguments):
    function = {"name": "weather", "arguments": arguments}
    return {"index": index, "id": identifier, "type": "function", "function": function}


def _more(index, arguments):
    return {"index": index, "function": {"arguments": arguments}}


MESSAGES = {
    "text": [{"content": "hello"}],
    "several": [{"content": "a"}, {"content": "b"}, {"content": "c"}],
    "refusal": [{"content": None, "refusal": "no"}],
    "reasoning": [{"content": "x", "reasoning_content": "hm", "reasoning": {"z": 1.0}}],
    "audio": [
        {"content": None, "audio": {"id": "a", "data": "AAAA", "expires_at": 1, "transcript": "hi"}}
    ],
    "parallel tools": [
        {
            "content": None,
            "tool_calls": [
                {"id": c, "type": "function", "function": {"name": "weather", "arguments": "{}"}}
                for c in ("c1", "c2")
            ],
        }
    ],
    "citations": [{"content": "x", "annotations": [{"type": "url_citation", "url_citation": {}}]}],
}


@rows("messages", MESSAGES.values())
async def test_completions_are_the_same_objects(messages):
    """Every kind of message, vendor fields too."""

    async def call(client):
        return await client.chat.completions.create(
            **ASK, n=len(messages), logprobs=True, tools=[TOOL], modalities=["text", "audio"]
        )

    async with paired() as pair:
        given = completion(*messages, service_tier="flex", system_fingerprint="fp")
        given["choices"][0]["logprobs"] = LOGPROBS
        result, _ = await pair.same(call, answer(given))
    assert len(result["choices"]) == len(messages)
    assert result["x_vendor"] == [1.0]


STREAMS = {
    "text": chunks(
        {"role": "assistant", "content": ""}, {"content": "h\u00e9"}, {"content": "llo"}
    ),
    "several": chunks({"content": "a"}, {"content": "b", "at": 1}, {"content": "c"}),
    "refusal": chunks({"refusal": "I "}, {"refusal": "cannot"}),
    "logprobs": chunks({"content": "h\u00e9", "logprobs": LOGPROBS}),
    "reasoning": chunks({"reasoning_content": "hm"}, {"content": "x"}),
    "parallel tools": chunks(
        {"tool_calls": [_call(0, "c1", "")]},
        {"tool_calls": [_more(0, '{"city":'), _call(1, "c2", '{"ci')]},
        {"tool_calls": [_more(1, 'ty":"Oslo"}')]},
        {"tool_calls": [_more(0, '"Rome"}')]},
        finish="tool_calls",
    ),
}


@rows("parts", STREAMS.values())
async def test_stream_helpers_accumulate_the_same(parts):
    """`stream()`: the same events in the same order, and the same final completion."""

    async def call(client):
        async with client.chat.completions.stream(**ASK, tools=[TOOL]) as stream:
            seen = [plain(event) async for event in stream]
            return [seen, plain(await stream.get_final_completion())]

    async with paired() as pair:
        (_, final), _ = await pair.same(call, events(*parts))
    assert final["choices"]

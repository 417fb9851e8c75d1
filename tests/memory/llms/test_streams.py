"""The stream of a completion, told as it comes."""

from types import SimpleNamespace

import pytest

from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions, streams
from recollect.memory.llms.streams import streamed
from recollect.memory.model.errors import ModelUnreadableError
from recollect.memory.model.streaming import StreamedRequest
from recollect.memory.model.types import Message
from tests.support.scripted import ScriptedModel

SAID = "One two three four five."


def asking(told, schema=None):
    messages = [Message(role="user", content="hi")]
    return StreamedRequest(messages=messages, schema=schema, on_text=told.append)


async def complete(server, told, **more):
    model = OpenAIChatModel(
        OpenAIChatOptions(base_url=server.base_url, api_key="k", model="m"), retries=0
    )
    try:
        return await model.complete(asking(told, **more)), model
    finally:
        await model.close()


async def test_the_pieces_are_told_and_the_reply_is_whole():
    """With the model's name and what it counted."""
    told = []
    async with ScriptedModel(SAID) as server:
        reply, _ = await complete(server, told)
    assert len(told) > 1
    assert "".join(told) == reply.text == SAID
    assert (reply.model, reply.prompt_tokens, reply.completion_tokens) == ("scripted", 1, 1)
    assert server.requests[0]["stream_options"] == {"include_usage": True}


async def test_a_server_that_refuses_streams_is_asked_without_and_not_again_with():
    """The answer comes in one piece; nothing is told."""
    told = []
    async with ScriptedModel(lambda body: 400 if body.get("stream") else SAID) as server:
        options = OpenAIChatOptions(base_url=server.base_url, api_key="k", model="m")
        model = OpenAIChatModel(options, retries=0)
        for _ in range(2):
            assert (await model.complete(asking(told))).text == SAID
        await model.close()
    assert told == []
    assert [bool(body.get("stream")) for body in server.requests] == [True, False, False]


async def chunks(*deltas):
    for delta in deltas:
        choice = SimpleNamespace(delta=delta, finish_reason=None)
        yield SimpleNamespace(choices=[choice], model="m", usage=None)


async def test_chunks_of_any_shape_are_read():
    """What is no text is left out; reasoning is not told."""
    told = []
    reasoning = SimpleNamespace(content=None, reasoning_content="Hm.")
    found = await streamed(
        chunks(None, "x", SimpleNamespace(content=7), reasoning, SimpleNamespace(content="Yes")),
        told.append,
    )
    message = found.choices[0].message
    assert (told, message.content, message.reasoning_content) == (["Yes"], "Yes", "Hm.")


async def test_too_much_text_is_unreadable(monkeypatch):
    """A server cannot fill the memory of this process."""
    monkeypatch.setattr(streams, "MAX_CHARS", 10)
    with pytest.raises(ModelUnreadableError):
        await streamed(chunks(*[SimpleNamespace(content="abcd")] * 3), [].append)


async def test_the_arguments_of_a_call_are_told_as_an_answer_is():
    """Where a call of a tool is the form of the answer."""
    told = []
    pieces = [
        SimpleNamespace(tool_calls=[SimpleNamespace(function=SimpleNamespace(arguments=text))])
        for text in ('{"answer"', "", ': "tea"}', None)
    ]
    whole = await streamed(chunks(*pieces), told.append)
    called = whole.choices[0].message.tool_calls[0].function.arguments
    assert called == "".join(told) == '{"answer": "tea"}'

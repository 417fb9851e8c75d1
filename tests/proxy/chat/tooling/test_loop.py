"""Injected tools as the real client sees them: ordinary answers, and none of our calls."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import openai
import pytest

from recollect.memory.tools import TOOLS
from recollect.proxy.chat.tooling import loop
from tests.support.calling_upstream import Says
from tests.support.folding import rows

from .conftest import Chatting

Start = Callable[..., Chatting]
NAMES = {tool.name for tool in TOOLS}
REMEMBER = ("fact_remember", {"text": "The release is on Friday."})
SEARCH = ("fact_search", {"query": "When is the release?"})
OWN = {
    "type": "function",
    "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}},
}
ASKED: Any = [{"role": "user", "content": "When is the release?"}]


def names_in(request: dict[str, Any]) -> list[str]:
    """The tools of a request that the server got."""
    return [each.get("name") or each["function"]["name"] for each in request.get("tools", [])]


class Answer:
    """An ordinary answer, whole or out of a stream: what the client was told in the end."""

    def __init__(self, text: str, calls: list[Any], finish: str, usage: Any) -> None:
        self.text, self.finish, self.usage = text.strip(), finish, usage
        self.calls = [each.function.name for each in calls if each.function.name]


async def answered(client: openai.AsyncOpenAI, *, stream: bool, **more: Any) -> Answer:
    """Ask; a stream has one id, one beginning and one end, and no answer has a call of ours."""
    given: Any = {"model": "m", "messages": ASKED, "user": "ada", **more}
    if not stream:
        whole = await client.chat.completions.create(**given)
        [choice] = whole.choices
        assert not NAMES & set(whole.model_dump_json().split('"'))
        calls = choice.message.tool_calls or []
        return Answer(choice.message.content or "", calls, choice.finish_reason, whole.usage)
    usage = {"stream_options": {"include_usage": True}}
    chunks = [chunk async for chunk in await client.chat.completions.create(
        stream=True, **given, **usage)]  # fmt: skip
    assert len({chunk.id for chunk in chunks}) == 1
    assert not NAMES & set(json.dumps([chunk.model_dump() for chunk in chunks]).split('"'))
    choices = [choice for chunk in chunks for choice in chunk.choices]
    [finish] = [choice.finish_reason for choice in choices if choice.finish_reason]
    assert len([choice for choice in choices if choice.delta.role]) <= 1
    text = "".join(choice.delta.content or "" for choice in choices)
    calls = [call for choice in choices for call in choice.delta.tool_calls or []]
    return Answer(text, calls, finish, chunks[-1].usage)


both_ways = rows("stream", [False, True])


@both_ways
async def test_a_call_is_answered_before_the_client_sees_anything(
    chatting: Start, stream: bool
) -> None:
    """The model gets what the tool said; the client gets the answer, with the tokens of both."""
    steps = (Says(calls=[REMEMBER]), Says(calls=[SEARCH]), Says("It is on Friday."))
    async with chatting(*steps) as (client, upstream):
        told = await answered(client, stream=stream)
        assert (told.text, told.calls, told.finish) == ("It is on Friday.", [], "stop")
        assert (told.usage.prompt_tokens, told.usage.total_tokens) == (300, 330)
        assert told.usage.prompt_tokens_details.cached_tokens == 120
        first, second, third = upstream.requests
    assert "fact_search" in names_in(first)
    assert "fact_validate" not in names_in(first)
    assert json.loads(second["messages"][-1]["content"])["event"] == "ADD"
    found = json.loads(third["messages"][-1]["content"])["facts"]
    assert [each["fact"] for each in found] == ["The release is on Friday."]


@both_ways
@rows("step", [Says("Hello there."), Says(calls=[("weather", {})])])
async def test_an_ordinary_answer_is_what_the_server_sent(
    chatting: Start, stream: bool, step: Says
) -> None:
    """A text, or calls of the client's own tools."""
    async with chatting(step) as (client, upstream):
        told = await answered(client, stream=stream, tools=[OWN])
        assert (told.text, told.calls) == (step.text, [name for name, _ in step.calls])
        assert [names_in(each)[0] for each in upstream.requests] == ["weather"]


@both_ways
async def test_a_client_s_call_beside_ours_is_made_again(chatting: Start, stream: bool) -> None:
    """The model is told so, and the client sees its own call only."""
    weather = ("weather", {"city": "Lyon"})
    async with chatting(Says(calls=[weather, REMEMBER]), Says(calls=[weather])) as (client, server):
        told = await answered(client, stream=stream, tools=[OWN])
        assert (told.calls, told.finish) == (["weather"], "tool_calls")
        results = [each for each in server.requests[1]["messages"] if each["role"] == "tool"]
    assert "not run" in results[0]["content"]
    assert "ADD" in results[1]["content"]


@both_ways
async def test_a_tool_loop_ends(
    chatting: Start, monkeypatch: pytest.MonkeyPatch, stream: bool
) -> None:
    """After so many rounds none may be called; of what is called then, the client's own stays."""
    monkeypatch.setattr(loop, "ROUNDS", 2)
    async with chatting(Says("Wait.", [SEARCH])) as (client, upstream):
        told = await answered(client, stream=stream)
        assert (told.calls, told.finish) == ([], "stop")
        assert told.text.split() == ["Wait."] * 3
        assert len(upstream.requests) == 3
        assert upstream.requests[-1]["tool_choice"] == "none"
    step = Says("Wait.", [("weather", {"city": "Lyon"}), SEARCH])
    monkeypatch.setattr(loop, "ROUNDS", 1)
    async with chatting(step) as (client, _):
        told = await answered(client, stream=stream, tools=[OWN])
        assert (told.calls, told.finish) == (["weather"], "tool_calls")
        assert told.text.split() == ["Wait.", "Wait."]


@both_ways
async def test_an_error_of_a_tool_goes_to_the_model(chatting: Start, stream: bool) -> None:
    """Wrong arguments and unknown ids are answers that it can act on."""
    wrong = [("fact_search", {"q": "x"}), ("fact_history", {"id": "none"})]
    async with chatting(Says(calls=wrong), Says("I do not know.")) as (client, upstream):
        assert (await answered(client, stream=stream)).text == "I do not know."
        told = [m["content"] for m in upstream.requests[1]["messages"] if m["role"] == "tool"]
    assert "is no argument of this tool" in told[0]
    assert "not_found" in told[1]


@both_ways
async def test_a_server_that_refuses_tools_gets_none(chatting: Start, stream: bool) -> None:
    """The request is sent once more without them, and the next ones have none."""
    async with chatting(Says(status=400), Says("Hello.")) as (client, upstream):
        for _ in range(2):
            assert (await answered(client, stream=stream)).text == "Hello."
        assert [bool(names_in(each)) for each in upstream.requests] == [True, False, False]


@pytest.mark.parametrize(
    ("wish", "has", "has_not"),
    [("read", {"fact_search"}, {"fact_remember"}), ("off", set(), {"fact_search"})],
)
async def test_a_request_gets_the_tools_that_its_memory_may_use(
    chatting: Start, wish: str, has: set[str], has_not: set[str]
) -> None:
    """Who may only read is offered nothing that writes, and who is off nothing at all."""
    async with chatting(Says("No.")) as (client, upstream):
        await answered(client, stream=False, extra_headers={"x-recollect-memory": wish})
        offered = set(names_in(upstream.requests[0]))
    assert has <= offered
    assert not has_not & offered


async def test_a_tool_works_for_the_user_of_the_request(chatting: Start) -> None:
    """What one user's chat remembered, no other user's chat finds."""
    steps = (Says(calls=[REMEMBER]), Says("Yes."), Says(calls=[SEARCH]), Says("No."))
    async with chatting(*steps) as (client, upstream):
        for user in ("ada", "bob"):
            await client.chat.completions.create(model="m", messages=ASKED, user=user)
        assert json.loads(upstream.requests[-1]["messages"][-1]["content"]) == {"facts": []}


async def responded(
    client: openai.AsyncOpenAI, *, stream: bool, **more: Any
) -> tuple[Any, list[Any]]:
    """The response, and the events of its stream."""
    asked: dict[str, Any] = {"model": "m", "input": "When is the release?", "user": "ada", **more}
    if not stream:
        return await client.responses.create(**asked), []
    events = [event async for event in await client.responses.create(stream=True, **asked)]
    numbers = [event.sequence_number for event in events]
    assert numbers == list(range(len(events)))
    assert [event.type for event in events].count("response.created") == 1
    assert events[-1].type == "response.completed"
    indexes = {e.output_index for e in events if hasattr(e, "output_index")}
    assert indexes == set(range(len(events[-1].response.output)))
    assert not NAMES & set(json.dumps([e.model_dump() for e in events]).split('"'))
    return events[-1].response, events


@both_ways
async def test_responses_are_answered_too(chatting: Start, stream: bool) -> None:
    """With one response whose id the server knows, and the tokens of all rounds."""
    steps = (
        Says(calls=[REMEMBER], reasoning=True),
        Says("Let me look.", [SEARCH]),
        Says("It is on Friday.", reasoning=True),
    )
    async with chatting(*steps) as (client, upstream):
        answer, _ = await responded(client, stream=stream)
        assert answer.id == "resp_3"
        assert "It is on Friday." in answer.output_text
        assert answer.usage.total_tokens == 330
        assert not [each for each in answer.output if each.type == "function_call"]
        first, second, third = upstream.requests
    assert "fact_search" in names_in(first)
    kinds = [each.get("type") for each in second["input"]]
    assert kinds == [None, "reasoning", "function_call", "function_call_output"]
    assert second["input"][0]["content"] == "When is the release?"
    found = json.loads(third["input"][-1]["output"])["facts"]
    assert [each["fact"] for each in found] == ["The release is on Friday."]


@both_ways
async def test_ordinary_responses_are_what_the_server_sent(chatting: Start, stream: bool) -> None:
    """A text with its reasoning, or calls of the client's own tools."""
    own: Any = [{"type": "function", "name": "weather", "parameters": {"type": "object"}}]
    for step in (Says("Hello there.", reasoning=True), Says(calls=[("weather", {})])):
        async with chatting(step) as (client, upstream):
            answer, _ = await responded(client, stream=stream, tools=own)
            assert answer.output_text == step.text
            called = [each.name for each in answer.output if each.type == "function_call"]
            assert called == [name for name, _ in step.calls]
            assert len(upstream.requests) == 1


async def test_without_the_switch_nothing_is_injected(chatting: Start) -> None:
    """Not a byte of a request or an answer changes."""
    async with chatting(Says(calls=[SEARCH]), tools__inject="false") as (client, upstream):
        answer = await client.chat.completions.create(model="m", messages=ASKED, user="ada")
        assert [c.function.name for c in answer.choices[0].message.tool_calls or []] == [
            "fact_search"
        ]
        assert names_in(upstream.requests[0]) == []


async def test_what_a_tool_was_told_is_not_the_user_s_word(chatting: Start) -> None:
    """The turn that is kept has the user's message and the answer, no call and no result."""
    steps = (Says(calls=[REMEMBER]), Says("Noted."))
    async with chatting(*steps) as (client, _):
        await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "I like tea."}], user="ada"
        )
        said = await client.get(
            "/memories/said", cast_to=object, options={"params": {"user_id": "ada"}}
        )
    assert [each["said"] for each in said["results"]] == ["I like tea."]  # type: ignore[index]

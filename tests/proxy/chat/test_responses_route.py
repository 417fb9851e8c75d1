"""The Responses API with memory: what goes upstream, what comes back, what is captured."""

import asyncio
import json

from recollect.memory.model.types import Scope
from recollect.proxy.dialects.responses import RESPONSES
from tests.support.folding import rows

from ..chatting import SSE, Chatting, inject, said
from ..wire import chunked, request, response

PATH = "/v1/responses"
ALICE = Scope(tenant="local", user_id="alice")
CALL = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
RESULT = {"type": "function_call_output", "call_id": "c1", "output": "42"}


def message(text):
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    }


def answer(*output, number=1, status="completed"):
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": status,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def json_answer(*output, **more):
    return response(json.dumps(answer(*output, **more)).encode(), "Content-Type: application/json")


def event(kind, **more):
    data = json.dumps({"type": f"response.{kind}", "sequence_number": 0, **more})
    return f"event: response.{kind}\ndata: {data}\n\n".encode()


def delta(text):
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0, "logprobs": []}
    return event("output_text.delta", delta=text, **place)


CREATED = event("created", response=answer(status="in_progress"))
EVENTS = (
    CREATED,
    event("output_item.added", item={**message(""), "content": []}, output_index=0),
    delta("hel"),
    delta("lo"),
)
COMPLETED = event("completed", response=answer(message("hello")))


def in_turn(*answers):
    """An upstream that gives these answers one after the other."""
    left = iter(answers)

    async def script(_reader, writer, _received):
        writer.write(next(left))

    return script


def body(given_input, **fields):
    return json.dumps({"model": "m", "input": given_input, **fields}).encode()


def chatting(script=None, **options):
    return Chatting(
        json_answer(message("hello")) if script is None else script, dialect=RESPONSES, **options
    )


async def test_a_turn_ends_with_the_answer_after_its_tools():
    """What is kept is what the user asked and what was answered once the tools had spoken."""
    upstream = in_turn(
        json_answer(CALL, number=1),
        json_answer(CALL, number=2),
        chunked(*EVENTS, COMPLETED.replace(b"resp_1", b"resp_3"), headers=(SSE,)),
        json_answer(message("bye"), number=4),
    )
    async with chatting(upstream, learn={"every_turns": 2}) as route:
        await route.ask(body("What is it?"))
        await route.ask(body([RESULT], previous_response_id="resp_1"))
        [turn] = await route.turns()
        assert (turn.user_text, turn.assistant_text) == ("What is it?", "")
        await route.ask(body([RESULT], previous_response_id="resp_2", stream=True))
        [turn] = await route.turns()
        assert (turn.user_text, turn.assistant_text) == ("What is it?", "hello")
        assert (await route.jobs.counts())["ready"] == 0
        await route.ask(body("Thanks", previous_response_id="resp_3"))
        turns = await route.conversations.unlearned(turn.conversation_id, 9)
        assert (await route.jobs.counts())["ready"] == 1
        assert [r.body for r in route.server.requests][1] == body(
            [RESULT], previous_response_id="resp_1"
        )
    assert [(t.user_text, t.assistant_text) for t in turns] == [
        ("What is it?", "hello"),
        ("Thanks", "bye"),
    ]


async def test_a_retry_is_the_same_turn():
    """A request that is sent again replaces its answer, in the middle of a conversation too."""
    upstream = in_turn(
        json_answer(message("hello"), number=1),
        json_answer(message("first try"), number=2),
        json_answer(message("second try"), number=3),
    )
    async with chatting(upstream) as route:
        await route.ask(body("Hi"))
        for _ in range(2):
            await route.ask(body("Go on", previous_response_id="resp_1"))
        [turn] = await route.turns()
        turns = await route.conversations.unlearned(turn.conversation_id, 9)
    assert [t.assistant_text for t in turns] == ["hello", "second try"]


async def test_another_users_answer_is_not_gone_on_from():
    """Naming somebody's answer leads into no conversation of theirs."""
    upstream = in_turn(json_answer(CALL, number=1), json_answer(message("hello"), number=2))
    async with chatting(upstream) as route:
        await route.ask(body("My secret"))
        raw = body([RESULT], previous_response_id="resp_1")
        seen = await route.send(request("POST", PATH, raw, "x-recollect-user: bob"))
        [turn] = await route.turns()
    assert seen.status == 200
    assert (turn.scope, turn.assistant_text) == (ALICE, "")


async def test_an_unknown_answer_is_gone_on_from():
    """After a restart what the user says is kept, and what follows stays with it."""
    upstream = in_turn(json_answer(message("a"), number=8), json_answer(message("b"), number=9))
    async with chatting(upstream) as route:
        await route.ask(body("Hi", previous_response_id="resp_7"))
        await route.ask(body("Yes", previous_response_id="resp_8"))
        [turn] = await route.turns()
        turns = await route.conversations.unlearned(turn.conversation_id, 9)
    assert [(t.user_text, t.assistant_text) for t in turns] == [("Hi", "a"), ("Yes", "b")]


async def test_memories_the_upstream_keeps_are_known():
    """A block stays in a conversation that the upstream keeps: later requests are told."""
    shown = []

    async def note(exchange):
        shown.append(exchange.shown)
        await inject(exchange)

    upstream = in_turn(*(json_answer(message("x"), number=number) for number in (1, 2)))
    async with chatting(upstream, step=note) as route:
        await route.ask(body("Hi"))
        await route.ask(body("Go on", previous_response_id="resp_1"))
    assert shown == [frozenset(), {"m1 hash", "m2 hash"}]


@rows("names", ["previous_response_id", "conversation"])
async def test_a_conversation_is_known_after_a_restart(names):
    """Filters see what a chat client would resend, and the turns are one conversation."""
    seen = []

    async def note(exchange):
        seen.append([(m.role, m.content) for m in exchange.heard])

    named = {"conversation": "conv_1"} if names == "conversation" else {}
    async with chatting(json_answer(message("Nice!"), number=1)) as route:
        await route.ask(body("We plan a trip to Hawaii", **named))
        kept = route.conversations
    goes_on = named or {"previous_response_id": "resp_1"}
    upstream = in_turn(json_answer(message("Oh"), number=2), json_answer(message("x"), number=3))
    async with chatting(upstream, step=note, conversations=kept) as route:
        await route.ask(body("It may cost 12,000 dollars", **goes_on))
        goes_on = named or {"previous_response_id": "resp_2"}
        await route.ask(body("Is that much?", **goes_on))
        [turn] = await route.turns()
        turns = await kept.unlearned(turn.conversation_id, 9)
    told = [("user", "We plan a trip to Hawaii"), ("assistant", "Nice!")]
    more = [("user", "It may cost 12,000 dollars"), ("assistant", "Oh"), ("user", "Is that much?")]
    assert seen == [[*told, more[0]], [*told, *more]]
    assert [t.user_text for t in turns] == [text for role, text in told + more if role == "user"]


async def test_a_tools_result_after_a_restart_belongs_to_its_turn():
    """The message that began the turn is what was recorded of it."""
    async with chatting(json_answer(CALL, number=1)) as route:
        await route.ask(body("What is it?"))
        kept = route.conversations
    async with chatting(json_answer(message("42"), number=2), conversations=kept) as route:
        await route.ask(body([RESULT], previous_response_id="resp_1"))
        [turn] = await route.turns()
    assert (turn.user_text, turn.assistant_text, turn.seq) == ("What is it?", "42", 1)


@rows("fails", [lambda: asyncio.Event().wait(), lambda: 1 / 0])
async def test_a_state_that_fails_holds_no_continued_request(fails):
    """The request goes up as if its conversation were unknown, within one deadline."""
    ran = []

    async def note(_):
        ran.append(1)

    async with chatting(step=note) as route:

        async def fail(what):
            if isinstance(what, str):
                await fails()

        route.conversations.before = fail
        seen = await route.ask(body("Hi", previous_response_id="resp_7"))
    assert seen.status == 200
    assert said(seen) in {("degraded", "deadline", "0"), ("empty", "no_memories", "0")}


async def test_a_conversation_that_the_upstream_keeps_is_gone_on_from():
    """The same words twice are two turns, and a tool's result ends the turn of the question."""
    upstream = in_turn(
        json_answer(message("a"), number=1),
        json_answer(message("b"), number=2),
        json_answer(CALL, number=3),
        json_answer(message("42"), number=4),
    )
    async with chatting(upstream) as route:
        for given in ("yes", "yes", "What is it?", [RESULT]):
            await route.ask(body(given, conversation={"id": "conv_1"}))
        [turn] = await route.turns()
        turns = await route.conversations.unlearned(turn.conversation_id, 9)
    assert [(t.user_text, t.assistant_text) for t in turns] == [
        ("yes", "a"),
        ("yes", "b"),
        ("What is it?", "42"),
    ]

"""Several people through one client: each is recalled what they said, and nobody else is.

The whole product in this process, over HTTP, without an extraction model.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from tests.hostile.facing import Facing
from tests.proxy.wire import Received, Script, request, response
from tests.support.folding import rows
from tests.support.waiting import until
from tests.transparency.whole import take_ours

CHAT, RESPONSES = "/v1/chat/completions", "/v1/responses"
TOLD, ASKED, SECRET = "I'm allergic to peanuts.", "What am I allergic to?", "peanuts"
CALL = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
RESULT = {"type": "function_call_output", "call_id": "c1", "output": "42"}
LABELS = ["[{}]: ", "[From: {}] ", "{{{{{}}}}}: "]
Message = dict[str, Any]
Says = Callable[[str, str], Message]


def by_name(who: str, text: str) -> Message:
    return {"role": "user", "name": who, "content": text}


def by_label(label: str) -> Says:
    return lambda who, text: {"role": "user", "content": label.format(who) + text}


FORMS = {"name": by_name} | {label: by_label(label) for label in LABELS}


def _completion(text: str) -> Message:
    message = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}


def _events(*bodies: Message) -> bytes:
    data = b"".join(b"data: %s\n\n" % json.dumps(body).encode() for body in bodies)
    return response(data + b"data: [DONE]\n\n", "Content-Type: text/event-stream")


def _plain(body: Message) -> bytes:
    return response(json.dumps(body).encode(), "Content-Type: application/json")


def upstream() -> Script:
    """A model server for both APIs; it calls a tool if one is offered and was not used."""
    count = 0

    async def script(_reader: Any, writer: Any, received: Received) -> None:
        nonlocal count
        count += 1
        body = json.loads(received.body)
        if "input" in body:
            calls = "tools" in body and RESULT not in body["input"]
            text = [{"type": "output_text", "text": "Noted.", "annotations": []}]
            said = {"type": "message", "role": "assistant", "content": text}
            whole = {"id": f"r{count}", "object": "response", "output": [CALL if calls else said]}
            writer.write(_plain(whole | {"status": "completed"}))
        elif body.get("stream"):
            delta = {"choices": [{"index": 0, "delta": {"content": "Noted."}}]}
            writer.write(_events(delta))
        else:
            writer.write(_plain(_completion("Noted.")))

    return script


class Group:
    """A product, a client of it with a user of its own, and who the last request was taken for."""

    def __init__(self, facing: Facing, client: str) -> None:
        self._facing = facing
        self.client = client
        self.user = self.outcome = self.reason = ""
        self.answer: Any = None

    def of(self, speaker: str) -> str:
        """The user that a speaker of this client is, as a header tells it."""
        return f"{self.client}%2F{speaker}"

    async def ask(self, path: str, body: Message, *headers: str) -> str:
        """Send a request; what the model was told besides."""
        named = {"user", "safety_identifier"} & body.keys()
        about = {"model": "m"} if named else {"model": "m", "user": self.client}
        raw = json.dumps(about | body).encode()
        seen = await self._facing.ask(request("POST", path, raw, *headers))
        assert seen.status == 200, seen.body
        names = ("user", "memory", "reason")
        said = [(seen.head.values(f"x-recollect-{name}") or [""])[0] for name in names]
        self.user, self.outcome, self.reason = said
        self.answer = seen.body
        told = json.loads(self._facing.upstream.requests[-1].body)
        blocks = take_ours(told)
        given = {"messages", "input"} & body.keys()
        # Names and labels reach the model as they were sent.
        assert all(told[key] == body[key] for key in given)
        return "".join(blocks)

    async def api(self, method: str, path: str, body: Message | None = None) -> Any:
        """What the memory API answers."""
        raw = None if body is None else json.dumps(body).encode()
        seen = await self._facing.ask(request(method, f"/v1/memories{path}", raw))
        assert seen.status == 200, seen.body
        return json.loads(seen.body)

    async def heard(self, speaker: str = "") -> list[str]:
        """What a speaker of this client said, or its user, as soon as it is listed."""
        user = f"{self.client}/{speaker}".removesuffix("/")
        path = f"/said?user_id={user}"

        async def listed() -> list[Message]:
            return list((await self.api("GET", path))["results"])

        return [str(row) for row in await until(listed, f"what {user} said")]


@pytest.fixture
async def group() -> AsyncIterator[Callable[..., Any]]:
    """Somebody new before a product with these options, which all of them share."""
    running: dict[str, Facing] = {}
    numbers = itertools.count(1)

    async def start(**options: str) -> Group:
        if (facing := running.get(str(options))) is None:
            hosts = {"listen__allowed_hosts": '["proxy.test"]'}
            facing = running[str(options)] = Facing(upstream(), **{**hosts, **options})
            await facing.__aenter__()
        return Group(facing, f"client{next(numbers)}")

    yield start
    for facing in running.values():
        await facing.__aexit__()


@rows("stream", [False, True])
@rows("form", FORMS)
async def test_told_by_one_and_asked_by_another(group: Any, form: str, *, stream: bool) -> None:
    """Eva is never told what Tom said, in his conversation or in her own; Tom is, in the next."""
    chat, says = await group(), FORMS[form]
    told = says("Tom", TOLD)
    assert SECRET not in await chat.ask(CHAT, {"messages": [told], "stream": stream})
    assert chat.user == chat.of("Tom")
    await chat.heard("Tom")
    answer = {"role": "assistant", "content": "Noted."}
    for messages in ([told, answer, says("Eva", ASKED)], [says("Eva", ASKED)]):
        assert SECRET not in await chat.ask(CHAT, {"messages": messages, "stream": stream})
        assert chat.user == chat.of("Eva")
    nobody = {"messages": [{"role": "user", "content": ASKED}], "stream": stream}
    assert SECRET not in await chat.ask(CHAT, nobody)
    assert chat.user == chat.client
    assert SECRET in await chat.ask(CHAT, {"messages": [says("Tom", ASKED)], "stream": stream})
    assert (chat.user, chat.outcome) == (chat.of("Tom"), "injected")


@rows("form", LABELS)
async def test_labels_in_the_other_api(group: Any, form: str) -> None:
    """It has no field for a name; what is told in one is known in both."""
    chat, says = await group(), FORMS[form]
    for index, who in enumerate(("Tom", "Eva", "Tom")):
        body = {"input": [says(who, ASKED if index else TOLD)]}
        said = await chat.ask(RESPONSES, body)
        assert chat.user == chat.of(who)
        assert (SECRET in said) is (index == 2)
        # The label is no part of the words.
        assert (f"said: {TOLD}" in said) is (index == 2)
        await chat.heard("Tom")
    assert SECRET in await chat.ask(CHAT, {"messages": [by_name("Tom", ASKED)]})
    [row] = await chat.heard("Tom")
    assert TOLD in row
    assert "Tom" not in row.replace(f"{chat.client}/Tom", "")


async def test_a_turn_with_tools_stays_with_who_asked(group: Any) -> None:
    """Its results come without a message, by the id of the answer that called the tool."""
    chat, tools = await group(), [{"type": "function", "name": "look"}]
    for who in ("Tom", "Eva"):
        body = {"input": [by_label(LABELS[0])(who, "Look it up")], "tools": tools}
        await chat.ask(RESPONSES, body)
        previous = json.loads(chat.answer)["id"]
        body = {"input": [RESULT], "tools": tools, "previous_response_id": previous}
        await chat.ask(RESPONSES, body)
        assert chat.user == chat.of(who)
        await chat.ask(RESPONSES, body, "x-recollect-user: somebody")
        assert chat.user == "somebody"


async def test_speakers_are_listed_and_forgotten(group: Any) -> None:
    """By their own names; forgetting the client's user leaves them as they are."""
    chat = await group()
    await chat.ask(CHAT, {"messages": [by_name("Tom", TOLD)]})
    await chat.heard("Tom")
    assert (await chat.api("GET", f"/said?user_id={chat.client}"))["results"] == []
    await chat.api("POST", "/forget", {"user_id": chat.client, "all": True})
    assert SECRET in await chat.ask(CHAT, {"messages": [by_name("Tom", ASKED)]})
    await chat.api("POST", "/forget", {"user_id": f"{chat.client}/Tom", "all": True})
    assert SECRET not in await chat.ask(CHAT, {"messages": [by_name("Tom", ASKED)]})


async def test_a_proven_caller_reaches_nobody_by_a_name(group: Any) -> None:
    """A user `ada/Tom` of the server in front is another one than Tom in Ada's messages."""
    chat = await group(identity__mode="header")
    await chat.ask(CHAT, {"messages": [by_name("Eva", TOLD)]}, "x-forwarded-user: ada/Tom")
    assert chat.user == "ada%2FTom"
    said = await chat.ask(CHAT, {"messages": [by_name("Tom", ASKED)]}, "x-forwarded-user: ada")
    assert (chat.user, SECRET in said) == ("ada", False)
    said = await chat.ask(CHAT, {"messages": [by_name("Eva", ASKED)]}, "x-forwarded-user: ada/Tom")
    assert (chat.user, SECRET in said) == ("ada%2FTom", True)


async def test_names_can_be_switched_off(group: Any) -> None:
    """Then everybody in a client is its user, as one person with several names is."""
    chat = await group(identity__speakers="false")
    await chat.ask(CHAT, {"messages": [by_name("Tom", TOLD)]})
    await chat.heard()
    assert SECRET in await chat.ask(CHAT, {"messages": [by_name("Eva", ASKED)]})
    assert chat.user == chat.client

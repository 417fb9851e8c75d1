"""Working blocks over HTTP, and what chats are given of them."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from tests.proxy.wire import request
from tests.support.folding import rows

from .calling import Calling

PLAN = {"label": "plan", "value": "Buy tea for Bob", "user_id": "alice"}
GREETING = "Hello!"


async def sent(api: Calling, *texts: str, headers: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """The messages that go upstream of a chat of alice's."""
    roles = ("user", "assistant")
    messages = [{"role": roles[at % 2], "content": text} for at, text in enumerate(texts)]
    body = json.dumps({"model": "m", "messages": messages}).encode()
    named = () if any("user" in header for header in headers) else ("x-recollect-user: alice",)
    seen = await api.ask(request("POST", "/v1/chat/completions", body, *named, *headers))
    assert seen.status == 200
    api.said = {name: seen.head.values(f"x-recollect-{name}") for name in ("memory", "reason")}
    return json.loads(api.upstream.requests[-1].body)["messages"]


async def compiled(api: Calling, who: str = "user_id=alice") -> str:
    return (await api.get(f"compiled?{who}"))["text"]


async def test_compiled_is_what_a_chat_is_given() -> None:
    """Byte for byte, with the wishes; the gate skips the greeting, and the blocks are there."""
    async with Calling() as api:
        await api.post("blocks", PLAN)
        await api.post("blocks", {"label": "style", "value": "plain", "agent_id": "coder"})
        await api.remember("From now on always answer in British spelling")
        whole = await compiled(api)
        assert "British" in whole
        assert "- Buy tea for Bob\n" in whole
        [message] = await sent(api, GREETING)
        assert message["content"] == f"{whole}\n\n{GREETING}"
        assert api.said == {"memory": ["injected"], "reason": ["greeting"]}
        for agent in ("coder", "other"):
            whole = await compiled(api, f"user_id=alice&agent_id={agent}")
            assert ("Block style (read-only)" in whole) is (agent == "coder")
            headers = (f"x-recollect-agent: {agent}",)
            [message] = await sent(api, GREETING, headers=headers)
            assert message["content"] == f"{whole}\n\n{GREETING}"


async def test_compiled_for_a_message_is_what_its_chat_is_given() -> None:
    """Byte for byte: blocks, wishes and what the message recalls; a blank one is refused."""
    async with Calling() as api:
        await api.post("blocks", PLAN)
        await api.remember("From now on always answer in British spelling")
        await api.remember("My favourite green tea comes from Uji")
        said = "Where does my favourite green tea come from?"
        whole = await compiled(api, f"user_id=alice&message={quote(said)}")
        assert "Uji" in whole
        assert "British" in whole
        [message] = await sent(api, said)
        assert message["content"] == f"{whole}\n\n{said}"
        assert api.said["memory"] == ["injected"]
        status, refused = await api.call("GET", "compiled?user_id=alice&message=%20")
        assert (status, refused["detail"][:9]) == (400, "message: ")


async def test_blocks_alone_are_an_outcome() -> None:
    """They stand in the message that the request is about; nobody else's chat has them."""
    async with Calling() as api:
        await api.post("blocks", PLAN)
        whole = await compiled(api)
        *earlier, last = await sent(api, GREETING, "Hi.", "Thanks!")
        assert [each["content"] for each in earlier] == [GREETING, "Hi."]
        assert last["content"] == f"{whole}\n\nThanks!"
        assert api.said == {"memory": ["injected"], "reason": ["blocks"]}
        explained = await api.get("explain?user_id=alice&q=Hello!")
        assert explained["chat"] == {"memory": "injected", "reason": "blocks"}
        assert explained["block"] == whole
        [other] = await sent(api, GREETING, headers=("x-recollect-user: bob",))
        assert other["content"] == GREETING
        assert api.said["memory"] == ["skipped"]


@rows("mode", ["write", "off"])
async def test_a_chat_without_memory_has_no_blocks(mode: str) -> None:
    """Nor one that only learns."""
    async with Calling() as api:
        await api.post("blocks", PLAN)
        [message] = await sent(api, GREETING, headers=(f"x-recollect-memory: {mode}",))
        assert message["content"] == GREETING


async def test_an_injected_block_is_not_learned() -> None:
    """Not even if a client sends it back, and a model that repeats it teaches nothing."""
    async with Calling() as api:
        await api.post("blocks", PLAN)
        whole = await compiled(api)
        await sent(api, f"{whole}\n\nI live in Bergen.", f"As noted:\n{whole}", GREETING)
        said = await api.get("said?user_id=alice")
        assert "tea" not in json.dumps(said)
        assert (await api.get("blocks/plan?user_id=alice"))["version"] == 1


async def test_a_forgotten_user_has_no_blocks() -> None:
    """Nor do they see what was attached, nor others what they attached; others' blocks stay."""
    async with Calling() as api:
        await api.post("blocks", PLAN)
        await api.post("blocks", {"label": "shared", "value": "y", "user_id": "bob"})
        await api.post("blocks", PLAN | {"agent_id": "coder", "value": "x"})
        for label, owner, to in (("plan", "alice", "bob"), ("shared", "bob", "alice")):
            await api.post(f"blocks/{label}/attach", {"to": {"user_id": to}, "user_id": owner})
        assert len((await api.get("blocks?user_id=bob"))["results"]) == 2
        receipt = await api.post("forget", {"user_id": "alice", "all": True})
        assert receipt["erased"]["blocks"] == 2
        assert (await api.get("blocks?user_id=alice&agent_id=coder"))["results"] == []
        [left] = (await api.get("blocks?user_id=bob"))["results"]
        assert left["label"] == "shared"
        [message] = await sent(api, GREETING)
        assert message["content"] == GREETING
        assert (await api.ask_for("POST", "/v1/reset", {"confirm": "local"}))[0] == 200
        assert (await api.get("blocks?user_id=bob"))["results"] == []


ASKED = [
    ("chat/completions", {"messages": [{"role": "user", "content": GREETING}]}),
    ("chat/completions", {"messages": [{"role": "system", "content": []}, {"role": "user", "content": [{"type": "text", "text": GREETING}]}]}),
    ("responses", {"input": GREETING}),
    ("responses", {"input": GREETING, "instructions": "Be brief."}),
    ("responses", {"input": [{"role": "user", "content": GREETING}]}),
]  # fmt: skip


@pytest.mark.parametrize("position", ["user", "tail", "start", "replay"])
async def test_they_are_whole_in_every_place(position: str) -> None:
    """Of both APIs: one text of the request has all of it, before the wishes, once."""
    async with Calling(recall__position=position) as api:
        await api.post("blocks", PLAN)
        await api.remember("From now on always answer in British spelling")
        whole = await compiled(api)
        for path, asked in ASKED:
            body = json.dumps({"model": "m", **asked}).encode()
            seen = await api.ask(request("POST", f"/v1/{path}", body, "x-recollect-user: alice"))
            assert seen.status == 200
            arrived = json.dumps(json.loads(api.upstream.requests[-1].body))
            assert arrived.count(json.dumps(whole)[1:-1]) == 1, (path, asked)

"""The official client against `/mcp`: every tool, every error, in a handshake and without one."""

from __future__ import annotations

import asyncio

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from recollect.memory.tools import TOOLS, ToolAnswer, ToolSet
from tests.support.folding import rows

from .serving import MODES, held, rpc, serving


@pytest.fixture
async def proxy(tmp_path):
    async with serving(tmp_path, tools__names=[tool.name for tool in TOOLS]) as running:
        yield running


@pytest.fixture(params=MODES)
async def ada(request, proxy):
    """The client of a user, of each kind."""
    async with held(proxy.client("?user_id=ada", mode=request.param)) as client:
        yield client


async def value(client, name, **arguments):
    """The structured answer; the text says the same."""
    answer = await client.call_tool(name, arguments)
    assert not answer.is_error, answer
    return answer.structured_content


async def error(client, name, **arguments):
    """The text of an answer that is an error."""
    answer = await client.call_tool(name, arguments)
    assert answer.is_error
    assert answer.structured_content is None
    return answer.content[0].text


async def test_every_tool_answers_as_its_schema_says(ada, proxy):
    """Called once each; the client checks what it gets. Without a model server one says so."""
    memory, ids = proxy.memory(), {"user_id": "ada"}
    await memory.blocks.define("plan", value="1. Pack", **ids)
    first, second, third = [
        (await value(ada, "fact_remember", text=f"Ada has a {what}."))["id"]
        for what in ("cat", "dog", "hen")
    ]
    calls = {
        "block_read": {"label": "plan"},
        "block_append": {"label": "plan", "text": "2. Go"},
        "block_replace": {"label": "plan", "old": "2. Go", "new": "2. Stay"},
        "block_rethink": {"label": "plan", "value": "Stay."},
        "fact_remember": {"text": "Ada likes tea."},
        "fact_search": {"query": "tea", "as_of": "2999-01-01", "limit": 3},
        "fact_supersede": {"old_id": first, "text": "Ada has two cats."},
        "fact_forget": {"id": second},
        "fact_history": {"id": first},
        "fact_validate": {"id": first},
        "fact_invalidate": {"id": third, "reason": "a joke"},
        "fact_revert": {"id": third},
        "recall_episodes": {"query": "what happened"},
        "conversation_search": {"query": "tea"},
        "profile_read": {},
        "conflicts_list": {},
        "memory_answer": {"question": "What does Ada like?"},
        "deep_recall": {"query": "tea"},
    }
    for tool in memory.tools(**ids, validates=True).tools:
        answer = await ada.call_tool(tool.name, calls[tool.name])
        if tool.needs_model or tool.name == "fact_validate":  # it is not in quarantine
            assert answer.is_error
        else:
            assert not answer.is_error, answer
            assert answer.structured_content is not None
    assert await text_of(ada, "recollect://blocks/plan") == "Stay."


async def test_a_wrong_call_says_what_is_wrong(ada):
    """A tool's error is an answer that a model can act on; no tool of the name is none."""
    assert "query: Field required" in await error(ada, "fact_search")
    assert "user_id: is no argument" in await error(ada, "fact_search", query="x", user_id="bob")
    assert "limit" in await error(ada, "fact_search", query="x", limit=0)
    assert "not_found" in await error(ada, "fact_history", id="nope")
    assert "new_id" in await error(ada, "fact_supersede", old_id="nope")
    assert "not_found" in await error(ada, "fact_validate", id="nope")
    with pytest.raises(
        MCPError, match=r"no tool 'nope'; expected one of .*fact_remember"
    ) as caught:
        await ada.call_tool("nope", {})
    assert caught.value.code == -32602


async def test_a_part_that_fails_and_a_defect_are_told_apart(ada, monkeypatch, caplog):
    """The first is a tool's error; of the second the client gets a number, the log the rest."""

    async def refuses(_self, _name, _arguments):
        return ToolAnswer({}, "store_unavailable: the store is away")

    async def breaks(_self, _name, _arguments):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(ToolSet, "call", refuses)
    assert "store_unavailable" in await error(ada, "fact_search", query="x")
    monkeypatch.setattr(ToolSet, "call", breaks)
    with pytest.raises(MCPError, match="internal error") as caught:
        await ada.call_tool("fact_search", {"query": "x"})
    assert "secret" not in str(caught.value)
    assert caught.value.code == -32603


async def text_of(client, uri):
    [content] = (await client.read_resource(uri)).contents
    return content.text


async def initialized(proxy, version):
    """What is answered to a client that asks for a version of the protocol."""
    asked = {
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    return await rpc(proxy, "initialize", **asked)


@rows("version", HANDSHAKE_PROTOCOL_VERSIONS)
async def test_each_version_with_a_handshake_is_served(proxy, version):
    """The client's version is agreed on, and its calls are answered in it."""
    status, headers, answer = await initialized(proxy, version)
    assert (status, answer["result"]["protocolVersion"]) == (200, version)
    assert headers["Mcp-Session-Id"]
    more = {"MCP-Protocol-Version": version, "Mcp-Session-Id": headers["Mcp-Session-Id"]}
    _, _, listed = await rpc(proxy, "tools/list", headers=more)
    assert [each for each in listed["result"]["tools"] if each["name"] == "fact_remember"]


class Slow:
    """Tools that take until they are let go."""

    def __init__(self, monkeypatch):
        self.begun, self.may_end, self.ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.outcome = None
        monkeypatch.setattr(ToolSet, "call", self._call)

    async def _call(self, _name, _arguments):
        self.begun.set()
        try:
            await self.may_end.wait()
            self.outcome = "finished"
        except asyncio.CancelledError:
            self.outcome = "cancelled"
            raise
        finally:
            self.ended.set()
        return ToolAnswer({"event": "ADD"})


@rows("tool, outcome", [("fact_search", "cancelled"), ("fact_remember", "finished")])
async def test_a_cancelled_call_ends_but_no_write_in_the_middle(ada, monkeypatch, tool, outcome):
    """The client stops waiting; reading ends at once, a write when it is done. It goes on."""
    with monkeypatch.context() as patch:
        slow = Slow(patch)
        call = asyncio.ensure_future(ada.call_tool(tool, {"query": "x"}))
        await slow.begun.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        if outcome == "finished":
            slow.may_end.set()
        await slow.ended.wait()
        assert slow.outcome == outcome
    assert (await value(ada, "fact_search", query="x"))["facts"] == []


async def test_nobody_else_cancels_a_call(proxy, monkeypatch):
    """Neither another user with the same session id and number, nor the same user with another."""
    slow = Slow(monkeypatch)
    session = {"Mcp-Session-Id": "s"}
    params = {"name": "fact_search", "arguments": {"query": "x"}}
    call = asyncio.ensure_future(rpc(proxy, "tools/call", headers=session, number=7, **params))
    await slow.begun.wait()
    for headers, user in (({"Mcp-Session-Id": "t"}, "ada"), (session, "bob"), ({}, "ada")):
        status, _, _ = await rpc(
            proxy, "notifications/cancelled", user=user, headers=headers, number=None, requestId=7
        )
        assert status == 202
    assert not slow.ended.is_set()
    await rpc(proxy, "notifications/cancelled", headers=session, number=None, requestId=7)
    _, _, answer = await call
    assert "cancelled" in answer["error"]["message"]
    await slow.ended.wait()
    assert slow.outcome == "cancelled"

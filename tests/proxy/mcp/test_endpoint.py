"""`/mcp` over HTTP: who may use it, what is refused, and what a busy or hostile client costs."""

from __future__ import annotations

import asyncio
import json
import sys

import pytest
from aiohttp import ClientSession
from mcp.shared.exceptions import MCPError

from recollect.memory.model.types import utc_now
from recollect.memory.tools import ToolAnswer, ToolSet
from recollect.proxy.access.rights import Right
from recollect.proxy.access.token_file import TokenFile
from recollect.proxy.access.tokens import make
from recollect.proxy.api.shares import Ceiling
from recollect.proxy.mcp import endpoint
from tests.support.folding import rows
from tests.support.waiting import until

from .serving import MODES, rpc, serving

TOKEN = {"Authorization": "Bearer secret-of-the-api"}
CLOSED = {"listen__host": "0.0.0.0", "api__token": "secret-of-the-api"}


async def raw(proxy, method="POST", path="/mcp", **more):
    """Status, headers and text of a request that no client sends."""
    async with (
        ClientSession() as http,
        http.request(method, proxy.base + path, **more) as answer,
    ):
        return answer.status, answer.headers, await answer.text()


def told(answer):
    """The message of a refusal."""
    return json.loads(answer[2])["error"]["message"]


@rows("mode", MODES)
async def test_the_scope_is_that_of_headers_or_the_url(tmp_path, mode):
    """Both ways lead to the same memories; agents have their own."""
    async with serving(tmp_path) as proxy:
        headers = {"x-recollect-user": "ada", "x-recollect-agent": "a"}
        async with proxy.client(mode=mode, headers=headers) as client:
            await client.call_tool("fact_remember", {"text": "Ada likes tea."})
        for query, count in (
            ("?user_id=ada&agent_id=a", 1),
            ("?user_id=ada&agent_id=b", 0),
            ("", 0),
        ):
            async with proxy.client(query, mode=mode) as client:
                found = await client.call_tool("fact_search", {"query": "Who likes tea?"})
                assert len(found.structured_content["facts"]) == count


async def test_off_loopback_a_token_and_a_user_are_needed(tmp_path):
    """A 401 names no secret and says how to authenticate, as clients expect."""
    async with serving(tmp_path, **CLOSED) as proxy:
        for headers in ({}, {"Authorization": "Bearer wrong"}):
            status, sent, answer = await rpc(proxy, "tools/list", headers=headers)
            assert (status, sent["WWW-Authenticate"]) == (401, "Bearer")
            assert "token" in answer["error"]["message"]
        status, _, answer = await rpc(proxy, "tools/list", headers=TOKEN)
        assert status == 200
        assert answer["result"]["tools"]
        async with (
            ClientSession() as http,
            http.post(f"{proxy.base}/mcp", json={}, headers=TOKEN) as refused,
        ):
            assert refused.status == 400
            assert "user_id" in await refused.text()


async def test_who_may_only_read_has_no_tools_that_write(tmp_path):
    """By the right of a token, or by the header; what is on record for an operator, is."""
    async with serving(tmp_path, **CLOSED) as proxy:
        token, text = make("op", Right.READ, ["local"], now=utc_now())
        TokenFile(tmp_path / "data" / "tokens.json").write([token])
        for headers in (
            {**TOKEN, "x-recollect-memory": "read"},
            {"Authorization": f"Bearer {text}"},
        ):
            async with proxy.client("?user_id=ada", headers=headers) as client:
                names = [each.name for each in (await client.list_tools()).tools]
                assert "fact_search" in names
                assert "fact_remember" not in names
                with pytest.raises(MCPError, match="no tool 'fact_remember'"):
                    await client.call_tool("fact_remember", {"text": "x"})
                await client.call_tool("fact_search", {"query": "x"})
        record = json.loads((tmp_path / "data" / "audit.jsonl").read_text().splitlines()[-1])
        assert (record["operation"], record["user_id"]) == ("mcp tool fact_search", "ada")


async def test_foreign_pages_are_refused(tmp_path):
    """By origin and by host name, as DNS rebinding would have it; a configured page may come."""
    async with serving(tmp_path, listen__allowed_origins=["https://app.test"]) as proxy:
        for headers in ({"Origin": "https://evil.test"}, {"Host": "evil.test"}):
            assert (await raw(proxy, headers=headers))[0] == 403
        asks = {"Origin": "https://app.test", "Access-Control-Request-Method": "POST"}
        status, sent, _ = await raw(proxy, "OPTIONS", headers=asks)
        assert (status, sent["Access-Control-Allow-Origin"]) == (204, "https://app.test")
        for name in ("Mcp-Session-Id", "MCP-Protocol-Version"):
            assert name in sent["Access-Control-Allow-Headers"]
        status, sent, _ = await rpc(proxy, "tools/list", headers={"Origin": "https://app.test"})
        assert (status, sent["Access-Control-Allow-Origin"]) == (200, "https://app.test")


async def test_it_is_ours_and_never_goes_upstream(tmp_path):
    """Whatever is below it is a 404 here; without the memory API it is switched off."""
    async with serving(tmp_path) as proxy:
        for method in ("GET", "DELETE", "PUT"):
            status, sent, _ = await raw(proxy, method)
            assert (status, sent["Allow"]) == (405, "POST")
        assert (await raw(proxy, path="/mcp/x"))[0] == 404
        looked_for = "/.well-known/oauth-protected-resource/mcp"
        status, _, text = await raw(proxy, "GET", path=looked_for)
        assert status == 404
        assert "bearer token" in text
        assert (await raw(proxy, path="/mcp/", data=b"{}"))[0] != 404
    async with serving(tmp_path / "off", api__enabled=False) as proxy:
        status, _, text = await raw(proxy)
        assert status == 404
        assert "api.enabled" in text


async def test_bad_bodies_are_refused_with_the_code_of_the_protocol(tmp_path):
    """No JSON, too deep, too large, of another type, no message: nothing of it is a 500."""
    async with serving(tmp_path, api__limits__max_body_bytes=20_000) as proxy:
        sent = {"Accept": "application/json", "Content-Type": "application/json"}
        answer = await raw(proxy, data=b"{", headers=sent)
        assert (answer[0], json.loads(answer[2])["error"]["code"]) == (400, -32700)
        assert (await raw(proxy, data=b"[" * 9000, headers=sent))[0] == 400
        assert (await raw(proxy, data=b"[" * 30_000, headers=sent))[0] == 413
        for body in (b"[]", b"1", b"{}", b'{"jsonrpc":"2.0"}', b'[{"jsonrpc":"2.0","id":1}]'):
            assert (await raw(proxy, data=body, headers=sent))[0] == 400
        ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
        assert (await raw(proxy, data=ping, headers=sent))[0] == 200
        assert (await raw(proxy, data=ping, headers={**sent, "Accept": "text/html"}))[0] == 406
        assert (await raw(proxy, data=ping, headers={**sent, "Content-Type": "text/plain"}))[
            0
        ] == 400


async def test_the_limits_of_a_tenant_count(tmp_path):
    """A request to `/mcp` is one to the memory API."""
    async with serving(tmp_path, api__limits__requests_per_minute=2) as proxy:
        statuses = [(await rpc(proxy, "ping"))[0] for _ in range(3)]
        assert statuses == [200, 200, 429]


async def test_no_more_than_so_many_at_a_time(tmp_path, monkeypatch):
    """One that is over it is told to come back, and nothing was done; the others are answered."""
    monkeypatch.setattr(endpoint, "AT_ONCE", Ceiling(total=4, per_tenant=4, per_user=2))
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def waits(_self, _name, _arguments):
        begun.set()
        await may_end.wait()
        return ToolAnswer({"facts": []})

    monkeypatch.setattr(ToolSet, "call", waits)
    async with serving(tmp_path) as proxy:
        asked = {"name": "fact_search", "arguments": {"query": "x"}}
        calls = [asyncio.ensure_future(rpc(proxy, "tools/call", **asked)) for _ in range(5)]
        await begun.wait()
        while sum(call.done() for call in calls) < 3:
            await asyncio.sleep(0.01)
        assert (await rpc(proxy, "ping", user="bob"))[0] == 200
        may_end.set()
        answers = [await call for call in calls]
        assert sorted(status for status, _, _ in answers) == [200, 200, 429, 429, 429]
        assert all(sent["Retry-After"] for status, sent, _ in answers if status == 429)


async def test_a_client_that_never_reads_is_dropped(tmp_path, monkeypatch):
    """A large answer is counted, and does not wait in memory for who does not take it."""

    async def much(_self, _name, _arguments):
        return ToolAnswer({"facts": ["x" * 20_000_000]})

    monkeypatch.setattr(ToolSet, "call", much)
    called = {"name": "fact_search", "arguments": {"query": "x"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called})
    async with serving(tmp_path) as proxy:
        sending = proxy.endpoint._api.sending
        sending.seconds = 0.2
        host = proxy.base.removeprefix("http://")
        _, writer = await asyncio.open_connection(*host.split(":"), limit=1024)
        head = f"POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n"
        kinds = "Content-Type: application/json\r\nAccept: application/json\r\n\r\n"
        writer.write((head + kinds + body).encode())
        await until(lambda: sending.unread.used > 20_000_000)
        await until(lambda: not sending.unread.used)
        writer.close()


async def test_the_shutdown_does_not_wait_for_clients(tmp_path, monkeypatch):
    """Clients that are connected, and a write whose client left: it finishes, then all is over."""
    begun, written = asyncio.Event(), []

    async def writes(_self, _name, _arguments):
        begun.set()
        await asyncio.sleep(0.2)
        written.append(1)
        return ToolAnswer({"event": "ADD"})

    monkeypatch.setattr(ToolSet, "call", writes)
    async with serving(tmp_path) as proxy:
        asked = {"name": "fact_remember", "arguments": {"text": "x"}}
        call = asyncio.ensure_future(rpc(proxy, "tools/call", **asked))
        await begun.wait()
        call.cancel()
        async with proxy.client() as client:
            await client.list_tools()
    assert written == [1]
    assert len(proxy.endpoint._calls) == 0


async def test_without_the_extra_it_says_what_to_install(tmp_path, monkeypatch):
    """To who may ask at all; nothing else of the proxy needs it."""
    monkeypatch.setitem(sys.modules, "mcp", None)
    async with serving(tmp_path) as proxy:
        answer = await raw(proxy, data=b"{}")
        assert answer[0] == 501
        assert "pip install 'recollect[mcp]'" in told(answer)

"""The desk of a proxy that runs elsewhere: the same tools, answers and texts."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import NotFoundError, RecollectError
from recollect.memory.tools import ToolAnswer, ToolSet
from recollect.proxy.mcp.desk import PROFILE_URI, OpenDesk
from recollect.proxy.mcp.proxied import NoProxyError, proxied

from .serving import serving


@pytest.fixture
async def proxy(tmp_path):
    async with serving(tmp_path) as running:
        yield running


async def test_it_shows_what_an_open_memory_shows(proxy):
    """Tool by tool, text by text."""
    memory, ids = proxy.memory(), {"user_id": "ada"}
    await memory.blocks.define("plan", value="1. Pack", **ids)
    here = OpenDesk(memory, ids, memory.tools(**ids))
    async with proxied(f"{proxy.base}/mcp?user_id=ada", {}) as desk:
        assert desk.tools == here.tools
        assert await desk.readings() == await here.readings()
        assert await desk.read("recollect://blocks/plan") == "1. Pack"
        assert await desk.read(PROFILE_URI) == ""
        for uri in ("recollect://blocks/nope", "nope"):
            with pytest.raises(NotFoundError):
                await desk.read(uri)


async def test_answers_and_errors_are_the_same(proxy, monkeypatch):
    """A value, a tool's error in its words, a tool that is not there, a defect."""
    async with proxied(f"{proxy.base}/mcp?user_id=ada", {}) as desk:
        told = await desk.call("fact_remember", {"text": "Ada likes tea."})
        assert told.value["event"] == "ADD"
        wrong = await desk.call("fact_search", {})
        assert wrong.error == "query: Field required"
        assert "no tool 'nope'" in (await desk.call("nope", {})).error

        async def breaks(_self, _name, _arguments):
            raise ZeroDivisionError

        monkeypatch.setattr(ToolSet, "call", breaks)
        assert "internal error" in (await desk.call("fact_search", {"query": "x"})).error


async def test_a_proxy_that_is_not_there_is_said(tmp_path):
    """At the start, and later: a call is an error, and works again with the proxy."""
    with pytest.raises(NoProxyError, match="does not answer"):
        async with proxied("http://127.0.0.1:9/mcp", {}):
            pass
    async with serving(tmp_path, api__token="t", listen__host="0.0.0.0") as proxy:
        with pytest.raises(NoProxyError, match="token"):
            async with proxied(f"{proxy.base}/mcp?user_id=ada", {}):
                pass
    async with serving(tmp_path) as proxy:
        context = proxied(f"{proxy.base}/mcp?user_id=ada", {})
        desk = await context.__aenter__()
    gone = await desk.call("fact_search", {"query": "x"})
    assert gone.is_error
    assert isinstance(gone, ToolAnswer)
    with pytest.raises(RecollectError):
        await desk.read(PROFILE_URI)
    await context.__aexit__(None, None, None)

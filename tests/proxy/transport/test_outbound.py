"""aiohttp's client as we mended it. Whole answers: tests/transparency."""

import asyncio

import pytest
from multidict import CIMultiDict

from recollect.config.server import UpstreamOptions
from recollect.proxy.errors import ProxyError
from recollect.proxy.transport.upstream import Upstream
from tests.support.folding import rows

from ..wire import SECONDS, RawUpstream, response, then_close


class Asking:
    """An upstream that runs a script, and the client that asks it."""

    def __init__(self, script):
        self.server = RawUpstream(script)

    async def __aenter__(self):
        await self.server.__aenter__()
        self._upstream = Upstream(UpstreamOptions(base_url=self.server.base_url))
        return self

    async def __aexit__(self, *_):
        await self._upstream.close()
        await self.server.__aexit__()

    async def ask(self, method="POST", data=None, *headers):
        answer = await self._upstream.send(method, "/v1/x", CIMultiDict(headers), data)
        try:
            return await answer.content.read()
        finally:
            answer.close()


@rows("method", ["GET", "POST", "DELETE", "PATCH"])
async def test_no_length_is_stated_for_a_client_that_stated_none(method):
    """A request without a body stays one, whatever the method."""
    async with Asking(response(b"ok")) as asking:
        await asking.ask(method)
        assert [name for name, _ in asking.server.requests[0].headers] == ["Host"]


@rows("method", ["GET", "POST", "PUT"])
@rows("says, asked", [(b"", 2), (b"H", 1), (b"HTTP/1.1 200 OK\r\nX-A: b", 1)])
async def test_a_second_try_only_where_nothing_was_heard(method, says, asked):
    """On a pooled connection that dies; one byte of an answer means the request was received."""
    answers = iter([response(b"first")])

    async def script(_reader, writer, _received):
        answer = next(answers, None)
        writer.write(says if answer is None else answer)
        if answer is None:
            await writer.drain()
            raise ConnectionResetError

    async with Asking(script) as asking:
        assert await asking.ask(method) == b"first"
        with pytest.raises(ProxyError) as failed:
            await asking.ask(method)
        assert failed.value.code == "upstream_unreachable"
        assert len(asking.server.requests) == 1 + asked


async def test_a_fresh_connection_is_tried_once():
    """Also for methods that aiohttp would try again by itself: whoever died may have been paid."""
    async with Asking(then_close(b"")) as asking:
        with pytest.raises(ProxyError):
            await asking.ask("GET")
        assert len(asking.server.requests) == 1


async def test_no_timer_is_left_behind():
    """A connection that is gone is not kept by the timer that watched it."""
    loop = asyncio.get_running_loop()
    before = {id(timer) for timer in loop._scheduled}
    async with Asking(response(b"ok")) as asking:
        await asking.ask()
    async with asyncio.timeout(SECONDS):
        while [t for t in loop._scheduled if id(t) not in before and not t.cancelled()][1:]:
            await asyncio.sleep(0.01)

"""Answers go to the client byte for byte, whatever the upstream does."""

import pytest
from multidict import CIMultiDict

from recollect.config.server import UpstreamOptions
from recollect.proxy.transport.relay import WHOLE_BYTES, relay
from recollect.proxy.transport.upstream import Upstream
from tests.support.folding import rows

from ..wire import (
    RawClient,
    RawUpstream,
    Served,
    request,
    response,
)

ASK = request("GET", "/v1/x")
SSE = "Content-Type: text/event-stream"


class SpyTee:
    """Notes what it is told."""

    def __init__(self, at_finish=None):
        self.calls = []
        self.chunks = b""
        self._at_finish = at_finish

    def feed(self, chunk):
        self.chunks += chunk
        return b"[DONE]" in self.chunks

    async def finish(self, *, complete):
        if self._at_finish is not None:
            await self._at_finish()
        self.calls.append(complete)

    def abandon(self):
        self.calls.append("abandoned")


class Relaying:
    """The relay between a scripted upstream and raw clients."""

    def __init__(self, script, *, tee=None, extra=None, **options):
        self.server = RawUpstream(script)
        self.tee = tee
        self._extra = extra
        self._options = options

    async def __aenter__(self):
        await self.server.__aenter__()
        self._upstream = Upstream(UpstreamOptions(base_url=self.server.base_url, **self._options))
        self._served = Served(self._handle)
        await self._served.__aenter__()
        self.port = self._served.port
        self.ask = self._served.ask
        return self

    async def __aexit__(self, *_):
        await self._served.__aexit__()
        await self._upstream.close()
        await self.server.__aexit__()

    async def _handle(self, got):
        answer = await self._upstream.send(got.method, got.raw_path, CIMultiDict())
        return await relay(got, answer, extra=self._extra, tee=self.tee)


@rows("size", [0, 1, 1000, WHOLE_BYTES, WHOLE_BYTES + 1, 3 * WHOLE_BYTES])
async def test_bodies_of_known_length(size):
    """A length stays the length, for bodies that are sent whole and for those that are streamed."""
    body = bytes(i % 251 for i in range(size))
    tee = SpyTee()
    async with Relaying(response(body, "Content-Type: a/b"), tee=tee) as relaying:
        seen = await relaying.ask(ASK)
    assert (seen.body, seen.ended) == (body, True)
    assert seen.head.values("content-length") == [str(size)]
    assert tee.chunks == body
    assert tee.calls
    assert set(tee.calls) == {True}


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
async def test_statuses_without_body(status):
    """They arrive with their headers, without body or invented length, on a usable connection."""
    answer = f"HTTP/1.1 {status}\r\nETag: x\r\n\r\n".encode()
    async with Relaying(answer, tee=SpyTee()) as relaying, RawClient(relaying.port) as client:
        for _ in range(2):
            await client.send(ASK)
            seen = await client.answer()
            assert seen.head.line == f"HTTP/1.1 {status}"
            names = {name.lower() for name, _ in seen.head.headers}
            assert names == {"etag", "date"}


async def test_head_without_a_length():
    """Nothing about a body is invented for HEAD."""
    async with Relaying(b"HTTP/1.1 200 OK\r\nX-A: b\r\n\r\n") as relaying:
        seen = await relaying.ask(request("HEAD", "/v1/x"), head_only=True)
    assert {name.lower() for name, _ in seen.head.headers} <= {"x-a", "date"}

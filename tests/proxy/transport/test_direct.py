"""Pieces of a body are passed on as they come, and read where somebody has to be waited for."""

import asyncio

import aiohttp
import pytest
from aiohttp.streams import StreamReader

from recollect.proxy.transport.direct import Rest, arrived
from recollect.proxy.transport.outbound import OutboundProtocol

from ..tunnelling import proxied
from ..wire import SECONDS, RawClient, RawUpstream, chunk, request

HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class Transport(asyncio.Transport):
    """Takes nothing and notes whether it is read."""

    reads = True

    def get_extra_info(self, name, default=None):
        return default

    def pause_reading(self):
        self.reads = False

    def resume_reading(self):
        self.reads = True

    def is_closing(self):
        return False

    def close(self):
        """Nothing is open."""


class Body:
    """The body of an answer whose bytes the test hands in; `taken` went without a reader."""

    def __init__(self, *, takes=True):
        self.takes, self.taken = takes, []

    async def __aenter__(self):
        self.protocol = OutboundProtocol(asyncio.get_running_loop())
        self.transport = Transport()
        self.protocol.connection_made(self.transport)
        self.protocol.begin("GET", 600)
        self.protocol.data_received(HEAD)
        _, self.content = await self.protocol.answer()
        self.read = []
        self._reading = asyncio.ensure_future(self._read())
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *_):
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        self.protocol.connection_lost(None)

    def take(self, piece):
        if self.takes:
            self.taken.append(piece)
        return self.takes

    async def _read(self):
        async for piece in Rest(self.content, self.protocol, self.take):
            self.read.append(piece)

    async def ended(self):
        async with asyncio.timeout(SECONDS):
            await self._reading


async def test_a_piece_goes_in_the_turn_in_which_it_came():
    """No task is woken for it; what came together goes together, before the end is heard."""
    async with Body() as body:
        body.protocol.data_received(chunk(b"a"))
        assert body.taken == [b"a"]
        body.protocol.data_received(chunk(b"b") + chunk(b"c"))
        assert body.taken == [b"a", b"bc"]
        body.protocol.data_received(chunk(b"d") + b"0\r\n\r\n")
        assert body.taken == [b"a", b"bc", b"d"]
        await body.ended()
        assert (body.read, type(body.content)) == ([], StreamReader)


async def test_what_nobody_takes_is_read_in_order():
    """And the pieces behind it are offered again once it was read."""
    async with Body(takes=False) as body:
        body.protocol.data_received(chunk(b"a"))
        body.takes = True
        body.protocol.data_received(chunk(b"b"))
        assert body.taken == []
        await asyncio.sleep(0.01)
        assert body.read == [b"ab"]
        body.protocol.data_received(chunk(b"c"))
        assert (body.read, body.taken) == ([b"ab"], [b"c"])


async def test_a_chunk_in_two_halves():
    """The reader hears of the end of a chunk whose beginning was passed on, and of the other way."""
    async with Body() as body:
        whole = chunk(b"abcd")
        body.protocol.data_received(whole[:5])
        body.takes = False
        body.protocol.data_received(whole[5:] + whole[:5])
        await asyncio.sleep(0.01)
        body.takes = True
        body.protocol.data_received(whole[5:] + b"0\r\n\r\n")
        await body.ended()
        assert b"".join([body.taken[0], *body.read, *body.taken[1:]]) == b"abcd" * 2


async def test_what_is_not_read_holds_the_upstream_back():
    """Only while it waits: more is read when it was fetched."""
    async with Body(takes=False) as body:
        body.protocol.data_received(chunk(b"x" * 2**20))
        assert not body.transport.reads
        await asyncio.sleep(0.01)
        assert body.transport.reads
        assert sum(map(len, body.read)) == 2**20


async def test_an_error_comes_after_what_came_before_it():
    """The pieces of the same receipt are passed on; the reader gets the error."""
    async with Body() as body:
        body.protocol.data_received(chunk(b"a") + b"no chunk\r\n")
        assert body.taken == [b"a"]
        with pytest.raises(aiohttp.ClientPayloadError):
            await body.ended()


async def test_the_next_answer_on_a_connection_is_no_part_of_this_one():
    """A connection whose answer has ended is given away before the reader wakes."""
    async with Body() as body:
        body.protocol.data_received(chunk(b"a") + b"0\r\n\r\n")
        body.protocol.begin("GET", 600)
        body.protocol.data_received(HEAD + chunk(b"other"))
        await body.ended()
        _, other = await body.protocol.answer()
        assert (body.taken, await other.readany()) == ([b"a"], b"other")


async def test_a_body_that_has_come_is_there():
    """One that has not is left to its readers."""
    async with Body(takes=False) as body:
        assert arrived(body.content) is None
        body.protocol.data_received(chunk(b"a") + chunk(b"b") + b"0\r\n\r\n")
        assert arrived(body.content) == b"ab"


async def test_a_slow_client_holds_the_upstream_back():
    """A stream of any length fills only the buffers on the way, and comes whole in the end."""
    size, pieces, sent = 2**16, 600, 0

    async def script(_reader, writer, _received):
        nonlocal sent
        writer.write(HEAD)
        for _ in range(pieces):
            writer.write(chunk(b"x" * size))
            await writer.drain()
            sent += 1
        writer.write(b"0\r\n\r\n")

    async with (
        RawUpstream(script) as server,
        proxied(server.base_url) as served,
        RawClient(served.port) as client,
    ):
        await client.send(request("GET", "/v1/x"))
        client.writer.transport.pause_reading()
        before = -1
        while sent != before:
            before = sent
            await asyncio.sleep(0.2)
        assert sent < pieces
        client.writer.transport.resume_reading()
        seen = await client.answer()
        assert (len(seen.body), seen.ended) == (pieces * size, True)

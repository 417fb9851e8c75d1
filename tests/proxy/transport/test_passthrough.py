"""Everything we do not edit: requests go up and answers come down as they are."""

import asyncio
import gzip

from recollect.config.server import UpstreamOptions
from recollect.proxy.telemetry.tracing import Telemetry
from recollect.proxy.transport.passthrough import Passthrough
from recollect.proxy.transport.upstream import Upstream

from ..wire import (
    SECONDS,
    RawClient,
    RawUpstream,
    Served,
    chunk,
    chunked,
    read_body,
    request,
    response,
)


class Passing:
    """The pass-through between a scripted upstream and raw clients."""

    def __init__(self, script=None, **options):
        self.server = RawUpstream(response(b"{}") if script is None else script, **options)

    async def __aenter__(self):
        await self.server.__aenter__()
        self._upstream = Upstream(UpstreamOptions(base_url=self.server.base_url))
        self._served = Served(Passthrough(self._upstream, Telemetry()).handle)
        await self._served.__aenter__()
        self.port = self._served.port
        self.ask = self._served.ask
        return self

    async def __aexit__(self, *_):
        await self._served.__aexit__()
        await self._upstream.close()
        await self.server.__aexit__()


async def test_transfer_codings_are_said_on():
    """What was done to the bytes on the way is told to whoever gets them; nobody here undoes it."""
    packed = gzip.compress(b"one")
    data = request("POST", "/v1/files", None, "Transfer-Encoding: gzip, chunked")
    answer = chunked(packed).replace(b": chunked", b": gzip,  chunked")
    async with Passing(answer) as passing:
        seen = await passing.ask(data + chunk(packed) + b"0\r\n\r\n")
        [received] = passing.server.requests
    for got in (received, seen):
        assert got.body == packed
    for head in (received, seen.head):
        assert head.values("transfer-encoding") == ["gzip, chunked"]


async def test_an_answer_before_the_end_of_the_request():
    """An upstream may refuse a body it has not read: the client gets the refusal."""

    async def script(_reader, writer, _received):
        writer.write(response(b"too large", status="413 Content Too Large"))
        await writer.drain()
        await asyncio.sleep(3600)

    async with (
        Passing(script, read_body=False) as passing,
        RawClient(passing.port) as client,
    ):
        head = f"POST /v1/files HTTP/1.1\r\nHost: h\r\nContent-Length: {2**30}\r\n\r\n"
        await client.send(head.encode() + bytes(2**18))
        seen = await client.answer()
    assert (seen.status, seen.body) == (413, b"too large")


async def test_a_client_that_leaves_while_sending_leaves_the_upstream():
    """Half a request is not made into a whole one."""

    async def script(reader, _writer, received):
        await read_body(reader, received)

    async with Passing(script, read_body=False) as passing:
        async with RawClient(passing.port) as client:
            head = f"POST /v1/files HTTP/1.1\r\nHost: h\r\nContent-Length: {2**20}\r\n\r\n"
            await client.send(head.encode() + bytes(2**18))
            while not passing.server.requests:
                await asyncio.sleep(0.01)
        async with asyncio.timeout(SECONDS):
            await passing.server.hung_up.wait()


async def test_extra_headers_and_a_body_that_was_read():
    """A route that gave up on memory forwards what it has read, and may say why."""
    async with RawUpstream(response(b"{}")) as server:
        upstream = Upstream(UpstreamOptions(base_url=server.base_url))
        passthrough = Passthrough(upstream, Telemetry())

        async def handle(got):
            raw = await got.read()
            return await passthrough.forward(got, raw, extra={"x-recollect-reason": "why"})

        async with Served(handle) as served:
            seen = await served.ask(request("POST", "/v1/x", b"not json"))
        await upstream.close()
    assert seen.head.values("x-recollect-reason") == ["why"]
    assert server.requests[0].body == b"not json"


async def test_a_batch_says_that_it_has_no_memory():
    """The body goes up as it is, and the answer says why nothing was remembered."""
    body = b'{"input_file_id":"file-1"}'
    async with Passing() as passing:
        seen = await passing.ask(request("POST", "/v1/batches", body))
        assert passing.server.requests[0].body == body
    assert seen.head.values("x-recollect-memory") == ["off"]
    assert seen.head.values("x-recollect-reason") == ["route"]

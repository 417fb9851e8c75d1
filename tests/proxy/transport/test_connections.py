"""What a client hears when it may not go on; tests/hostile/ has the attacks on the whole product."""

import asyncio
import json
from contextlib import AsyncExitStack

from aiohttp import web
from aiohttp.http_exceptions import BadHttpMessage, LineTooLong

from recollect.proxy.transport import connections
from recollect.proxy.transport.connections import Runner
from recollect.proxy.transport.refusals import refusal_of
from tests.support.folding import rows

from ..wire import RawClient, read_out, request


class Serving:
    """A handler on such connections, on a port of its own."""

    def __init__(self, handler):
        app = web.Application(client_max_size=0)
        app.router.add_route("*", "/{path:.*}", handler)
        self.runner = Runner(app)

    async def __aenter__(self):
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", 0).start()
        return self

    async def __aexit__(self, *_):
        await self.runner.cleanup()

    def client(self):
        return RawClient(self.runner.addresses[0][1])

    async def ask(self, data):
        async with self.client() as client:
            await client.send(data)
            return await client.answer()


async def echo(got):
    return web.Response(body=await got.read())


@rows(
    "status, error, expected",
    [
        (400, BadHttpMessage("Bearer secret"), (400, "bad_request")),
        (400, LineTooLong(b"secret", 5), (431, "request_head_too_large")),
        (400, BadHttpMessage("Too many headers received"), (431, "request_head_too_large")),
        (500, web.RequestPayloadError("secret"), (400, "bad_request")),
        (500, ValueError("secret"), (500, "internal_error")),
        (502, ValueError("secret"), (502, "bad_upstream_answer")),
        (504, TimeoutError(), (504, "timeout")),
        (500, None, (500, "internal_error")),
    ],
)
def test_refusals_say_what_and_quote_nothing(status, error, expected):
    """Each failure that aiohttp notices has a status and a code; the client's bytes are in none."""
    refusal = refusal_of(status, error)
    assert (refusal.status, refusal.code) == expected
    assert "secret" not in refusal.message


@rows(
    "error, code",
    [
        (web.HTTPNotFound(text="secret"), "not_found"),
        (web.HTTPRequestEntityTooLarge(1, 2), "request_too_large"),
        (web.HTTPGone(text="secret"), "refused"),
    ],
)
async def test_aiohttps_own_answers_get_our_shape(error, code):
    """Their status stays, their text does not."""

    async def handler(_request):
        raise error

    async with Serving(handler) as serving:
        seen = await serving.ask(request("GET", "/x"))
    assert (seen.status, json.loads(seen.body)["error"]["code"]) == (error.status, code)
    assert b"secret" not in seen.body


async def test_a_header_that_cannot_be_sent_is_502():
    """Rather than a connection that closes without a word."""

    async def handler(_request):
        return web.Response(headers={"X-A": "a\x01b"})

    async with Serving(handler) as serving:
        assert (await serving.ask(request("GET", "/x"))).status == 502


async def test_the_body_behind_a_declined_upgrade_is_a_body(monkeypatch):
    """What was read behind a handshake that nobody took is the next request, however large."""
    handshake = request("GET", "/ws", None, "Connection: Upgrade", "Upgrade: websocket")
    body = bytes(2**20)
    monkeypatch.setattr("recollect.proxy.transport.connections.HEAD_SECONDS", 0.2)
    async with Serving(echo) as serving, serving.client() as client:
        await client.send(handshake + request("POST", "/x", body)[:-1000])
        assert (await client.answer()).status == 200
        await asyncio.sleep(0.5)
        await client.send(body[:1000])
        assert (await client.answer()).body == body
        # Nothing of it is left over that would look like half a head.
        await asyncio.sleep(0.5)
        await client.send(request("POST", "/x", b"next"))
        assert (await client.answer()).body == b"next"


PARTS = (b"", b"GET /x HTTP/1.1\r\nHost: h\r\n", request("POST", "/x", b"whole")[:-1])
"""Nothing, half a head, half a body."""


async def test_who_keeps_a_port_waiting_makes_room_for_others(monkeypatch):
    """The oldest of them goes first, whatever it has sent; who waits for an answer never does."""
    monkeypatch.setattr(connections, "most_waiting", lambda: 16)
    called, answer = asyncio.Event(), asyncio.Event()

    async def handler(got):
        if got.path != "/waits":
            return await echo(got)
        called.set()
        await answer.wait()
        return web.Response(body=b"at last")

    async with Serving(handler) as serving, AsyncExitStack() as stack:
        waiting = await stack.enter_async_context(serving.client())
        await waiting.send(request("GET", "/waits"))
        await called.wait()
        idle = await stack.enter_async_context(serving.client())
        await idle.send(request("POST", "/x", b"1"))
        assert (await idle.answer()).body == b"1"
        newest = []
        for number in range(100):
            client = await stack.enter_async_context(serving.client())
            await client.send(PARTS[number % 3])
            newest.append(client)
        for number in range(10):
            seen = await serving.ask(request("POST", "/x", b"%d" % number))
            assert seen.body == b"%d" % number
        assert len(serving.runner.server.connections) <= 16 + 1
        assert await read_out(idle) == b""
        assert await read_out(newest[0]) == b""
        await newest[-1].send(b"GET /y HTTP/1.1\r\nHost: h\r\n\r\n"[len(PARTS[0]) :])
        assert (await newest[-1].answer()).status == 200
        answer.set()
        assert (await waiting.answer()).body == b"at last"


def test_a_port_has_a_part_of_the_files_that_a_process_may_open(monkeypatch):
    """Also where the system sets no limit."""
    most = connections.most_waiting
    monkeypatch.setattr(connections.resource, "getrlimit", lambda _: (1024, 4096))
    assert most() == 128
    monkeypatch.setattr(
        connections.resource, "getrlimit", lambda _: (connections.resource.RLIM_INFINITY,) * 2
    )
    assert most() == 8_192

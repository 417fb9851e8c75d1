"""What a client hears when it may not go on; tests/hostile/ has the attacks on the whole product."""

import asyncio
import json

import pytest
from aiohttp import web
from aiohttp.http_exceptions import BadHttpMessage, LineTooLong

from recollect.proxy.transport.connections import Connections, Runner, refusal_of
from tests.support.folding import rows

from ..wire import SECONDS, RawClient, request


class Serving:
    """A handler on such connections, on a port of its own."""

    def __init__(self, handler):
        app = web.Application(client_max_size=0)
        app.router.add_route("*", "/{path:.*}", handler)
        self.runner = Runner(app, access_log=None, shutdown_timeout=1)

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


def raising(error):
    async def handler(_request):
        raise error

    return handler


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


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (web.HTTPNotFound(text="secret"), "not_found"),
        (web.HTTPRequestEntityTooLarge(1, 2), "request_too_large"),
        (web.HTTPGone(text="secret"), "refused"),
    ],
)
async def test_aiohttps_own_answers_get_our_shape(error, code):
    """Their status stays, their text does not."""
    async with Serving(raising(error)) as serving:
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


async def test_connections_are_looked_over_only_while_there_are_any(monkeypatch):
    """An idle server has no timer, and one that stops leaves none behind."""
    monkeypatch.setattr("recollect.proxy.transport.connections.HEAD_SECONDS", 0.2)
    async with Serving(echo) as serving:
        server = serving.runner.server
        assert isinstance(server, Connections)
        assert server._timer is None
        assert (await serving.ask(request("POST", "/x", b"1"))).body == b"1"
        assert server._timer is not None
        async with asyncio.timeout(SECONDS):
            while server._timer is not None:
                await asyncio.sleep(0.05)
        async with serving.client() as client:
            await client.send(request("POST", "/x", b"2"))
            assert (await client.answer()).body == b"2"
            timer = server._timer
            await serving.runner.cleanup()
    assert timer.cancelled()

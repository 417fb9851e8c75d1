"""Answers that are sent piece by piece."""

import asyncio
import socket

import pytest
from aiohttp import ClientError, web

from recollect.proxy.api.outlet import PIECE, Outlet, UnreadError

MANY = 2000
"""Pieces: a hundred megabytes, far more than the system buffers."""


class Sender:
    """Sends pieces without end, and notes how many were made and how it ended."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.made = 0
        self.over = asyncio.get_running_loop().create_future()

    async def handle(self, request):
        outlet = Outlet(request, {"x-of-all": "1"}, seconds=self.seconds)
        response = await outlet.begin("text/plain", headers={"x-own": "2"})
        try:
            for _ in range(MANY):
                self.made += 1
                await outlet.write(b"x" * PIECE)
            await outlet.end()
        except (ConnectionError, asyncio.CancelledError) as error:
            self.over.set_result(error)
        else:
            self.over.set_result(None)
        return response


@pytest.fixture
def serving(aiohttp_client):
    async def start(seconds):
        sender = Sender(seconds)
        app = web.Application()
        app.router.add_get("/", sender.handle)
        return sender, await aiohttp_client(app)

    return start


def asking(client):
    """A connection that asks and reads nothing."""
    one = socket.create_connection((client.server.host, client.server.port))
    one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    return one


def received(one):
    """What is still there of the answer."""
    data = b""
    try:
        while some := one.recv(2**20):
            data += some
    except ConnectionError:
        pass
    return data


async def test_who_reads_nothing_is_closed(serving):
    """After so many seconds; until then no more is made than what was taken off."""
    sender, client = await serving(0.2)
    with asking(client) as one:
        async with asyncio.timeout(10):
            error = await sender.over
        assert isinstance(error, UnreadError)
        assert sender.made < MANY / 4
        one.settimeout(10)
        assert not received(one).endswith(b"0\r\n\r\n")


async def test_nothing_is_made_ahead_of_the_reader(serving):
    """While a client reads nothing, the answer stands still."""
    sender, client = await serving(30)
    with asking(client):
        made = -1
        async with asyncio.timeout(10):
            while sender.made != made or made < 1:
                made = sender.made
                await asyncio.sleep(0.2)
        assert made < MANY / 4
    async with asyncio.timeout(10):
        assert await sender.over is not None


async def test_who_reads_slowly_gets_all(serving):
    """The time counts for each piece, not for the answer."""
    sender, client = await serving(1.0)
    async with client.get("/") as answer:
        size = 0
        async for data in answer.content.iter_chunked(2**20):
            size += len(data)
            await asyncio.sleep(0.012)
    assert size == MANY * PIECE
    assert await sender.over is None
    assert answer.headers["Cache-Control"] == "no-store"
    assert (answer.headers["x-of-all"], answer.headers["x-own"]) == ("1", "2")


async def test_an_answer_of_a_known_length(aiohttp_client):
    """Is told so, with its status, and can be cut so that the client sees it."""

    async def handle(request):
        outlet = Outlet(request, {}, seconds=5)
        response = await outlet.begin("text/plain", status=206, length=10)
        await outlet.write(b"12345")
        if "cut" in request.query:
            outlet.cut()
            return response
        await outlet.write(b"67890")
        return await outlet.end()

    app = web.Application()
    app.router.add_get("/", handle)
    client = await aiohttp_client(app)
    answer = await client.get("/")
    assert (answer.status, answer.content_length, await answer.read()) == (206, 10, b"1234567890")
    with pytest.raises(ClientError):
        await (await client.get("/", params={"cut": "1"})).read()

"""Streamed and large answers of the memory API: shares, and clients that do not read."""

import asyncio
import socket

import pytest
from aiohttp import web

from recollect.memory.model.types import StoredMemory
from recollect.proxy.api import sending
from recollect.proxy.api.sending import PIECE, Load, Outlet, Sending, UnreadError
from recollect.proxy.api.shares import Ceiling
from tests.memory.transfer.moving import item
from tests.support.clock import skipping
from tests.support.waiting import HANG_SECONDS, until

EXPORT = "/v1/memories/export"


@pytest.fixture
def made(monkeypatch):
    """The dispatchers' `Sending`, with few exports; the system buffers little, as on a slow network."""
    found = []
    monkeypatch.setattr(sending, "WRITE_SECONDS", HANG_SECONDS)
    monkeypatch.setitem(sending.CEILINGS, Load.READ, Ceiling(16, 2, 1))
    init, begin = Sending.__init__, Outlet.begin

    def noted(self, *given):
        init(self, *given)
        found.append(self)

    async def small(self, *given, **named):
        response = await begin(self, *given, **named)
        end = self.request.transport.get_extra_info("socket")
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return response

    monkeypatch.setattr(Sending, "__init__", noted)
    monkeypatch.setattr(Outlet, "begin", small)
    monkeypatch.setattr("recollect.memory.transfer.exporting.PAGE", 2)
    return found


def unread(client, path):
    """A connection that asks and reads nothing."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect((client.server.host, client.server.port))
    one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return one


async def much(engine):
    """Memories of 48 kilobytes each."""
    parts = engine.engine.parts
    [vector] = await parts.embedder.embed(["tea"])
    rows = [StoredMemory(item(f"m{n}", "tea " * 12_000), vector) for n in range(60)]
    await parts.store.put(rows)


async def test_a_list_that_nobody_reads_ends(serve, engine, made):
    """The bytes of large answers are counted while they are sent; others' small ones are not."""
    client = await serve()
    await much(engine)
    with skipping() as skip, unread(client, "/v1/memories?user_id=alice&limit=60"):
        await until(lambda: made[0].unread.used > 2_000_000)
        found = await (await client.get("/v1/memories", params={"user_id": "bob"})).json()
        assert found == {"results": []}
        skip(2 * HANG_SECONDS)
        await until(lambda: made[0].unread.used == 0)


async def test_exports_that_nobody_reads_are_few_and_end(serve, engine, made):
    """One more than the share gets 429; what is not read is closed, and makes room."""
    client = await serve()
    await much(engine)
    exports = made[0].shares[Load.READ]
    with skipping() as skip, unread(client, f"{EXPORT}?user_id=alice"):
        await until(lambda: exports.used == 1)
        refused = await client.get(EXPORT, params={"user_id": "alice"})
        assert (refused.status, refused.headers["Retry-After"]) == (429, f"{HANG_SECONDS:.0f}")
        assert "a user may have 1 exports" in (await refused.json())["detail"]
        assert (await client.get(EXPORT, params={"user_id": "bob"})).status == 200
        skip(2 * HANG_SECONDS)
        await until(lambda: exports.used == 0)
    whole = await (await client.get(EXPORT, params={"user_id": "alice"})).read()
    assert whole.count(b'"memory"') == 60


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
        async with asyncio.timeout(HANG_SECONDS):
            error = await sender.over
        assert isinstance(error, UnreadError)
        assert sender.made < MANY / 4
        one.settimeout(HANG_SECONDS)
        assert not received(one).endswith(b"0\r\n\r\n")


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

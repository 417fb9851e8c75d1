"""WebSockets between real peers: all they agree on and tell each other passes the proxy."""

import asyncio
from contextlib import asynccontextmanager

import aiohttp
from aiohttp import WSMsgType, web

from tests.support.folding import rows

from .tunnelling import NOISE, gone, proxied
from .wire import SECONDS


@asynccontextmanager
async def peers(handle, **options):
    """The server and client of aiohttp with the proxy between them: the client's connect."""
    app = web.Application()

    async def answer(got):
        socket_ = web.WebSocketResponse(protocols=("realtime",), max_msg_size=0, **options)
        await socket_.prepare(got)
        await handle(socket_)
        return socket_

    app.router.add_get("/v1/realtime", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        async with (
            proxied(base_url) as served,
            aiohttp.ClientSession() as session,
            asyncio.timeout(3 * SECONDS),
        ):

            def connect(**how):
                return session.ws_connect(f"{connect.base_url}/realtime", max_msg_size=0, **how)

            connect.base_url = f"http://127.0.0.1:{served.port}/v1"
            yield connect
            await gone(served)
    finally:
        await runner.cleanup()


async def echo_messages(socket_):
    async for message in socket_:
        if message.type is WSMsgType.TEXT:
            await socket_.send_str(message.data)
        else:
            await socket_.send_bytes(message.data)


@rows("compress", [0, 15])
async def test_messages_of_any_size(compress):
    """Text and binary messages of 0 bytes to 8 MB, compressed or not, come back as they were.

    Of the protocols that the client offers the upstream takes one, and the client learns which.
    """
    async with (
        peers(echo_messages) as connect,
        connect(compress=compress, protocols=("other", "realtime")) as client,
    ):
        assert (client.compress, client.protocol) == (compress, "realtime")
        for size in (0, 1, 126, 2**16, 2**23):
            data = NOISE * (size // len(NOISE)) + NOISE[: size % len(NOISE)]
            await client.send_bytes(data)
            assert await client.receive_bytes() == data
        await client.send_str("Grüße \U0001f44b")
        assert await client.receive_str() == "Grüße \U0001f44b"


async def test_pings_reach_the_other_peer():
    """Nobody in between answers a ping; the peer sees it, and its pong comes back."""
    pinged = asyncio.get_running_loop().create_future()

    async def handle(socket_):
        message = await socket_.receive()
        pinged.set_result((message.type, message.data))
        await socket_.pong(message.data)
        await socket_.ping(b"and you")
        await socket_.receive()

    async with (
        peers(handle, autoping=False) as connect,
        connect(autoping=False) as client,
    ):
        await client.ping(b"there?")
        assert await pinged == (WSMsgType.PING, b"there?")
        pong, ping = await client.receive(), await client.receive()
    assert (pong.type, pong.data) == (WSMsgType.PONG, b"there?")
    assert (ping.type, ping.data) == (WSMsgType.PING, b"and you")


async def test_the_close_code_reaches_the_other_peer():
    """The code and the reason are those of the peer that closes."""
    closed = asyncio.get_running_loop().create_future()

    async def handle(socket_):
        message = await socket_.receive()
        if message.type is WSMsgType.TEXT:
            await socket_.close(code=4001, message=b"session expired")
        else:
            closed.set_result((message.type, message.data, message.extra))

    async with peers(handle) as connect:
        async with connect() as client:
            await client.send_str("end")
            message = await client.receive()
        told = (message.type, message.data, message.extra)
        assert told == (WSMsgType.CLOSE, 4001, "session expired")
        async with connect() as client:
            await client.close(code=4002, message=b"done")
            assert await closed == (WSMsgType.CLOSE, 4002, "done")


async def test_the_openai_client_talks_realtime():
    """The official client's realtime connection works by its base URL alone."""
    from openai import AsyncOpenAI

    async def handle(socket_):
        await socket_.send_json({"type": "session.created", "event_id": "e", "session": {}})
        event = await socket_.receive_json()
        await socket_.send_json({"type": "response.created", "event_id": event["event_id"]})
        await socket_.receive()

    async with peers(handle) as connect:
        openai = AsyncOpenAI(base_url=connect.base_url, api_key="k")
        async with openai, openai.realtime.connect(model="m") as connection:
            assert (await connection.recv()).type == "session.created"
            await connection.response.create(event_id="mine")
            assert (await connection.recv()).event_id == "mine"

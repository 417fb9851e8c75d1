"""Fifty large or slow requests at once: bounded for each client, and nobody else waits for them."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import AsyncExitStack

from recollect.proxy.chat.reader import MOST_LARGE
from tests.proxy.wire import SECONDS, chunk, request
from tests.support.waiting import until

from .facing import ANSWER, Facing

CHAT = "/v1/chat/completions"
CROWD = 50
FLOOD, NEIGHBOUR = b'"user": "flood"', b'"user": "neighbour"'
MOST_BUFFERED = 2**20
"""Bytes of an answer that this process holds for a client who does not read."""
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def said(user, *texts):
    body = {"model": "m", "user": user, "messages": [{"role": "user", "content": t} for t in texts]}
    return request("POST", CHAT, json.dumps(body).encode()).replace(b"proxy.test", b"127.0.0.1", 1)


class Holding:
    """Answers the flood when it is let go, and everybody else at once."""

    def __init__(self):
        self.held, self.go = 0, asyncio.Event()

    async def __call__(self, _reader, writer, received):
        if FLOOD in received.body:
            self.held += 1
            await self.go.wait()
        writer.write(ANSWER)


async def neighbour(facing):
    """What memory did for a chat of somebody else."""
    async with asyncio.timeout(SECONDS):
        seen = await facing.ask(said("neighbour", "What do you know about my garden?"))
    assert seen.status == 200
    return seen.head.values("x-recollect-memory")[0]


async def crowd(facing, script, body):
    """Their answers' words on memory; a neighbour was answered while all of them were in work."""
    asked = [asyncio.ensure_future(facing.ask(body)) for _ in range(CROWD)]
    await until(lambda: script.held == CROWD, "the flood at the model server")
    assert await neighbour(facing) == "empty"
    script.go.set()
    seen = await asyncio.gather(*asked)
    assert {each.status for each in seen} == {200}
    return Counter(each.head.values("x-recollect-memory")[0] for each in seen)


async def test_bodies_of_four_megabytes_are_held_up_to_a_bound():
    """Those above it reach the model server all the same, unread; later ones are read again."""
    size = 4 * 2**20 - 2**10
    script = Holding()
    async with Facing(script) as facing:
        large = facing.handlers.remembering[CHAT]._reader.large
        most = []

        async def watch():
            while not script.go.is_set():
                most.append(large.used)
                await asyncio.sleep(0)

        watching = asyncio.ensure_future(watch())
        words = await crowd(facing, script, said("flood", "hear me " * (size // 8 - 20)))
        await watching
        bodies = [each.body for each in facing.upstream.requests if FLOOD in each.body]
        assert len(bodies) == CROWD
        assert len(set(bodies)) == 1
        assert 0 < max(most) <= MOST_LARGE.per_tenant
        assert words["degraded"] == CROWD - MOST_LARGE.per_tenant // (4 * 2**20)
        await until(lambda: large.used == 0, "what was held")


async def test_ten_thousand_messages_keep_nobody_waiting():
    script = Holding()
    async with Facing(script) as facing:
        words = await crowd(facing, script, said("flood", *["hi"] * 9_999))
    assert words == {"skipped": CROWD}


async def test_a_model_server_that_sends_a_byte_now_and_then_keeps_nobody_waiting():
    """Each byte is passed on as it comes, to fifty who wait for more."""
    go, begun = asyncio.Event(), 0

    async def script(_reader, writer, received):
        nonlocal begun
        if NEIGHBOUR in received.body:
            writer.write(ANSWER)
            return
        writer.write(HEAD + chunk(b"d"))
        begun += 1
        await go.wait()
        writer.write(chunk(b"ata: [DONE]\n\n") + b"0\r\n\r\n")

    async with Facing(script) as facing, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(facing.client()) for _ in range(CROWD)]
        for each in clients:
            await each.send(said("flood", "Where do I live?"))
        await until(lambda: begun == CROWD, "all streams")
        async with asyncio.timeout(SECONDS):
            for each in clients:
                await each.reader.readuntil(b"1\r\nd\r\n")
        assert await neighbour(facing) == "empty"
        go.set()
        async with asyncio.timeout(SECONDS):
            for each in clients:
                await each.reader.readuntil(b"0\r\n\r\n")


async def test_a_client_that_reads_a_byte_is_not_read_ahead_for():
    """The model server waits with it; what is on the way is bounded, and a neighbour is answered."""
    sent = [0]

    async def script(_reader, writer, received):
        if NEIGHBOUR in received.body:
            writer.write(ANSWER)
            return
        writer.write(HEAD)
        while True:
            writer.write(chunk(b"data: " + b"x" * 2**16 + b"\n\n"))
            await writer.drain()
            sent[0] += 2**16

    async with Facing(script) as facing, AsyncExitStack() as stack:
        slow = [await stack.enter_async_context(facing.client()) for _ in range(4)]
        for each in slow:
            await each.send(said("flood", "Tell me everything."))
            assert (await each.reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 200")
        before = -1
        while before != sent[0]:
            before = sent[0]
            assert await neighbour(facing) == "empty"
            await asyncio.sleep(0.2)
        assert sent[0] > 0
        ours = [each.transport for each in facing._runner.server.connections if each.transport]
        assert max(each.get_write_buffer_size() for each in ours) <= MOST_BUFFERED


async def test_half_a_body_of_fifty_clients_keeps_nobody_waiting():
    """They send a body of four megabytes as far as its middle."""
    body = said("flood", "hear me " * 500_000)
    async with Facing(Holding()) as facing, AsyncExitStack() as stack:
        for _ in range(CROWD):
            client = await stack.enter_async_context(facing.client())
            await client.send(body[: 2**17])
        assert await neighbour(facing) == "empty"
        assert facing.handlers.remembering[CHAT]._reader.large.used <= MOST_LARGE.per_tenant


async def test_a_flood_of_calls_leaves_the_memory_api_to_others():
    """Fifty bodies of almost a megabyte are refused or read, one at a time."""
    lists = b'{"user_id": "flood", "query": "tea", "filters": {"a": [' + b"[]," * 330_000 + b"[]]}}"
    ask = request("POST", "/v1/memories/search", lists).replace(b"proxy.test", b"127.0.0.1", 1)
    few = request("GET", "/v1/memories/?user_id=neighbour").replace(b"proxy.test", b"127.0.0.1", 1)
    async with Facing() as facing:
        asked = [asyncio.ensure_future(facing.ask(ask)) for _ in range(CROWD)]
        async with asyncio.timeout(SECONDS):
            assert (await facing.ask(few)).status == 200
            assert {each.status for each in await asyncio.gather(*asked)} == {400}

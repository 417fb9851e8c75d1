"""Request bodies as they come in. The routes that read them: test_memory_route.py."""

import asyncio
import gzip
import zlib

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.transport.incoming import (
    MAX_RATIO,
    SMALL_BYTES,
    Joining,
    _inflate,
    read_incoming,
)
from tests.support.folding import rows

from ..wire import Served, chunk, request


async def read(data, max_bytes=1000):
    """What is made of one request."""
    got = []

    async def handle(asked):
        incoming = await read_incoming(asked, max_bytes, Joining())
        raw = incoming.raw
        if raw is not None and not isinstance(raw, bytes):
            raw = b"".join([part async for part in raw])
        got.append((raw, incoming.plain, incoming.reason))
        return web.Response()

    async with Served(handle) as served:
        await served.ask(data)
    return got[0]


@rows("size", [1, 999, 1000])
@rows("chunked", [False, True])
async def test_a_body_up_to_the_bound_is_read(size, chunked):
    """With a stated length or without."""
    body = b"x" * size
    data = request(
        "POST", "/", None if chunked else body, *["Transfer-Encoding: chunked"] * chunked
    )
    if chunked:
        data += (chunk(body) if body else b"") + b"0\r\n\r\n"
    assert await read(data) == (body, body, "")


async def test_beyond_the_bound_nothing_is_held():
    """A stated length decides before anything is read; an unknown one when too much came."""
    body = b"x" * 1001
    assert await read(request("POST", "/", body)) == (None, None, "large_body")
    data = request("POST", "/", None, "Transfer-Encoding: chunked")
    data += chunk(body) + chunk(body) + b"0\r\n\r\n"
    assert await read(data) == (body * 2, None, "large_body")


async def test_the_bound_holds_for_what_is_unpacked():
    """A small body that unpacks to a large one is not read for memory."""
    packed = gzip.compress(bytes(10_000_000))
    got = await read(request("POST", "/", packed, "Content-Encoding: gzip"), len(packed))
    assert got == (packed, None, "large_body")


async def test_what_was_made_to_be_unpacked_is_not():
    """A body that shrinks to less than a fiftieth is no conversation, however small it is."""
    packed = gzip.compress(b"1," * (SMALL_BYTES + MAX_RATIO * 1000))
    assert len(packed) < 1000
    got = await read(request("POST", "/", packed, "Content-Encoding: gzip"), 10_000_000)
    assert got == (packed, None, "large_body")


@given(st.binary(max_size=300))
def test_what_is_unpacked_is_what_was_packed(plain):
    """Both codings, to the last byte and not one more."""
    assert _inflate(gzip.compress(plain), "gzip", 300) == plain
    assert _inflate(zlib.compress(plain), "deflate", 300) == plain


@given(st.binary(max_size=100), st.sampled_from(["gzip", "deflate"]))
def test_what_is_no_such_coding_is_refused(raw, coding):
    """Random bytes are the upstream's to judge."""
    with pytest.raises(zlib.error):
        _inflate(raw, coding, 300)


@rows("damage", [lambda b: b[:-1], lambda b: b + b"x", lambda b: b + b])
def test_only_one_whole_stream_counts(damage):
    """Cut, or with something behind it: what an upstream makes of that is not ours to guess."""
    with pytest.raises(zlib.error):
        _inflate(damage(gzip.compress(b"hello")), "gzip", 300)


async def test_bodies_are_joined_one_in_a_turn():
    """Many large ones that are complete at once do not hold the loop for all of them."""
    joined, turns, done = Joining(), 0, []

    async def turn():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def join():
        done.append((await joined([b"a", b"b"]), turns))

    turning = asyncio.ensure_future(turn())
    await asyncio.gather(*(join() for _ in range(20)))
    turning.cancel()
    assert {body for body, _ in done} == {b"ab"}
    assert len({at for _, at in done}) == 20
    assert await joined([]) == b""

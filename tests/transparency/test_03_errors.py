"""Points 18 to 21 of the transparency checklist: errors, timeouts, retries, and memory's failures."""

import asyncio

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.memories import SqlMemories
from recollect.memory.model.errors import EmbeddingError
from tests.hostile.facing import error_code
from tests.proxy.wire import SECONDS, chunk, chunked, response
from tests.support.folding import rows

from .whole import (
    CHAT_INJECTED,
    CHAT_PLAIN,
    INJECTING,
    JSON,
    LAST,
    STREAM_HEAD,
    UNKNOWN,
    Whole,
    assert_sent,
    every_route,
    first_tries,
    injecting_routes,
    on,
    outcome,
    read_chunk,
    read_head,
    upstream_headers,
)

STATUSES = (
    "400 Bad Request",
    "401 Unauthorized",
    "403 Forbidden",
    "404 Not Found",
    "409 Conflict",
    "413 Content Too Large",
    "422 Unprocessable",
    "429 Too Many Requests",
    "499 Odd",
    "500 Internal Server Error",
    "502 Bad Gateway",
    "503 Service Unavailable",
    "504 Gateway Timeout",
    "529 Overloaded",
    "418 ",
)
ERROR = b'{ "error" : {"message":"caf\\u00e9 \xc3\xa9","type":"t","param":null,"code":"c"}}\r\n'


@every_route
@rows("as_chunks", [False, True])
async def test_point_18_errors_of_the_upstream_pass_byte_for_byte(route, as_chunks):
    """Status, words, headers and body of an error are the upstream's.

    Seven of them may be a refusal of memories: these requests are sent once more without.
    """
    lines = (JSON, "Retry-After: 3", "X-Id: r")
    status = ""

    async def script(_reader, writer, _received):
        whole_answer = response(ERROR, *lines, status=status)
        in_chunks = chunked(ERROR[:9], ERROR[9:], headers=lines)
        writer.write(
            in_chunks.replace(b"200 OK", status.encode(), 1) if as_chunks else whole_answer
        )

    expected = [("Content-Type", "application/json"), ("Retry-After", "3"), ("X-Id", "r")]
    async with Whole(script) as whole:
        for status in STATUSES:
            seen = await whole.ask(route.ask())
            assert (seen.head.line, seen.body, seen.ended) == (f"HTTP/1.1 {status}", ERROR, True)
            assert upstream_headers(seen, "date", "content-length") == expected
        asked = whole.upstream.requests
        assert len(first_tries(asked)) == len(STATUSES)
        assert len(asked) == len(STATUSES) + (7 if route.injects else 0)


@every_route
async def test_point_18_errors_need_not_be_json(route):
    """A page of some load balancer is passed on like any other answer."""
    async with Whole() as whole:
        for body in (b"", b"<html>bad gateway</html>", b"\xff\x00"):
            whole.answer = response(body, status="502 Bad Gateway")
            seen = await whole.ask(route.ask())
            assert (seen.status, seen.body) == (502, body)
            assert not seen.head.values("content-type")


async def _no_answer(_reader, _writer, _received):
    raise ConnectionResetError


async def _not_http(_reader, writer, _received):
    writer.write(b"SSH-2.0-OpenSSH\r\n\r\n")


@every_route
@rows("script", [_no_answer, _not_http])
async def test_point_18_errors_of_ours_can_be_told(route, script):
    """They have OpenAI's shape, a type of their own, and neither address nor credential."""
    async with Whole(script) as whole:
        seen = await whole.ask(route.ask("Authorization: Bearer sk-secret"))
        authority = whole.upstream.base_url.removeprefix("http://").removesuffix("/v1")
    assert seen.status == 502
    assert error_code(seen) == "upstream_unreachable"
    said = seen.head.head + seen.body
    assert b"sk-secret" not in said
    assert authority.encode() not in said
    assert b"127.0.0.1" not in said


async def _silent(reader, _writer, _received):
    await reader.read()


@every_route
async def test_point_18_a_refused_connection_is_ours(route):
    """Nobody listens upstream: 502, in the same shape."""
    async with Whole(upstream__base_url="http://127.0.0.1:1/v1") as whole:
        seen = await whole.ask(route.ask())
        assert not whole.upstream.requests
    assert (seen.status, error_code(seen)) == (502, "upstream_unreachable")
    assert b"127.0.0.1" not in seen.body


@every_route
async def test_point_19_silence_before_the_answer_is_a_504(route):
    """An upstream that says nothing for too long is given up, and the client hears why."""
    async with Whole(_silent, upstream__idle_seconds=0.2) as whole:
        seen = await whole.ask(route.ask())
    assert (seen.status, error_code(seen)) == (504, "upstream_timeout")


@every_route
async def test_point_19_silence_in_a_stream_is_a_cut(route):
    """What came before the silence reached the client; then the answer is broken off."""

    async def script(reader, writer, _received):
        writer.write(STREAM_HEAD + chunk(b"data: 1\n\n"))
        await reader.read()

    async with Whole(script, upstream__idle_seconds=0.2) as whole:
        seen = await whole.ask(route.ask())
    assert (seen.body, seen.ended) == (b"data: 1\n\n", False)


@on([CHAT_INJECTED, UNKNOWN])
async def test_point_19_a_stream_that_moves_has_no_end_of_time(route):
    """An answer may take several times the longest silence, and there is no total limit."""

    async def script(_reader, writer, _received):
        writer.write(STREAM_HEAD)
        for _ in range(5):
            await asyncio.sleep(0.25)
            writer.write(chunk(b"data: 1\n\n"))
        writer.write(LAST)

    async with Whole(script, upstream__idle_seconds=1) as whole:
        seen = await whole.ask(route.ask())
        limits = whole.handlers.passthrough._upstream._connector._timeout
        assert (limits.total, limits.connect, limits.sock_connect) == (None, None, 10)
    assert (seen.body, seen.ended) == (b"data: 1\n\n" * 5, True)


@on([CHAT_INJECTED, UNKNOWN])
async def test_point_19_silence_after_movement_is_still_noticed(route):
    """A stream that moved for long and then stops is cut as soon as one that never moved."""

    async def script(reader, writer, _received):
        writer.write(STREAM_HEAD)
        for _ in range(4):
            await asyncio.sleep(0.05)
            writer.write(chunk(b"data: 1\n\n"))
        await reader.read()

    async with Whole(script, upstream__idle_seconds=1) as whole:
        seen = await whole.ask(route.ask())
    assert (seen.body, seen.ended) == (b"data: 1\n\n" * 4, False)


@on([CHAT_INJECTED, UNKNOWN])
async def test_point_19_a_connection_between_requests_may_be_silent(route):
    """The limit is on answers: a pooled connection may rest longer, and counts anew when it is used."""
    waits = [0, 0.2, None]

    async def script(reader, writer, _received):
        wait = waits.pop(0)
        if wait is None:
            await reader.read()
        await asyncio.sleep(wait or 0)
        writer.write(response(b"{}"))

    async with Whole(script, upstream__idle_seconds=1) as whole:
        assert (await whole.ask(route.ask())).status == 200
        await asyncio.sleep(1.1)
        assert (await whole.ask(route.ask())).status == 200
        assert (await whole.ask(route.ask())).status == 504
        assert whole.upstream.connections == 1


@on([CHAT_PLAIN, UNKNOWN])
async def test_point_19_no_limit_on_how_many_wait(route):
    """A hundred and ten slow answers at a time: nobody waits for anybody (aiohttp's limit is 100)."""
    count = 110
    all_there = asyncio.Event()

    async def script(_reader, writer, _received):
        if len(whole.upstream.requests) == count:
            all_there.set()
        await all_there.wait()
        writer.write(response(b"{}"))

    async with Whole(script) as whole:
        answers = await asyncio.gather(*(whole.ask(route.ask()) for _ in range(count)))
    assert {seen.status for seen in answers} == {200}


def _dying(number, last_words):
    """An upstream that breaks its connection at the request of this number, after these words."""
    count = 0

    async def script(_reader, writer, _received):
        nonlocal count
        count += 1
        if count == number:
            writer.write(last_words)
            await writer.drain()
            raise ConnectionResetError
        writer.write(response(b'{"ok":1}', JSON))

    return script


@every_route
async def test_point_20_one_retry_when_a_pooled_connection_had_died(route):
    """No byte of an answer on a connection that was used before: sent once more, same bytes."""
    async with Whole(_dying(2, b"")) as whole:
        await whole.ask(route.ask())
        seen = await whole.ask(route.ask())
        assert (seen.status, seen.body) == (200, b'{"ok":1}')
        first, second = whole.upstream.requests[1:]
    assert (first.head, first.body) == (second.head, second.body)
    assert_sent(route, second)


@every_route
@rows("words", [b"", b"HTTP/1.1 20", b"HTTP/1.1 200 OK\r\nX-A: 1\r\n"])
async def test_point_20_no_second_call_otherwise(route, words):
    """A fresh connection, or one on which an answer began: the request may have been served."""
    number = 2 if words else 1
    async with Whole(_dying(number, words)) as whole:
        for _ in range(number):
            seen = await whole.ask(route.ask())
        assert len(whole.upstream.requests) == number
    assert (seen.status, error_code(seen)) == (502, "upstream_unreachable")


async def _fails(*_):
    raise EmbeddingError("the embedder is on fire")


async def _crashes(*_):
    raise ZeroDivisionError


async def _hangs(*_):
    await asyncio.Event().wait()


BROKEN = {
    "embedder fails": (FakeEmbedder, "embed", _fails),
    "embedder crashes": (FakeEmbedder, "embed", _crashes),
    "embedder hangs": (FakeEmbedder, "embed", _hangs),
    "store crashes": (SqlMemories, "load", _crashes),
    "store hangs": (SqlMemories, "load", _hangs),
}


@rows("route, broken", zip(INJECTING, BROKEN.values(), strict=True))
async def test_point_21_memory_that_fails_is_not_a_request_that_fails(route, broken, monkeypatch):
    """The client's own bytes go up, its answer comes back, and a header says what happened."""
    async with Whole(fresh=True, recall__deadline_ms=50) as whole:
        monkeypatch.setattr(*broken, raising=True)
        seen = await whole.ask(route.ask("Digest: d"))
        monkeypatch.undo()
    assert (seen.status, seen.body) == (200, b'{"from":"upstream"}')
    assert outcome(seen) == "degraded"
    assert whole.received.body == route.body
    assert whole.received.values("digest") == ["d"]


@injecting_routes
async def test_point_21_a_capture_that_fails_costs_the_turn_only(route, monkeypatch):
    """The answer is whole even when it cannot be kept."""
    body = b"".join([*route.events("hello"), route.end("hello")])
    async with Whole(STREAM_HEAD + chunk(body) + LAST, fresh=True) as whole:
        monkeypatch.setattr(whole.conversations, "record", _crashes)
        seen = await whole.ask(route.ask())
        assert not await whole.turns()
    assert (seen.body, seen.ended) == (body, True)
    assert outcome(seen) == "injected"


@injecting_routes
async def test_point_21_a_hanging_capture_holds_no_event_back(route, monkeypatch):
    """All that the upstream said before its last event is with the client meanwhile."""
    kept = asyncio.Event()
    event, end = b"".join(route.events("hello")), route.end("hello")
    go_on = asyncio.Event()

    async def script(_reader, writer, _received):
        writer.write(STREAM_HEAD + chunk(event))
        await go_on.wait()
        writer.write(chunk(end) + LAST)

    async def slow(_turn):
        await kept.wait()
        raise ZeroDivisionError

    async with Whole(script, fresh=True) as whole:
        monkeypatch.setattr(whole.conversations, "record", slow)
        async with whole.asking(route.ask()) as client, asyncio.timeout(SECONDS):
            await read_head(client)
            assert await read_chunk(client) == event
            go_on.set()
            await asyncio.sleep(0.05)
            kept.set()
            assert await read_chunk(client) == end
            assert await read_chunk(client) == b""

"""No credential is ever in a log, in an answer of ours, or where it was not sent to."""

import asyncio
import json
import logging

import pytest

from recollect.config.server import TelemetryOptions
from recollect.memory.memories import SqlMemories
from recollect.memory.model.errors import StoreError
from recollect.proxy.telemetry.logs import configure_logging
from tests.proxy.wire import SECONDS, chunked, request, response, then_close
from tests.support.folding import rows
from tests.support.ports import free_port
from tests.support.waiting import until

from .facing import Facing

BEARER, API_KEY, QUERY, COOKIE = "sk-bearer-5ecret", "api-key-5ecret", "query-5ecret", "cook-5ecret"
TOKEN, HASH_KEY, LISTED = "api-token-5ecret", "hash-key-5ecret", "listed-5ecret"
MARK = "5ecret"
HEADERS = (
    f"Authorization: Bearer {BEARER}",
    f"api-key: {API_KEY}",
    f"X-API-Key: {API_KEY}",
    f"Cookie: session={COOKIE}",
    "x-recollect-user: alice",
)
OPTIONS = {
    "identity__mode": "gateway",
    "identity__hash_key": HASH_KEY,
    "identity__tenants": json.dumps({"acme": LISTED}),
    "api__token": TOKEN,
    "learn__every_turns": 1,
}
CHAT = f"/v1/chat/completions?key={QUERY}"
BODY = b'{"model":"m","messages":[{"role":"user","content":"I live in Lyon, what do I like?"}]}'
COMPLETION = response(
    b'{"choices":[{"index":0,"message":{"role":"assistant","content":"I see"}}]}',
    "Content-Type: application/json",
)
REQUESTS = {
    "a chat": request("POST", CHAT, BODY, *HEADERS),
    "another path": request("GET", f"/v1/models?key={QUERY}", None, *HEADERS),
    "an unreadable chat": request("POST", CHAT, b"{", *HEADERS),
    "a bad path": request("GET", f"/v1/../x?key={QUERY}", None, *HEADERS),
    "an absolute path": request("GET", f"http://u:{QUERY}@h/v1/x?key={QUERY}", None, *HEADERS),
    "no path": request("GET", f"http://u:{QUERY}@h", None, *HEADERS),
    "a tunnel": request("CONNECT", f"{QUERY}.test:443", None, *HEADERS),
    "a bad memory request": request("GET", f"/v1/memories/?limit={QUERY}", None, *HEADERS),
    "no such memory": request("PATCH", f"/v1/memories/x?key={QUERY}", None, *HEADERS),
}
BROKEN = {
    "a broken credential": request("GET", "/v1/x", None, f"Authorization: Bearer {BEARER}\0"),
    "a folded credential": request("GET", "/v1/x", None, f"Authorization: Bearer\r\n {BEARER}"),
    "a broken name": request("GET", "/v1/x", None, f"Author ization: Bearer {BEARER}"),
    "a broken line": f"GET /v1/x y?key={QUERY} HTTP/1.1\r\nHost: h\r\n\r\n".encode(),
    "a broken target": f"GET http://[::1?key={QUERY} HTTP/1.1\r\nHost: h\r\n\r\n".encode(),
    "no HTTP": f"{BEARER} {QUERY}\r\n\r\n".encode(),
    "a long credential": request("GET", "/v1/x", None, f"Cookie: {COOKIE * 9000}"),
    "a broken body": request("POST", CHAT, None, *HEADERS, "Transfer-Encoding: chunked")
    + f"{BEARER}\r\n".encode(),
}


@pytest.fixture(autouse=True)
def logs(caplog):
    """Everything that is logged, as `log_level: debug` would show it."""
    known = {name: logging.getLogger(name).level for name in logging.root.manager.loggerDict}
    configure_logging(TelemetryOptions(log_level="debug"))
    caplog.set_level(logging.DEBUG)
    yield caplog
    for name in logging.root.manager.loggerDict:
        logging.getLogger(name).setLevel(known.get(name, logging.NOTSET))


def told(logs):
    """All log lines with their tracebacks, as text."""
    assert logs.records
    return logs.text + "\n".join(repr(record.args) for record in logs.records)


def safe(facing, logs, *answers):
    """No secret was told to anybody but the upstream, and no address or secret of ours to it."""
    assert MARK not in told(logs)
    for answer in answers:
        assert MARK.encode() not in answer
        assert facing.upstream.base_url.encode() not in answer
    for received in facing.upstream.requests:
        seen = received.head + received.body
        for own in (TOKEN, HASH_KEY, LISTED, "x-recollect"):
            assert own.encode() not in seen.lower()


@rows(
    "answer",
    [
        COMPLETION,
        chunked(b'data: {"choices":[]}\n\n', headers=("Content-Type: text/event-stream",)),
        chunked(b"data: x\n\n", headers=("Content-Type: text/event-stream",), final=False),
        response(b'{"error":{}}', status="401 Unauthorized"),
        response(b"oops", f"Set-Cookie: a={'b' * 9}", status="500 Internal Server Error"),
        b"nonsense\r\n\r\n",
        b"",
    ],
)
@rows("data", REQUESTS.values())
async def test_requests_that_are_readable(data, answer, logs):
    """Whatever the upstream does: neither logs nor answers hold what the client sent."""
    async with Facing(then_close(answer), **OPTIONS) as facing:
        safe(facing, logs, await facing.until_closed(closing(data)))


@rows("data", [*REQUESTS.values(), *BROKEN.values()])
async def test_an_upstream_that_is_not_there(data, logs):
    """Its address is nobody's business either."""
    port = free_port()
    base = f"http://127.0.0.1:{port}/v1"
    async with Facing(**OPTIONS, upstream__base_url=base) as facing:
        answer = await facing.until_closed(closing(data))
        safe(facing, logs, answer)
        assert str(port).encode() not in answer


@rows("data", BROKEN.values())
async def test_requests_that_are_broken(data, logs):
    """A parser that quotes what it cannot read would quote the credential."""
    async with Facing(**OPTIONS) as facing:
        head, split, body = data.partition(b"\r\n\r\n")
        answer = await facing.until_closed(head + split, body)
        assert answer.startswith(b"HTTP/1.")
        safe(facing, logs, answer)


@rows("credential", [TOKEN, LISTED, "wrong-5ecret"])
@rows("method", ["POST", "GET", "DELETE"])
async def test_the_memory_api(method, credential, logs):
    """Right or wrong, the token of the API goes nowhere."""
    body = b'{"messages":"I like tea","user_id":"alice","infer":false}'
    said, path = (body, "/") if method == "POST" else (None, "/?user_id=alice")
    async with Facing(**OPTIONS) as facing:
        data = request(method, f"/v1/memories{path}", said, f"Authorization: Bearer {credential}")
        answer = await facing.until_closed(closing(data.replace(b"proxy.test", b"localhost")))
        assert answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 401"))
        safe(facing, logs, answer)
        assert not facing.upstream.requests


@rows("error", [StoreError("down"), RuntimeError("odd"), OSError(5, "I/O")])
async def test_memory_that_fails(error, logs, monkeypatch):
    """What is logged of it, with its traceback, has nothing of the request."""

    async def fail(*_args, **_kwargs):
        raise error

    for method in ("search", "list", "add", "upsert"):
        if hasattr(SqlMemories, method):
            monkeypatch.setattr(SqlMemories, method, fail)
    async with Facing(COMPLETION, fresh=True, **OPTIONS) as facing:
        chat = await facing.until_closed(closing(REQUESTS["a chat"]))
        assert chat.startswith(b"HTTP/1.1 200")
        listing = request("GET", "/v1/memories/?user_id=alice", None, f"X-API-Key: {TOKEN}")
        listed = await facing.until_closed(closing(listing.replace(b"proxy.test", b"localhost")))
        assert listed.startswith(b"HTTP/1.1 5")
        safe(facing, logs, chat, listed)


@rows("status", ["200 OK", "401 Unauthorized", "500 Internal Server Error"])
async def test_learning_with_the_clients_credential(status, logs):
    """It is used for the learner's own call to the same upstream, and not even then told."""
    learned = asyncio.Event()

    async def script(_reader, writer, received):
        if b"Lyon" in received.body and received.body != BODY:
            learned.set()
            writer.write(response(b"{}", "Set-Cookie: a=cook-5ecret", status=status))
        else:
            writer.write(COMPLETION)

    async with Facing(script, fresh=True, **OPTIONS, learn__retry_seconds=0.01) as facing:
        chat = REQUESTS["a chat"].replace(b"proxy.test", b"localhost")
        answer = await facing.until_closed(closing(chat))
        async with asyncio.timeout(SECONDS):
            await learned.wait()
        worker = facing.handlers.api.engine.background.worker
        await until(lambda: not worker.held, "the end of the job")
        safe(facing, logs, answer)
        own = [each for each in facing.upstream.requests if each.body != BODY]
        assert {value for each in own for value in each.values("authorization")} == {
            f"Bearer {BEARER}"
        }
        assert not [each for each in own if each.values("cookie") or each.values("api-key")]


def closing(data):
    """The same request, as the last of its connection."""
    return data.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)

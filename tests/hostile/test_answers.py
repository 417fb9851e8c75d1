"""What our own answers say, and what they do not."""

import json
import re

import openai
import pytest

from recollect.memory import AsyncMemory
from tests.hostile.facing import Facing, error_code
from tests.proxy.wire import answering, chunked, request
from tests.support.folding import rows

HERE = b"127.0.0.1"
SECRET = "my-secret"
CHAT = "/v1/chat/completions"
CALL = {"model": "m", "messages": [{"role": "user", "content": f"Where is {SECRET}?"}]}
BODY = json.dumps(CALL).encode()


def ask(method, path, body=None, *headers):
    return request(method, path, body, *headers).replace(b"proxy.test", HERE, 1)


async def get(facing, path):
    return await facing.ask(ask("GET", path))


ROUTES = {
    "a chat": ("POST", CHAT, "recollect.proxy.chat.reader.read_incoming"),
    "a chat's answer": ("POST", CHAT, "recollect.proxy.transport.relayed.forwarded_response_lines"),
    "a response": ("POST", "/v1/responses", "recollect.proxy.chat.reader.read_incoming"),
    "any other path": (
        "GET",
        f"/v1/{SECRET}",
        "recollect.proxy.transport.passthrough.forwarded_request_lines",
    ),
    "any other path's answer": (
        "PUT",
        "/",
        "recollect.proxy.transport.relayed.forwarded_response_lines",
    ),
    "life": ("GET", "/healthz", "recollect.proxy.api.health.Health.live"),
    "readiness": ("GET", "/readyz", "recollect.proxy.api.health.Health.ready"),
}


def broken(*_args, **_options):
    raise ZeroDivisionError(SECRET)


def number_of(message):
    """The number a client was told."""
    [number] = re.findall("internal error ([0-9a-f]{8}): see the server's log", message)
    return number


@rows("method, path, fault", ROUTES.values())
async def test_a_defect_in_any_route_is_an_openai_error(method, path, fault, monkeypatch, caplog):
    """500 in OpenAI's shape with a number that the log has, and the next request is answered."""
    async with Facing() as facing:
        with monkeypatch.context() as patch:
            patch.setattr(fault, broken)
            seen = await facing.ask(ask(method, path, BODY))
        assert (seen.status, error_code(seen)) == (500, "internal_error")
        number = number_of(json.loads(seen.body)["error"]["message"])
        assert (await facing.ask(ask(method, path, BODY))).status == 200
    [line] = [each.getMessage() for each in caplog.records if number in each.getMessage()]
    assert "ZeroDivisionError" in line
    assert SECRET not in caplog.text + seen.body.decode()


async def test_a_defect_before_a_tunnel_is_an_openai_error(monkeypatch, caplog):
    """A handshake that we cannot pass on is answered, and nothing is switched."""
    monkeypatch.setattr("recollect.proxy.transport.passthrough.handshake_headers", broken)
    upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
    async with Facing() as facing:
        seen = await facing.ask(ask("GET", "/v1/realtime", None, *upgrade))
    assert (seen.status, error_code(seen)) == (500, "internal_error")
    assert number_of(json.loads(seen.body)["error"]["message"]) in caplog.text


async def test_the_openai_client_reads_a_defect(monkeypatch, caplog):
    """It raises its own error for a 500, with our code and the number in what it says."""
    monkeypatch.setattr("recollect.proxy.chat.reader.read_incoming", broken)
    async with (
        Facing() as facing,
        openai.AsyncOpenAI(base_url=facing.base_url, api_key="k", max_retries=0) as client,
    ):
        with pytest.raises(openai.InternalServerError) as caught:
            await client.chat.completions.create(**CALL)
    assert (caught.value.code, caught.value.type) == ("internal_error", "recollect_error")
    assert f"error {number_of(caught.value.message)} in the route {CHAT}" in caplog.text


async def test_the_openai_client_sees_that_a_stream_broke(monkeypatch, caplog):
    """A defect in the middle of a stream is a cut connection, never the end of an answer."""

    async def stream(_request, response, _chunks, _passing):
        await response.write(b'data: {"choices":[{"index":0,"delta":{"content":"he"}}]}\n\n')
        broken()

    monkeypatch.setattr("recollect.proxy.transport.relay._stream", stream)
    script = answering(chunked(b"data: x\n\n", headers=("Content-Type: text/event-stream",)))
    said = []
    async with (
        Facing(script) as facing,
        openai.AsyncOpenAI(base_url=facing.base_url, api_key="k", max_retries=0) as client,
    ):
        events = await client.chat.completions.create(**CALL, stream=True)
        said.append((await anext(aiter(events))).choices[0].delta.content)
        with pytest.raises(openai.APIConnectionError):
            await anext(aiter(events))
    assert said == ["he"]
    assert f"in the route {CHAT}: ZeroDivisionError" in caplog.text
    assert SECRET not in caplog.text


OURS = {
    "an unknown method": (ask("PATCH", "/v1/memories/"), 405),
    "an unknown path": (ask("GET", "/v1/memories/a/b/c"), 404),
    "a large body": (ask("POST", "/v1/memories/", bytes(3000)), 413),
    "an expectation": (ask("POST", "/v1/memories/", b"{}", "Expect: miracles"), 417),
    "no HTTP": (b"GET /v1/memories/ x y\r\n\r\n", 400),
    "a long head": (ask("GET", f"/v1/memories/{'x' * 70_000}"), 431),
}


@rows("data, status", OURS.values())
async def test_what_aiohttp_refuses_has_the_memory_apis_shape(data, status):
    """Its clients find `detail`, also where nobody got as far as to see which API was meant."""
    async with Facing(api__limits__max_body_bytes=2000) as facing:
        seen = await facing.ask(data)
    assert seen.status == status
    assert isinstance(json.loads(seen.body)["detail"], str)


@rows(
    "data, status",
    [
        (ask("POST", CHAT, b"{}", "Expect: miracles"), 417),
        (b"POST /v1/chat/completions x y\r\n\r\n", 400),
        (ask("GET", f"/v1/{'x' * 70_000}"), 431),
    ],
)
async def test_what_aiohttp_refuses_has_openais_shape(data, status):
    """And so has everything else that it refuses by itself."""
    async with Facing() as facing:
        seen = await facing.ask(data)
    assert (seen.status, type(error_code(seen))) == (status, str)


async def test_a_defect_of_ours_is_an_answer_that_clients_can_read(monkeypatch, caplog):
    """500 in the usual shape, with a number that the log has; nothing of the request is in either."""
    monkeypatch.setattr(AsyncMemory, "search", broken)
    async with Facing() as facing:
        seen = await get(facing, "/v1/memories/search/?q=x&user_id=alice")
    body = json.loads(seen.body)
    assert (seen.status, set(body)) == (500, {"detail"})
    number = number_of(body["detail"])
    assert f"error {number} in the memory API: ZeroDivisionError" in caplog.text
    assert SECRET not in caplog.text + body["detail"]


@rows("path", ["/v1/memories/?user_id=a", "/v1/memories/no/where", "/healthz"])
async def test_no_answer_names_our_server(path):
    """Which library answers, and in which version, is nobody's business."""
    async with Facing() as facing:
        seen = await get(facing, path)
    assert "aiohttp" not in "".join(seen.head.values("server"))

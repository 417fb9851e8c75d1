"""Points 22 to 27 of the transparency checklist: bodies, routes, protocols."""

import asyncio
import base64
import json
import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.filters.inject.options import Position
from tests.proxy.tunnelling import SWITCH, WISH
from tests.proxy.wire import SECONDS, chunk, request, response
from tests.support.budget import examples
from tests.support.folding import rows

from .whole import (
    ANSWER,
    CHAT_INJECTED,
    CHAT_PLAIN,
    JSON,
    LAST,
    QUESTION,
    RESPONSES_INJECTED,
    RESPONSES_PLAIN,
    ROUTES,
    STREAM_HEAD,
    Whole,
    assert_sent,
    every_route,
    memory_routes,
    on,
    outcome,
    take_ours,
)


def _image():
    """6 MB as text, as vision requests carry it: more than is parsed, or held at any place."""
    return "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 18 * 2**10).decode()


def _with_image(route):
    """A question about an image, in this route's words."""
    if "input" in json.loads(route.body):
        parts = [
            {"type": "input_text", "text": QUESTION},
            {"type": "input_image", "image_url": _image()},
        ]
        return json.dumps({"model": "m", "input": [{"role": "user", "content": parts}]}).encode()
    parts = [
        {"type": "text", "text": QUESTION},
        {"type": "image_url", "image_url": {"url": _image()}},
    ]
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": parts}]}).encode()


@on([CHAT_INJECTED, RESPONSES_PLAIN, ROUTES[-1]])
async def test_point_22_large_images_pass(route):
    """6 MB of image in a request, more than is parsed: every byte arrives, and memory stays out of it."""
    body = _with_image(route)
    async with Whole() as whole:
        seen = await whole.ask(route.ask(body=body))
    assert seen.status == 200
    assert outcome(seen) == ("skipped" if route.captures else "")
    assert whole.received.body == body


@on([CHAT_INJECTED, RESPONSES_INJECTED])
async def test_point_22_large_images_within_a_larger_bound(route):
    """Who raises the bound gets memory for these too; the image is the same."""
    body = _with_image(route)
    async with Whole(upstream__max_parsed_bytes=2**26) as whole:
        seen = await whole.ask(route.ask(body=body))
    assert outcome(seen) == "injected"
    assert_sent(route, whole.received, body)


@on([CHAT_INJECTED, RESPONSES_PLAIN])
async def test_point_22_what_is_too_large_streams(route):
    """The upstream gets the beginning of a large body while the client still holds its end."""
    body = _with_image(route)
    begun = asyncio.Event()

    async def script(reader, writer, received):
        first = await reader.readexactly(1000)
        begun.set()
        received.body = first + await reader.readexactly(len(body) - 1000)
        writer.write(ANSWER)

    async with Whole(script, read_body=False) as whole, whole.client() as client:
        data = route.ask(body=body)
        await client.send(data[: -len(body) // 2])
        async with asyncio.timeout(SECONDS):
            await begun.wait()
        await client.send(data[-len(body) // 2 :])
        assert (await client.answer()).status == 200
        assert whole.received.body == body


@every_route
async def test_point_22_multipart_is_not_looked_into(route):
    """A form with a file passes on any path, boundary and all, though it be no valid one."""
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="\xff"\r\n\r\n\x00\xff\r\n--b--'
    async with Whole() as whole:
        await whole.ask(route.ask("Content-Type: multipart/form-data; boundary=b", body=body))
    assert whole.received.body == body
    assert whole.received.values("content-type") == ["multipart/form-data; boundary=b"]


TARGETS = (
    "/v1/models",
    "/v1/chat/completions/chatcmpl-1/messages?after=%2F&limit=1&limit=2",
    "/v1/responses/resp_1/input_items?include[]=a&include%5B%5D=b",
    "/v1/files/a%2Fb%20c/content",
    "/v1/v1/models",
    "/chat/completions/chatcmpl-1",
    "/responses/resp_1/cancel",
    "/v1/chat/completions//",
    "/v1//responses",
    "/openai/responses",
    "/completions",
    "/v1",
    "/v1/",
    "/v1/a//b/",
    "/v1/x?a=b?c&&=&d",
    "/v1/caf%C3%A9/%e2%82%ac/~;p=1,2:3@'()*!$",
    "/v2/other",
    "/",
    "/healthzx",
)


@rows("target", TARGETS)
async def test_point_23_any_method_and_path(target):
    """Whatever is asked for that is not ours goes up as it was written."""
    async with Whole() as whole:
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "PURGE"):
            seen = await whole.ask(request(method, target))
            assert (seen.status, seen.body) == (200, b'{"from":"upstream"}')
            assert whole.received.line == f"{method} {target} HTTP/1.1"
            assert outcome(seen) == ""


@memory_routes
async def test_point_23_other_methods_on_a_route_with_memory(route):
    """Only what asks a model a question is given memories."""
    async with Whole() as whole:
        for method in ("GET", "PUT", "PATCH", "DELETE", "OPTIONS"):
            seen = await whole.ask(route.ask().replace(b"POST", method.encode(), 1))
            assert whole.received.line == f"{method} {route.asked} HTTP/1.1"
            assert whole.received.body == route.body
            assert outcome(seen) == ""


@memory_routes
async def test_point_23_queries_of_a_route_with_memory(route):
    """A query changes nothing about the route and goes up unchanged."""
    async with Whole() as whole:
        data = route.ask().replace(b" HTTP/1.1", b"?api-version=1&x=%2F HTTP/1.1", 1)
        seen = await whole.ask(data)
    assert whole.received.line == f"POST {route.path}?api-version=1&x=%2F HTTP/1.1"
    assert outcome(seen) == ("injected" if route.injects else "empty")
    assert_sent(route, whole.received)


@every_route
async def test_point_24_unknown_fields_survive(route):
    """Fields nobody knows, number formats, white space and escapes are the client's."""
    async with Whole() as whole:
        await whole.ask(route.ask())
    assert_sent(route, whole.received)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
_TEXT = st.just(QUESTION) | st.text(max_size=20)
_CONTENT = _TEXT | st.lists(
    st.fixed_dictionaries({"type": st.just("text"), "text": _TEXT}), max_size=2
)
_ROLES = st.sampled_from(["system", "developer", "user", "assistant", "tool", "function", "odd"])
_MESSAGE = st.fixed_dictionaries(
    {"role": _ROLES, "content": _CONTENT | st.none()},
    optional={"tool_calls": _JSON, "tool_call_id": st.text(max_size=3), "name": _JSON, "x": _JSON},
)
_RESERVED = {"messages", "input", "metadata", "user", "safety_identifier", "previous_response_id"}
_EXTRA = st.dictionaries(
    st.text(max_size=9).filter(lambda key: key not in _RESERVED), _JSON, max_size=4
)


def _filled(messages):
    """Those that are not an empty instruction."""
    return [one for one in messages if (one.get("role"), one.get("content")) != ("system", "")]


@settings(max_examples=examples(40))
@given(
    st.sampled_from([CHAT_INJECTED, RESPONSES_INJECTED]),
    st.lists(_MESSAGE, max_size=5),
    _EXTRA,
    st.booleans(),
    st.sampled_from([None, 1]),
    st.sampled_from(list(Position)),
)
async def test_point_24_an_injection_is_one_block_and_nothing_else(
    route, messages, extra, ascii_only, indent, position
):
    """Random requests: what the upstream parses, less our block, is what the client meant."""
    key = "messages" if "messages" in json.loads(route.body) else "input"
    asked = [*messages, {"role": "user", "content": QUESTION}]
    sent = {**extra, key: asked, "tail": 1}
    body = json.dumps(sent, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    async with Whole(recall__position=position.value) as whole:
        seen = await whole.ask(route.ask(body=body))
        received = json.loads(whole.received.body)
    ours = take_ours(received)
    # Of an empty message that got our block, `take_ours` leaves nothing.
    assert received | {key: _filled(received[key])} == sent | {key: _filled(asked)}
    assert len(ours) == (1 if outcome(seen) == "injected" else 0)
    if not ours:
        assert whole.received.body == body


@rows("path", ["/v1/realtime?model=m%20x", "/v1/responses", "/v1/tomorrow"])
async def test_point_25_websockets_are_tunnelled(path):
    """Handshake, subprotocol and every byte after it go both ways, however large a frame is."""
    frame = b"\x82\x7f" + (6 * 2**20).to_bytes(8, "big") + bytes(6 * 2**20)
    close = b"\x88\x05\x0f\xa1bye"
    switch = SWITCH[:-2] + b"Sec-WebSocket-Protocol: realtime\r\n\r\n"

    async def script(reader, writer, received):
        writer.write(switch + b"\x81\x02hi")
        received.body = await reader.readexactly(len(frame))
        writer.write(frame + close)
        await reader.read()
        raise ConnectionResetError

    lines = (
        *WISH,
        "Sec-WebSocket-Protocol: realtime, openai-beta.realtime-v1",
        "Authorization: Bearer k",
    )
    async with Whole(script) as whole, whole.client() as client, asyncio.timeout(SECONDS):
        await client.send(request("GET", path, None, *lines))
        seen = await client.answer(head_only=True)
        assert seen.status == 101
        assert seen.head.values("sec-websocket-protocol") == ["realtime"]
        assert await client.reader.readexactly(4) == b"\x81\x02hi"
        await client.send(frame)
        assert await client.reader.readexactly(len(frame) + len(close)) == frame + close
        assert whole.received.body == frame
        assert whole.received.values("upgrade") == ["websocket"]
        assert whole.received.values("sec-websocket-protocol") == [lines[-2].partition(": ")[2]]
        assert whole.received.values("authorization") == ["Bearer k"]
        client.close()
        await whole.upstream.hung_up.wait()


async def test_point_25_an_upstream_that_does_not_switch_answers():
    """A refused handshake is an answer like any other, not a hang."""
    async with Whole(response(b'{"error":1}', JSON, status="404 Not Found")) as whole:
        seen = await whole.ask(request("GET", "/v1/realtime", None, *WISH))
    assert (seen.status, seen.body) == (404, b'{"error":1}')


@every_route
async def test_point_26_head_goes_up(route):
    """HEAD is answered by the upstream, with the length of what it did not send."""
    answer = response(b"", JSON, "X-A: 1").replace(b"Content-Length: 0", b"Content-Length: 42")
    async with Whole(answer) as whole, whole.client() as client:
        for _ in range(2):
            await client.send(request("HEAD", route.asked))
            seen = await client.answer(head_only=True)
            assert seen.status == 200
            assert seen.head.values("content-length") == ["42"]
        assert whole.received.line == f"HEAD {route.asked} HTTP/1.1"


@every_route
async def test_point_26_options_and_cors_are_the_upstreams(route):
    """A preflight goes up and its answer comes back: we add no CORS header and take none."""
    cors = ("Access-Control-Allow-Origin: https://a.test", "Vary: Origin")
    asking = ("Origin: https://a.test", "Access-Control-Request-Method: POST")
    for lines in ((), cors):
        async with Whole(response(b"", *lines, status="204 No Content")) as whole:
            seen = await whole.ask(request("OPTIONS", route.asked, None, *asking))
            posted = await whole.ask(route.ask())
        assert seen.status == 204
        assert whole.upstream.requests[0].values("access-control-request-method") == ["POST"]
        for got in (seen, posted):
            names = [name for name, _ in got.head.headers if name.lower().startswith("access-")]
            assert names == (["Access-Control-Allow-Origin"] if lines else [])


@every_route
async def test_point_26_http_1_0_clients_get_no_chunks(route):
    """An old client gets the bytes alone, up to the end of the connection."""
    body = b"".join(route.events("hello"))
    async with Whole(STREAM_HEAD + chunk(body) + LAST) as whole, whole.client() as client:
        await client.send(route.ask().replace(b"HTTP/1.1", b"HTTP/1.0", 1))
        async with asyncio.timeout(SECONDS):
            head, _, got = (await client.reader.read()).partition(b"\r\n\r\n")
        assert_sent(route, whole.received)
    assert b"chunked" not in head.lower()
    assert got == body


@every_route
async def test_point_26_an_upstream_that_speaks_http_1_0(route):
    """An answer that ends with its connection arrives whole, with an end that can be told."""

    async def script(_reader, writer, _received):
        writer.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it")
        await writer.drain()
        raise ConnectionResetError

    async with Whole(script) as whole:
        seen = await whole.ask(route.ask())
    assert (seen.body, seen.ended) == (b"all of it", True)


@every_route
async def test_point_26_informational_answers_are_not_the_answer(route):
    """Early hints before an answer do not take its place."""
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
    async with Whole(early + ANSWER) as whole, whole.client() as client:
        for _ in range(2):
            await client.send(route.ask())
            seen = await client.answer()
            assert (seen.status, seen.body) == (200, b'{"from":"upstream"}')


@every_route
async def test_point_26_connections_are_kept(route):
    """Answers in order on one connection, here and there; requests may come ahead of them."""
    async with Whole() as whole, whole.client() as client:
        before = whole.upstream.connections
        await client.send(route.ask() * 3)
        for _ in range(3):
            assert (await client.answer()).status == 200
        assert whole.upstream.connections - before == 1
    for received in whole.upstream.requests:
        assert_sent(route, received)


@rows("path", ["/v1/healthz", "/v1/readyz", "/healthy", "/v1/health"])
async def test_point_27_health_takes_no_path_of_the_api(path):
    """Our own checks are outside of `/v1`; paths that look like them are the upstream's.

    What is below them is ours, as below all paths of ours: a 404.
    """
    async with Whole() as whole:
        for own in ("/healthz", "/readyz"):
            assert (await whole.ask(request("GET", own))).status == 200
            assert (await whole.ask(request("GET", f"{own}/x"))).status == 404
        assert not whole.upstream.requests
        assert (await whole.ask(request("GET", path))).body == b'{"from":"upstream"}'
        assert whole.received.line == f"GET {path} HTTP/1.1"


@on([CHAT_PLAIN, ROUTES[-1]])
async def test_point_27_health_does_not_ask_the_upstream(route):
    """Whether we live is no question to somebody else: a dead upstream changes nothing."""

    async def script(_reader, _writer, _received):
        raise ConnectionResetError

    async with Whole(script) as whole:
        assert (await whole.ask(route.ask())).status == 502
        assert (await whole.ask(request("GET", "/healthz"))).status == 200
        assert len(whole.upstream.requests) == 1


def test_every_point_has_its_tests():
    """All 27 points of the checklist are here, each with a test that is named after it."""
    text = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_0*.py"))
    named = {
        int(number)
        for number in re.findall(r"^(?:async )?def test_point_(\d\d)_\w+\(", text, re.MULTILINE)
    }
    assert named == set(range(1, 28))

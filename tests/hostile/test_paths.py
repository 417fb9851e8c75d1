"""Odd targets: refused, or passed as a direct server would see them; never another place."""

import json

from tests.proxy.wire import request
from tests.support.folding import rows

from .facing import Facing, error_code, parsed

AS_THEY_ARE = [
    "/v1//x//",
    "//v1/x",
    "//evil.test/v1/x",
    "/v1/./x",
    "/v1/x/../y",
    "/v1/v1/x",
    "/V1/x",
    "/v1/x;a=b;c",
    "/v1/a%2Fb%2fc",
    "/v1/%252e%252e/x",
    "/v1/%zz%",
    "/v1/%ff%fe?q=%ff",
    "/v1/a\\b",
    "/v1/x%00",
    "/v1/x?",
    "/v1/x??y=/../..",
    "/v1beta/x",
    "/",
]
OUT = ["/v1/../admin", "/v1/%2e%2E/admin", "/..", "/v1/x/..%2f..%5c..", "/v1/..;/x"]
NO_TARGET = [
    b"GET  HTTP/1.1",
    b"GET x HTTP/1.1",
    b"GET ?x HTTP/1.1",
    b"GET * HTTP/1.1",
    b"GET /v1/a b HTTP/1.1",
    b"GET /v1/a\tb HTTP/1.1",
    b"GET /v1/a\0 HTTP/1.1",
    b"GET /v1/\xff\xfe HTTP/1.1",
    b"GET /v1/x?\xc3\xa9 HTTP/1.1",
    b"GET http:///v1/x HTTP/1.1",
    b"GET http://[::1/v1/x HTTP/1.1",
    b"GET file:///etc/passwd HTTP/1.1",
    b"GET /v1/x HTTP/1.9",
    b"FOO /v1/x HTTP/1.1",
    b"PRI * HTTP/2.0",
    b"\x16\x03\x01\x02\x00\x01\x00",
]


@rows("path", AS_THEY_ARE)
async def test_paths_pass_as_they_are(path):
    """Nothing is merged, decoded or resolved; `/v1` is not doubled either."""
    async with Facing() as facing:
        assert (await facing.ask(request("GET", path))).status == 200
        assert facing.lines == [f"GET {path.removesuffix('?')} HTTP/1.1"]


@rows("method", ["GET", "POST"])
@rows("path", OUT)
async def test_paths_that_lead_out_are_refused(method, path):
    """Whoever resolves them would be outside of the API that is configured."""
    async with Facing() as facing:
        seen = await facing.ask(request(method, path, b"{}"))
        assert (seen.status, error_code(seen)) == (400, "bad_path")
        assert not facing.upstream.requests


@rows("line", NO_TARGET)
async def test_what_is_no_target_is_refused(line):
    """White space, bytes beyond ASCII, other protocols: a 400, and the connection ends."""
    async with Facing() as facing:
        seen = parsed(await facing.until_closed(line + b"\r\nHost: h\r\n\r\n"))
        assert (seen.status, error_code(seen)) == (400, "bad_request")
        assert not facing.upstream.requests


@rows("line", ["CONNECT evil.test:443", "CONNECT /v1/x", "OPTIONS *"])
async def test_tunnels_and_stars_are_refused(line):
    """We are no forward proxy: nothing is opened, and nothing behind it is taken for a request."""
    data = f"{line} HTTP/1.1\r\nHost: evil.test:443\r\n\r\n".encode()
    async with Facing() as facing:
        seen = parsed(await facing.until_closed(data + request("GET", "/v1/smuggled")))
        assert (seen.status, error_code(seen)) == (404, "not_found")
        assert not facing.upstream.requests


@rows(
    "path",
    [
        "/v1/x/../memories/",
        "/v1/./memories/",
        "//v1/memories/",
        "/v1//memories/",
        "/V1/memories/",
        "/v1/memories%2f",
        "/v1/memories;a=b/",
        "/v1\\memories\\",
        "/v1/models/..%2fmemories",
    ],
)
async def test_no_side_door_leads_to_the_memory_api(path):
    """What only looks like its path after resolving is a 404 and does not go upstream either."""
    async with Facing() as facing:
        seen = await facing.ask(
            request("GET", f"{path}?user_id=alice").replace(b"proxy.test", b"::1")
        )
        assert seen.status == 404
        assert "belongs to Recollect" in json.loads(seen.body)["detail"]
        assert not facing.upstream.requests


@rows(
    "path",
    ["/v1/memories/", "/v1/%6demories/", "/v1/memories/../models", "http://evil.test/v1/memories/"],
)
async def test_the_memory_api_is_not_dodged(path):
    """However its path is written, its guard comes first and the upstream hears nothing of it."""
    async with Facing(api__token="secret") as facing:
        data = request("GET", path).replace(b"proxy.test", b"127.0.0.1")
        seen = await facing.ask(data)
        assert seen.status in {401, 404}
        assert "detail" in json.loads(seen.body)
        assert not facing.upstream.requests


async def test_bytes_that_are_no_text_pass():
    """A body is nobody's text but the upstream's, on every route."""
    body = b'{"messages":[{"role":"user","content":"\xff\xfe\xc0\x80"}]}'
    async with Facing() as facing:
        for path in ("/v1/files", "/v1/chat/completions", "/v1/completions"):
            assert (await facing.ask(request("POST", path, body))).status == 200
        assert [received.body for received in facing.upstream.requests] == [body] * 3


async def test_text_in_headers_passes_and_other_bytes_break_nothing():
    """UTF-8 goes up as it is; bytes that are none are an answer, not a hang."""
    async with Facing() as facing:
        await facing.ask(request("GET", "/v1/x", None, "X-A: caf\u00e9"))
        [received] = facing.upstream.requests
        assert received.head.endswith("X-A: caf\u00e9".encode())
        for path in ("/v1/x", "/v1/memories/"):
            seen = await facing.ask(request("GET", path, None, "X-A: \udcff", "X-B: \udcc0\udc80"))
            assert seen.status >= 200

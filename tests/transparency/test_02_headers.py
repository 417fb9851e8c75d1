"""Points 12 to 17 of the transparency checklist: headers."""

import gzip
import zlib

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from recollect.proxy import composing
from recollect.proxy.telemetry.tracing import Telemetry
from tests.proxy.wire import chunk, chunked, response
from tests.support.folding import rows

from .whole import (
    ANSWER,
    JSON,
    LAST,
    ROUTES,
    Whole,
    assert_sent,
    every_route,
    injecting_routes,
    memory_routes,
    on,
    outcome,
    untouched_routes,
    upstream_headers,
)


def _pairs(lines):
    """Names and values of header lines."""
    parts = (line.partition(":") for line in lines)
    return [(name, value.strip()) for name, _, value in parts]


HOP_BY_HOP_UP = (
    "Connection: keep-alive, X-Hop",
    "Connection: X-Leg",
    "X-Hop: 1",
    "x-leg: 1",
    "Keep-Alive: timeout=5",
    "Proxy-Authorization: Basic c2VjcmV0",
    "Proxy-Connection: keep-alive",
    "TE: trailers",
    "Trailer: X-Sum",
)
HOP_BY_HOP_DOWN = (
    "Connection: keep-alive, X-Hop",
    "X-Hop: 1",
    "Keep-Alive: timeout=5",
    "Proxy-Authenticate: Basic",
    "Trailer: X-Sum",
    "Upgrade: h2c",
)


@every_route
async def test_point_12_hop_by_hop_headers_stay(route):
    """Neither side sees what was about the other's connection; `Host` is the upstream's own."""
    async with Whole(response(b"{}", JSON, *HOP_BY_HOP_DOWN)) as whole:
        seen = await whole.ask(route.ask("X-End-To-End: 1", *HOP_BY_HOP_UP))
        authority = whole.upstream.base_url.removeprefix("http://").removesuffix("/v1")
        assert whole.received.headers == [
            ("Host", authority),
            ("X-End-To-End", "1"),
            ("Content-Length", str(len(whole.received.body))),
        ]
    expected = [("Content-Type", "application/json"), ("Content-Length", "2")]
    assert upstream_headers(seen, "date") == expected
    assert not seen.head.values("connection")


@every_route
async def test_point_12_trailers_stay(route):
    """What follows a chunked body belongs to its connection: both bodies end as they should."""
    length = b"\r\nContent-Length: %d" % len(route.body)
    trailer = b"0\r\nX-Sum: 1\r\n\r\n"
    answer = chunked(b"hello", headers=(JSON, "Trailer: X-Sum"), final=False) + trailer
    async with Whole(answer) as whole:
        head = route.ask("Trailer: X-Sum")[: -len(route.body)]
        head = head.replace(length, b"\r\nTransfer-Encoding: chunked")
        asked = head + chunk(route.body) + trailer
        for _ in range(2):
            seen = await whole.ask(asked)
            assert (seen.body, seen.ended) == (b"hello", True)
            assert not seen.head.values("trailer")
            assert_sent(route, whole.received)


@every_route
async def test_point_12_expect_is_answered_here(route):
    """A client that waits for leave to send gets it, and the upstream gets body and no `Expect`."""
    async with Whole() as whole, whole.client() as client:
        await client.send(route.ask("Expect: 100-continue")[: -len(route.body)])
        assert (await client.answer(head_only=True)).status == 100
        await client.send(route.body)
        assert (await client.answer()).status == 200
        assert not whole.received.values("expect")
    assert_sent(route, whole.received)


BODY = b'{"choices":[]}' * 50
CODED = {
    "gzip": gzip.compress(BODY),
    "deflate": zlib.compress(BODY),
    "br": b"\x0b\x02\x80not really\x03",
    "zstd": b"\x28\xb5\x2f\xfdnot really",
    "gzip, br": b"\x1f\x8btwice",
    "unknown": bytes(range(256)),
}


@every_route
@rows("as_chunks", [False, True])
async def test_point_13_coded_answers_pass_as_they_are(route, as_chunks):
    """The header and the bytes it is about stay together, whatever the coding."""
    async with Whole() as whole:
        for coding, body in CODED.items():
            headers = (JSON, f"Content-Encoding: {coding}", "Vary: Accept-Encoding")
            in_chunks = chunked(body[:5], body[5:], headers=headers)
            whole.answer = in_chunks if as_chunks else response(body, *headers)
            seen = await whole.ask(route.ask("Accept-Encoding: gzip, br, zstd"))
            assert (seen.body, seen.ended) == (body, True), coding
            assert seen.head.values("content-encoding") == [coding]
            assert seen.head.values("vary") == ["Accept-Encoding"]


@untouched_routes
async def test_point_13_coded_requests_pass_as_they_are(route):
    """A packed body that nothing is added to goes up packed, with its header."""
    async with Whole() as whole:
        for coding, body in (CODED | {"gzip": gzip.compress(route.body)}).items():
            seen = await whole.ask(route.ask(f"Content-Encoding: {coding}", body=body))
            assert seen.status == 200
            assert whole.received.body == body
            assert whole.received.values("content-encoding") == [coding]


@injecting_routes
@rows("coding", ["br", "zstd", "gzip, br"])
async def test_point_13_codings_nobody_can_read_here_are_not_touched(route, coding):
    """What memory cannot unpack passes without memory, and the answer says so."""
    async with Whole() as whole:
        seen = await whole.ask(route.ask(f"Content-Encoding: {coding}", body=CODED[coding]))
    assert outcome(seen) == "skipped"
    assert whole.received.body == CODED[coding]
    assert whole.received.values("content-encoding") == [coding]


PACKED = {"gzip": gzip.compress, "deflate": zlib.compress, "identity": bytes}


@injecting_routes
@rows("coding", PACKED)
async def test_point_13_an_edited_coded_request_is_framed_anew(route, coding):
    """The upstream gets a body, a coding and a length that belong together."""
    packed = PACKED[coding](route.body)
    async with Whole() as whole:
        seen = await whole.ask(route.ask(f"Content-Encoding: {coding}", body=packed))
    assert outcome(seen) == "injected"
    assert not whole.received.values("content-encoding")
    assert whole.received.values("content-length") == [str(len(whole.received.body))]
    assert_sent(route, whole.received)


@every_route
async def test_point_13_no_coding_is_asked_for_that_the_client_did_not(route):
    """A client that accepts no coding gets none, and one that accepts gzip asks for just that."""
    async with Whole() as whole:
        await whole.ask(route.ask())
        assert not whole.received.values("accept-encoding")
        await whole.ask(route.ask("Accept-Encoding: gzip;q=0.5, deflate"))
        assert whole.received.values("accept-encoding") == ["gzip;q=0.5, deflate"]


@memory_routes
async def test_point_13_memory_reads_only_codings_it_knows(route):
    """Where answers are learned from, codings that we cannot read are not offered to the upstream."""
    async with Whole() as whole:
        await whole.ask(route.ask("Accept-Encoding: gzip, br, zstd"))
        assert whole.received.values("accept-encoding") == ["gzip"]
        await whole.ask(route.ask("Accept-Encoding: br", "x-recollect-memory: off"))
        assert whole.received.values("accept-encoding") == ["br"]


ABOUT_BYTES = (
    "Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==",
    "Digest: sha-256=abc",
    "Content-Digest: sha-256=:abc:",
    "Repr-Digest: sha-256=:abc:",
    "Signature: sig1=:abc:",
    "Signature-Input: sig1=()",
)


@every_route
async def test_point_14_only_an_edit_drops_what_is_known_of_the_bytes(route):
    """Digests and signatures go with the bytes they are about, and stay with untouched ones."""
    async with Whole() as whole:
        await whole.ask(route.ask(*ABOUT_BYTES))
    names = {line.partition(":")[0] for line in ABOUT_BYTES}
    passed = [f"{name}: {value}" for name, value in whole.received.headers if name in names]
    assert passed == ([] if route.injects else list(ABOUT_BYTES))
    assert whole.received.values("content-length") == [str(len(whole.received.body))]


@every_route
async def test_point_14_one_framing(route):
    """A chunked request has a length or chunks at the upstream, never both, and the same content."""
    length = b"\r\nContent-Length: %d" % len(route.body)
    async with Whole() as whole, whole.client() as client:
        head = route.ask()[: -len(route.body)]
        chunks = head.replace(length, b"\r\nTransfer-Encoding: chunked")
        await client.send(chunks + chunk(route.body[:10]) + chunk(route.body[10:]) + LAST)
        assert (await client.answer()).status == 200
    framings = whole.received.values("content-length") + whole.received.values("transfer-encoding")
    assert len(framings) == 1
    assert_sent(route, whole.received)


FROM_UPSTREAM = (
    "x-request-id: req_123",
    "openai-processing-ms: 12",
    "openai-version: 2020-10-01",
    "openai-organization: org",
    "X-RateLimit-Limit-Requests: 10",
    "x-ratelimit-remaining-tokens: 0",
    "retry-after: 7",
    "retry-after-ms: 6500",
    "x-should-retry: false",
    "cf-ray: 8",
    "Strict-Transport-Security: max-age=1",
    "Cache-Control: no-store",
    "Server: upstream/1",
    "Date: Sat, 01 Jan 2000 00:00:00 GMT",
    "X-Empty: ",
)


@every_route
@rows("status", ["200 OK", "429 Slow Down Please", "500 Internal Server Error"])
async def test_point_15_answers_keep_their_headers(route, status):
    """Ids, limits and retry hints arrive as sent: order, case and the status line's own words."""
    async with Whole(response(b"{}", *FROM_UPSTREAM, JSON, status=status)) as whole:
        seen = await whole.ask(route.ask())
    expected = [
        *_pairs(FROM_UPSTREAM),
        ("Content-Type", "application/json"),
        ("Content-Length", "2"),
    ]
    assert seen.head.line == f"HTTP/1.1 {status}"
    assert upstream_headers(seen) == expected


@on(ROUTES[:1] + ROUTES[-1:])
@rows(
    "value",
    [
        "caf\u00e9 \u65e5".encode(),
        b"caf\xe9",
        bytes(range(0x80, 0x100)),
    ],
)
async def test_point_15_odd_bytes_in_headers(route, value):
    """A header of the upstream that is no ASCII arrives as the same bytes."""
    answer = response(b"{}", "X-A: here").replace(b"here", value)
    async with Whole(answer) as whole:
        seen = await whole.ask(route.ask())
    assert seen.status == 200
    assert b"X-A: " + value in seen.head.head


TRACE = "0af7651916cd43dd8448eb211c80319c"
FROM_CLIENT = (
    "Authorization: Bearer sk-client",
    "OpenAI-Organization: org",
    "OpenAI-Project: proj",
    "OpenAI-Beta: assistants=v2",
    "X-Stainless-Lang: python",
    "x-stainless-retry-count: 1",
    "User-Agent: curl/8",
    "Idempotency-Key: once",
    "X-Twice: 1",
    "X-Twice: 2",
    "tracestate: a=b",
    "baggage: user=alice",
    f"traceparent: 00-{TRACE}-b7ad6b7169203331-01",
    "Cookie: a=1; b=2",
    "Accept: */*",
    "X-Empty:",
    "X-Forwarded-For: 10.0.0.1",
)


@every_route
async def test_point_16_requests_keep_their_headers(route):
    """Order, case and repetition survive, none is invented, and none of ours goes up."""
    private = ("x-recollect-session: s", "X-Recollect-Agent: a", "x-recollect-anything: 1")
    async with Whole() as whole:
        await whole.ask(route.ask(*FROM_CLIENT, *private))
    length = ("Content-Length", str(len(whole.received.body)))
    assert whole.received.headers[1:] == [*_pairs(FROM_CLIENT), length]
    assert b"recollect-" not in whole.received.head.lower()


@every_route
async def test_point_16_repeated_headers_in_another_case(route):
    """A header that comes twice has both values upstream, however its name is written."""
    async with Whole() as whole:
        await whole.ask(route.ask("X-Tag: 1", "x-tag: 2", "Cookie: a=1", "cookie: b=2"))
    assert whole.received.values("x-tag") == ["1", "2"]
    assert whole.received.values("cookie") == ["a=1", "b=2"]


@every_route
async def test_point_16_nothing_of_ours_but_four_headers(route):
    """A route with memory says outcome, reason, count and user; others nothing; none an address."""
    leaks = (
        "x-recollect-memory: fake",
        "X-Recollect-User: mallory",
        "X-Recollect-Store: http://10.0.0.1",
    )
    async with Whole(response(b"{}", JSON, "Server: s", "Date: d", *leaks)) as whole:
        seen = await whole.ask(route.ask())
        authority = whole.upstream.base_url.removeprefix("http://").removesuffix("/v1")
    ours = [name for name, _ in seen.head.headers if name.lower().startswith("x-recollect-")]
    told = ["x-recollect-memory", "x-recollect-reason", "x-recollect-count", "x-recollect-user"]
    assert ours == (told if route.captures else [])
    assert outcome(seen) != "fake"
    assert seen.head.values("x-recollect-user") == ([route.user] if route.captures else [])
    assert authority.encode() not in seen.head.head
    rest = [name for name, _ in seen.head.headers if name not in ours]
    assert rest == ["Content-Type", "Server", "Date", "Content-Length"]


@every_route
async def test_point_16_traces_are_continued_when_telemetry_is_on(route, monkeypatch):
    """With telemetry the upstream's parent is our span, in the client's trace; state is kept."""
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    telemetry = Telemetry(provider.get_tracer("test"), provider.shutdown)
    monkeypatch.setattr(composing, "open_telemetry", lambda _: telemetry)
    async with Whole(fresh=True) as whole:
        await whole.ask(
            route.ask(f"traceparent: 00-{TRACE}-b7ad6b7169203331-01", "tracestate: a=b")
        )
        [parent] = whole.received.values("traceparent")
        assert whole.received.values("tracestate") == ["a=b"]
    _, trace, span, _ = parent.split("-")
    assert trace == TRACE
    assert span in {f"{done.context.span_id:016x}" for done in spans.get_finished_spans()}


COOKIES = ("Set-Cookie: a=1; Path=/", "set-cookie: b=2; HttpOnly", "Set-Cookie: a=3")


@every_route
async def test_point_17_cookies_pass_and_are_nobodys(route):
    """Each `Set-Cookie` is a line of its own, and the next client's request carries none of them."""
    async with Whole(
        response(b"{}", *COOKIES, "WWW-Authenticate: A", "www-authenticate: B")
    ) as whole:
        seen = await whole.ask(route.ask())
        await whole.ask(route.ask())
        assert not whole.received.values("cookie")
    assert seen.head.values("set-cookie") == ["a=1; Path=/", "b=2; HttpOnly", "a=3"]
    assert seen.head.values("www-authenticate") == ["A", "B"]


@every_route
async def test_point_17_redirects_are_the_clients(route):
    """A redirect is passed on, and nobody resends a credential elsewhere."""
    statuses = ("301 Moved", "302 Found", "303 See Other", "307 T", "308 P")
    async with Whole() as whole:
        for status in statuses:
            target = f"{whole.upstream.base_url}/elsewhere?x=%20"
            whole.answer = response(b"moved", f"Location: {target}", status=status)
            seen = await whole.ask(route.ask("Authorization: Bearer sk-client"))
            assert (seen.head.line, seen.body) == (f"HTTP/1.1 {status}", b"moved")
            assert seen.head.values("location") == [target]
        assert len(whole.upstream.requests) == len(statuses)


@on(ROUTES[:1] + ROUTES[-1:])
async def test_point_17_server_and_date(route):
    """A date is added where the upstream sent none, as HTTP asks; a server's name never."""
    async with Whole(ANSWER) as whole:
        seen = await whole.ask(route.ask())
    assert len(seen.head.values("date")) == 1
    assert not seen.head.values("server")

"""What foreign web pages make a person's own browser send to a proxy on loopback."""

import json

from tests.proxy.wire import request
from tests.support.folding import rows

from .facing import Facing

PAGE = "http://127.0.0.1:3000"
CONFIGURED = {"listen__allowed_origins": f'["{PAGE}"]'}
ASKS = ("Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type")
BODY = json.dumps({"messages": "I like tea", "user_id": "default", "infer": False}).encode()

FOREIGN = {
    "rebound name": ("evil.test:8787", []),
    "rebound name that is its own origin": ("evil.test", ["Origin: http://evil.test"]),
    "every address": ("0.0.0.0:8787", []),
    "another site": ("127.0.0.1", ["Origin: https://evil.test"]),
    "another port": ("127.0.0.1", ["Origin: http://127.0.0.1:3000"]),
    "a sandboxed page": ("127.0.0.1", ["Origin: null"]),
    "an image": ("127.0.0.1", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"]),
}


READ_BY_THE_PAGE = {
    "Access-Control-Allow-Origin": PAGE,
    "Access-Control-Expose-Headers": (
        "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"
    ),
}


def ask(method, path, body=None, *headers, host="127.0.0.1"):
    return request(method, path, body, *headers).replace(b"proxy.test", host.encode())


def cors(seen):
    """The CORS headers of an answer."""
    return {n: v for n, v in seen.head.headers if n.lower().startswith("access-control-")}


async def texts(facing):
    """What the default user's memories say."""
    seen = await facing.ask(ask("GET", "/v1/memories/?user_id=default"))
    return [item["memory"] for item in json.loads(seen.body)["results"]]


@rows("host, headers", FOREIGN.values())
@rows(
    "method, path",
    [
        ("POST", "/v1/memories/"),
        ("GET", "/v1/memories/?user_id=default"),
        ("GET", "/v1/memories/search/?user_id=default&q=tea"),
        ("DELETE", "/v1/memories/?user_id=default"),
        ("POST", "/v1/memories/flush"),
        ("POST", "/v1/reset"),
        ("OPTIONS", "/v1/memories/"),
        ("PATCH", "/v1/memories/1"),
    ],
)
async def test_foreign_pages_have_no_memory(method, path, host, headers):
    """Nothing is read, written or told, and no browser is allowed to look at the refusal."""
    async with Facing() as facing:
        assert (await facing.ask(ask("POST", "/v1/memories/", BODY))).status == 200
        lines = [*headers, "Content-Type: text/plain", *ASKS]
        seen = await facing.ask(ask(method, path, BODY, *lines, host=host))
        assert seen.status == 403
        assert list(json.loads(seen.body)) == ["detail"]
        assert not cors(seen)
        assert await texts(facing) == ["I like tea"]
        assert not facing.upstream.requests


@rows("host, headers", FOREIGN.values())
async def test_foreign_pages_chat_without_memory(host, headers):
    """The upstream decides about the chat itself: it gets the page's own bytes, and nothing else."""
    chat = b'{"model":"m","messages":[{"role":"user","content":"What do I like to drink?"}]}'
    async with Facing() as facing:
        await facing.ask(ask("POST", "/v1/memories/", BODY))
        seen = await facing.ask(ask("POST", "/v1/chat/completions", chat, *headers, host=host))
        assert (seen.status, seen.head.values("x-recollect-memory")) == (200, ["off"])
        assert seen.head.values("x-recollect-reason")[0] in {"foreign_host", "foreign_origin"}
        assert facing.upstream.requests[0].body == chat
        seen = await facing.ask(ask("POST", "/v1/chat/completions", chat))
        assert seen.head.values("x-recollect-memory") == ["injected"]


@rows("path", ["/healthz", "/readyz"])
async def test_health_is_open_and_says_nothing_of_a_person(path):
    """Probes address a pod by its number; other pages cannot read it, and there is nothing in it."""
    async with Facing() as facing:
        seen = await facing.ask(ask("GET", path, None, f"Origin: {PAGE}", host="10.0.0.7:8787"))
        assert (seen.status, cors(seen)) == (200, {})
        assert json.loads(seen.body)["status"] == "ok"


async def test_hosts_can_be_configured():
    """A name of one's own machine is said once, and others stay foreign."""
    async with Facing(listen__allowed_hosts='["box.lan"]') as facing:
        for host, status in (("box.lan:8787", 200), ("BOX.lan", 200), ("evil.test", 403)):
            seen = await facing.ask(ask("POST", "/v1/memories/", BODY, host=host))
            assert seen.status == status


@rows("path", ["/v1/memories/", "/v1/memories/1", "/v1/reset"])
async def test_a_configured_page_may_ask_first(path):
    """Its preflight names that one origin and no credentials; it needs no token yet."""
    async with Facing(**CONFIGURED, api__token="t") as facing:
        seen = await facing.ask(ask("OPTIONS", path, None, f"Origin: {PAGE}", *ASKS))
        assert (seen.status, seen.head.values("vary")) == (204, ["Origin"])
        assert cors(seen) == {
            **READ_BY_THE_PAGE,
            "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
            "Access-Control-Allow-Headers": (
                "Authorization, Content-Type, If-Match, If-None-Match, X-API-Key"
            ),
            "Access-Control-Max-Age": "600",
        }
        seen = await facing.ask(ask("OPTIONS", path, None, "Origin: http://evil.test", *ASKS))
        assert (seen.status, cors(seen)) == (403, {})


async def test_a_configured_page_may_read_answers_and_errors():
    """Its own origin comes back; programs hear nothing of it, and caches that it varies."""
    async with Facing(**CONFIGURED) as facing:
        for method, status in (("POST", 200), ("GET", 400), ("PATCH", 405)):
            seen = await facing.ask(ask(method, "/v1/memories/", BODY, f"Origin: {PAGE}"))
            assert (seen.status, cors(seen)) == (status, READ_BY_THE_PAGE)
            assert seen.head.values("vary") == ["Origin"]
        seen = await facing.ask(ask("POST", "/v1/memories/", BODY))
        assert (cors(seen), seen.head.values("vary")) == ({}, ["Origin"])


@rows("options", [{}, CONFIGURED])
@rows("path", ["/v1/models", "/v1/chat/completions"])
async def test_proxied_routes_keep_the_upstreams_cors(path, options):
    """Preflights go upstream, and its headers come back as they are."""

    async def script(_reader, writer, _received):
        writer.write(
            b"HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\n"
            b"Access-Control-Allow-Methods: POST\r\nVary: X\r\n\r\n"
        )

    async with Facing(script, **options) as facing:
        seen = await facing.ask(ask("OPTIONS", path, None, f"Origin: {PAGE}", *ASKS))
        [received] = facing.upstream.requests
    assert received.line == f"OPTIONS {path} HTTP/1.1"
    assert received.values("origin") == [PAGE]
    assert seen.status == 204
    assert cors(seen) == {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": "POST",
    }
    assert seen.head.values("vary") == ["X"]

"""What a request's headers say about the page that caused it."""

from multidict import CIMultiDict

from recollect.config.server import ListenOptions
from recollect.proxy.access.request_origin import cors_headers, foreign_source
from tests.support.folding import rows

OURS = "127.0.0.1:8787"
PAGE = "http://127.0.0.1:3000"


def source(headers, *, on_loopback=True, **listen):
    return foreign_source(CIMultiDict(headers), ListenOptions(**listen), on_loopback=on_loopback)


@rows(
    "host",
    [OURS, "localhost:8787", "LOCALHOST", "[::1]:8787", "[::1]", "127.9.9.9", "127.0.0.1"],
)
@rows("origin", [None, "same"])
def test_programs_and_our_own_origin_pass(host, origin):
    """No Origin, as programs send it, or that of the very server that is asked."""
    assert source({"Host": host} | ({"Origin": f"http://{host}"} if origin else {})) is None


@rows(
    "host",
    [
        "evil.test:8787",
        "127.0.0.1.evil.test",
        "localhost.evil",
        "0.0.0.0:8787",
        "[::]:8787",
        "",
        "127.0.0.1@evil.test",
        "127.0.0.1:8787@evil.test",
        "evil.test#127.0.0.1",
        "2130706433",
        "xn--127-0.0.1",
        "192.168.0.1:8787",
    ],
)
@rows("origin", [None, "same"])
def test_names_pointed_at_loopback_are_foreign(host, origin):
    """DNS rebinding: a page's own name that resolves to 127.0.0.1 is not our name."""
    headers = {"Host": host} | ({"Origin": f"http://{host}"} if origin else {})
    assert source(headers) == "foreign_host"


@rows("origin", ["http://evil.test", "null", PAGE, "https://127.0.0.1:8787", "", "*"])
def test_pages_of_other_origins_are_foreign(origin):
    """Another port, another scheme, a sandboxed page: each is another origin."""
    assert source({"Host": OURS, "Origin": origin}) == "foreign_origin"


@rows(
    "site, told",
    [
        *((each, "foreign_origin") for each in ("cross-site", "same-site", "Cross-Site")),
        *((each, None) for each in ("none", "same-origin")),
    ],
)
def test_images_and_links_of_other_pages_are_foreign(site, told):
    """They come without an Origin, but the browser tells; an address that was typed is not."""
    assert source({"Host": OURS, "Sec-Fetch-Site": site}) == told


def test_origins_can_be_allowed():
    """A page that is meant to is named in the configuration, and its requests are cross-site."""
    headers = {"Host": OURS, "Origin": PAGE, "Sec-Fetch-Site": "cross-site"}
    assert source(headers, allowed_origins=(PAGE,)) is None
    headers["Origin"] = PAGE + ".evil.test"
    assert source(headers, allowed_origins=(PAGE,)) == "foreign_origin"


ELSEWHERE = [
    "10.0.0.7:8787",
    "[2001:db8::1]:8787",
    "127.0.0.1",
    "localhost:8787",
    "recollect:8787",
    "recollect.default.svc",
    "RECOLLECT.default.svc.cluster.local:8787",
    "recollect.default.svc.cluster.local.",
    "nas.local",
    "host.docker.internal:8787",
    "memory.example.org",
    "memory.example.org.:443",
    "a.team.example:80",
    "bound.test",
]


@rows("scheme", [None, "http", "https"])
@rows("host", ELSEWHERE)
def test_names_of_a_server_off_loopback(host, scheme):
    """Addresses, names that nobody can register, its own, and what is listed; TLS may end before."""
    headers = {"Host": host} | ({"Origin": f"{scheme}://{host}"} if scheme else {})
    allowed = ("memory.example.org", "*.team.example")
    assert source(headers, on_loopback=False, host="bound.test", allowed_hosts=allowed) is None


@rows(
    "host",
    [
        "evil.test",
        "evil.test:8787",
        "evil.test.",
        "recollect.default.svc.evil.test",
        "memory.example.org.evil.test",
        "team.example",
        "10.0.0.7.evil.test",
        "10.0.0.7@evil.test",
        "recollect:8787@evil.test",
        "evil.test#.local",
        "",
    ],
)
@rows("origin", [None, "same"])
def test_public_names_are_foreign_off_loopback_too(host, origin):
    """A page can point its own name at any address that its visitors reach."""
    headers = {"Host": host} | ({"Origin": f"http://{host}"} if origin else {})
    allowed = ("memory.example.org", "*.team.example")
    assert source(headers, on_loopback=False, allowed_hosts=allowed) == "foreign_host"


def test_cors_names_the_one_origin_that_asked():
    """Never `*`, never with credentials, and caches are told that it varies."""
    listen = ListenOptions(allowed_origins=(PAGE, "https://app.test"))
    for origin in listen.allowed_origins:
        added = cors_headers(CIMultiDict({"Origin": origin}), listen)
        assert added.pop("Access-Control-Expose-Headers").startswith("ETag, Retry-After, ")
        assert added == {"Vary": "Origin", "Access-Control-Allow-Origin": origin}
    for headers in ({}, {"Origin": "http://evil.test"}, {"Origin": "null"}):
        assert cors_headers(CIMultiDict(headers), listen) == {"Vary": "Origin"}

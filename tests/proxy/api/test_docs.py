"""The document and the page as a client of the whole product gets them."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest
import schemathesis

from recollect.proxy.access.reserved_paths import own_prefix
from recollect.proxy.api.docs import DOCS, FILES, OPENAPI
from recollect.proxy.api.operations import PREFIX
from tests.proxy.wire import request

from .calling import Calling

PATHS = (PREFIX + OPENAPI, OPENAPI, PREFIX + DOCS, DOCS)
CLOSED = {"listen__host": "0.0.0.0", "api__token": "secret"}


async def get(api, path, *headers, method="GET"):
    return await api.ask(request(method, path, None, *headers))


async def test_it_is_valid_openapi():
    """By the rules of OpenAPI 3.1, as schemathesis has them."""
    async with Calling() as api:
        served = json.loads((await get(api, OPENAPI)).body)
    schemathesis.openapi.from_dict(served).validate()
    served["paths"][OPENAPI]["get"]["responses"] = []
    with pytest.raises(Exception, match="responses"):
        schemathesis.openapi.from_dict(served).validate()


async def test_nobody_needs_a_credential():
    """Also where the rest of the API does; and a wrong one does not matter."""
    async with Calling(**CLOSED) as api:
        assert (await api.call("GET", "usage"))[0] == 401
        for path in PATHS:
            for headers in ((), ("Authorization: Bearer wrong",)):
                assert (await get(api, path, *headers)).status == 200


async def test_a_client_that_has_it_gets_304():
    """The tag is that of the text; another tag is no reason."""
    async with Calling() as api:
        tags = {}
        for path in PATHS:
            seen = await get(api, path)
            (tags[path],) = seen.head.values("etag")
            assert seen.head.values("cache-control") == ["no-cache"]
            again = await get(api, path, f"If-None-Match: W/{tags[path]}")
            assert (again.status, again.body) == (304, b"")
            assert (await get(api, path, 'If-None-Match: "other"')).status == 200
    assert tags[PATHS[0]] == tags[PATHS[1]] != tags[PATHS[2]]


async def test_the_page_loads_its_own_files_and_nothing_else():
    """A browser holds it to that: what the page names is served here, as what it is."""
    async with Calling() as api:
        seen = await get(api, DOCS)
        assert seen.head.values("content-type") == ["text/html; charset=utf-8"]
        assert seen.head.values("x-frame-options") == ["DENY"]
        [policy] = seen.head.values("content-security-policy")
        named = re.findall(r'(?:src|href)="(/[^"]*)"', seen.body.decode())
        assert named == [f"{DOCS}/{name}" for name in FILES]
        for path, (_, kind) in zip(named, FILES.values(), strict=True):
            found = await get(api, path)
            assert found.head.values("content-type") == [f"{kind}; charset=utf-8"]
            assert found.head.values("x-content-type-options") == ["nosniff"]
            assert len(found.body) > 100_000
        assert (await get(api, f"{DOCS}/__init__.py")).status == 404
    [start] = re.findall(r"<script>(.*?)</script>", seen.body.decode())
    assert f"'sha256-{b64encode(sha256(start.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none'; script-src 'self' 'sha256-")
    assert "http" not in policy
    assert f'url: "{PREFIX}{OPENAPI}"' in start


async def test_it_is_for_our_hosts_only():
    """As all of the API: the page of another site, or a name that leads here, gets nothing."""
    async with Calling() as api:
        for header in ("Host: evil.test", "Origin: http://evil.test"):
            seen = await api.ask(
                f"GET {DOCS} HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\n\r\n".encode()
            )
            assert seen.status in {400, 403}


async def test_without_the_api_there_is_no_document():
    """The answer says what to switch on; the paths are ours still."""
    async with Calling(api__enabled="false") as api:
        for path in PATHS:
            seen = await get(api, path)
            assert (seen.status, b"api.enabled" in seen.body) == (404, True)
    assert all(map(own_prefix, PATHS))

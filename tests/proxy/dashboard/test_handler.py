"""The dashboard's files as a browser of the whole product gets them."""

from recollect.proxy.dashboard.files import ROOT, load
from recollect.proxy.dashboard.handler import SAFE
from tests.proxy.api.calling import Calling
from tests.proxy.wire import request

CLOSED = {"listen__host": "0.0.0.0", "api__token": "secret"}
POLICY = SAFE["Content-Security-Policy"]


def header(answer, name):
    """The values of a header, joined; "" if the answer has none."""
    return ", ".join(answer.head.values(name))


async def get(api, path, *headers, method="GET"):
    return await api.ask(request(method, path, None, *headers))


async def test_the_page_and_its_files_need_no_token():
    """They hold no data; the token is asked for in the page."""
    async with Calling(**CLOSED) as api:
        for path, file in load().items():
            answer = await get(api, path)
            assert (answer.status, answer.body) == (200, file.body)
            assert header(answer, "content-security-policy") == POLICY
            assert header(answer, "x-content-type-options") == "nosniff"
            assert header(answer, "referrer-policy") == "no-referrer"


async def test_only_these_files_are_served_and_kept():
    """A new version of the server is seen with the next visit.

    A file is one of a fixed table: no path leads to the disk, and nothing can be written there.
    """
    files = load()
    script = next(path for path in files if path.endswith("app.js"))
    async with Calling() as api:
        assert "immutable" in header(await get(api, script), "cache-control")
        assert header(await get(api, ROOT), "cache-control") == "no-cache"
        tag = f'If-None-Match: "{files[ROOT].tag}"'
        assert (await get(api, ROOT, tag)).status == 304
        for path in ("nothing", "../pyproject.toml", "%2e%2e/x"):
            assert (await get(api, f"/dashboard/{path}")).status in {400, 404}
        answer = await get(api, ROOT, method="POST")
        assert (answer.status, header(answer, "allow")) == (405, "GET, HEAD")
    async with Calling(api__enabled=False) as api:
        answer = await get(api, ROOT)
        assert answer.status == 404
        assert b"api.enabled" in answer.body


def test_the_policy_allows_this_server_only():
    """No other host, no inline script or style, no frame, no form that is sent."""
    assert "unsafe" not in POLICY
    assert "http" not in POLICY
    assert {
        "default-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    } <= set(POLICY.split("; "))

"""Where the bytes go: to the configured upstream, whatever a request says."""

import json

from tests.proxy.wire import RawUpstream, request
from tests.support.folding import rows

from .facing import ANSWER, Facing

CHAT = "/v1/chat/completions"
SPELLED = "/chat/completions/"
PATHS = ["/v1/models", CHAT, SPELLED, "/v1/responses", "/v1/embeddings"]
FIELDS = ["api_base", "base_url", "api_url", "endpoint", "custom_host", "proxy", "webhook"]
HEADERS = [
    "x-portkey-custom-host",
    "x-portkey-config",
    "helicone-target-url",
    "x-target-url",
    "x-forwarded-host",
    "x-original-url",
    "x-rewrite-url",
    "x-api-base",
    "forwarded",
]


class Lured(Facing):
    """With a second server that nothing may reach."""

    async def __aenter__(self):
        self.elsewhere = await RawUpstream(ANSWER).__aenter__()
        self.authority = self.elsewhere.base_url.removeprefix("http://").removesuffix("/v1")
        return await super().__aenter__()

    async def __aexit__(self, *error):
        await super().__aexit__(*error)
        await self.elsewhere.__aexit__(*error)
        assert not self.elsewhere.connections

    @property
    def own(self):
        return self.upstream.base_url.removeprefix("http://").removesuffix("/v1")

    async def reach(self, data):
        """The one request that the configured upstream got for this one."""
        before = len(self.upstream.requests)
        assert (await self.ask(data)).status == 200
        [received] = self.upstream.requests[before:]
        assert received.values("host") == [self.own]
        return received


@rows("path", PATHS)
async def test_fields_of_a_body_name_no_server(path):
    """They pass like any other field that we do not know."""
    async with Lured() as lured:
        fields = dict.fromkeys(FIELDS, lured.elsewhere.base_url)
        body = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "input": "hi"}
        raw = json.dumps(body | fields | {"extra_body": fields, "metadata": fields}).encode()
        received = await lured.reach(request("POST", path, raw, "Content-Type: application/json"))
        assert received.body == raw


@rows("path", PATHS)
async def test_headers_name_no_server(path):
    """Neither those of other gateways nor those of reverse proxies."""
    async with Lured() as lured:
        lines = [f"{name}: {lured.elsewhere.base_url}" for name in HEADERS]
        received = await lured.reach(request("POST", path, b"{}", *lines))
        assert all(received.values(name) for name in HEADERS)


@rows("path", PATHS)
async def test_the_request_line_and_host_name_no_server(path):
    """Absolute targets, targets that begin with two slashes, and a foreign `Host`."""
    sent = CHAT if path == SPELLED else path
    async with Lured() as lured:
        for target in (f"http://{lured.authority}{path}", f"http://u:p@{lured.authority}{path}"):
            data = request("POST", target, b"{}").replace(b"proxy.test", lured.authority.encode())
            assert (await lured.reach(data)).line == f"POST {sent} HTTP/1.1"
        received = await lured.reach(request("GET", f"//{lured.authority}{path}"))
        assert received.line == f"GET //{lured.authority}{path} HTTP/1.1"


@rows("path", ["@{0}/x", "/@{0}/x", "/v1@{0}/x", "/v1/x#@{0}/", ":{1}/x", "/:{1}"])
async def test_what_could_become_a_host_stays_a_path(path):
    """Put behind the base URL, nothing of a target is a part of the authority."""
    async with Lured() as lured:
        target = path.format(lured.authority, lured.authority.partition(":")[2])
        await lured.ask(request("GET", target))
        for received in lured.upstream.requests:
            assert received.values("host") == [lured.own]

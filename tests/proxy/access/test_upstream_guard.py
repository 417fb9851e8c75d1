"""What stays here: our paths, and requests with the memory API's token. All through the product."""

import asyncio
import gzip
import itertools
import json

from tests.hostile.facing import Facing
from tests.proxy.wire import chunk, request
from tests.support.folding import rows

HOSTS = {"listen__allowed_hosts": '["proxy.test"]'}
CHAT = b'{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
GATEWAY = {
    "listen__host": "0.0.0.0",
    "identity__mode": "gateway",
    "identity__hash_key": "k",
    "identity__tenants": '{"acme": "key-a"}',
}


def detail(seen):
    """The message of an error in the memory API's format."""
    return json.loads(seen.body)["detail"]


async def ask(facing, method, path, body=None, *headers):
    async with facing.client() as client:
        await client.send(request(method, path, body, *headers))
        return await client.answer(head_only=method == "HEAD")


async def test_health_answers_to_head_and_nothing_else():
    """A probe without a body works as well; other methods are not the upstream's either."""
    async with Facing() as facing:
        for path in ("/healthz", "/readyz"):
            assert (await ask(facing, "HEAD", path)).status == 200
            assert (await ask(facing, "POST", path)).status == 404
        assert facing.upstream.requests == []


FORWARDED = (
    ("POST", "/v1/chat/completions"),
    ("POST", "/v1/responses"),
    ("POST", "/chat/completions"),
    ("POST", "/v1/responses/"),
    ("GET", "/v1/models"),
    ("POST", "/v1/files?api_key=secret"),
    ("GET", "/v1/memoriesque"),
    ("DELETE", "/anything"),
)
WITH_THE_TOKEN = (
    "Authorization: Bearer secret",
    "Authorization: Token secret",
    "X-API-KEY: secret",
    "api-key: secret",
)


@rows("options", [{}, GATEWAY])
async def test_the_apis_token_never_goes_upstream(options):
    """On any route: a 401 in both formats that says which credential belongs there."""
    async with Facing(**HOSTS, **options, api__token="secret") as facing:
        for (method, path), header in itertools.product(FORWARDED, WITH_THE_TOKEN):
            seen = await ask(facing, method, path, CHAT if method == "POST" else None, header)
            assert seen.status == 401, (path, header)
            said = json.loads(seen.body)
            assert said["error"]["code"] == "api_token"
            assert "provider's key" in said["error"]["message"]
            assert said["detail"] == said["error"]["message"]
            assert b"secret" not in seen.body
        assert facing.upstream.requests == []


async def test_an_admin_token_never_goes_upstream(caplog):
    """Whoever made it, valid or not: it is recognised by its form."""
    token = "rct_0123456789ab_" + "s" * 43
    async with Facing(**HOSTS) as facing:
        for method, path in (*FORWARDED, ("GET", f"/v1/models?key={token}")):
            header = f"Authorization: Bearer {token}"
            seen = await ask(facing, method, path, CHAT if method == "POST" else None, header)
            assert seen.status == 401, path
            assert json.loads(seen.body)["error"]["code"] == "admin_token"
            assert b"ssss" not in seen.body
        assert facing.upstream.requests == []
    assert "ssss" not in caplog.text


ADMIN_TOKEN = "rct_0123456789ab_" + "s" * 43
LONG_TOKEN = "a-long-token-of-the-api"


@rows(
    "path, headers",
    [
        ("/v1/chat/completions", ()),
        ("/v1/responses", ()),
        ("/v1/embeddings", ()),
        ("/v1/chat/completions", ("Content-Encoding: br",)),
    ],
)
@rows("token, code", [(ADMIN_TOKEN, "admin_token"), (LONG_TOKEN, "api_token")])
async def test_a_body_with_a_token_never_goes_upstream(path, headers, token, code):
    """In any field of any route, whether memory reads it or not."""
    content = f"My key is {token}."
    body = {"model": "m", "messages": [{"role": "user", "content": content}], "input": content}
    async with Facing(**HOSTS, api__token=LONG_TOKEN) as facing:
        seen = await ask(facing, "POST", path, json.dumps(body).encode(), *headers)
        assert (seen.status, json.loads(seen.body)["error"]["code"]) == (401, code)
        assert token.encode() not in seen.body
        assert facing.upstream.requests == []


async def test_a_streamed_body_is_cut_before_a_token():
    """The model server gets no byte of it, and no whole request; the client gets a 401."""
    head = b"POST /v1/files HTTP/1.1\r\nHost: proxy.test\r\nTransfer-Encoding: chunked\r\n\r\n"
    pieces = [b"x" * 300_000 + b" ", ADMIN_TOKEN[:20].encode(), ADMIN_TOKEN[20:].encode(), b" y"]
    async with Facing(**HOSTS) as facing, facing.client() as client:
        await client.send(head)
        for piece in pieces:
            await client.send(chunk(piece))
            await asyncio.sleep(0.05)
        seen = await client.answer()
        assert (seen.status, json.loads(seen.body)["error"]["code"]) == (401, "admin_token")
        assert all(b"rct_" not in received.body for received in facing.upstream.requests)


async def test_a_compressed_chat_with_a_token_never_goes_upstream():
    """What memory reads is looked at as it is read."""
    body = {"model": "m", "messages": [{"role": "user", "content": f"Mine is {ADMIN_TOKEN}."}]}
    packed = gzip.compress(json.dumps(body).encode())
    async with Facing(**HOSTS) as facing:
        seen = await ask(facing, "POST", "/v1/chat/completions", packed, "Content-Encoding: gzip")
        assert seen.status == 401
        assert facing.upstream.requests == []

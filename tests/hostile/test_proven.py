"""Modes in which the caller is proven: nobody talks their way into another user's memory."""

from __future__ import annotations

import json

import pytest

from tests.hostile.facing import Facing
from tests.proxy.wire import request
from tests.support.signing import AUDIENCE, ISSUER, Signer

SIGNER = Signer()
JSON = "Content-Type: application/json"
KEY = "Authorization: Bearer sk-upstream"
FRONT = {
    "identity__mode": "header",
    "identity__header__secret": "in front",
    "listen__allowed_hosts": '["proxy.test"]',
}
SECRET = "x-recollect-proxy-secret: in front"


@pytest.fixture
def signed(tmp_path):
    """The settings of a server that knows the signer's keys."""
    keys = tmp_path / "keys.json"
    keys.write_bytes(SIGNER.document)
    return {
        "identity__mode": "jwt",
        "identity__jwt__jwks": str(keys),
        "identity__jwt__issuer": ISSUER,
        "identity__jwt__audience": f"[{AUDIENCE}]",
        "listen__allowed_hosts": '["proxy.test"]',
    }


async def chat(facing, *headers, named="bob"):
    """Outcome and reason of a chat, whose body names somebody."""
    body = {
        "model": "m",
        "user": named,
        "messages": [{"role": "user", "content": "Where do I live?"}],
    }
    sent = request("POST", "/v1/chat/completions", json.dumps(body).encode(), JSON, KEY, *headers)
    seen = await facing.ask(sent)
    assert seen.status == 200
    return tuple(seen.head.values(f"x-recollect-{name}")[0] for name in ("memory", "reason"))


async def api(facing, method, path, body, *headers):
    data = None if body is None else json.dumps(body).encode()
    seen = await facing.ask(request(method, path, data, JSON, *headers))
    return seen.status, json.loads(seen.body)


def token(user, **claims):
    return f"x-recollect-token: {SIGNER.token(user, **claims)}"


async def test_a_signed_token_is_ones_own_memory_and_stays_here(signed):
    """In chats and in the memory API; the upstream gets its own key and no token."""
    fact = {"messages": "I live in Oslo.", "infer": False}
    async with Facing(**signed) as facing:
        status, _ = await api(facing, "POST", "/v1/memories/", fact, token("ada"))
        assert status == 200
        assert (await chat(facing, token("ada")))[0] == "injected"
        sent = facing.upstream.requests[-1]
        assert b"Oslo" in sent.body
        assert sent.values("authorization") == ["Bearer sk-upstream"]
        assert sent.values("x-recollect-token") == []
        # The body names ada, the token does not.
        assert (await chat(facing, token("bob"), named="ada"))[0] == "empty"
        assert b"Oslo" not in facing.upstream.requests[-1].body
        bearer = f"Authorization: Bearer {SIGNER.token('bob')}"
        assert await api(facing, "GET", "/v1/memories/", None, bearer) == (200, {"results": []})
        status, said = await api(facing, "GET", "/v1/memories/?user_id=ada", None, bearer)
        assert (status, said["detail"].split(":")[0]) == (403, "user_id")


async def test_a_chat_without_a_valid_token_goes_on_without_memory(signed):
    """The answer says the same of a missing, an expired and a forged one."""
    async with Facing(**signed) as facing:
        forged = f"x-recollect-token: {Signer().token('ada')}"
        for headers in ((), (token("ada", seconds=-900),), (forged,), ("x-recollect-user: ada",)):
            assert await chat(facing, *headers, named="ada") == ("off", "no_credential")
        named = (token("bob"), "x-recollect-user: ada")
        assert await chat(facing, *named) == ("off", "foreign_user")


async def test_a_server_in_front_names_the_user():
    """Without its secret nobody is believed, on loopback neither."""
    fact = {"messages": "I live in Oslo.", "infer": False}
    ada = ("x-forwarded-user: ada", SECRET)
    async with Facing(**FRONT) as facing:
        assert (await api(facing, "POST", "/v1/memories/", fact, *ada))[0] == 200
        assert (await chat(facing, *ada))[0] == "injected"
        assert facing.upstream.requests[-1].values("x-recollect-proxy-secret") == []
        assert (await chat(facing, "x-forwarded-user: bob", SECRET, named="ada"))[0] == "empty"
        for headers in ((ada[0],), (SECRET,), (*ada, "X-Forwarded-User: bob")):
            assert await chat(facing, *headers, named="ada") == ("off", "no_credential")
            status, _ = await api(facing, "GET", "/v1/memories/?user_id=ada", None, *headers)
            assert status == 401

"""Off loopback in personal mode: who can reach the port is nobody we know."""

from __future__ import annotations

import json

from tests.hostile.facing import Facing
from tests.proxy.wire import request
from tests.support.folding import rows

OFF_LOOPBACK = {"listen__host": "0.0.0.0", "api__token": "t"}
GATEWAY = OFF_LOOPBACK | {"identity__mode": "gateway", "identity__hash_key": "k"}
BODY = json.dumps(
    {"model": "m", "user": "alice", "messages": [{"role": "user", "content": "Where do I live?"}]}
).encode()
JSON = "Content-Type: application/json"


async def ask(facing, *headers, host="10.0.0.7:8787"):
    chat = request("POST", "/v1/chat/completions", BODY, JSON, *headers)
    seen = await facing.ask(chat.replace(b"proxy.test", host.encode(), 1))
    return tuple(seen.head.values(f"x-recollect-{name}")[0] for name in ("memory", "reason"))


@rows("headers", [(), ("x-recollect-user: alice",), ("Authorization: Bearer k",)])
async def test_naming_a_user_reads_nothing(headers, caplog):
    """Neither the header, nor the body, nor any credential opens a memory; the start says so."""
    async with Facing(**OFF_LOOPBACK) as facing:
        assert await ask(facing, *headers) == ("off", "untrusted_caller")
        assert facing.upstream.requests[-1].body == BODY
    assert "identity.mode: gateway" in caplog.text


async def test_an_operator_who_trusts_callers_does_not_trust_web_pages():
    """A page whose name was pointed at us (DNS rebinding) comes with that name as its host."""
    trusting = OFF_LOOPBACK | {
        "identity__trust_callers": "true",
        "listen__allowed_hosts": '["memory.example"]',
    }
    async with Facing(**trusting) as facing:
        assert await ask(facing, host="evil.example") == ("off", "foreign_host")
        outcome, _ = await ask(facing, host="memory.example")
        assert outcome == "empty"


async def test_a_gateway_trusts_no_web_page_either(caplog):
    """A stolen credential in a rebound page has no memory; the log names the setting, once."""
    credential = "Authorization: Bearer k"
    async with Facing(**GATEWAY, listen__allowed_hosts='["*.team.example"]') as facing:
        for host in ("evil.example", "evil.example:8787", "recollect.default.svc.evil.example"):
            assert await ask(facing, credential, host=host) == ("off", "foreign_host")
            assert facing.upstream.requests[-1].body == BODY
        for host in ("a.team.example", "recollect", "recollect.default.svc", "10.0.0.7:8787"):
            assert (await ask(facing, credential, host=host))[0] == "empty"
        page = "Origin: https://evil.example"
        assert await ask(facing, credential, page) == ("off", "foreign_origin")
    assert caplog.text.count("listen.allowed_hosts") == 1


@rows(
    "host, status",
    [("evil.example", 403), ("memory.example", 200), ("10.0.0.7", 200), ("recollect", 200)],
)
async def test_a_token_is_not_enough_for_a_foreign_name(host, status):
    """The memory API says which setting is missing; health stays open to whoever probes it."""
    async with Facing(**GATEWAY, listen__allowed_hosts='["memory.example"]') as facing:
        path = "/v1/memories/?user_id=alice"
        question = request("GET", path, None, "Authorization: Bearer t")
        seen = await facing.ask(question.replace(b"proxy.test", host.encode(), 1))
        assert seen.status == status
        if status != 200:
            assert "listen.allowed_hosts" in json.loads(seen.body)["detail"]
        for path in ("/healthz", "/readyz"):
            probe = request("GET", path).replace(b"proxy.test", host.encode(), 1)
            assert (await facing.ask(probe)).status == 200


async def test_a_gateway_keeps_credentials_apart():
    """The same user of another credential is somebody else."""
    async with Facing(**GATEWAY) as facing:
        assert await ask(facing) == ("off", "no_credential")
        assert (await ask(facing, "Authorization: Bearer one"))[0] == "empty"

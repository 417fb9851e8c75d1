"""What a chat's answer says about its user, and the one line of the log about each chat."""

import asyncio
import logging
import re

import pytest

from recollect.filters import Outcome, Verdict
from recollect.filters.compress.compressed import Compressed
from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import Scope
from recollect.proxy.chat.report import Report
from tests.hostile.facing import Facing
from tests.support.folding import rows

from ..chatting import BODY, PATH, Chatting, inject
from ..wire import SECONDS, RawClient, request, then_close

LINE = re.compile(
    r"chat outcome=[a-z]+ reason=[a-z_]+ count=\d+ place=[a-z-]+ ms=\d+ conversation=([0-9a-f]{8}|-) status=(\d+|-)"
)
LOCAL = {"listen__allowed_hosts": '["proxy.test"]'}
SHARED = {**LOCAL, "listen__host": "0.0.0.0", "api__token": "t"}
GATEWAY = {**SHARED, "identity__mode": "gateway", "identity__hash_key": "k"}


@pytest.fixture
def lines(caplog):
    """The lines about chats so far."""
    caplog.set_level(logging.INFO)

    def read():
        return [r.getMessage() for r in caplog.records if r.getMessage().startswith("chat ")]

    return read


def users(seen):
    return seen.head.values("x-recollect-user")


async def user_of(facing, *headers, body=BODY):
    return users(await facing.ask(request("POST", PATH, body, *headers)))


@rows("use", ["on", "read", "write"])
async def test_the_answer_names_the_user(use):
    """Whoever it was taken for, if memory was read or written."""
    async with Facing(**LOCAL) as facing:
        memory = f"x-recollect-memory: {use}"
        assert await user_of(facing, memory, "x-recollect-user: alice") == ["alice"]
        body = BODY.replace(b"{", b'{"user":"bob",', 1)
        assert await user_of(facing, memory, body=body) == ["bob"]
        assert await user_of(facing, memory) == ["default"]


async def test_any_name_is_a_legal_header(exchange):
    """Percent-encoded as RFC 3986 says: what is not unreserved, in UTF-8."""
    async with Facing(**LOCAL) as facing:
        assert await user_of(facing, "x-recollect-user: Zo\u00eb & co/1~2.") == [
            "Zo%C3%AB%20%26%20co%2F1~2."
        ]
    of = exchange(scope=Scope(tenant="local", user_id="a\u200b\u00e9:\u4e16"))
    report = Report(verdict=Verdict(Outcome.EMPTY, "no_memories"), exchange=of)
    said = report.headers(names_user=True, explains=False)["x-recollect-user"]
    assert said == "a%E2%80%8B%C3%A9%3A%E4%B8%96"


@rows(
    "options, headers",
    [
        ({}, ["x-recollect-memory: off"]),
        ({}, ["x-recollect-memory: perhaps"]),
        ({}, ["Origin: https://evil.test"]),
        ({"recall__enabled": "false"}, ["x-recollect-memory: read"]),
        ({"learn__enabled": "false"}, ["x-recollect-memory: write"]),
        ({"upstream__max_parsed_bytes": "1024"}, [f"Content-Encoding: br{' ' * 9}"]),
    ],
)
async def test_without_memory_nobody_is_named(options, headers):
    """A name means that this user's memory was used."""
    async with Facing(**LOCAL, **options) as facing:
        assert await user_of(facing, "x-recollect-user: alice", *headers) == []


@rows("option, told", [({}, []), ({"listen__debug_headers": "true"}, ["alice"])])
async def test_off_loopback_only_when_asked(option, told):
    """Between client and server may be others who read headers."""
    async with Facing(**GATEWAY, **option) as facing:
        said = await user_of(facing, "Authorization: Bearer k", "x-recollect-user: alice")
        assert said == told


async def test_one_line_for_each_chat(lines):
    """Outcome, reason, count, time, conversation and status; nothing of what was said or by whom."""
    async with Chatting(step=inject) as chatting:
        await chatting.ask(BODY, "x-recollect-session: s-of-alice")
        await chatting.ask(BODY, "x-recollect-session: s-of-alice")
        await chatting.ask(BODY, "x-recollect-memory: off")
    first, second, off = lines()
    assert all(LINE.fullmatch(line) for line in (first, second, off))
    assert first.startswith("chat outcome=injected reason=personal count=2 place=tail ms=")
    assert first.endswith("status=200")
    assert LINE.fullmatch(first)[1] == LINE.fullmatch(second)[1] != "-"
    assert "outcome=off reason=off_by_header count=0 place=- ms=0 conversation=- status=200" in off
    assert "alice" not in f"{first}{second}{off}"


@rows(
    "script, step, body, ends",
    [
        (then_close(b""), None, BODY, "status=502"),
        (
            None,
            None,
            b"not json",
            "reason=unreadable_body count=0 place=- ms=0 conversation=- status=200",
        ),
        (None, StoreError("away"), BODY, "status=200"),
        (None, ValueError("secret words"), BODY, "status=200"),
    ],
)
async def test_what_fails_has_one_line(lines, script, step, body, ends):
    """The upstream, the body, or a part of memory."""

    async def fail(_exchange):
        if step is not None:
            raise step

    async with Chatting(script, step=fail) as chatting:
        await chatting.ask(body)
    line = lines()[-1]
    assert LINE.fullmatch(line)
    assert line.endswith(ends)


async def test_a_defect_around_memory_has_one_line(lines, monkeypatch):
    """Fail open: the chat is answered and the line says what happened."""

    async def broken(*_):
        raise RuntimeError("words")

    async with Chatting() as chatting:
        monkeypatch.setattr("recollect.proxy.chat.request_side.RequestSide.prepare", broken)
        await chatting.ask()
    [line] = lines()
    assert "outcome=degraded reason=internal_error" in line


async def test_a_defect_of_the_warning_changes_no_chat(lines, monkeypatch):
    """Who shares a user is looked at before the chat goes up, as bytes that came."""
    monkeypatch.setattr(
        "recollect.proxy.access.shared_default.SharedDefault.note", lambda *_: 1 / 0
    )
    async with Facing(**LOCAL) as facing:
        seen = await facing.ask(request("POST", PATH, BODY))
        assert facing.upstream.requests[-1].body == BODY
    assert seen.status == 200
    [line] = lines()
    assert "reason=internal_error" in line


async def test_a_client_that_leaves_has_one_line(lines):
    """Without a status if there was no answer yet."""
    async with Chatting(lambda *_: chatting.server.hung_up.wait()) as chatting:
        async with RawClient(chatting.port) as client:
            await client.send(request("POST", PATH, BODY))
            while not chatting.server.requests:
                await asyncio.sleep(0.01)
        async with asyncio.timeout(SECONDS):
            while not lines():
                await asyncio.sleep(0.01)
    [line] = lines()
    assert line.endswith("status=-")


def test_a_shortened_conversation_is_told(exchange):
    """How many turns did not go upstream, in a header and in the line; else neither has a word."""
    of = exchange(scope=Scope(tenant="local", user_id="a"))
    report = Report(verdict=Verdict(Outcome.EMPTY, "no_memories"), exchange=of)
    assert "x-recollect-compressed" not in report.headers()
    assert "compressed" not in str(report)
    of.compressed = Compressed((range(4),), ("t1", "t2"), 4, "", frozenset(), ())
    assert report.headers()["x-recollect-compressed"] == "2"
    assert " compressed=2 ms=" in str(report)

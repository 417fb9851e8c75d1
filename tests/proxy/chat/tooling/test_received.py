"""The upstream's answer of one round, from servers that do what they like."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from recollect.config import load_settings
from recollect.proxy.serve import build_runner
from tests.hostile.facing import IN_MEMORY
from tests.support.folding import rows

CALL: dict[str, Any] = {"id": "1", "type": "function",
        "function": {"name": "fact_search", "arguments": '{"query":"our secret"}'}}  # fmt: skip
ASKED = {"model": "m", "user": "ada", "messages": [{"role": "user", "content": "When?"}]}
Answering = Callable[[web.Request, int], Any]


def document(**message: Any) -> bytes:
    """An answer in one piece."""
    reason = "tool_calls" if "tool_calls" in message else "stop"
    choice = {"index": 0, "finish_reason": reason, "message": {"role": "assistant", **message}}
    return json.dumps({"id": "c", "choices": [choice]}).encode()


def stream(*deltas: dict[str, Any], finish: str = "stop", end: bytes = b"\n\n") -> bytes:
    """An answer in events."""
    choices: list[dict[str, Any]] = [
        {"index": 0, "delta": delta, "finish_reason": None} for delta in deltas
    ]
    choices.append({"index": 0, "delta": {}, "finish_reason": finish})
    events = [b"data: " + json.dumps({"id": "c", "choices": [each]}).encode() for each in choices]
    return end.join([*events, b"data: [DONE]", b""])


CALLED = document(content=None, tool_calls=[CALL])
SAID = document(content="On Friday.")
CALLING = stream({"tool_calls": [{"index": 0, **CALL}]}, finish="tool_calls")
SAYING = stream({"content": "On "}, {"content": "Friday."})


@contextlib.asynccontextmanager
async def between(tmp_path: Path, answer: Answering) -> AsyncIterator[Callable[..., Any]]:
    """The product before a server that answers request `n` (from 0) with what `answer` says."""
    asked: list[dict[str, Any]] = []

    async def handle(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if "temperature" in body:  # what learning asks
            return web.Response(body=SAID, content_type="application/json")
        asked.append(body)
        body, headers = answer(request, len(asked) - 1)
        if "Content-Length" in headers:  # and less than that
            broken = web.StreamResponse(headers=headers)
            await broken.prepare(request)
            await broken.write(body)
            assert request.transport is not None
            request.transport.close()
            return broken
        return web.Response(body=body, headers=headers)

    app = web.Application(client_max_size=2**26)
    app.router.add_post("/v1/chat/completions", handle)
    async with TestServer(app) as server:
        environ = {
            "RECOLLECT_DATA_DIR": str(tmp_path),
            "RECOLLECT_UPSTREAM__BASE_URL": str(server.make_url("/v1")),
            "RECOLLECT_TELEMETRY__METRICS": "localhost:0",
            "RECOLLECT_TOOLS__INJECT": "true",
            **IN_MEMORY,
        }
        runner = build_runner(load_settings(environ=environ))
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1/chat/completions"

            async def ask(**more: Any) -> tuple[bytes, list[dict[str, Any]]]:
                async with (
                    aiohttp.ClientSession() as session,
                    session.post(url, json={**ASKED, **more}) as got,
                ):
                    received = bytearray()
                    with contextlib.suppress(aiohttp.ClientError):
                        async for chunk in got.content.iter_any():
                            received += chunk
                    return bytes(received), [*asked]

            yield ask
        finally:
            await runner.cleanup()


JSON, EVENTS = {"Content-Type": "application/json"}, {"Content-Type": "text/event-stream"}
PLAIN = {"Content-Type": "text/plain"}


@rows("first, then, headers", [
        (CALLED, SAID, JSON),
        (CALLED, SAID, PLAIN),
        (CALLED, SAID, EVENTS),
        (CALLING, SAYING, EVENTS),
        (CALLING, SAYING, JSON),
        (CALLING, SAYING, PLAIN),
        (stream({"tool_calls": [CALL]}, finish="tool_calls", end=b"\r\n\r\n"), SAYING, EVENTS),
        (stream({"tool_calls": [CALL], "content": "Let me look."}), SAYING, EVENTS),
        (b": ping\n\n" + CALLING.removesuffix(b"data: [DONE]\n\n"), SAYING, EVENTS),
        (document(content="", function_call=CALL["function"]), SAID, JSON),
        (stream({"function_call": CALL["function"]}, finish="function_call"), SAYING, EVENTS),
        (document(tool_calls=[{"function": {**CALL["function"], "arguments": {"query": "x"}}}]),
         SAID, JSON),
    ])  # fmt: skip
async def test_a_call_is_found_however_it_is_sent(
    tmp_path: Path, first: bytes, then: bytes, headers: dict[str, str]
) -> None:
    """With a wrong content type, other ends of lines, without a mark of the end, in old fields."""
    answers = [(first, headers), (then, headers)]
    async with between(tmp_path, lambda _, number: answers[min(number, 1)]) as ask:
        got, asked = await ask(stream=headers == EVENTS)
    assert len(asked) == 2
    assert b"fact_search" not in got
    assert b"Friday." in got
    result = asked[1]["messages"][-1]
    assert (result["role"], json.loads(result["content"])) == ("tool", {"facts": []})
    said = asked[1]["messages"][-2]["tool_calls"][0]
    assert said["id"] == result["tool_call_id"] != ""


async def test_a_packed_answer_is_read(tmp_path: Path) -> None:
    """Although none was asked for: in one piece at once, in events by asking without tools."""
    packed = {**JSON, "Content-Encoding": "gzip"}
    answers = [(gzip.compress(CALLED), packed), (gzip.compress(SAID), packed)]
    async with between(tmp_path, lambda _, number: answers[number]) as ask:
        got, asked = await ask()
    assert (len(asked), b"Friday" in got, b"fact_search" in got) == (2, True, False)
    answers = [(gzip.compress(CALLING), {**EVENTS, "Content-Encoding": "gzip"}), (SAYING, EVENTS)]
    async with between(tmp_path / "other", lambda _, number: answers[number]) as ask:
        got, asked = await ask(stream=True)
    assert (got, "tools" in asked[1]) == (SAYING, False)


async def test_a_very_long_answer_is_passed_on_as_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One with a call of ours breaks off before it."""
    monkeypatch.setattr("recollect.proxy.chat.tooling.received.MAX_BODY_BYTES", 2**20)
    long = document(content="x" * (5 * 2**18))
    async with between(tmp_path, lambda *_: (long, JSON)) as ask:
        assert (await ask())[0] == long
    calls = document(content="x" * (5 * 2**18), tool_calls=[CALL])
    async with between(tmp_path / "other", lambda *_: (calls, JSON)) as ask:
        got, _ = await ask()
    assert b"fact_search" not in got
    assert got != calls


@rows("cut", [b'"arguments"', b"our secret", b"tool_calls"])
async def test_a_call_that_breaks_off_is_not_run(tmp_path: Path, cut: bytes) -> None:
    """And nobody sees its beginning."""
    for body, headers in ((CALLED, JSON), (CALLING, EVENTS)):
        short = body[: body.index(cut) + len(cut)]
        longer = {**headers, "Content-Length": str(len(body))}
        folder = tmp_path / headers["Content-Type"].replace("/", "-")
        async with between(folder, lambda *_, s=short, h=longer: (s, h)) as ask:
            got, asked = await ask(stream=headers is EVENTS)
        assert len(asked) == 1
        assert b"fact_search" not in got


async def test_twenty_calls_at_once(tmp_path: Path) -> None:
    """Each has a result; the last of them says that it was not run."""
    calls = [{**CALL, "id": f"c{number}"} for number in range(20)]
    answers = [(document(tool_calls=calls), JSON), (SAID, JSON)]
    async with between(tmp_path, lambda _, number: answers[number]) as ask:
        _, asked = await ask()
    results = [each for each in asked[1]["messages"] if each["role"] == "tool"]
    assert [each["tool_call_id"] for each in results] == [f"c{number}" for number in range(20)]
    assert "too many calls" in results[-1]["content"]


async def test_a_name_in_another_case_is_ours(tmp_path: Path) -> None:
    """The client has no such tool: the model is told how it is written."""
    call = {**CALL, "function": {"name": "Fact_Search", "arguments": "not json"}}
    answers = [(document(tool_calls=[call]), JSON), (SAID, JSON)]
    async with between(tmp_path, lambda _, number: answers[number]) as ask:
        got, asked = await ask()
    assert b"Fact_Search" not in got
    assert "there is no tool 'Fact_Search'" in asked[1]["messages"][-1]["content"]

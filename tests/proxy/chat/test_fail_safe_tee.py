"""Defects around memory cost a turn; the chat has the status, the bytes and the end that it had."""

from __future__ import annotations

import json
import logging

from tests.hostile.facing import Facing
from tests.proxy.api.calling import COMPLETION
from tests.proxy.wire import chunked, request
from tests.support.folding import rows

QUESTION = "What do I like to drink?"
EVENTS = (b'data: {"choices":[{"index":0,"delta":{"content":"tea"}}]}\n\n', b"data: [DONE]\n\n")
STREAM = chunked(*EVENTS, headers=("Content-Type: text/event-stream",))
ANSWERS = {
    "whole": (COMPLETION, COMPLETION.partition(b"\r\n\r\n")[2]),
    "stream": (STREAM, b"".join(EVENTS)),
}
CHATS = {
    "/v1/chat/completions": {"messages": [{"role": "user", "content": QUESTION}]},
    "/v1/responses": {"input": QUESTION},
}
BEFORE = (
    "recollect.proxy.access.access.resolve_caller",
    "recollect.proxy.chat.request_side.thread_for",
    "recollect.proxy.chat.request_side.Exchange",
    "recollect.proxy.chat.pipeline.Pipeline.recall",
    "recollect.proxy.chat.request_side.describe_edited_body",
)
"""What is asked before a request goes upstream: it goes as it came."""
AFTER = (
    "recollect.proxy.access.credentials.ClientModels.note",
    "recollect.proxy.chat.response_side.key_in",
    "recollect.proxy.chat.response_side.Transcript",
    "recollect.proxy.chat.report.explain_header",
    "recollect.proxy.chat.report.quote",
)
"""What is asked before its answer goes back: it goes back as it came."""
DURING = (
    "recollect.proxy.dialects.transcript.Transcript.feed",
    "recollect.proxy.dialects.transcript.Transcript.answer",
    "recollect.proxy.chat.response_side.ResponseSide._note_answer",
    "recollect.proxy.chat.pipeline.Pipeline.capture",
)
"""What looks at the answer while it goes by; the last two only if it can be read."""


def broken(*_args, **_options):
    raise ZeroDivisionError(QUESTION)


@rows("path", CHATS)
@rows("kind", ANSWERS)
async def test_no_defect_of_memory_changes_a_chat(path, kind, monkeypatch, caplog):
    """Whatever breaks, wherever: 200, the upstream's bytes to the end, and a number in the log."""
    script, expected = ANSWERS[kind]
    body = json.dumps({"model": "m", "user": "alice", **CHATS[path]}).encode()
    chat = request("POST", path, body, "x-recollect-debug: explain")
    async with Facing(script, listen__allowed_hosts='["proxy.test"]') as facing:
        told = {"messages": "I like to drink tea", "user_id": "alice", "infer": False}
        await facing.ask(request("POST", "/v1/memories/", json.dumps(told).encode()))
        during = DURING if path == "/v1/chat/completions" else DURING[:2]
        for target in (*BEFORE, *AFTER, *during):
            caplog.clear()
            with monkeypatch.context() as patch:
                patch.setattr(target, broken)
                seen = await facing.ask(chat)
            assert (seen.status, seen.body, seen.ended) == (200, expected, True), target
            outcome = [seen.head.values(f"x-recollect-{name}") for name in ("memory", "reason")]
            failed = target in (*BEFORE, *AFTER)
            assert (outcome == [["degraded"], ["internal_error"]]) == failed, target
            sent = facing.upstream.requests[-1].body
            assert (sent == body) == (target in BEFORE), target
            errors = [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]
            assert len(errors) == 1, target
            assert "ZeroDivisionError" in errors[0]
            assert QUESTION not in caplog.text
        seen = await facing.ask(chat)
        assert seen.head.values("x-recollect-memory") == ["injected"]

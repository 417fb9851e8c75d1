"""Clients' own calls (titles, tags, topic tests, summaries), and chats of people beside them.

Each row is a whole request in one of the four dialects; nothing was said before it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.filters import Exchange
from recollect.filters.side_requests import Likeness, is_own, may_be_own
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.types import Scope
from recollect.proxy.chat.answer_manner import manner_of
from recollect.proxy.dialects.chat import CHAT
from recollect.proxy.dialects.messages import MESSAGES
from recollect.proxy.dialects.ollama import OLLAMA
from recollect.proxy.dialects.responses import RESPONSES

from .figure import Figure, by_lang

ROWS = Path(__file__).parent / "rows"
DIALECTS = {"chat": CHAT, "messages": MESSAGES, "ollama": OLLAMA, "responses": RESPONSES}
SCOPE = Scope(tenant="bench", user_id="ada")


async def measure() -> Sequence[Figure]:
    figures = []
    async with Engine.open(EngineOptions()) as engine:
        await engine.client_requests.prepare()
        for name in ("asides.dev", "asides"):
            path = ROWS / f"{name}.jsonl"
            rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            like = engine.client_requests.likeness
            told = [row for row in rows if await is_told(row, like)]
            own = [row for row in rows if row["kind"] == "own"]
            chats = [row for row in rows if row["kind"] == "chat"]
            missed = [row for row in own if row not in told]
            lost = [row for row in chats if row in told]
            known = "fresh" if name == "asides" else "tuned on"
            figures += [
                _figure(f"clients' own calls with memory inside ({known})", missed, own),
                _figure(f"chats taken for such ({known})", lost, chats),
            ]
    return figures


async def is_told(row: dict[str, Any], likeness: Likeness) -> bool:
    """Whether the request gets no memories."""
    shape = may_be_own(exchange_of(row))
    return shape is not None and await is_own(shape, likeness)


def exchange_of(row: dict[str, Any]) -> Exchange:
    """The request as the filters see it."""
    body = DIALECTS[row["dialect"]].parse(json.dumps(row["body"]).encode())
    messages = body.messages
    return Exchange(
        scope=SCOPE,
        messages=messages,
        model="m",
        conversation_id="c",
        turn_id="t",
        manner=manner_of(body, messages),
        instructions=body.text_field("instructions") or "",
    )


def _figure(name: str, bad: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]]) -> Figure:
    return Figure(
        name,
        len(bad),
        len(rows),
        at_most=0.0,
        by_lang=by_lang(bad, rows),
        failed=tuple(
            f"{row['id']}: {json.dumps(row['body'], ensure_ascii=False)[:300]}" for row in bad
        ),
    )

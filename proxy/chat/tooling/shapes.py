"""The two APIs as far as requests with injected tools need them. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.memory.model.types import ToolCall
from recollect.memory.tools import Tool, openai_tools, responses_tools

from ...dialects.chat import CHAT
from ...dialects.responses import RESPONSES
from .chat_rounds import ChatRounds
from .responses_rounds import ResponsesRounds
from .rounds import Round
from .splicing import appended, with_field

Results = Sequence[tuple[ToolCall, str]]
"""Calls, and what each of them answered."""


@dataclass(frozen=True, slots=True)
class ToolShape:
    """One API."""

    rendered: Callable[[Sequence[Tool]], list[dict[str, Any]]]
    """Our tools as a request has them."""
    continued: Callable[[bytes, Round, Results], bytes]
    """The next request: what the model said, and what its calls answered. Raises ValueError."""
    rounds: type[ChatRounds | ResponsesRounds]


def _chat_continued(raw: bytes, one: Round, results: Results) -> bytes:
    answered = [
        {"role": "tool", "tool_call_id": call.id, "content": result} for call, result in results
    ]
    return appended(raw, "messages", [*one.said, *answered])


def _responses_continued(raw: bytes, one: Round, results: Results) -> bytes:
    asked = json.loads(raw)
    if isinstance(asked.get("input"), str):
        raw = with_field(raw, "input", [{"role": "user", "content": asked["input"]}])
    said = [item for item in one.said if _may_be_repeated(item, asked.get("store"))]
    answered = [
        {"type": "function_call_output", "call_id": call.id, "output": result}
        for call, result in results
    ]
    return appended(raw, "input", [*said, *answered])


SHAPES: Mapping[str, ToolShape] = {
    CHAT.path: ToolShape(openai_tools, _chat_continued, ChatRounds),
    RESPONSES.path: ToolShape(responses_tools, _responses_continued, ResponsesRounds),
}
"""By the path of the API."""


def without_tools(raw: bytes, own: Any) -> bytes:
    """The body of the last request: with the client's `own` tools only, or none that may be called.

    Raises ValueError.
    """
    if own:
        return with_field(raw, "tools", own)
    # The calls that it repeats need their tools: some servers refuse them otherwise.
    return with_field(raw, "tool_choice", "none")


def _may_be_repeated(item: Mapping[str, Any], store: Any) -> bool:
    """What a server does not keep it can only read whole: an item of reasoning by its content."""
    return item.get("type") != "reasoning" or store is not False or "encrypted_content" in item

"""Reads how a request wants its answer. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.filters.exchange import SYSTEM_CHARS, Manner
from recollect.memory.model.messages import INSTRUCTIONS
from recollect.memory.model.types import Message

from ..dialects.body import RequestBody

_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")


def manner_of(body: RequestBody, messages: Sequence[Message]) -> Manner:
    """The manner of a request of either API."""
    fields = body.fields
    return Manner(
        stream=body.streams,
        limit=next((limit for name in _LIMITS if (limit := _whole(fields.get(name)))), None),
        tools=bool(body.tools),
        forced=_is_forced(fields),
        system=(body.text_field("instructions") or _system(messages))[:SYSTEM_CHARS],
        continues=bool(body.previous_response or body.conversation),
    )


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _is_forced(fields: dict[str, Any]) -> bool:
    """Whether the answer must be a call of a tool, or JSON."""
    choice = fields.get("tool_choice")
    if isinstance(choice, dict) or choice == "required":
        return True
    text = fields.get("text")
    form = text.get("format") if isinstance(text, dict) else fields.get("response_format")
    return isinstance(form, dict) and form.get("type") in ("json_schema", "json_object")


def _system(messages: Sequence[Message]) -> str:
    return next((each.content for each in messages if each.role in INSTRUCTIONS), "")

"""Reads how a request wants its answer, in any dialect. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.filters.exchange import SYSTEM_CHARS, Manner
from recollect.memory.model.messages import INSTRUCTIONS
from recollect.memory.model.types import Message

from ..dialects.body import RequestBody

_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "num_predict")
_SAY_NOTHING = frozenset({"model", "messages", "user", "temperature", "seed"})
"""Fields of a request of which none says how it wants its answer."""
_FREE = ("auto", "none", "text")
"""Types of choices and forms that force nothing."""


def manner_of(body: RequestBody, messages: Sequence[Message]) -> Manner:
    """The manner of a request of any API."""
    fields = body.fields
    if fields.keys() <= _SAY_NOTHING:
        return Manner(system=_system(messages)[:SYSTEM_CHARS])
    given = {**_part(fields, "options"), **fields}
    return Manner(
        stream=body.streams,
        limit=next((limit for name in _LIMITS if (limit := _whole(given.get(name)))), None),
        tools=bool(body.tools),
        forced=_is_forced(fields),
        system=(body.text_field("instructions") or _system(messages))[:SYSTEM_CHARS],
        continues=bool(body.previous_response or body.conversation),
    )


def _part(fields: dict[str, Any], name: str) -> dict[str, Any]:
    part = fields.get(name)
    return part if isinstance(part, dict) else {}


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _is_forced(fields: dict[str, Any]) -> bool:
    """Whether the answer must be a call of a tool, or have a form."""
    choice = _part(fields, "tool_choice").get("type", fields.get("tool_choice"))
    if isinstance(choice, str) and choice not in _FREE:
        return True
    forms = (
        fields.get("response_format"),
        fields.get("output_format"),
        _part(fields, "output_config").get("format"),
        _part(fields, "text").get("format"),
        fields.get("format"),
        fields.get("prediction"),
    )
    kinds = [form.get("type", "object") for form in forms if isinstance(form, dict)]
    return fields.get("format") == "json" or not set(map(str, kinds)).issubset(_FREE)


def _system(messages: Sequence[Message]) -> str:
    return next((each.content for each in messages if each.role in INSTRUCTIONS), "")

"""The body of the question which memory changed an answer."""

from __future__ import annotations

from typing import Annotated, Any

from recollect.memory import InvalidInputError
from recollect.memory.model.messages import MAX_MESSAGES
from recollect.memory.operations.fields import Text, judged, needed, storable, whole
from recollect.memory.operations.scope import ScopeFields

from ...chat.whatif.trying import BASES

MOST_CALLS = 16
MOST_TOKENS = 2048
USUAL_TOKENS = 256
MOST_SECONDS = 300
USUAL_SECONDS = 120


def _messages(name: str, value: Any) -> list[dict[str, Any]]:
    if not (
        isinstance(value, list)
        and 1 <= len(value) <= MAX_MESSAGES
        and all(isinstance(each, dict) and isinstance(each.get("role"), str) for each in value)
    ):
        raise InvalidInputError(name, f"expected 1 to {MAX_MESSAGES} messages with a role each")
    return list(storable(value))


class WhatIfBody(ScopeFields):
    """A chat, and how much of the model server's time it may cost."""

    messages: Annotated[list[dict[str, Any]], judged(_messages)] = needed(
        "The messages of the chat, as `/v1/chat/completions` takes them.", title="messages"
    )
    model: Text = needed("The model that is asked.", title="the name of a model")
    max_calls: int = needed(
        "Most requests to the model server: the chat twice, and once more without each memory, "
        "best first. Each costs what a chat costs, so there is no default.",
        title="how many requests to the model server may be made",
        ge=BASES,
        le=MOST_CALLS,
    )
    max_tokens: int = whole("Most tokens of each answer.", high=MOST_TOKENS, default=USUAL_TOKENS)
    seconds: int = whole("For all answers together.", high=MOST_SECONDS, default=USUAL_SECONDS)

"""The two APIs of injected tools, and their last request. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...dialects.chat import CHAT
from ...dialects.responses import RESPONSES
from .chat_rounds import ChatRounds
from .responses_rounds import ResponsesRounds
from .splicing import with_field

Shape = type[ChatRounds] | type[ResponsesRounds]
SHAPES: Mapping[str, Shape] = {CHAT.path: ChatRounds, RESPONSES.path: ResponsesRounds}
"""By the path of the API."""


def without_tools(raw: bytes, own: Any) -> bytes:
    """The body of the last request: with the client's `own` tools only, or none that may be called.

    Raises ValueError.
    """
    if own:
        return with_field(raw, "tools", own)
    # The calls that it repeats need their tools: some servers refuse them otherwise.
    return with_field(raw, "tool_choice", "none")

"""What a model thinks before it answers is not its answer. Pure."""

from __future__ import annotations

import regex

_THINK = regex.compile(
    r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", regex.DOTALL | regex.IGNORECASE
)


def strip_reasoning(text: str) -> str:
    """The answer without ``<think>`` blocks, closed or cut off."""
    if "</think>" in text and "<think" not in text:
        # Chat templates that open the block themselves leave only its end in the answer.
        text = text.rsplit("</think>", 1)[1]
    return _THINK.sub("", text).strip()

"""Removes a model's reasoning from its answer. Pure."""

from __future__ import annotations

import regex

_THINK = regex.compile(
    r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", regex.DOTALL | regex.IGNORECASE
)


def strip_reasoning(text: str) -> str:
    """The answer without ``<think>`` blocks, closed or cut off."""
    if "</think>" in text and "<think" not in text:
        # If the chat template opens the block, the answer has only its end.
        text = text.rsplit("</think>", 1)[1]
    return _THINK.sub("", text).strip()

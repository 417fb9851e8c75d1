"""What a model server reports about the tokens of a prompt. Pure."""

from __future__ import annotations

from typing import Any

from recollect.filters import ReportedUsage

_MOST = 10**9
"""Tokens of one prompt: what is more is no report."""


def reported_usage(usage: Any, name: str) -> ReportedUsage | None:
    """The prompt's tokens, and those of them from the server's cache; None if it tells not both.

    `name` is that of the prompt's part: ``prompt`` in chats, ``input`` in responses.
    """
    if not isinstance(usage, dict):
        return None
    details = usage.get(f"{name}_tokens_details")
    prompt = usage.get(f"{name}_tokens")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    if type(prompt) is not int or type(cached) is not int or not 0 <= cached <= prompt <= _MOST:
        return None
    return ReportedUsage(prompt, cached)

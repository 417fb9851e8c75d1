"""Detects user messages that clients write: tool results and housekeeping prompts."""

from __future__ import annotations

import regex

from ..scanner import scan
from .material import bound

_OPENINGS = ("{", "[", "<")
_CLOSINGS = ("}", "]", ">")
_RESULT = regex.compile(
    r"""["'<](?:tool_result|tool_results|tool_output|tool_call_id|tool_use_id|function_result"""
    r"""|function_results|function_call_output|exit_code|stdout)["'>\s]"""
)
_RESULT_CHARS = 400
_TRANSCRIPT = regex.compile(
    r"<(?:chat|conversation|dialog|messages|transcript)[\w-]{0,20}+>"
    r"|^\W{0,4}+(?:user|human)\W{0,4}+:.*\n(?:.*\n){0,3}?\W{0,4}+(?:assistant|ai)\W{0,4}+:",
    regex.IGNORECASE | regex.MULTILINE,
)
_MARGIN = 6
"""Characters that may stand before an order in its line: bullets, quotation marks."""


def is_chore(content: str) -> bool:
    """Whether a client wrote the message, not the user: a tool's result, or housekeeping."""
    text = bound(content)
    return is_tool_result(text) or is_housekeeping(text)


def is_tool_result(text: str) -> bool:
    """Whether the whole message is a tool's result that a client put into a user's turn."""
    text = text.strip()
    return (
        text.startswith(_OPENINGS)
        and text.endswith(_CLOSINGS)
        and _RESULT.search(text[:_RESULT_CHARS]) is not None
    )


def is_housekeeping(text: str) -> bool:
    """Whether a client asks for a title, tags or follow-ups of a transcript it supplies."""
    transcript = _TRANSCRIPT.search(text) if "<" in text or ":" in text else None
    if transcript is None:
        return False
    order = text[: transcript.start()] or text[transcript.end() :]
    found = scan(order)
    lines = {word for word, at in enumerate(found.words.starts) if _begins_line(order, at)}
    return found.has("requests.product") and any(
        hit.start in lines for hit in found.found("requests.order")
    )


def _begins_line(text: str, at: int) -> bool:
    return not any(map(str.isalnum, text[max(text.rfind("\n", 0, at), at - _MARGIN) + 1 : at]))

"""Detects user messages that clients write: tool results and housekeeping prompts."""

from __future__ import annotations

import regex

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
_PRODUCT = regex.compile(
    r"\b(?:titles?|tags?|follow-?ups?|follow-up questions|emojis?|topic|keywords?|summary"
    r"|autocompletion|search queries|titel|título|titre)\b|标题|标签|タイトル|タグ|शीर्षक|عنوان",
    regex.IGNORECASE,
)
_ORDER = regex.compile(
    r"^\W{0,4}+(?:task|your task|instructions?|generate|create|suggest|write|give|provide"
    r"|summari[sz]e|classify|analy[sz]e|based on|you are|here is|erstelle|genera|génère|gere)\b",
    regex.IGNORECASE | regex.MULTILINE,
)


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
    return _ORDER.search(order) is not None and _PRODUCT.search(order) is not None

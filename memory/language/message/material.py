# ruff: noqa: RUF001
"""Separates a message's request from supplied material: code, quotations, client blocks."""

from __future__ import annotations

from typing import NamedTuple

import regex

from ..scanner import scan

WHOLE_CHARS = 800
"""A message of up to this many characters is judged as a whole."""
HEAD_CHARS = 300
TAIL_CHARS = 200
"""Of a longer message only the beginning and the end are judged."""

_OPEN_TAG = regex.compile(r"<([A-Za-z][\w:-]{0,40}+)(?:\s[^<>]{0,200}+)?>")
_CLOSED = regex.compile(
    r"“[^“”]++”|„[^„“”]++[“”]|«[^«»]++»|‹[^‹›]++›|「[^「」]++」|『[^『』]++』|《[^《》]++》"
    r'|"[^"]++"'
    r"|(?<![\p{L}\p{N}])['‘](?:[^'‘’\n]|(?<=\p{L})['’](?=\p{L}))++['’](?![\p{L}\p{N}])"
)
_QUOTE_CHARS = "\"'“„«‹「『《‘"
_INLINE_CODE = regex.compile(r"`[^`\n]++`")
_QUOTED_LINES = regex.compile(r"^>.*$", regex.MULTILINE)
_JSON = regex.compile(r"^[ \t]*+[\[{]", regex.MULTILINE)
_GAP = " "
_BREAK = "\n"


class Material(NamedTuple):
    """A message without its supplied material (`asked`), and the kinds of material."""

    asked: str
    quoted: bool = False
    code: bool = False
    """A code block, JSON or the like."""
    inline_code: bool = False

    @property
    def supplied(self) -> bool:
        """Whether there is something a transformation could apply to."""
        return self.quoted or self.code or self.inline_code


def bound(text: str) -> str:
    """`text`, or the first `HEAD_CHARS` and last `TAIL_CHARS` characters of a long one."""
    if len(text) <= WHOLE_CHARS:
        return text
    return text[:HEAD_CHARS] + _BREAK + text[-TAIL_CHARS:]


def request_and_material(text: str) -> Material:
    """Cut supplied material out of a bounded text; linear in its length."""
    asked, tagged = _without_blocks(text) if "<" in text else (text, False)
    asked, fenced = _without_fences(asked)
    asked, data = _without_json(asked) if "{" in asked or "[" in asked else (asked, False)
    asked, inline = _INLINE_CODE.subn(_GAP, asked) if "`" in asked else (asked, 0)
    asked, lines = _QUOTED_LINES.subn(_BREAK, asked) if ">" in asked else (asked, 0)
    quotes = 0
    if any(char in asked for char in _QUOTE_CHARS):
        asked, quotes = _CLOSED.subn(_GAP, asked)
    return Material(
        asked=asked,
        quoted=bool(quotes or lines or tagged),
        code=fenced or data,
        inline_code=bool(inline),
    )


def _without_blocks(text: str) -> tuple[str, bool]:
    """Without ``<name>...</name>``: context a client adds, files, transcripts."""
    kept: list[str] = []
    position = 0
    unclosed: set[str] = set()  # remembered, so that many open tags do not mean many searches
    for match in _OPEN_TAG.finditer(text):
        name = match[1]
        if match.start() < position or name in unclosed:
            continue
        end = text.find(f"</{name}>", match.end())
        if end < 0:
            unclosed.add(name)
            continue
        kept.append(text[position : match.start()])
        position = end + len(name) + 3
    return _BREAK.join([*kept, text[position:]]), position > 0


def _without_fences(text: str) -> tuple[str, bool]:
    """Without fenced code; an unclosed fence reaches to the end."""
    parts = text.split("```")
    return _BREAK.join(parts[::2]), len(parts) > 1


def _without_json(text: str) -> tuple[str, bool]:
    """Without an object or array that fills lines of its own."""
    match = _JSON.search(text)
    if match is None:
        return text, False
    end = max(text.rfind("}"), text.rfind("]")) + 1
    if end <= match.end():
        return text, False
    return text[: match.start()] + _BREAK + text[end:], True


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
    return _is_tool_result(text) or _is_housekeeping(text)


def _is_tool_result(text: str) -> bool:
    """Whether the whole message is a tool's result that a client put into a user's turn."""
    text = text.strip()
    return (
        text.startswith(_OPENINGS)
        and text.endswith(_CLOSINGS)
        and _RESULT.search(text[:_RESULT_CHARS]) is not None
    )


def _is_housekeeping(text: str) -> bool:
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

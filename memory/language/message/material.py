# ruff: noqa: RUF001 - quotation marks of other scripts are meant
"""Separates a message's request from supplied material: code, quotations, client blocks."""

from __future__ import annotations

from typing import NamedTuple

import regex

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


def take_apart(text: str) -> Material:
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

"""Cuts what is not the user's own words out of a message. Pure; linear in the text."""

from __future__ import annotations

import regex

from ..language.message import Reading, take_apart
from ..language.message.material import Material
from ..language.requests import Cue

_PARAGRAPHS = regex.compile(r"\n[ \t]*\n+")
_HEADER = regex.compile(r"(?m)^[ \t]*\p{Lu}?\p{L}[\p{L} -]{1,20}[:：][ \t]*\S")
_CHAT_LINE = regex.compile(
    r"(?m)^[ \t]*(?:\[?\d{1,2}[:.]\d\d[^\n]{0,30}\]?|\p{Lu}[\p{L} .]{0,24}[:：])[ \t]"
)
_CODE = regex.compile(
    r"[{};]\s*$|^\s*[\w.]+\([^)]*\)|^\s*(?:def|class|import|from|for|while|if|else|elif|return|const"
    r"|let|var|function|public|private|static|void|fn|func|package|use|#include|SELECT|INSERT|UPDATE"
    r"|CREATE|FROM|WHERE|WARN|ERROR|INFO|DEBUG|Traceback|File)\b.*[(){}=:;,*\"<>/]|^\s*[\w.\[\]'\"-]+\s*[:+-]?=\s*\S"
    r"|^\s*</?\w+[^>]*>|=>|::|^\s+at \S+|^\s*[$#>]\s?\w+|^\s*\w[\w.-]*:\s*[\w\"'\[{/.-]*$|\w\(\)|^\s*//|^\s*#\s"
    r"|^\s*\d+[: |].*[=({]|\b\w+Error\b|\b\w+Exception\b"
)
_FEWEST_CODE = 2
_MARKS = "“”„«»‹›「」『』《》\"'‘’"
_AWAY = {ord(mark): 0xE000 + at for at, mark in enumerate(_MARKS)}
_BACK = {0xE000 + at: mark for at, mark in enumerate(_MARKS)}
"""Marks that are kept stand in the private use area meanwhile."""
_SHORT_QUOTE = regex.compile(
    r"“[^“”\n]{1,24}”|„[^„“”\n]{1,24}[“”]|«[^«»\n]{1,24}»|「[^「」\n]{1,12}」|『[^『』\n]{1,12}』"
    r'|《[^《》\n]{1,12}》|"[^"\n]{1,24}"'
)
_FEWEST_HEADERS = 2
_FEWEST_LINES = 3
_HANDED = regex.compile(r"[:：][ \t]*(?:\n|$)")
_COLON = regex.compile(r"[:：]\s")
_SALUTATION = regex.compile(r"^[^\n.!?]{2,60}[,!:，：][ \t]*$", regex.MULTILINE)
_LONG_PARAGRAPH = 500
"""Characters of a paragraph that nobody types who also asks for something to be done with it."""


def own_text(text: str) -> str:
    """The message without code, quotations, blocks of clients, and texts that are handed over."""
    asked = _without_code(_with_names(text))
    paragraphs = [part for part in _PARAGRAPHS.split(asked) if part.strip()]
    if not paragraphs:
        return ""
    at = next((i for i, part in enumerate(paragraphs) if _hands_over(part)), None)
    if at is not None:
        return _around_order(paragraphs, at)
    if _is_letter(paragraphs) or _is_record(asked):
        return ""
    return "\n\n".join(paragraphs)


def _with_names(text: str) -> str:
    """The text as `take_apart` leaves it, but with short quotations: names and nicknames."""
    marked = _SHORT_QUOTE.sub(_unquoted, text)
    return take_apart(marked).asked.translate(_BACK)


def _unquoted(found: regex.Match[str]) -> str:
    return found[0].translate(_AWAY)


def _without_code(text: str) -> str:
    """The text without its code or output: from the first such line to the last one."""
    lines = text.split("\n")
    code = [i for i, line in enumerate(lines) if _CODE.search(line)]
    if len(code) < _FEWEST_CODE:
        return text
    return "\n".join([*lines[: code[0]], "", *lines[code[-1] + 1 :]])


def _hands_over(paragraph: str) -> bool:
    """Whether a text is to be worked on: "summarise this", "translate", "what does he mean"."""
    return bool(Reading(Material(paragraph)).requests(Cue.TRANSFORM))


def _around_order(paragraphs: list[str], at: int) -> str:
    """What stands with an order: the text to work on comes after it, or before it if it is last."""
    order = paragraphs[at]
    if (handed := _HANDED.search(order)) or (handed := _colon_after_order(order)):
        order = order[: handed.start()]
    if at == len(paragraphs) - 1 and at > 0 and handed is None:
        return order
    before = [part for part in paragraphs[:at] if len(part) < _LONG_PARAGRAPH]
    return "\n\n".join([*before, order])


def _colon_after_order(order: str) -> regex.Match[str] | None:
    hits = Reading(Material(order)).requests(Cue.TRANSFORM)
    found = _COLON.search(order)
    return found if hits else None


def _is_letter(paragraphs: list[str]) -> bool:
    """Whether it is an e-mail or a letter: a line to greet, paragraphs, a line to end."""
    if len(paragraphs) < 3:
        return False
    first, last = paragraphs[0].strip(), paragraphs[-1].strip()
    greets = _SALUTATION.match(first) is not None
    ends = len(last) < 80 and not regex.search(r"[.?!。？！]$", last)
    return greets and ends


def _is_record(text: str) -> bool:
    """Whether it is an e-mail with its header, or the log of a chat."""
    lines = [line for line in text.splitlines() if line.strip()]
    headers = sum(bool(_HEADER.match(line)) for line in lines[:6])
    if headers >= _FEWEST_HEADERS and len(lines) > headers:
        return True
    spoken = sum(bool(_CHAT_LINE.match(line)) for line in lines)
    return spoken >= _FEWEST_LINES and spoken * 2 >= len(lines)

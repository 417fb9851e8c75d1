# ruff: noqa: RUF001 - quotation marks and colons of other scripts are meant
"""Cuts what is not the user's own words out of a message. Pure; linear in the text."""

from __future__ import annotations

from typing import NamedTuple

import regex

from .message import Reading, take_apart
from .message.material import Material
from .requests import Cue
from .scanner import begins

_PARAGRAPHS = regex.compile(r"\n[ \t]*\n+")
_HEADER = regex.compile(r"[ \t]*\p{Lu}[\p{L} -]{1,20}[:：][ \t]*\S")
_CHAT_LINE = regex.compile(
    r"[ \t]*(?:[\[(]?\d{1,2}[:.]\d\d[^\n]{0,30}|\p{Lu}[\p{L} .]{0,24}[:：][ \t])"
)
_TITLE = regex.compile(r"[^\p{Ll}\n]*\p{Lu}{3}[^\p{Ll}\n]*\n")
_CODE = regex.compile(
    r"[{};]\s*$|^\s*[\w.]+\([^)]*\)|=>|::|\w\(\)|^\s*//|^\s*#\s|^\s*</?\w+[^>]*>|^\s+at \S+"
    r"|^\s*[$#]\s?[A-Za-z_]|\$\{?[A-Za-z_]|^\s*- \w[\w.-]*:\s|\b\w+(?:Error|Exception)\b"
    r"|^\s*npm ERR!|#include\b|^\s*\w+: .*\bfatal\b|^\s*[\w.-]+: \[\w+\]"
    r"|^\s*(?:[Ee]xit|[Ee]rror) [Cc]ode\b"
    r"|^\s*(?:def|class|import|const|var|function|public"
    r"|private|static|void|fn|func|#include|SELECT|INSERT|UPDATE|CREATE|FROM|WHERE"
    r"|RUN|COPY|CMD|WARN|ERROR|INFO|DEBUG|Traceback|File|warning|error|Error|fatal)\b"
    r".*[(){}=:;,*\"<>/\[\]]"
    # Words that sentences begin with, too.
    r"|^\s*(?:from|for|while|if|else|elif|return|let|package|use)\b.*(?:[(){}=;*<>\[\]]|:\s*$)"
    r"|^\s*[\w.\[\]'\"-]+\s*[:+-]?=\s*\S|^\s*\w[\w.-]*:\s*[\w\"'\[{/.-]*$|^\s*\d+[: |].*[=({]"
)
_HANDED = regex.compile(r"[:：][ \t]*(?:\n|$)")
_GONE = regex.compile(r"[ \t]{2,}|[ \t][.,;।。](?=\s|$)")
"""Where a quotation was cut out: it was handed over, and what follows a colon was not."""
_COLON = regex.compile(r"[:：]\s|[:：](?=[“„«「『\"])")
_LINES_OF_HEADER, _FEWEST_HEADERS, _FEWEST_SPOKEN = 6, 2, 2
_LABEL = regex.compile(
    r"\s*(?:\[[^\]\n]{1,24}\]|【[^】\n]{1,24}】|\p{Lu}{4,}[^\p{Ll}\n]{0,24}[:：]|\p{Lu}\p{L}+ #\d"
    r"|\p{Lu}[\p{L} ]{3,24}[:：] *[\"“„«])"
)
"""What a notice, a review or an issue of something begins with, and no message of a person."""
_NAMED = regex.compile(r"\s*(\p{L}(?:[^\n:：.!?;,]|\.(?=\w)){1,48}?)\s?[:：](?![/:]|\s*\d)\s*\S")
_STARS = regex.compile(r"[★☆⭐]{2}")
"""What a review is rated with."""
_MARKS = "“”„«»‹›「」『』《》\"'‘’"
_AWAY = {ord(mark): 0xE000 + at for at, mark in enumerate(_MARKS)}
_BACK = {0xE000 + at: mark for at, mark in enumerate(_MARKS)}
"""Marks that are kept stand in the private use area meanwhile."""
_SHORT_QUOTE = regex.compile(
    r"“[^“”\n]{1,24}”|„[^„“”\n]{1,24}[“”]|«[^«»\n]{1,24}»|「[^「」\n]{1,12}」|『[^『』\n]{1,12}』"
    r'|《[^《》\n]{1,12}》|"[^"\n]{1,24}"'
)
_HANDED_QUOTE = regex.compile(rf"[:：]\s*(?:{_SHORT_QUOTE.pattern})")


class Own(NamedTuple):
    """The user's own words."""

    text: str
    works: bool = False
    """The message has code, or a text that something is to be done with."""


NOTHING = Own("", works=True)


def own_words(text: str) -> Own:
    """The message without code, quotations, blocks of clients, and texts that are handed over."""
    if _is_record(text) or _TITLE.match(text) or begins_letter(text):
        return NOTHING
    asked, code = _without_code(_with_names(text))
    paragraphs = [part for part in _PARAGRAPHS.split(asked) if part.strip()]
    if not paragraphs:
        return NOTHING
    at = next((i for i, part in enumerate(paragraphs) if _hands_over(part)), None)
    if at is not None:
        return Own(_around_order(paragraphs, at), works=True)
    if _introduces(paragraphs[0]) and len(paragraphs) > 1:
        return Own(paragraphs[0], works=True)
    if len(paragraphs) > 1 and _LABEL.match(text) and _is_impersonal(paragraphs[-1]):
        return Own(paragraphs[-1], works=True)
    return Own("\n\n".join(paragraphs), works=code)


def label_of(text: str) -> str:
    """What a text begins with before a colon: it may say whose words follow; "" without one."""
    found = _NAMED.match(text)
    return found[1] if found else ""


def begins_letter(text: str) -> bool:
    """Whether it begins as a letter or a diary does: nobody greets an assistant so."""
    return begins(text[:120], "person.letter") is not None


def _with_names(text: str) -> str:
    """The text as `take_apart` leaves it, but with short quotations: names and nicknames."""
    marked = _SHORT_QUOTE.sub(lambda found: found[0].translate(_AWAY), text)
    return take_apart(marked).asked.translate(_BACK)


def _without_code(text: str) -> tuple[str, bool]:
    """The text without the paragraphs that hold code or output, and whether there are any."""
    paragraphs = _PARAGRAPHS.split(text)
    kept = [part for part in paragraphs if not any(map(_CODE.search, part.split("\n")))]
    if len(kept) == len(paragraphs):
        return text, False
    if kept or len(paragraphs) > 1:
        return "\n\n".join(kept), True
    lines = [line for line in text.split("\n") if not _CODE.search(line)]
    return ("\n".join(lines) if len(lines) < len(text.split("\n")) else text), True


def _hands_over(paragraph: str) -> bool:
    """Whether a text is to be worked on: "summarise this", "translate", "correct"."""
    return bool(Reading(Material(paragraph)).requests(Cue.TRANSFORM))


def _introduces(paragraph: str) -> bool:
    """Whether a short paragraph without the user in it hands over what follows."""
    return _HANDED.search(paragraph) is not None and _is_impersonal(paragraph)


def _is_impersonal(paragraph: str) -> bool:
    """Whether it speaks of a text above or below it, and not of the user."""
    return not Reading(Material(paragraph)).has(Cue.SELF, Cue.KIN)


def _around_order(paragraphs: list[str], at: int) -> str:
    """What stands with an order: the text to work on comes after it, or before it if it is last."""
    order = _HANDED_QUOTE.sub("  ", paragraphs[at])
    handed = _HANDED.search(order) or (None if _GONE.search(order) else _COLON.search(order))
    if handed:
        order = order[: handed.start()]
    if at == len(paragraphs) - 1 and at > 0 and handed is None:
        return order
    before = [part for part in paragraphs[:at] if not _introduces(part)]
    return "\n\n".join([*before, order])


def _is_record(text: str) -> bool:
    """Whether it is an e-mail with its header, the log of a chat, or a review with stars."""
    lines = [line for line in text.splitlines() if line.strip()]
    if _STARS.search(text):
        return True
    headers = sum(bool(_HEADER.match(line)) for line in lines[:_LINES_OF_HEADER])
    if headers >= _FEWEST_HEADERS and len(lines) > headers:
        return True
    spoken = sum(bool(_CHAT_LINE.match(line)) for line in lines)
    return spoken >= _FEWEST_SPOKEN and spoken * 2 >= len(lines)

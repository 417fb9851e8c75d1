# ruff: noqa: RUF001 - colons and quotation marks of other scripts are meant
"""Finds what a message hands over to be worked on or read: it is not the user's word. Pure.

An order ("translate this"), a line that ends with a colon, or one whose meaning says so, stands
before it or behind it. A comment on it is the user's own again: it asks, points back, or stands in
parentheses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import regex

from .message import Reading
from .message.material import Material
from .requests import Cue
from .words import is_question, sentences

LONGEST_INTRODUCTION = 100
"""Characters of the longest line that introduces a text."""
_HANDED = regex.compile(r"(?:[:：]|[↓⬇👇]\ufe0f?)[ \t]*$")
_AFTER_COLON = regex.compile(r"[:：]\s+|[:：](?=[“„«「『\"])")
_QUOTE = regex.compile(r"“[^“”]++”|„[^„“”]++[“”]|«[^«»]++»|「[^「」]++」|『[^『』]++』|\"[^\"]++\"")
MOST_COMMENTS = 3
"""Paragraphs behind a text that are looked at as comments."""
LONG_QUOTE = 24
"""Characters of a quotation that is no name."""
_ITEM = regex.compile(
    r"\s*(?:[-*+•·▪◦‣・–—]|[\u2460-\u24ff]|\p{N}\ufe0f?\u20e3"
    r"|\**\(?(?:\d{1,3}|\p{L}|[ivxIVX]{1,4})[.):、．](?!\d)\**)\s*(?=\S)"
)
_FIELD = regex.compile(r"\s*\**\p{L}[\p{L}\p{M}' ’-]{0,30}?\**(?:\s?[:：=]\**|\s[-–]|\s?->)\s*\S")


class MessagePart(NamedTuple):
    """A part of a message, as written."""

    text: str
    own: bool = True
    """Whether it is the user's own word."""


def is_item(line: str) -> bool:
    """Whether a line is an item of a list."""
    return _ITEM.match(line) is not None


def is_field(line: str) -> bool:
    """Whether a line has a name and a value, as in a form."""
    return _FIELD.match(line) is not None


def opens(line: str) -> bool:
    """Whether a line opens what follows: it ends with a colon, or points down."""
    return _HANDED.search(line.rstrip()) is not None


def introduction_of(text: str) -> str:
    """The short first line of a message if it may introduce a text below it; else ""."""
    first, _, rest = text.strip().partition("\n")
    alone = rest.startswith("\n") or rest.lstrip(" \t\r").startswith("\n") or opens(first)
    short = len(first) <= LONGEST_INTRODUCTION and not is_item(first)
    follows = rest.strip()
    listed = is_item(follows) or is_field(follows.partition("\n")[0])
    return first.strip() if short and alone and follows and not listed else ""


def supplied_parts(parts: Sequence[MessagePart], *, introduced: bool) -> list[MessagePart]:
    """The paragraphs of a message, with what is handed over as material.

    `introduced`: the meaning of the first line says that a text follows (`introduction_of`).
    """
    parts = [piece for part in parts for piece in _quoted_first(part)]
    own = [n for n, part in enumerate(parts) if part.own]
    at = next((n for n in own if _orders_work(parts[n].text)), None)
    if at is None:
        introduced = introduced or _introduces(parts)
        return _behind(parts, 0) if introduced else list(parts)
    order = parts[at].text
    inside = _AFTER_COLON.search(order) is not None
    if opens(order) or (at == 0 and len(parts) > 1 and _is_short(order) and not inside):
        return _behind(parts, at)
    if len(own) > 1 and at == own[-1] and not inside:
        return _foreign(parts, 0, at)
    return [*parts[:at], *_inside(order), *parts[at + 1 :]]


def _orders_work(text: str) -> bool:
    """Whether it orders to work on a text: "summarise this"."""
    return bool(Reading(Material(text)).requests(Cue.TRANSFORM))


def _is_short(text: str) -> bool:
    return len(text) <= LONGEST_INTRODUCTION and "\n" not in text.strip()


def _introduces(parts: Sequence[MessagePart]) -> bool:
    """Whether the first paragraph ends with a colon, and speaks of nobody."""
    if len(parts) < 2 or not (parts[0].own and parts[1].own and opens(parts[0].text)):  # noqa: PLR2004
        return False
    listed = is_item(parts[1].text) or is_field(parts[1].text)
    return not listed and not Reading(Material(parts[0].text)).has(Cue.SELF, Cue.KIN)


def _behind(parts: Sequence[MessagePart], at: int) -> list[MessagePart]:
    """What stands behind an introduction is handed over, up to a comment on it.

    What is fenced or quoted right behind it is all of it.
    """
    if at + 1 < len(parts) and not parts[at + 1].own:
        return list(parts)
    last = len(parts)
    while last > max(at + 2, len(parts) - MOST_COMMENTS) and _comments(parts[last - 1].text):
        last -= 1
    return _foreign(parts, at + 1, last)


def _comments(text: str) -> bool:
    """Whether a paragraph speaks about the one above it."""
    told = [one.strip() for one in sentences(text.strip()) if one.strip()]
    if text.lstrip().startswith(("(", "（", "^^", "---")) or any(map(is_question, told)):
        return True
    return bool(told) and Reading(Material(told[0])).has(Cue.ANAPHORA)


def _quoted_first(part: MessagePart) -> list[MessagePart]:
    """A long quotation that a paragraph begins with is another's word."""
    start = len(part.text) - len(part.text.lstrip())
    quote = _QUOTE.match(part.text, start) if part.own else None
    if quote is None or len(quote[0]) < LONG_QUOTE:
        return [part]
    left = part.text[quote.end() :]
    return [MessagePart(quote[0], own=False), *([MessagePart(left)] if left.strip() else ())]


def _inside(order: str) -> list[MessagePart]:
    """An order with what stands behind its colon: a quotation there ends what is handed over."""
    colon = _AFTER_COLON.search(order)
    if colon is None:
        return [MessagePart(order)]
    quote = _QUOTE.match(order, colon.end())
    end = quote.end() if quote else len(order)
    first, last = order[: colon.end()], order[end:]
    return [MessagePart(first), MessagePart(order[colon.end() : end], own=False), MessagePart(last)]


def _foreign(parts: Sequence[MessagePart], first: int, last: int) -> list[MessagePart]:
    return [part._replace(own=part.own and not first <= n < last) for n, part in enumerate(parts)]

"""Splits a text into sentences and lines; joined, they are the text. Pure."""

# ruff: noqa: RUF001 - quotation marks and signs of several languages

from __future__ import annotations

import re
from collections.abc import Callable

from .spans import Cut

_END = re.compile(
    r"(?<![.!?…])(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\b[a-z]\.[a-zA-Z])[.!?…]++[\"'”’»)\]*_]*+\s++"
    r"|[。！？]++[」』”）]*+\s*+"
    r"|\n\s*+"
)
"""A boundary belongs to the segment before it. "St. Olav" and "e.g. tea" have none."""
_WORDS = re.compile(r"\w+")
_MARK = re.compile(r"\s*+(?:>[\s>]*+|[-*•+]\s++|\d{1,3}[.)]\s++|[\"“„«「])")
_FIRST_PERSON = re.compile(
    r"\b(?:i|i'm|i’m|me|my|mine|myself|we|our|ours|us|ich|mir|mich|mein\w{0,2}|wir|uns|unser\w{0,2}"
    r"|je|j|moi|mon|ma|mes|nous|notre|nos|yo|mi|mis|conmigo|nosotr[oa]s|nuestr[oa]s?"
    r"|eu|meu|minha|meus|minhas|nós|nosso|nossa)\b|我|咱|私|僕|俺|わたし|मैं|मेर|मुझ|हम|أنا|نحن",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:no|not|never|nope|wrong|incorrect|outdated|anymore|actually|longer|without|cannot|\w+n['’]t"
    r"|nicht|nie|kein\w{0,2}|falsch|mehr|nein|doch|pas|jamais|plus|non|faux|nunca|ya|jamás"
    r"|não|mais|errado|falso|tampoco)\b|[不没沒別非错]|ない|ません|じゃな|नहीं|لا|ليس|لم",
    re.IGNORECASE,
)


def segments(text: str) -> list[str]:
    """Sentences and lines with their boundaries."""
    found, at = [], 0
    for match in _END.finditer(text):
        found.append(text[at : match.end()])
        at = match.end()
    return [*found, text[at:]] if at < len(text) else found


def key(text: str) -> str:
    """The case-folded words, without punctuation."""
    return " ".join(_WORDS.findall(text.casefold()))


def is_marked(segment: str) -> bool:
    """Whether it is quoted or an item of a list."""
    return _MARK.match(segment) is not None


def first_person(text: str) -> bool:
    """Whether it is in the first person."""
    return _FIRST_PERSON.search(text) is not None


def negated(text: str) -> bool:
    """Whether it denies or corrects something."""
    return _NEGATION.search(text) is not None


def is_question(segment: str) -> bool:
    """Whether it asks."""
    return segment.rstrip(" \t\n\"'”’»)*_").endswith(("?", "？", "؟"))


def drop(text: str, gone: Callable[[str], bool]) -> Cut:
    """The text without the segments for which `gone` is true."""
    parts = segments(text)
    kept = [part for part in parts if not gone(part)]
    return Cut("".join(kept), len(parts) - len(kept)) if len(kept) < len(parts) else Cut(text, 0)

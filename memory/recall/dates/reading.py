"""Converts text to symbols."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from .lexicon import WORD, Entry, Phrases
from .numerals import classify
from .symbols import SymbolText

_TOKEN = re.compile(rf"\b[qQ]([1-4])\b|(\d+(?:[.,:/-]\d+)*)([^\W\d_]*)|({WORD.pattern})|([,;!?\n])")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015"), "-")
_PUNCTUATION = {",": ",", ";": ";", "!": ";", "?": ";", "\n": ";"}
_UNKNOWN: Entry = ((".", None),)


def normalise(text: str, longest: int) -> str:
    """At most `longest` characters in NFKC, with plain hyphens."""
    text = text[:longest]
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text)[:longest].translate(_DASHES)


def read(text: str, lexicon: Phrases, *, day_first: bool) -> SymbolText:
    """The symbols of a text in a language that separates words."""
    reading = SymbolText(text)
    tokens = list(_TOKEN.finditer(text))
    words = [match[4].lower() if match[4] else "" for match in tokens]
    place = 0
    while place < len(tokens):
        match = tokens[place]
        taken = 1
        if words[place]:
            if words[place] == "-" and reading.previous == "E":  # mid-June
                place += 1
                continue
            taken, entry = _look_up(words, place, lexicon)
            if entry[0][0] in "Me" and not match[4][0].isupper():
                entry = _without_capital(entry, lexicon)
        elif match[1]:
            entry = (("Q", int(match[1])),)
        elif match[2]:
            entry = _number(text, match, reading.previous, day_first=day_first)
        else:
            entry = ((_PUNCTUATION[match[5]], None),)
        end = tokens[place + taken - 1].end()
        reading.add(entry, match.start(), end)
        place += taken
    return reading


def _look_up(words: Sequence[str], place: int, lexicon: Phrases) -> tuple[int, Entry]:
    """The length in words and the entry of the longest phrase at `place`."""
    for rest, entry in lexicon.phrases.get(words[place], ()):
        if not rest or tuple(words[place + 1 : place + 1 + len(rest)]) == rest:
            return 1 + len(rest), entry
    return 1, _UNKNOWN


def _without_capital(entry: Entry, lexicon: Phrases) -> Entry:
    """The entry of an ambiguous word in lower case: may, march, sat."""
    symbol, value = entry[0]
    if symbol == "M":
        return (("l", value),)
    return _UNKNOWN if lexicon.capitals else entry


def _number(text: str, match: re.Match[str], previous: str, *, day_first: bool) -> Entry:
    start, end = match.span()
    return tuple(
        classify(
            match[2],
            match[3],
            text[start - 1] if start else "",
            text[end : end + 1],
            day_first=day_first,
            after_part=previous == "E",
        )
    )

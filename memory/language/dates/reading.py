"""Reads a text as words that make dates."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ..sections import Calendar
from .kinds import KINDS, DateReading, Entry
from .numerals import classify
from .vocabulary import DateWords

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015"), "-")
_WITH_CAPITAL = (KINDS["weak_month"], KINDS["weak_weekday"])
_UNKNOWN: Entry = ((KINDS["word"], None),)


def normalise(text: str, longest: int) -> str:
    """At most `longest` characters in NFKC, with plain hyphens."""
    text = text[:longest]
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text)[:longest].translate(_DASHES)


def read(text: str, known: DateWords) -> DateReading:
    """The words of a text that make dates, by the vocabulary of a language."""
    reading, figures = DateReading(text), known.figures
    tokens = list(known.token.finditer(text))
    words = [match["word"].lower() if match["word"] else "" for match in tokens]
    place = 0
    while place < len(tokens):
        match, taken = tokens[place], 1
        if words[place]:
            taken, entry = _look_up(words, place, known)
            if entry is _UNKNOWN:
                taken, entry = figures.number(words, place) or (1, _UNKNOWN)
            elif entry[0][0] in _WITH_CAPITAL and not match["word"][0].isupper():
                entry = _without_capital(entry, known.calendar)
        elif match["quarter"]:
            entry = ((KINDS["quarter"], int(match["quarter"])),)
        elif match["digits"]:
            entry = classify(match, known.calendar)
        elif match["mark"]:
            entry = ((KINDS["comma" if match["mark"] == "," else "stop"], None),)
        else:
            entry = figures.date(match)
        reading.add(entry, match.start(), tokens[place + taken - 1].end())
        place += taken
    return reading


def _look_up(words: Sequence[str], place: int, known: DateWords) -> tuple[int, Entry]:
    """The length in words and the entry of the longest phrase at `place`."""
    for rest, entry in known.phrases.get(words[place], ()):
        if not rest or tuple(words[place + 1 : place + 1 + len(rest)]) == rest:
            return 1 + len(rest), entry
    return 1, _UNKNOWN


def _without_capital(entry: Entry, calendar: Calendar) -> Entry:
    """The entry of an ambiguous word in lower case: may, march, sat."""
    kind, value = entry[0]
    if kind == KINDS["weak_month"]:
        return ((KINDS["small_month"], value),)
    return _UNKNOWN if calendar.capitals else entry

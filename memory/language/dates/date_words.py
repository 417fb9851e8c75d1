"""Reads a text as words that make dates, by what each word of a calendar means."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..sections import Calendar
from ..syntax import Terms
from ..words import UNSPACED
from .kinds import KINDS, DateReading, Entry, kind_of, letters_of
from .numerals import Figures, classify

WORD = re.compile(
    f"[{UNSPACED}]|(?:[^\\W\\d_{UNSPACED}]|[\u0300-\u036f\u064b-\u0655\u0670\u0900-\u0963])+|[-~、〜]"
)
"""Letters with their marks: vowels of Devanagari and Arabic are marks, which `\\w` excludes."""

_TOKEN = (
    rf"\b[qQ](?P<quarter>[1-4])\b|(?P<digits>\d+(?:[.,:/-]\d+)*)(?P<letters>[^\W\d_{UNSPACED}]*)"
    rf"|(?P<word>{WORD.pattern})|(?P<mark>[,;!?。\n])"
)

WEAK = frozenset(letters_of(
    "article|one|in|between|after|vague|on|and|to|few|number|ordinal|numbered|since|next"
    "|this|last|past|ago|ago_first|ago_or_before|before|ahead"
    "|before_behind|after_behind|since_behind"
))  # fmt: skip
"""Kinds of words that name no time alone."""
_WORDS_ALONE = {
    "ago": "ago", "ago_first": "ago_first", "ago_or_before": "ago_or_before", "before": "before",
    "after": "after", "since": "since", "between": "between", "to": "to", "and": "and_",
    "in_or_ahead": "ahead_first", "in": "in_", "vague": "vague", "on": "on",
    "article": "articles", "ahead": "ahead",
    "before_behind": "before_behind", "after_behind": "after_behind",
    "since_behind": "since_behind", "numbered": "numbered",
}  # fmt: skip
"""Fields whose words mean nothing but their kind."""
_PLACES = (
    ("sure_month", "months", 1), ("weak_month", "weak_months", 1),
    ("sure_weekday", "weekdays", 0), ("weak_weekday", "weak_weekdays", 0),
    ("part", "parts", 0),
    ("number", "numbers", 2), ("ordinal", "ordinals", 1),
)  # fmt: skip
"""Fields whose rows count from a number."""
_BARE_ALEF = str.maketrans("\u0623\u0625\u0622", "\u0627" * 3)


@dataclass(frozen=True, slots=True)
class DateWords:
    """The words of one language, or of several that are read together."""

    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], Entry]]]
    """By first word: the following words and the entry of each phrase."""
    telling: frozenset[str]
    """A text with neither a digit nor one of these words names no time."""
    known: frozenset[str]
    """Words that indicate this language."""
    calendar: Calendar
    """Of the first language: how numbers are written."""
    figures: Figures
    token: re.Pattern[str]
    """What a text consists of: named groups `digits`, `word` and so on."""


def build(*calendars: Calendar, frequent: Terms = ()) -> DateWords:
    """The words of calendars; of a repeated phrase the first entry counts."""
    phrases: dict[str, dict[tuple[str, ...], Entry]] = defaultdict(dict)
    telling: set[str] = set()
    for calendar in calendars:
        for phrase, entry in entries(calendar):
            for form in {phrase, plain(phrase)}:
                first, *rest = WORD.findall(form)
                phrases[first].setdefault(tuple(rest), entry)
                if not all(letter in WEAK for letter, _ in entry):
                    # The last word, because the first one is often an article.
                    telling.add(phrase if calendar.figures else (first, *rest)[-1])
    ordered = {
        first: sorted(found.items(), key=lambda item: -len(item[0]))
        for first, found in phrases.items()
    }
    signs = [sign for calendar in calendars for row in calendar.signs for sign in row]
    known = {*ordered, *signs, *frequent, *map(plain, frequent)} - {"-"}
    figures = Figures(calendars[0])
    token = re.compile(f"{figures.pattern}|{_TOKEN}")
    return DateWords(ordered, frozenset(telling), frozenset(known), calendars[0], figures, token)


def plain(word: str) -> str:
    """The word without the marks of Latin letters, and with bare alefs."""
    if word.isascii() or ord(word[0]) > 0x24F:  # noqa: PLR2004 - the end of Latin Extended-B
        return word.translate(_BARE_ALEF)
    parts = unicodedata.normalize("NFD", word)
    return "".join(part for part in parts if not unicodedata.combining(part))


def entries(calendar: Calendar) -> Iterator[tuple[str, Entry]]:
    """The phrases of a calendar with what they mean; of repeated ones the first counts."""
    for kind, value, words in _meanings(calendar):
        entry: Entry = ((KINDS[kind], value),)
        if value == "weekend" and calendar.figures:  # without a preposition
            entry = ((KINDS["on"], None), *entry)
        for word in words:
            yield word, entry
            if calendar.joined_and and kind in ("sure_month", "sure_weekday"):
                for joint in calendar.joined_and:
                    yield joint + word, ((KINDS["and"], None), (KINDS[kind], value))
    for key, words in calendar.spans.items():
        number, name = key.split()
        offset = int(number)
        kind = "last" if offset < 0 else "next" if offset else "this"
        entry = ((KINDS[kind], offset), (KINDS[kind_of(name)], name))
        for word in words:
            yield word, entry
            if name == "week":
                yield from _days_of_week(word, entry, calendar)


def _meanings(calendar: Calendar) -> Iterator[tuple[str, Any, Terms]]:
    """Each kind and value with the words for it."""
    for kind, name, first in _PLACES:
        for value, words in enumerate(getattr(calendar, name), first):
            yield kind, value, words
    for kind, name in _WORDS_ALONE.items():
        for word in getattr(calendar, name):
            yield kind, word, (word,)
    yield "article", "of", calendar.of
    for ten, words in enumerate(calendar.tens, 3):
        yield "number", 10 * ten, words
    yield from _by_name(calendar)
    yield from (("last", -1, calendar.last), ("this", 0, calendar.this), ("next", 1, calendar.next))
    yield from (("past", -1, calendar.past), ("one", 1, calendar.one))
    yield "few", (2, 6), calendar.few


def _by_name(calendar: Calendar) -> Iterator[tuple[str, Any, Terms]]:
    for offsets, words in calendar.days.items():
        yield "day", tuple(map(int, offsets.split())), words
    for name, words in calendar.units.items():
        yield kind_of(name), name, words
    for amount, words in calendar.amounts.items():
        count, unit = amount.split()
        yield "amount", (int(count), unit), words


def _days_of_week(week: str, entry: Entry, calendar: Calendar) -> Iterator[tuple[str, Entry]]:
    """上周二, which is 上周 and 周二: the end of the week's word begins the day's."""
    for number, days in enumerate(calendar.weekdays):
        for day in days:
            if calendar.figures and week.endswith(day[:-1]):
                yield week + day[-1], (*entry, (KINDS["sure_weekday"], number))


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
    figures, phrases = known.figures, known.phrases
    tokens = list(known.token.finditer(text))
    words = [match["word"].lower() if match["word"] else "" for match in tokens]
    found: list[tuple[Entry, int, int]] = []
    for place, word in enumerate(words):
        if found and place < found[-1][2]:
            continue  # of the phrase before
        match, taken = tokens[place], 1
        if word:
            entry = _UNKNOWN
            if word in phrases:
                taken, entry = _look_up(words, place, known)
            if entry is _UNKNOWN and word in figures.values:
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
        found.append((entry, place, place + taken))
    spans = [match.span() for match in tokens]
    return DateReading.of(
        text, [(entry, spans[first][0], spans[end - 1][1]) for entry, first, end in found]
    )


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

"""Lexicons built from the tables: phrases by their first word, longest first."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .tables import Table

WORD = re.compile("(?:[^\\W\\d_]|[\u0300-\u036f\u064b-\u0655\u0670\u0900-\u0963])+|-", re.UNICODE)
"""Letters with their marks: vowels of Devanagari and Arabic are marks, which `\\w` excludes."""

Entry = tuple[tuple[str, Any], ...]
"""Pairs of a symbol and its value."""
_WEAK = frozenset("fabiwcvt&~qEnoGkXTLpAxrhgPBNG")
"""Symbols that do not name a time alone."""
_BARE_ALEF = str.maketrans("\u0623\u0625\u0622", "\u0627" * 3)


@dataclass(slots=True)
class Phrases:
    """The lexicon of one language."""

    phrases: dict[str, list[tuple[tuple[str, ...], Entry]]] = field(default_factory=dict)
    """By first word: the following words and the entry of each phrase."""
    telling: frozenset[str] = frozenset()
    """A text with neither a digit nor one of these words names no time."""
    known: frozenset[str] = frozenset()
    """Words that indicate this language."""
    capitals: bool = False
    """Whether abbreviated weekdays are capitalised."""


def build(table: Table) -> Phrases:
    """The lexicon of a table; for a repeated phrase the first entry counts."""
    phrases: dict[str, dict[tuple[str, ...], Entry]] = defaultdict(dict)
    telling: set[str] = set()
    for phrase, entry in entries(table):
        for form in (phrase, plain(phrase)):
            first, *rest = WORD.findall(form.replace("_", " "))
            phrases[first].setdefault(tuple(rest), entry)
            if not all(symbol in _WEAK for symbol, _ in entry):
                # The last word, because the first one is often an article.
                telling.add((first, *rest)[-1])
    ordered = {
        first: sorted(found.items(), key=lambda item: -len(item[0]))
        for first, found in phrases.items()
    }
    known = {*ordered, *table.common.split(), *map(plain, table.common.split())}
    return Phrases(ordered, frozenset(telling), frozenset(known - {"-"}), table.capitals)


def plain(word: str) -> str:
    """The word without the marks of Latin letters, and with bare alefs."""
    if word.isascii() or ord(word[0]) > 0x24F:  # noqa: PLR2004 - the end of Latin Extended-B
        return word.translate(_BARE_ALEF)
    parts = unicodedata.normalize("NFD", word)
    return "".join(part for part in parts if not unicodedata.combining(part))


def entries(table: Table) -> Iterator[tuple[str, Entry]]:
    """The phrases of a table with their entries; of repeated phrases the first counts."""
    yield from _numbered(table)
    for symbol, words in _simple(table):
        for word in _alternatives(words):
            yield word, ((symbol, word),)
    for symbol, value, words in _valued(table):
        for word in _alternatives(words):
            yield word, ((symbol, value),)
    for key, words in table.spans.items():
        number, unit = key.split()
        offset = int(number)
        entry = (("L" if offset < 0 else "X" if offset else "T", offset), _unit(unit))
        for word in _alternatives(words):
            yield word, entry


def _numbered(table: Table) -> Iterator[tuple[str, Entry]]:
    """Words whose value is their place in a list."""
    for symbol, words, base in (
        ("m", table.months, 1),
        ("M", table.weak_months, 1),
        ("d", table.weekdays, 0),
        ("e", table.weak_weekdays, 0),
        ("S", table.seasons, 0),
        ("s", table.weak_seasons, 0),
        ("z", table.parts, 0),
        ("n", table.numbers, 2),
        ("o", table.ordinals, 1),
    ):
        for place, group in enumerate(words.split(), base):
            for word in _alternatives(group):
                yield word, ((symbol, place),)
                if table.joined_and and symbol in "md":
                    yield table.joined_and + word, (("&", None), (symbol, place))


def _simple(table: Table) -> Iterator[tuple[str, str]]:
    """Symbols whose value is the word itself."""
    yield "A", table.ago
    yield "P", table.ago_first
    yield "B", table.ago_or_before
    yield "b", table.before
    yield "c", table.after
    yield "k", table.since
    yield "w", table.between
    yield "~", table.to
    yield "&", table.and_
    yield "i", table.in_
    yield "v", table.vague
    yield "t", table.on
    yield "f", table.the
    yield "N", table.ahead
    yield "x", table.before_post
    yield "r", table.after_post
    yield "h", table.since_post
    yield "G", table.numbered.replace(" ", "|")


def _valued(table: Table) -> Iterator[tuple[str, Any, str]]:
    for offsets, words in table.days.items():
        yield "R", tuple(map(int, offsets.split())), words
    for back, words in table.recently.items():
        yield "V", back, words
    for name, words in table.units.items():
        yield *_unit(name), words
    for name, words in table.holidays.items():
        yield "H", name, words
    for when, words in table.tonight.items():
        yield "O", tuple(map(int, when.split())), words
    for amount, words in table.amounts.items():
        count, unit = amount.split()
        yield "W", (int(count), unit), words
    for unit, words in table.pairs.items():
        yield "W", (2, unit), words
    yield from (("E", 0, table.early), ("E", 1, table.mid), ("E", 2, table.late))
    yield from (("g", 0, table.early_post), ("g", 1, table.mid_post), ("g", 2, table.late_post))
    yield from (("L", -2, table.before_last), ("L", -1, table.last), ("T", 0, table.this))
    yield from (("X", 1, table.next), ("p", -1, table.past))
    yield from (("a", 1, table.one), ("q", (2, 6), table.few))


def _unit(name: str) -> tuple[str, str]:
    return ("j" if name == "year" else "u"), name


def _alternatives(words: str) -> list[str]:
    return [word for word in words.split("|") if word and words != "-"]

"""The kinds of words that make a date, and a text as a row of them.

A rule names kinds in braces: ``{month} {number}``. Inside, each kind is a letter, so that a rule
is a regular expression over the letters of a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from .spans import Span

KINDS = {
    "sure_month": "m",
    "weak_month": "M",  # may also be another word
    "small_month": "l",  # a weak one that is not written with a capital
    "sure_weekday": "d",
    "weak_weekday": "e",
    "unit_but_year": "u",
    "unit_year": "j",
    "amount": "W",  # the dual: "two days"
    "number": "n",
    "one": "a",
    "few": "q",
    "ordinal": "o",
    "maybe_year": "y",  # a number that may be a year
    "sure_year": "Y",
    "date": "D",  # 2023-05-07
    "last": "L",
    "this": "T",
    "next": "X",
    "past": "p",
    "ago": "A",
    "ago_first": "P",
    "ago_or_before": "B",
    "ahead": "N",
    "day": "R",  # yesterday
    "part": "z",  # morning
    "quarter": "Q",  # Q3
    "decade": "C",  # 1990s
    "short_decade": "K",  # 90s
    "before": "b",
    "after": "c",
    "since": "k",
    "before_behind": "x",
    "after_behind": "r",
    "since_behind": "h",
    "between": "w",
    "and": "&",
    "to": "~",
    "in": "i",
    "in_or_ahead": "I",  # in three days, in 2023
    "vague": "v",
    "on": "t",
    "article": "f",
    "numbered": "G",
    "comma": ",",
    "stop": ";",
    "figure": "#",  # a number of another kind
    "word": ".",  # any other word
}
"""The letter of each kind; the fields of a pack's calendar say what most of them are."""
GROUPS = {
    "in": "iI",
    "month": "mMl",
    "weekday": "de",
    "unit": "uj",
    "count": "naqy",
    "which": "LXT",
    "and_to": "&~b",
    "cue": "iIwbckvtPB&~",  # before a time, of which it changes the meaning
}
"""The letters of several kinds by a common name."""
Entry = tuple[tuple[str, Any], ...]
"""What a word is: letters of kinds, each with a value."""
_NAMED = re.compile(r"\{([a-z_|]+)\}")
ARTICLE = KINDS["article"]


def kind_of(unit: str) -> str:
    """The kind of a unit of time."""
    return "unit_year" if unit == "year" else "unit_but_year"


def letters_of(names: str) -> str:
    """The letters of kinds and groups: ``month|number``."""
    return "".join(GROUPS.get(name) or KINDS[name] for name in names.split("|"))


def compiled(pattern: str, /, **parts: str) -> str:
    """A pattern over names as one over letters; a blank stands for articles, or for nothing.

    Apart from the kinds in braces and the blanks it is a regular expression; `parts` are patterns
    that it contains by name.
    """

    def letters(match: re.Match[str]) -> str:
        if match[1] in parts:
            return f"(?:{compiled(parts[match[1]], **parts)})"
        return f"[{re.escape(letters_of(match[1]))}]"

    return _NAMED.sub(letters, pattern).replace(" ", f"{ARTICLE}*")


@dataclass(frozen=True, slots=True)
class DatePiece:
    """A run of words that make a time: their letters and values."""

    letters: str
    values: list[Any]

    def get(self, kinds: str, default: Any = None) -> Any:
        """The value of the first word that is of one of the kinds."""
        return next(iter(self.all(kinds)), default)

    def all(self, kinds: str) -> list[Any]:
        """The values of all words of these kinds."""
        wanted = letters_of(kinds)
        return [v for kind, v in zip(self.letters, self.values, strict=True) if kind in wanted]

    def split_behind(self, kinds: str) -> tuple[DatePiece, DatePiece]:
        """The words up to the first one of these kinds, and the others."""
        wanted = letters_of(kinds)
        cut = next(i for i, kind in enumerate(self.letters, 1) if kind in wanted)
        return (
            DatePiece(self.letters[:cut], self.values[:cut]),
            DatePiece(self.letters[cut:], self.values[cut:]),
        )


@dataclass(slots=True)
class DateReading:
    """A text as letters, each with its value and the offsets of its word."""

    text: str
    letters: str = ""
    values: list[Any] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, text: str, words: Iterable[tuple[Entry, int, int]]) -> Self:
        """The letters of words; of consecutive articles only the first is taken."""
        rows: list[tuple[str, Any, int, int]] = []
        before = ""
        for entry, start, end in words:
            for letter, value in entry:
                if not letter == ARTICLE == before:
                    rows.append((letter, value, start, end))
                before = letter
        if not rows:
            return cls(text)
        letters, values, starts, ends = zip(*rows, strict=True)
        return cls(text, "".join(letters), list(values), list(starts), list(ends))


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `start` to `end` (exclusive) name one of `spans` (several when it is ambiguous)."""

    start: int
    end: int
    spans: list[Span]
    rule: str = ""

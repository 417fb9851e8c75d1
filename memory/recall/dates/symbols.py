"""One letter for each kind of word, so that rules can be regular expressions over letters.

m month   M weak month, capital   l weak month, lower case   d weekday   e weak weekday
u unit    j the unit "year"   W amount (half a year)   n number   a article (one)   q a few
o ordinal   y a number that may be a year   Y certainly a year   D a numeric date
L last   T this   X next   p the past so many   A ago, after a count   P ago, before it
B ago or before   R days from today   O a part of one   z part of day   V recently
S season   s weak season   H holiday   Q quarter   C decade   K two-digit decade   E early, late
b before   c after   k since   w between   & and   ~ to   i in   v about   t on   f the, of
after the date: x before   r after   h since   g early, late;   N from now, after a count
G noun with a number for its name   , comma   ; end of a sentence
# a number of another kind   . any other word
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

CUES = "iwbckEvtPB&~"
"""Symbols before a date that change its meaning."""


@dataclass(slots=True)
class SymbolText:
    """A text as symbols, each with its value and the offsets of its word."""

    text: str
    symbols: str = ""
    values: list[Any] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    @property
    def previous(self) -> str:
        return self.symbols[-1:]

    def add(self, entry: Iterable[tuple[str, Any]], start: int, end: int) -> None:
        """Add the symbols of a word; of consecutive fillers only the first is added."""
        for symbol, value in entry:
            if symbol == self.previous == "f":
                continue
            self.symbols += symbol
            self.values.append(value)
            self.starts.append(start)
            self.ends.append(end)


@dataclass(frozen=True, slots=True)
class DatePiece:
    """A run of symbols."""

    symbols: str
    values: list[Any]

    def get(self, wanted: str, default: Any = None) -> Any:
        """The value of the first symbol that is one of `wanted`."""
        for symbol, value in zip(self.symbols, self.values, strict=True):
            if symbol in wanted:
                return value
        return default

    def all(self, wanted: str) -> list[Any]:
        """The values of all symbols that are among `wanted`."""
        return [v for s, v in zip(self.symbols, self.values, strict=True) if s in wanted]

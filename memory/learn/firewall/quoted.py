"""Cuts out text that the user pasted from the assistant or from memories. Pure.

Two kinds are kept: a message that is one such sentence, because it chooses an offered option, and a
quotation next to a short denial, which it explains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...language import words_of
from ...language.cues import cues_in
from ...language.sentences import sentences
from .restated import Recalled
from .segments import is_marked, key, negated
from .spans import Cut

GRAM = 4
"""Words per n-gram; every n-gram of a quotation must occur in its source."""
MIN_UNBROKEN = 8
"""Least characters in a script without blanks."""
LONG = 60
"""Characters from which an unmarked sentence counts as pasted."""
SHORT = 200
"""Most characters of a denial next to a quotation."""


class Spoken:
    """The assistant's words so far."""

    def __init__(self) -> None:
        self._rows: set[tuple[str, ...]] = set()

    def add(self, text: str) -> None:
        """Add an answer."""
        self._rows.update(_rows(_tokens(text)))

    def holds(self, segment: str) -> bool:
        """Whether the assistant said all of it in these words."""
        if not self._rows:
            return False
        tokens = _tokens(segment)
        if len(tokens) < (GRAM if tokens and not _is_unbroken(tokens) else MIN_UNBROKEN):
            return False
        return all(row in self._rows for row in _rows(tokens))


def cut_quotes(text: str, known: Recalled, spoken: Spoken) -> Cut:
    """Cut the words of others out of a user's message."""
    parts = sentences(text)
    foreign = [_foreign(part, known, spoken) for part in parts]
    copied = [
        is_foreign or spoken.holds(part) for part, is_foreign in zip(parts, foreign, strict=True)
    ]
    if sum(copied) == len(parts) == 1 and not known.holds(text):
        return Cut(text, 0)
    pasted = [False] * len(parts) if all(copied) else _pasted(parts, copied)
    kept = [p for p, f, c in zip(parts, foreign, pasted, strict=True) if not (f or c)]
    gone, rest = len(parts) - len(kept), "".join(kept)
    if not gone or (len(rest) <= SHORT and negated(rest)):
        return Cut(text, 0)
    return Cut(rest, gone)


def _foreign(part: str, known: Recalled, spoken: Spoken) -> bool:
    if is_marked(part):
        return known.holds(_unmarked(part)) or spoken.holds(part)
    # Memories begin with "User" or "The user"; people do not call themselves so.
    return known.holds(part) and any(hit.start <= 1 for hit in cues_in(part, "people.user"))


def _unmarked(part: str) -> str:
    """Without its quotation mark or list number."""
    return re.sub(r"^[\s>]*+(?:\d{1,3}[.)]\s)?", "", part, count=1)


def _pasted(parts: Sequence[str], copied: Sequence[bool]) -> list[bool]:
    """Unmarked text counts as pasted if it is long or two copied sentences in a row."""
    around = [False, *copied, False]
    return [
        here and (before or after or len(key(part)) >= LONG)
        for part, before, here, after in zip(parts, around, around[1:], around[2:], strict=False)
    ]


def _tokens(text: str) -> Sequence[str]:
    return words_of(text).folded


def _is_unbroken(tokens: Sequence[str]) -> bool:
    return sum(len(token) == 1 and not token.isascii() for token in tokens) * 2 > len(tokens)


def _rows(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(tokens[at : at + GRAM]) for at in range(len(tokens) - GRAM + 1))

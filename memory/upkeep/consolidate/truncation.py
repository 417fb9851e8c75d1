# ruff: noqa: RUF001
"""Decides whether a text is a memory without its end, and may stand for it. Pure.

A summary says nothing in words of its own: each of its points is one memory, shortened. A model
only chooses where the point ends, and it is cut from the memory itself, so it can neither invent
nor combine. Only the end of the last sentence may go, from an "and" on ("... | and found it
inspiring"): after "but", "until" or "only" stands a limit, and so may any other end. It may not
go if it has a denial, a condition, an intention, or somebody of the user's; nor in a language
without a file, or if it has a name or a number, or is more than a small part of the memory.

An ending that takes back what stands before it ("... bought a boat | and sold it again") points at
it, or is short; so an ending goes only if it points at nothing and has three words of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ...language import folded_word, language_of, names_in, packs
from ...language.detect import function_words
from ...language.scanner import cues_in
from ...language.words import Words, is_unspaced, words_of

MAX_WORDS = 120
"""Of a memory that is shortened; a longer one stays as it is."""
COVERS = 0.7
"""Least share of a memory's words, function words aside, in a point that stands for it."""
_FIRM = (
    "changes.negated", "changes.contrary", "changes.intended", "changes.denies_next",
    "changes.denies_before", "person.hypothetical", "person.conditional", "person.fiction",
    "people.kin", "people.roles", "requests.kin", "requests.anaphora",
)  # fmt: skip
"""What changes who did it, and whether, if it is left out."""
OWN_WORDS = 3
"""Least words of an ending that goes, function words aside: "and resigned" takes back."""
_MARKS = "\"'“”‘’«»()[]<>=+*/%$€£¥#@_&"
"""Signs that a word may not lose: what is quoted, an amount, an address."""
_STOPS = tuple(".!?…。！？؟।")
_LOOSE = " ,;:，、；：،؛"


@dataclass(frozen=True, slots=True)
class Point:
    """A memory without the words that were left out."""

    text: str
    covers: bool
    """Whether it may stand for the memory."""


class Note:
    """A memory's text, read once for all points that are compared with it."""

    def __init__(self, text: str) -> None:
        self.text = " ".join(text.split())

    @property
    def whole(self) -> str:
        """All of it, as a point."""
        return self._cut(0, len(self.words.folded))

    @cached_property
    def words(self) -> Words:
        return words_of(self.text)

    def shortened(self, text: str) -> Point | None:
        """What a text keeps of the memory; None if it is not this memory without its end."""
        mine, theirs = self.words.folded, words_of(text).folded
        if not 0 < len(theirs) <= len(mine) <= MAX_WORDS:
            return None
        for first in range(len(mine) - len(theirs) + 1):
            if not self._may_begin(first):
                return None
            end = first + len(theirs)
            if list(mine[first:end]) == list(theirs):
                return self._point(first, end) if self._may_end(end) else None
        return None

    def said_by(self, text: str) -> str:
        """What stands for the memory where a text begins as it does; "" for another text.

        All of it, unless its end may go.
        """
        point = self.shortened(text)
        if point is not None and point.covers:
            return point.text
        mine, theirs = self.words.folded, words_of(text).folded
        return self.whole if theirs and list(mine[: len(theirs)]) == list(theirs) else ""

    @cached_property
    def _stop(self) -> frozenset[str] | None:
        """The function words of its language; None if there is no file of it."""
        language = language_of(self.text)
        return function_words().get(language, frozenset()) if language in packs() else None

    @cached_property
    def _firm(self) -> frozenset[int]:
        hits = cues_in(self.text, *_FIRM)
        return frozenset(at for hit in hits for at in range(hit.start, hit.end))

    @cached_property
    def _joins(self) -> frozenset[int]:
        pack = packs().get(language_of(self.text))
        joins = {folded_word(one) for one in pack.calendar.and_} if pack else set[str]()
        return frozenset(at for at, word in enumerate(self.words.folded) if word in joins)

    def _is_small(self, at: int) -> bool:
        return self._stop is not None and self.words.folded[at] in self._stop

    def _may_lose(self, first: int, end: int) -> bool:
        return self._stop is not None and self._firm.isdisjoint(range(first, end))

    def _may_begin(self, at: int) -> bool:
        """Whether only an article or the like stands before."""
        return at == 0 or (self._may_lose(0, at) and all(map(self._is_small, range(at))))

    def _may_end(self, end: int) -> bool:
        length = len(self.words.folded)
        if end == length:
            return True
        # Who is meant by "he" in the last sentence is said before it.
        last_sentence = self.words.sentences[-1][0]
        own = sum(not self._is_small(at) for at in range(end + 1, length))
        ends = end > last_sentence and end in self._joins and own >= OWN_WORDS
        return ends and self._may_lose(end, length)

    def _point(self, first: int, end: int) -> Point:
        """All names and numbers must be kept, and most of the words."""
        every = range(len(self.words.folded))
        lost, names = {*range(first), *every[end:]}, names_in(self.text)
        content = [at for at in every if not self._is_small(at)]
        exact = any(self._is_exact(at, names) for at in lost)
        few = len(lost.intersection(content)) <= (1 - COVERS) * len(content)
        return Point(self._cut(first, end), few and not exact)

    def _is_exact(self, at: int, names: frozenset[str]) -> bool:
        """Whether a word is a name, has a digit, or stands beside a sign that means something."""
        begin, end = self.words.starts[at], self.words.ends[at]
        beside = self.text[max(0, begin - 1) : begin] + self.text[end : end + 1]
        return (
            self.words.folded[at] in names
            or any(sign.isdigit() for sign in self.words.raw[at])
            or any(sign in _MARKS for sign in beside)
        )

    def _cut(self, first: int, end: int) -> str:
        """The words as they stand in the memory, with a full stop."""
        words: Sequence[str] = self.words.folded
        begin = self.words.starts[first] if first else 0
        last = len(self.text) if end == len(words) else self.words.ends[end - 1]
        told = self.text[begin:last].strip().rstrip(_LOOSE)
        if self.text[:1].isupper():
            told = told[:1].upper() + told[1:]
        full_stop = "。" if words and is_unspaced(words[-1]) else "."
        return told if told.endswith(_STOPS) else told + full_stop

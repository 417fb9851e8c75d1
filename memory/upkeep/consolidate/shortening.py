# ruff: noqa: RUF001
"""Whether a text is a memory with words left out, and which words it may do without. Pure.

A summary says nothing in words of its own: each of its points is one memory, shortened. A model
only chooses the words that stay, and the point is cut from the memory itself, so it can neither
invent nor recombine. What may be left out goes by structure:

- the end of a sentence, from a break or a function word on ("... | and found it inspiring");
- between two breaks a clause ("Tom, | who is my neighbour, | came");
- never a denial, a condition, an intention, or whose friend or brother it was;
- in a language without a file, and in a text of several sentences before its last: nothing.

A point stands for its memory if it has all its names and numbers and most of its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...language import language_of, names_in, packs
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
    "people.kin", "people.roles", "requests.kin",
)  # fmt: skip
"""What changes who did it, and whether, if it is left out."""
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
        return self._cut(range(len(self.words.folded)))

    @cached_property
    def words(self) -> Words:
        return words_of(self.text)

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
    def _last_sentence(self) -> int:
        return self.words.sentences[-1][0]

    def shortened(self, text: str) -> Point | None:
        """What a text keeps of the memory; None if it is not this memory with words left out."""
        mine, theirs = self.words.folded, words_of(text).folded
        if not 0 < len(theirs) <= len(mine) <= MAX_WORDS:
            return None
        kept = self._places(theirs)
        if kept is None:
            return None
        return Point(self._cut(kept), self._stands(kept))

    def _places(self, theirs: Sequence[str]) -> list[int] | None:
        """The places of the words that are kept, so that all others may be left out."""
        came: list[dict[int, int]] = []  # of each word: place -> that of the word before
        for word in theirs:
            here = self._reached(word, came[-1] if came else None)
            if not here:
                return None
            came.append(here)
        ends = [at for at in sorted(came[-1]) if self._may_end(at)]
        if not ends:
            return None
        kept = [ends[-1]]
        for here in reversed(came[1:]):
            kept.append(here[kept[-1]])
        return kept[::-1]

    def _reached(self, word: str, came: Mapping[int, int] | None) -> dict[int, int]:
        """The places of a word that can follow the ones before, each with the nearest of them."""
        same = [at for at, mine in enumerate(self.words.folded) if mine == word]
        if came is None:
            return {at: -1 for at in same if self._may_begin(at)}
        nearest = {
            at: next(
                (b for b in sorted(came, reverse=True) if b < at and self._may_skip(b, at)), -1
            )
            for at in same
        }
        return {at: before for at, before in nearest.items() if before >= 0}

    def _is_small(self, at: int) -> bool:
        return self._stop is not None and self.words.folded[at] in self._stop

    def _opens(self, at: int) -> bool:
        """Whether something that may be left out begins there."""
        return at in self.words.clause_starts or self._is_small(at)

    def _may_lose(self, first: int, end: int) -> bool:
        return self._stop is not None and self._firm.isdisjoint(range(first, end))

    def _may_begin(self, at: int) -> bool:
        return at == 0 or (self._may_lose(0, at) and all(map(self._is_small, range(at))))

    def _may_end(self, at: int) -> bool:
        end = len(self.words.folded)
        if at == end - 1:
            return True
        # Who is meant by "he" in the last sentence is said before it.
        return at >= self._last_sentence and self._opens(at + 1) and self._may_lose(at + 1, end)

    def _may_skip(self, before: int, at: int) -> bool:
        """Whether what stands between two words may be left out."""
        first = before + 1
        if first == at:
            return True
        if before < self._last_sentence or not self._may_lose(first, at):
            return False
        return {first, at} <= self.words.clause_starts

    def _stands(self, kept: Sequence[int]) -> bool:
        """Whether all names and numbers are kept, and most of the words."""
        every = range(len(self.words.folded))
        lost, names = set(every).difference(kept), names_in(self.text)
        if any(self._is_exact(at, names) for at in lost):
            return False
        content = [at for at in every if not self._is_small(at)]
        return len(lost.intersection(content)) <= (1 - COVERS) * len(content)

    def _is_exact(self, at: int, names: frozenset[str]) -> bool:
        """Whether a word is a name, has a digit, or stands beside a sign that means something."""
        begin, end = self.words.starts[at], self.words.ends[at]
        word = self.words.raw[at]
        beside = self.text[max(0, begin - 1) : begin] + self.text[end : end + 1]
        return (
            self.words.folded[at] in names
            or any(sign.isdigit() for sign in word)
            or any(sign in _MARKS for sign in beside)
        )

    def _cut(self, kept: Sequence[int]) -> str:
        """The kept words as they stand in the memory, with a full stop."""
        unspaced = is_unspaced(self.words.folded[-1])
        told = ("" if unspaced else " ").join(self._runs(kept, "，" if unspaced else ","))
        told = told.strip().rstrip(_LOOSE)
        return told if told.endswith(_STOPS) else told + ("。" if unspaced else ".")

    def _runs(self, kept: Sequence[int], comma: str) -> Iterator[str]:
        """The kept words side by side, with a comma before one that began a clause."""
        words, last = self.words, len(self.words.folded) - 1
        start = kept[0]
        for at, following in zip(kept, [*kept[1:], None], strict=True):
            if following == at + 1:
                continue
            begin = words.starts[start] if start else 0
            end = len(self.text) if at == last else words.ends[at]
            breaks = following is not None and following in words.clause_starts
            yield self.text[begin:end] + (comma if breaks else "")
            start = start if following is None else following

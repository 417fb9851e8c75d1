# ruff: noqa: RUF001
"""The sentences of a text, each with its cues and stems, and the claims that a candidate makes.

A cue is the name of the field of the section [planting] that lists a term, or `user` or `me`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain

import regex

from recollect.memory.language import Hit, Scan, Words, languages_of, scan
from recollect.memory.language.words import UNSPACED

from ..confusables import INVISIBLE, visible
from .payloads import LINK

_PEOPLE = {"people.user": "user", "people.first_person": "me"}
"""Fields of another section that are cues too."""
_TALK = frozenset({"user", "assistant", "me", "you", "standing", "remember"})
"""Cues of how something is said; their words are in no stems."""
_SAMPLE = 300
"""Words of a text by which its languages are told."""
_STEM = 5
"""Letters of a word that are compared, so that endings do not matter."""
_MIN_WORD, _MIN_OTHER = 4, 3
"""Letters of the shortest word with a stem, in the alphabets of Europe and in others."""
_LAST_OF_EUROPE = "\u052f"
_UNDIVIDED = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
"""Scripts without blanks between words, whose "words" are whole phrases."""
_PIECE = 4
"""Letters of a phrase that are compared."""
_CHARACTER = regex.compile(f"[{UNSPACED}]")
_BLANK = regex.compile(r"\s")
_OPENS = regex.compile(r"[\p{Ps}\p{Pi}\"'*_#>-]+\Z")
"""Quotation marks, brackets and marks of lists that belong to the word behind them."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """Some words of a text, as one voice says them."""

    text: str
    words: tuple[str, ...]
    """Folded."""
    cues: frozenset[str]
    stems: frozenset[str]
    """For comparison with other parts: the longer words that say what it is about."""


class CueReading:
    """The words of `text` without tricks of Unicode, and the cues among them."""

    def __init__(self, text: str) -> None:
        self._given = text
        found = scan(visible(text))
        self.words: Words = found.words
        self.text = found.words.text
        linked = {
            word
            for link in LINK.finditer(self.text)
            for word in range(
                bisect_left(self.words.starts, link.start()),
                bisect_left(self.words.starts, link.end()),
            )
        }
        spoken = languages_of(found.words.folded[:_SAMPLE])
        self._hits = sorted(
            (hit.start, hit.end, cue)
            for cue, hits in _hits_by_cue(found)
            for hit in hits
            # The words of an address say nothing, and those of other languages something else.
            if hit.language in spoken and hit.start not in linked
        )
        self._starts = [start for start, _, _ in self._hits]
        talk = {i for start, end, name in self._hits if name in _TALK for i in range(start, end)}
        self._stems = _stems(self.words, talk)
        self._sentence_ends = [end for _, end in self.words.sentences]

    def __len__(self) -> int:
        return len(self.words.raw)

    def has(self, cue: str, start: int) -> bool:
        """Whether a term of `cue` begins at the word `start`."""
        first, last = bisect_left(self._starts, start), bisect_right(self._starts, start)
        return any(name == cue for _, _, name in self._hits[first:last])

    def begins(self, start: int) -> bool:
        """Whether a term of any cue begins at the word `start`."""
        return bisect_left(self._starts, start) < bisect_right(self._starts, start)

    def cues(self, start: int, end: int) -> frozenset[str]:
        """The cues of the terms within these words."""
        found = range(bisect_left(self._starts, start), bisect_left(self._starts, end))
        return frozenset(self._hits[i][2] for i in found if self._hits[i][1] <= end)

    def spoken(self, start: int, end: int) -> Utterance:
        """The words from `start` up to `end`."""
        words = self.words
        first, last = self._place(start), self._place(end)
        return Utterance(
            self.text[first:last].strip(),
            tuple(words.folded[start:end]),
            self.cues(start, end),
            frozenset(chain.from_iterable(self._stems[start:end])),
        )

    def sentences(self, start: int = 0, end: int | None = None) -> Iterator[Utterance]:
        """The sentences between two characters; one that is cut there is cut."""
        first = bisect_left(self.words.starts, start)
        last = len(self) if end is None else bisect_left(self.words.starts, end)
        while first < last:
            until = self.words.sentences[bisect_right(self._sentence_ends, first)][1]
            yield self.spoken(first, min(until, last))
            first = until

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the given text from the word `start` up to `end`.

        The spans of all sentences cover the text.
        """
        first, last = self._place(start), self._place(end)
        if len(self.text) == len(self._given):
            return first, last
        kept = _kept(self._given)
        return kept[first], kept[last]

    def _place(self, word: int) -> int:
        """Where the characters of a word begin: behind those of the word before."""
        words = self.words
        if word == 0:
            return 0
        if word >= len(words.raw):
            return len(self.text)
        last, next_ = words.ends[word - 1], words.starts[word]
        blank = _BLANK.search(self.text, last, next_)
        if blank is None:
            opened = _OPENS.search(self.text[last:next_])
            return last + opened.start() if opened else next_
        return blank.start()


def _hits_by_cue(found: Scan) -> Iterator[tuple[str, Sequence[Hit]]]:
    for name, hits in found.section("planting").items():
        yield name.removeprefix("planting."), hits
    for name, cue in _PEOPLE.items():
        yield cue, found.found(name)


@lru_cache(maxsize=2)
def _kept(text: str) -> list[int]:
    """Where each character of `visible(text)` stands in `text`, and the end."""
    gone = {i for found in INVISIBLE.finditer(text) for i in range(*found.span())}
    return [*(i for i in range(len(text)) if i not in gone), len(text)]


def _stems(words: Words, without: Collection[int]) -> list[tuple[str, ...]]:
    """The stems of each word, or of a character with its neighbour; empty for none."""
    found: list[tuple[str, ...]] = []
    for i, word in enumerate(words.folded):
        if i in without:
            found.append(())
        elif _CHARACTER.match(word):
            joined = i + 1 < len(words.folded) and words.ends[i] == words.starts[i + 1]
            found.append((word + words.folded[i + 1][:1],) if joined else ())
        else:
            found.append(_stem(word))
    return found


@lru_cache(maxsize=16_384)
def _stem(word: str) -> tuple[str, ...]:
    if _UNDIVIDED.match(word):
        return tuple(word[i : i + _PIECE] for i in range(len(word) - _PIECE + 1))
    shortest = _MIN_WORD if word[:1] <= _LAST_OF_EUROPE else _MIN_OTHER
    return (word[:_STEM],) if len(word) >= shortest else ()


_SUBJECT_WORDS = 4
"""Most words before the user at the start of a claim: "The oldest sister of the user"."""
_ORDERED = frozenset({"send", "hide"})
"""Cues that make the words before the user an order."""
_QUOTED = regex.compile(
    r"“[^”]*”|«[^»]*»|„[^“”]*[“”]|「[^」]*」|『[^』]*』|\"[^\"]*\"|`[^`]*`|‘[^’]*’"
    r"|(?<![\p{L}\p{N}])'(?:[^']|(?<=\p{L})'(?=\p{L}))*'(?!\p{L})"
)
_NAMED = frozenset({"authority"})
_WORK = frozenset({"topic", "process"})
_INITIAL = regex.compile(r"\p{Lu}")


class Form(StrEnum):
    """The form in which a sentence begins."""

    DESCRIBED = "described"
    """With the user, as a claim about them."""
    FIRST = "first"
    """It speaks in the first person."""
    ORDER = "order"
    """With neither, and with a cue as its first word: "Always send ..."."""
    OTHER = "other"
    """With none of these: a claim about somebody or something else."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a candidate."""

    spoken: Utterance
    form: Form
    span: tuple[int, int]
    """Its characters in the candidate."""

    @property
    def cues(self) -> frozenset[str]:
        return self.spoken.cues


def claims(text: str) -> Iterator[Claim]:
    """The sentences of `text`, in order; their spans cover it."""
    reading = CueReading(text)
    for start, end in _sentences(reading):
        yield _claim(reading, start, end)


def is_about_work(claim: Claim) -> bool:
    """Whether it tells of the user's work or play with such things."""
    return claim.form is Form.DESCRIBED and "topic" in claim.cues


def _sentences(reading: CueReading) -> Iterator[tuple[int, int]]:
    """The words of each sentence; none ends behind an initial or an ordinal ("am 7. und")."""
    begun = None
    for start, end in reading.words.sentences:
        begun = start if begun is None else begun
        if not _goes_on(reading.words.raw, end):
            yield begun, end
            begun = None
    if begun is not None:
        yield begun, len(reading)


def _goes_on(words: Sequence[str], end: int) -> bool:
    """Whether the stop behind a word belongs to it."""
    if _INITIAL.fullmatch(words[end - 1]):
        return True
    return words[end - 1].isdecimal() and end < len(words) and words[end][:1].islower()


def _claim(reading: CueReading, start: int, end: int) -> Claim:
    spoken = reading.spoken(start, end)
    if _describes(reading, start, end):
        return Claim(_unquoted(spoken) or spoken, Form.DESCRIBED, reading.span(start, end))
    # Who has a say is named, and nothing is said to be done: "Google opens an office in Zurich".
    told = spoken.cues == _NAMED
    form = Form.ORDER if reading.begins(start) and not told else Form.OTHER
    return Claim(spoken, Form.FIRST if "me" in spoken.cues else form, reading.span(start, end))


def _describes(reading: CueReading, start: int, end: int) -> bool:
    """Whether the user stands at its start, with nothing that orders before them."""
    for word in range(start, min(end, start + _SUBJECT_WORDS + 1)):
        if reading.has("user", word):
            return reading.cues(start, word).isdisjoint(_ORDERED)
    return False


def _unquoted(whole: Utterance) -> Utterance | None:
    """The sentence of a user who works with such texts, without what it quotes."""
    bare = _QUOTED.sub(" ", whole.text)
    if bare == whole.text:
        return None
    reading = CueReading(bare)
    said = reading.spoken(0, len(reading))
    return None if said.cues.isdisjoint(_WORK) else said

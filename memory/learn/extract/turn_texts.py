"""The words and names of some turns, by speaker, and quotes in them. Pure.

Each is computed at its first use, in linear time. Quotes are found ignoring case, blanks
and punctuation: text and quote are reduced to case-folded letters and digits in NFKC, and a match
begins and ends at word boundaries.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import Self

import regex

from ...language import language_of, names_in, packs, stored_terms
from ...language.fold import clean, fold
from ...language.scripts import HANGUL, UNSPACED, letters_by_script
from ...language.values import MAX_CHARS, Number, numbers_of, units_of, values_of
from ...language.words import is_question
from ...model.types import Scope, Source, Turn
from ...trust.claims import NameText
from ...util.idle_gate import Pause
from .transcript import Unit, spans_of_sentences

_TRIES = 50
"""Most matches that are checked for word boundaries."""

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
UNBROKEN = regex.compile(f"[{UNSPACED}{HANGUL}]")
_ELLIPSIS = regex.compile(r"\[?\(?(?:\.{2,}|\u2026)\)?\]?")
_LABEL = regex.compile(r"\s*+[\p{L}\p{M}\d ]{1,20}+[:\uff1a]\s*+")
"""How a quote begins that has the label of our transcript, in whatever language: "user:"."""

Span = tuple[int, int]
"""Offsets in a text, the end exclusive."""


def plain(text: str) -> str:
    """The case-folded letters and digits of a text."""
    return "".join(_folded(word) for word in _WORD.findall(text))


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


class Searchable:
    """A text to find quotes in; the constructor takes linear time."""

    def __init__(self, text: str) -> None:
        self._starts: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        parts: list[str] = []
        size = 0
        for begin, end in _atoms(text):
            folded = _folded(text[begin:end])
            self._starts[size] = begin
            size += len(folded)
            self._ends[size] = end
            parts.append(folded)
        self._plain = "".join(parts)

    def find(self, quote: str) -> list[Span]:
        """The places of the quote's pieces between ellipses, in order; none if one is not there."""
        return self._pieces(quote) or self._pieces(_LABEL.sub("", quote, count=1))

    def _pieces(self, quote: str) -> list[Span]:
        found: list[Span] = []
        start = 0
        for piece in filter(None, map(plain, _ELLIPSIS.split(quote))):
            place = self._find(piece, start)
            if place is None:
                return []
            start = place[1]
            found.append((self._starts[place[0]], self._ends[start]))
        return found

    def _find(self, piece: str, start: int) -> Span | None:
        for _ in range(_TRIES):
            at = self._plain.find(piece, start)
            if at < 0:
                return None
            if at in self._starts and at + len(piece) in self._ends:
                return at, at + len(piece)
            start = at + 1
        return None


def _atoms(text: str) -> list[Span]:
    """Offsets of words, or of characters in scripts without blanks."""
    atoms: list[Span] = []
    for word in _WORD.finditer(text):
        if word[0].isascii() or not UNBROKEN.search(word[0]):
            atoms.append(word.span())
        else:
            atoms += [(at, at + 1) for at in range(*word.span())]
    return atoms


MAX_SENTENCES = 2_000
"""Most sentences of a batch that are searched for support of a fact."""

MAX_REPLY = 40
"""Characters of a message that may only answer what the assistant asked."""
_CAPITALS = regex.compile(r"\p{Lu}[\p{L}\p{M}]*(?:[ -]\p{Lu}[\p{L}\p{M}]*){1,5}")
_SHARED = 5
"""Common first letters of related names ("Germany", "German")."""
_MIN_SHARED = 3
_TOGETHER = frozenset({"han", "kana"})
_SCRIPT_SHARE = 0.1
"""Share of a text's letters from which a script counts; a single name does not."""


@dataclass(frozen=True)
class Part:
    """The text of one speaker in one turn."""

    source: Source
    turn: Turn
    number: int
    """Of the turn in the transcript."""
    text: str

    @cached_property
    def searchable(self) -> Searchable:
        return Searchable(self.text)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        return spans_of_sentences(self.text)

    def around(self, begin: int, end: int, *, beside: int = 0) -> str:
        """The sentences that contain a passage, and so many beside them."""
        inside = [n for n, (a, b) in enumerate(self.spans) if a < end and begin < b]
        if not inside:
            return self.text[begin:end]
        first, last = max(0, inside[0] - beside), inside[-1] + beside
        return " ".join(self.text[a:b] for a, b in self.spans[first : last + 1])


class TurnTexts:
    """All parts of one batch of units."""

    def __init__(self, units: Sequence[Unit], earlier: Sequence[Turn] = ()) -> None:
        """`earlier` turns give names and numbers, and no evidence."""
        self._before = earlier
        self._earlier = [turn.user_text for turn in earlier]
        self.parts = [part for number, unit in enumerate(units, 1) for part in _parts(number, unit)]

    def by(self, source: Source) -> list[Part]:
        """The parts of that speaker, in order."""
        return [part for part in self.parts if part.source is source]

    @classmethod
    def of(cls, texts: Iterable[str], at: datetime) -> Self:
        """Texts that a user said, or that were noted of what they said."""
        scope = Scope(tenant="none", user_id="none")
        turns = [
            Turn(
                id="", conversation_id="", scope=scope, user_text=text, assistant_text="",
                model="", created_at=at,
            )
            for text in texts
        ]  # fmt: skip
        return cls([Unit(turn, turn.user_text) for turn in turns])

    @cached_property
    def users(self) -> TurnTexts:
        """What the user said alone, with the questions that a short reply answers."""
        units = [Unit(part.turn, part.text) for part in self.by(Source.EXTRACTION)]
        found = TurnTexts(units, self._before)
        found._earlier += list(self._answered())
        return found

    def _answered(self) -> Iterator[str]:
        asked = self._before[-1].assistant_text if self._before else ""
        for part in self.parts:
            if part.source is Source.EXTRACTION and len(part.text) <= MAX_REPLY:
                last = [asked[a:b] for a, b in spans_of_sentences(asked)][-1:]
                yield from filter(is_question, last)
            if part.source is not Source.TOOL:
                asked = part.text if part.source is Source.ASSISTANT else ""

    @property
    def _texts(self) -> list[str]:
        return [*(part.text for part in self.parts), *self._earlier]

    def was_said_before(self, quote: str) -> bool:
        """Whether a quote stands in an earlier turn."""
        return bool(quote) and any(Searchable(text).find(quote) for text in self._earlier)

    @cached_property
    def text(self) -> str:
        """All that was said, one part a line."""
        return "\n".join(self._texts)

    async def prepare(self, pause: Pause) -> None:
        """Compute what nearly every fact is compared with, some milliseconds between two pauses."""
        for name in ("numbers", "values", "units", "scripts", "language", "_words", "_beginnings"):
            await pause()
            getattr(self, name)
        for part in self.parts:
            await pause()
            part.searchable, part.spans  # noqa: B018 - computed once

    @cached_property
    def wording(self) -> NameText:
        """To find the names of claims in."""
        return NameText(*self._texts)

    @cached_property
    def numbers(self) -> list[Number]:
        """The numbers that were said, in order; of a very long text the first ones."""
        return numbers_of(self.text)

    @cached_property
    def values(self) -> frozenset[Fraction]:
        """What all numbers that were said may be worth."""
        if len(self.text) > MAX_CHARS:
            return values_of(self.text)
        return frozenset(value for one in self.numbers for value in one.readings)

    @cached_property
    def units(self) -> list[tuple[Number, frozenset[str]]]:
        """The numbers that were said with a known unit."""
        return list(units_of(self.text, self.numbers))

    @cached_property
    def scripts(self) -> set[str]:
        """Those of what was said."""
        return scripts_of([self.text])

    @cached_property
    def sentences(self) -> list[tuple[Part, Span, frozenset[str]]]:
        """Each with its terms."""
        found = [(part, span) for part in self.parts for span in part.spans]
        return [
            (part, _stripped(part.text, *span), frozenset(stored_terms(part.text[slice(*span)])))
            for part, span in found[:MAX_SENTENCES]
        ]

    @cached_property
    def language(self) -> str:
        """Of what was said."""
        return language_of(self.text)

    @cached_property
    def _inflected(self) -> bool:
        pack = packs().get(self.language)
        return pack is not None and pack.words.inflects_names

    @cached_property
    def _words(self) -> set[str]:
        said = {fold(clean(word)) for text in self._texts for word in _WORD.findall(text)}
        return said.union(*(map(fold, pack.people.user) for pack in packs().values()))

    @cached_property
    def _beginnings(self) -> set[str]:
        return {word[:size] for word in self._words for size in range(_MIN_SHARED, _SHARED + 1)}

    @cached_property
    def _initials(self) -> set[str]:
        return {short for text in self._texts for _, short in _runs(text)}

    def unsaid_names(self, text: str) -> list[str]:
        """The names in a text that are in none of the parts, not even abbreviated or mistyped.

        None for German, where nouns look like names, and for scripts without capitals.
        """
        pack = packs().get(language_of(text))
        if pack is not None and pack.words.capitalised_nouns:
            return []
        spelled = {
            fold(word) for run, short in _runs(text) if fold(short) in self._words for word in run
        }
        words = {word for name in names_in(text) for word in _WORD.findall(name)} - spelled
        return sorted(word for word in words if not self.says(word))

    def says(self, word: str) -> bool:
        """Whether somebody said a folded word, or one that begins like it or is mistyped."""
        if word in self._words or len(word) == 1 or word in self._initials:
            return True
        shared = max(_MIN_SHARED, min(_SHARED, len(word) - 2)) if self._inflected else _SHARED
        if len(word) >= shared and word[:shared] in self._beginnings:
            return True
        return len(word) > _SHARED and any(is_typo(word, other) for other in self._words)


def _runs(text: str) -> Iterator[tuple[list[str], str]]:
    """Each row of words with a capital, and its initials: "New York City" is "nyc"."""
    for run in _CAPITALS.finditer(text):
        words = _WORD.findall(run[0])
        yield words, "".join(word[0] for word in words).casefold()


def is_typo(word: str, other: str) -> bool:
    """Whether one letter is missing, doubled, wrong, or in the other's place."""
    if abs(len(word) - len(other)) > 1:
        return False
    same = 0
    while same < min(len(word), len(other)) and word[same] == other[same]:
        same += 1
    mine, theirs = word[same:], other[same:]
    swapped = mine[1:2] + mine[:1] + mine[2:]
    return theirs in (mine[1:], swapped) or mine == theirs[1:] or mine[1:] == theirs[1:]


def scripts_of(texts: Iterable[str]) -> set[str]:
    """The scripts of the texts, with Chinese and Japanese as one."""
    counts: dict[str, int] = {}
    for text in texts:
        for script, count in letters_by_script(text).items():
            name = "cjk" if script in _TOGETHER else script
            counts[name] = counts.get(name, 0) + count
    total = sum(counts.values())
    return {script for script, count in counts.items() if count >= _SCRIPT_SHARE * total}


def _stripped(text: str, begin: int, end: int) -> Span:
    passage = text[begin:end]
    return begin + len(passage) - len(passage.lstrip()), begin + len(passage.rstrip())


def _parts(number: int, unit: Unit) -> list[Part]:
    parts = [Part(Source.EXTRACTION, unit.turn, number, unit.user)]
    parts += [Part(Source.TOOL, unit.turn, number, tool.result) for tool in unit.tools]
    parts.append(Part(Source.ASSISTANT, unit.turn, number, unit.assistant))
    return [part for part in parts if part.text.strip()]

"""Finds what a fact was read from: the quote, else the sentence that has most of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import regex

from ...language import stored_terms
from ...language.scanner import without
from ...language.words import is_question
from ...model.types import Source
from .answer import Fact
from .turn_texts import Part, Span, TurnTexts, plain

OTHERS_SHARE, USERS_LEAD = 0.5, 0.25
"""What a term in common counts in a sentence that the user did not say, and what one that they said
has in advance (terms)."""
MAX_BESIDE = 1_000
"""Characters beside a quote in which its clauses may begin and end."""
_ORDER = (Source.EXTRACTION, Source.TOOL, Source.ASSISTANT)
"""Order of search. Words of a tool that the assistant repeated are attributed to the tool."""
_CLAUSE_END = regex.compile(
    r"\s-+(?=\s)|[,;:()\u2013\u2014\u060c\uff0c\u3001\uff1b\u061b]+(?!\d)|[.!?\u3002\uff01\uff1f\u061f\u0964\n]+"
)


@dataclass(frozen=True)
class FactPassage:
    """The passage that a fact was read from."""

    part: Part
    pieces: tuple[Span, ...]
    """The places of the quote, or the sentence."""
    terms: frozenset[str] = frozenset()
    """Of fact and quote."""
    quoted: bool = True
    """Whether it is the model's quote."""

    @property
    def span(self) -> Span:
        """From the first to the last piece."""
        return self.pieces[0][0], self.pieces[-1][1]

    @property
    def quote(self) -> str:
        """Its text."""
        return self.part.text[slice(*self.span)]

    @cached_property
    def sentences(self) -> str:
        """The sentences that contain it."""
        return self.part.around(*self.span)

    @cached_property
    def near(self) -> str:
        """The same with the sentence before and the one behind."""
        return self.part.around(*self.span, beside=1)

    @cached_property
    def clauses(self) -> list[Span]:
        """The clauses that carry it: those of the quote that share a word with the fact, if any."""
        begin, end = self.span
        first = max(0, begin - MAX_BESIDE)
        around = _clauses(self.part.text[first : end + MAX_BESIDE])
        inside = [
            (first + a, first + b) for a, b in around if first + a < end and begin < first + b
        ]
        telling = [span for span in inside if self.terms & set(stored_terms(self.text(span)))]
        return telling or inside

    def text(self, span: Span) -> str:
        """The text of a place of the part."""
        return self.part.text[slice(*span)]


class Known:
    """Texts that are no evidence: memories that the model was shown."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._plain = {plain(text) for text in texts} - {""}

    def holds(self, text: str) -> bool:
        """Whether it has this text, ignoring case, blanks and punctuation."""
        return bool(self._plain) and plain(text) in self._plain


def passage_of(fact: Fact, said: TurnTexts, known: Known) -> FactPassage | None:
    """What a fact was read from; None if every such passage only repeats a known memory."""
    terms = frozenset(stored_terms(without(fact.text, "people.user")))
    places = list(_quotes(fact, said, terms)) or list(_best(fact, said, terms))
    return next((one for one in places if not _repeats(one, known)), None)


def _repeats(one: FactPassage, known: Known) -> bool:
    return known.holds(one.quote) or known.holds(one.sentences)


def _quotes(fact: Fact, said: TurnTexts, terms: frozenset[str]) -> Iterator[FactPassage]:
    for source in _ORDER if fact.quote else ():
        for part in _nearest_first(said.by(source), fact.turn):
            if found := part.searchable.find(fact.quote or ""):
                yield FactPassage(part, tuple(found), terms)


def _best(fact: Fact, said: TurnTexts, terms: frozenset[str]) -> Iterator[FactPassage]:
    """The sentence with most terms of fact and quote; of equal ones the user's, no question."""
    wanted = terms | set(stored_terms(fact.quote or ""))
    best: tuple[tuple[float, bool, bool], FactPassage] | None = None
    for part, span, own in said.sentences:
        users = part.source is Source.EXTRACTION
        terms_in_common = len(wanted & own)
        weight = terms_in_common + USERS_LEAD if users else terms_in_common * OTHERS_SHARE
        rank = weight, not is_question(part.text[slice(*span)]), part.number == fact.turn
        if best is None or rank > best[0]:
            best = rank, FactPassage(part, (span,), wanted, quoted=False)
    if best:
        yield best[1]


def _nearest_first(parts: list[Part], number: int | None) -> list[Part]:
    if number is None:
        return parts
    return sorted(parts, key=lambda part: abs(part.number - number))


def _clauses(text: str) -> Iterator[Span]:
    start = 0
    for mark in _CLAUSE_END.finditer(text):
        yield start, mark.end()
        start = mark.end()
    if start < len(text):
        yield start, len(text)

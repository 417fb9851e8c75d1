"""Finds the passage that a fact follows from; a fact without one is rejected. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import regex

from ...language import names_in, stored_terms
from ...language.cues import says, without
from ...language.fold import fold
from ...language.sentences import is_question
from ...types import Source
from .facts import Fact
from .numbers import numbers_in
from .said import Part, Said, scripts_of
from .searchable import plain

MIN_SUPPORT = 0.7
"""Share of a fact's terms that a sentence needs to replace a missing quote."""
MIN_CONTEXT = 0.5
"""Share of them that must be near a quote without content ("yes")."""
MAX_NEAR_CHARS = 1_000
"""Of a turn, and of the assistant's message before it, that count as near a quote."""

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_ORDER = (Source.EXTRACTION, Source.TOOL, Source.ASSISTANT)
"""Order of search. Words of a tool that the assistant repeated are attributed to the tool."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passage that a fact follows from."""

    part: Part
    begin: int
    end: int
    verbatim: bool = True
    """Whether it is the model's quote; otherwise a sentence with the same terms."""

    @property
    def quote(self) -> str:
        """The text of the passage."""
        return self.part.text[self.begin : self.end]


class Known:
    """Texts that are no evidence: memories that the model was shown."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._plain = {plain(text) for text in texts} - {""}

    def holds(self, text: str) -> bool:
        """Whether it has this text, ignoring case, blanks and punctuation."""
        return bool(self._plain) and plain(text) in self._plain


def evidence_of(fact: Fact, said: Said, known: Known, *, related: bool = True) -> Evidence | str:
    """The passage that shows a fact, or the reason "known" or "no_evidence".

    Unless `related` is false (facts may be wanted in another language), a quote also needs a word
    or a number of the fact near it. Of 1,184 human-written facts (LoCoMo) only 4 share no word with
    the message or the question before it; of facts paired with random messages three in four.
    """
    reason = "no_evidence"
    for source in _ORDER:
        for part in _nearest_first(said.by(source), fact.turn):
            found = _quoted(fact, part)
            if found is None or not _says_something(found, said, fact, related=related):
                continue
            if known.holds(found.quote) or known.holds(part.around(found.begin, found.end)):
                reason = "known"
            elif source is Source.EXTRACTION:
                return found
            else:
                # Models also quote an assistant's answer that repeats the user.
                return _supporting(fact, said, known) or found
    return _supporting(fact, said, known) or reason


def fact_terms(fact: Fact) -> frozenset[str]:
    """The terms of a fact except what it calls the user."""
    return frozenset(stored_terms(without(fact.text, "people.user")))


def _nearest_first(parts: list[Part], number: int | None) -> list[Part]:
    if number is None:
        return parts
    return sorted(parts, key=lambda part: abs(part.number - number))


def _quoted(fact: Fact, part: Part) -> Evidence | None:
    place = part.searchable.find(fact.quote) if fact.quote else None
    return Evidence(part, *place) if place else None


def _says_something(found: Evidence, said: Said, fact: Fact, *, related: bool) -> bool:
    """Whether a passage can support a fact; "I" or "the" alone cannot."""
    terms = fact_terms(fact)
    own = stored_terms(found.quote)
    if not terms.isdisjoint(own):
        return True
    there = terms.intersection(stored_terms(_near(found, said)))
    if not own:
        return bool(terms) and len(there) / len(terms) >= MIN_CONTEXT
    return (
        bool(there)
        or not related
        or not numbers_in(fact.text).isdisjoint(numbers_in(found.quote))
        # Texts in different scripts share no words; `is_translated` rejects those later.
        or scripts_of([found.quote]).isdisjoint(scripts_of([fact.text]))
    )


def _near(found: Evidence, said: Said) -> str:
    """The text around a passage, and the assistant's message before the turn."""
    part = found.part
    whole = len(part.text) <= MAX_NEAR_CHARS
    near = [part.text if whole else part.around(found.begin, found.end)]
    near += [
        p.text[-MAX_NEAR_CHARS:] for p in said.by(Source.ASSISTANT) if p.number == part.number - 1
    ]
    return "\n".join(near)


def _supporting(fact: Fact, said: Said, known: Known) -> Evidence | None:
    """The user's sentence with the most terms of the fact, if it has enough of them.

    Questions, negations of the fact and sentences with other names are excluded.
    """
    terms = fact_terms(fact)
    best: tuple[float, Evidence] | None = None
    for part, span, own in said.user_sentences:
        shared = len(terms & own)
        share = shared / len(terms) if terms else 0.0
        enough = share == 1.0 or (share >= MIN_SUPPORT and shared > 1)
        if enough and (best is None or share > best[0]) and _agrees(part.text[slice(*span)], fact):
            begin, end = _stripped(part.text, *span)
            found = Evidence(part, begin, end, verbatim=False)
            if not known.holds(found.quote):
                best = share, found
    return best[1] if best else None


def _agrees(sentence: str, fact: Fact) -> bool:
    if is_question(sentence):
        return False
    if says(sentence, "changes.negated") != says(fact.text, "changes.negated"):
        return False
    names = {word for name in names_in(sentence) for word in _WORD.findall(name)}
    return names <= {fold(word) for word in _WORD.findall(fact.text)}


def _stripped(text: str, begin: int, end: int) -> tuple[int, int]:
    passage = text[begin:end]
    return begin + len(passage) - len(passage.lstrip()), begin + len(passage.rstrip())

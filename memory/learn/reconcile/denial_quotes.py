"""Decides whether a text repeats what a person has denied. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import datetime
from itertools import takewhile

from ...calibration import Calibration
from ...language import language_of, stored_terms
from ...language.detect import function_words_of
from ...language.scanner import cues_in
from ...language.words import words_of
from ...model.endings import denied_at, is_never_again
from ...model.types import Candidate, MemoryItem, ScoredMemory
from ..extract.fact_subject import SELF
from ..firewall.spans import negated
from .exact_tokens import tokens
from .rules import is_one_matter, terms_of

_LEAST_TERMS = 2
_BEGINNING, _ENDING = 5, 4
"""Letters that two forms of a word begin with alike, at least, and differ in behind, at most."""


def quotes_denial(text: str, known: str) -> bool:
    """Whether a text says what the known one says: the same words, whoever of both tells it.

    "I live in Paris" says "User lives in Paris", and "I do not live in Paris" does not.
    """
    if (told := tokens(known)) and tokens(text) == told:
        return True
    said = terms_of(text)
    return bool(said) and said == terms_of(known) and negated(text) is negated(known)


def tells_it(text: str, known: str) -> bool:
    """Whether a text tells what the known one says, and maybe more.

    In other forms of its words too: who has "an allergy to nuts" is "allergic to nuts".
    """
    said, told = terms_of(known), terms_of(text)
    if len(said) < _LEAST_TERMS or negated(text) is not negated(known):
        return False
    return all(term in told or any(_is_akin(term, each) for each in told) for term in said)


def _is_akin(one: str, other: str) -> bool:
    """Whether two terms are forms of one word: they begin alike, and numbers are none."""
    same = takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False))
    shared = len(list(same))
    left = max(len(one), len(other)) - shared
    return shared >= _BEGINNING and left <= _ENDING and (one + other).isalpha()


def quotes_it(text: str, quote: str | None) -> bool:
    """Whether one of two verbatim texts is a part of the other."""
    one, other = _plain(text), _plain(quote or "")
    return bool(one and other) and (one in other or other in one)


def repeats(text: str, never: Sequence[MemoryItem]) -> bool:
    """Whether a text says what one of these says, which is never to be learned again.

    In the same words and their order, whoever of both tells it: before a run is not after it.
    """
    return any(_says_again(text, item) for item in never)


def _says_again(text: str, item: MemoryItem) -> bool:
    """By what the memory says, or by the words that it was learned from: "yes" is none."""
    quote = item.provenance.quote or ""
    return _repeats(text, item.text) or (len(terms_of(quote)) > 1 and _repeats(text, quote))


def _repeats(text: str, known: str) -> bool:
    return quotes_denial(text, known) and _spoken(text) == _spoken(known)


def _spoken(text: str) -> list[str]:
    """The words in order, from the first that tells something on, without who tells it."""
    people = {at for hit in cues_in(text, *SELF, "people.user") for at in range(hit.start, hit.end)}
    words = [word for at, word in enumerate(words_of(text).folded) if at not in people]
    empty = function_words_of(language_of(text))
    first = next((at for at, word in enumerate(words) if word not in empty), 0)
    return [" ".join(stored_terms(word)) or word for word in words[first:]]


def denied_by(
    candidate: Candidate,
    ended: Sequence[ScoredMemory],
    *,
    at: datetime | None,
    calibration: Calibration,
) -> ScoredMemory | None:
    """The memory that a person ended after all that a candidate stands on was said, if one is.

    `ended` are memories that persons ended, with their cosines to it; `at` is when the latest of
    its turns was said. Whoever says it again says it after that, and is believed, but for what is
    never to be learned again: the same words, whenever they are said.
    """
    for hit in ended:
        if is_never_again(hit.item) and _says_again(candidate.text, hit.item):
            return hit
    if at is None:
        return None
    for hit in ended:
        told = denied_at(hit.item)
        if told is not None and at <= told and _is_of(candidate, hit, calibration):
            return hit
    return None


def _is_of(candidate: Candidate, hit: ScoredMemory, calibration: Calibration) -> bool:
    item = hit.item
    if quotes_denial(candidate.text, item.text):
        return True
    origin = item.provenance
    same_words = not set(candidate.turn_ids).isdisjoint(origin.turn_ids) and quotes_it(
        candidate.quote or "", origin.quote
    )
    return same_words and is_one_matter(candidate.text, item.text, hit.score, calibration)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())

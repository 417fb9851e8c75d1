"""Finds sentences that only repeat memories that the model was shown. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...language import index_terms, query_terms
from ...language.cues import without
from ...language.sentences import is_question
from .segments import key, negated

MIN_CONTAINED = 0.8
"""Share of a sentence's content words that must be known for it to be a repetition."""
MIN_SHOWN = 0.5
"""Share of a memory's content words that a short sentence, or one that repeats several memories,
must have: "Thanks, Anna!" has only words of a memory."""
FEW_WORDS = 4
"""Shared content words from which a sentence is not short."""
MIN_WORDS = 2
"""One word alone ("Oslo!") restates nothing."""
MAX_KNOWN = 1000
MAX_SENTENCE = 1500
"""Characters; a longer piece says more than a memory."""
MAX_LANGUAGES = 4

_RECALLING = "turns.recalling"
"""Words that introduce a repeated memory."""
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class _Memory:
    terms: frozenset[str]
    negated: bool


class Recalled:
    """The memories that were shown."""

    def __init__(self, texts: Sequence[str]) -> None:
        texts = texts[:MAX_KNOWN]
        self._keys = {key(text) for text in texts}
        self._languages = [
            language
            for language, _ in Counter(index_terms(text).language for text in texts).most_common()
        ][:MAX_LANGUAGES]
        told = [(without(text, _RECALLING), negated(text)) for text in texts]
        self._by_language = {
            language: [_Memory(frozenset(query_terms(text, [language])), no) for text, no in told]
            for language in self._languages
        }
        self._holding = {
            language: _postings(memories) for language, memories in self._by_language.items()
        }

    def __bool__(self) -> bool:
        return bool(self._keys)

    def holds(self, segment: str) -> bool:
        """Whether a memory has exactly these words."""
        said = key(segment)
        return bool(said) and said in self._keys

    def restated(self, segment: str) -> bool:
        """Whether it says only what is known. Questions are never repetitions."""
        if len(segment) > MAX_SENTENCE or is_question(segment):
            return False
        if self.holds(segment):
            return True
        told, denied = without(segment, _RECALLING), negated(segment)
        return any(self._covers(language, told, denied=denied) for language in self._languages)

    def _covers(self, language: str, told: str, *, denied: bool) -> bool:
        said = frozenset(query_terms(told, [language]))
        if len(said) < MIN_WORDS:
            return False
        memories = self._by_language[language]
        shared = Counter(m for term in said for m in self._holding[language].get(term, ()))
        covered: set[str] = set()
        for number, count in shared.items():
            memory = memories[number]
            if memory.negated is not denied:
                continue
            shows = count >= MIN_SHOWN * len(memory.terms)
            if (shows or count >= FEW_WORDS) and _enough(said, said & memory.terms):
                return True
            if shows:
                covered |= said & memory.terms
        return _enough(said, covered)


def _enough(said: frozenset[str], covered: Iterable[str]) -> bool:
    """Whether enough words are covered; every number must be."""
    rest = said.difference(covered)
    if any(_DIGIT.search(term) for term in rest):
        return False
    return len(said) - len(rest) >= max(MIN_WORDS, MIN_CONTAINED * len(said))


def _postings(memories: Sequence[_Memory]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, memory in enumerate(memories):
        for term in memory.terms:
            found.setdefault(term, []).append(number)
    return found

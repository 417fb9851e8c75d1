"""Cuts out what only repeats memories that the model was shown, or the assistant's words. Pure.

Two kinds of quotations are kept: a message that is one such sentence, because it chooses an offered
option, and a quotation next to a short denial, which it explains.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...language import index_terms, query_terms, words_of
from ...language.scanner import cues_in, without
from ...language.words import is_question, sentences
from .spans import Cut, is_marked, key, negated

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


@dataclass(frozen=True, slots=True)
class _Memories:
    """Memories in the terms of one language, and which of them have a term."""

    each: Sequence[_Memory]
    holding: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, each: Sequence[_Memory]) -> _Memories:
        holding: dict[str, list[int]] = {}
        for number, memory in enumerate(each):
            for term in memory.terms:
                holding.setdefault(term, []).append(number)
        return cls(each, holding)


class Recalled:
    """The memories that were shown. What only `restated` needs of them is read when it asks."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts[:MAX_KNOWN]
        self._keys = {key(text) for text in self._texts}

    @cached_property
    def _by_language(self) -> dict[str, _Memories]:
        spoken = Counter(index_terms(text).language for text in self._texts).most_common()
        told = [(without(text, _RECALLING), negated(text)) for text in self._texts]
        return {
            language: _Memories.of(
                [_Memory(frozenset(query_terms(text, [language])), no) for text, no in told]
            )
            for language, _ in spoken[:MAX_LANGUAGES]
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
        return any(
            _covers(memories, frozenset(query_terms(told, [language])), denied=denied)
            for language, memories in self._by_language.items()
        )


def _covers(memories: _Memories, said: frozenset[str], *, denied: bool) -> bool:
    """Whether memories that deny as much as what is said have its words."""
    if len(said) < MIN_WORDS:
        return False
    shared = Counter(m for term in said for m in memories.holding.get(term, ()))
    covered: set[str] = set()
    for number, count in shared.items():
        memory = memories.each[number]
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


def may_repeat(text: str) -> bool:
    """Whether a sentence of a message may be a memory: if none is, those shown do not matter."""
    return any(is_marked(part) or _names_user(part) for part in sentences(text))


def _foreign(part: str, known: Recalled, spoken: Spoken) -> bool:
    if is_marked(part):
        return known.holds(_unmarked(part)) or spoken.holds(part)
    return known.holds(part) and _names_user(part)


def _names_user(part: str) -> bool:
    """Memories begin with "User" or "The user"; people do not call themselves so."""
    return any(hit.start <= 1 for hit in cues_in(part, "people.user"))


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

"""A language pack made ready for looking things up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import regex

from ....language.analysis.stems import stem, stemming_language
from ....language.fold import fold
from ....language.function_words import function_words
from .model import Terms

Pattern = regex.Pattern[str]


class Mark(StrEnum):
    """What a statement does besides stating; each has its cues in a pack."""

    CEASED = "ceased"
    REFUTED = "refuted"
    REPLACED = "replaced"
    CHANGED = "changed"
    ADDED = "added"
    INTENDED = "intended"
    NEGATED = "negated"


@dataclass(frozen=True, slots=True)
class Pack:
    """One language. Words are folded (`fold`); stems are by the language's own rules."""

    code: str
    spaced: bool
    user: Pattern
    lead: Pattern
    marks: Mapping[Mark, Pattern]
    roles: Mapping[str, str]
    """Word to relation."""
    kin: Pattern
    contrasts: Mapping[str, tuple[str, str]]
    """Word to axis and value."""
    contrast: Pattern
    months: Mapping[str, int]
    month: Pattern
    weekdays: Mapping[str, int]
    weekday: Pattern
    counts: Mapping[str, str]
    several: Pattern
    single: frozenset[str]
    billed: Pattern
    light: frozenset[str]
    articles: frozenset[str]
    stop: frozenset[str]
    spelling: Mapping[str, str]
    respelled: Pattern
    groups: Mapping[str, frozenset[int]]
    """Stem to the groups of near synonyms it is in."""
    comparing: frozenset[str]
    reason: Pattern
    past: Pattern
    verbs: Pattern
    conjunction: Pattern

    def stem(self, word: str) -> str:
        """The stem of a folded word; scripts without blanks have none."""
        if not self.spaced:
            return word
        return fold(stem(stemming_language(self.code, word), word))


def build_pack(terms: Terms) -> Pack:
    """Compile a pack; a few milliseconds."""
    spaced = terms.spaced
    roles = {word: role for role, words in terms.kin.items() for word in _words(words)}
    contrasts = {
        word: (axis, value)
        for axis, values in terms.contrasts.items()
        for value, words in values.items()
        for word in _words(words)
    }
    spelling = _representatives(terms.spelling)
    months, weekdays = _numbered(terms.months), _numbered(terms.weekdays)
    bare = {fold(word) for word in (*function_words().get(terms.code, ()), *terms.stop.split())}

    def stemmed(word: str) -> str:
        return fold(stem(stemming_language(terms.code, word), word)) if spaced else word

    return Pack(
        code=terms.code,
        spaced=spaced,
        user=_any_of(_words(terms.user), spaced),
        lead=_cues(terms.lead, spaced),
        marks={mark: _cues(getattr(terms, mark.value), spaced) for mark in Mark},
        roles=roles,
        kin=_any_of(roles, spaced),
        contrasts=contrasts,
        contrast=_any_of(contrasts, spaced),
        months=months,
        month=_any_of(months, spaced),
        weekdays=weekdays,
        weekday=_any_of(weekdays, spaced),
        counts={word: n for n, words in terms.counts.items() for word in _words(words)},
        several=_cues(terms.several, spaced),
        single=frozenset(stemmed(spelling.get(word, word)) for word in _words(terms.single)),
        billed=_any_of(_words(terms.billed), spaced),
        light=frozenset(stemmed(word) for word in _words(terms.light)),
        articles=frozenset(_words(terms.articles)),
        stop=frozenset(bare),
        spelling=spelling,
        respelled=_any_of(spelling, spaced),
        groups=_groups(terms.same, stemmed),
        comparing=frozenset(_words(terms.comparing)),
        reason=_cues(terms.reason, spaced),
        past=_cues(terms.past, spaced),
        verbs=_cues(terms.verbs, spaced),
        conjunction=_cues(terms.conjunctions, spaced),
    )


def _words(text: str) -> list[str]:
    return [fold(word).replace("_", " ") for word in text.split()]


def _numbered(text: str) -> dict[str, int]:
    return {
        fold(word): number
        for number, item in enumerate(text.split(), 1)
        for word in item.split("|")
    }


def _any_of(words: Iterable[str], spaced: bool) -> Pattern:
    # Longest first, so that "grandmother" is not found as "mother" where there are no blanks.
    found = "|".join(regex.escape(word) for word in sorted(words, key=len, reverse=True) if word)
    return _bounded(found, spaced)


def _cues(text: str, spaced: bool) -> Pattern:
    folded = regex.sub(r"\s*\n\s*", "", text.strip()) if text else ""
    return _bounded(_fold_pattern(folded), spaced)


def _fold_pattern(pattern: str) -> str:
    """A pattern in folded letters; escapes keep their case: that is what they mean."""
    parts = regex.split(r"(\\.)", pattern)
    return "".join(part if part.startswith("\\") else fold(part) for part in parts)


def _bounded(alternatives: str, spaced: bool) -> Pattern:
    if not alternatives:
        return regex.compile(r"(?!)")
    if not spaced:
        return regex.compile(f"(?:{alternatives})")
    return regex.compile(rf"(?<![\w\p{{M}}])(?:{alternatives})(?![\w\p{{M}}])")


def _representatives(text: str) -> dict[str, str]:
    return {word: group[0] for group in _word_groups(text) for word in group}


def _groups(text: str, stemmed: Callable[[str], str]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, group in enumerate(_word_groups(text)):
        for word in group:
            found.setdefault(stemmed(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


def _word_groups(text: str) -> list[list[str]]:
    return [words for group in regex.split(r"[|\n]", text) if (words := _words(group))]

"""Relates two texts as far as their words alone are exactly true. Pure.

Known are the same words, an explicit change in one sentence, and the contrary in so many words. Of
everything else nothing is concluded: similarity cannot tell a change from a second fact about the
same thing ("exam 3", "exam 4").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import regex

from ...language import Hit, language_of
from ...language.analysis.stems import stem, stemming_language
from ...language.dates import tells_time
from ...language.detect import function_words_of
from ...language.scanner import cues_in
from ...language.words import Words, is_unspaced, words_of
from .exact_tokens import located, tokens, written_out

_MORE_WORDS = 4
"""Words that deny a statement at most."""


def denies(new: str, old: Sequence[str]) -> bool:
    """Whether a text is the contrary of a statement that is given as its tokens."""
    return any(_is_one(kept, old, new) for kept in _affirmed(written_out(new)))


def _affirmed(text: str) -> Iterator[tuple[str, ...]]:
    """The tokens without the words of each denial."""
    found = located(text)
    words = words_of(text)
    for hit in cues_in(text, "changes.contrary"):
        cut = {
            number
            for number, token in enumerate(found)
            for at in hit.own
            if token.start < words.ends[at] and token.end > words.starts[at]
        }
        yield tuple(token.text for number, token in enumerate(found) if number not in cut)


def _is_one(kept: Sequence[str], old: Sequence[str], text: str) -> bool:
    if len(kept) != len(old):
        return False
    other = [(one, two) for one, two in zip(kept, old, strict=True) if one != two]
    return not other or (len(other) == 1 and _stem(text, other[0][0]) == _stem(text, other[0][1]))


def _stem(text: str, word: str) -> str:
    return stem(stemming_language(language_of(text), word), word)


def may_deny(new: Sequence[str], old: Sequence[str]) -> bool:
    """Whether the new statement may be the contrary of the old one: cheap, and never wrongly no."""
    return 0 < len(new) - len(old) <= _MORE_WORDS and len(set(old) - set(new)) <= 1


_MOST_WORDS = 6
"""A value is short: what is longer tells something else."""
_MORE = 1
"""Words by which the new value may be longer ("Thursday now"): more of them tell something else."""
_HIRAGANA = regex.compile(r"\p{Hiragana}")
_FIELDS = ("changes.denies_next", "changes.denies_before", "changes.conjunctions")


@dataclass(frozen=True, slots=True)
class Denial:
    """A value that is said to be wrong, and the statement without the words that say so."""

    value: tuple[str, ...]
    rest: tuple[str, ...]

    def corrects(self, old: Sequence[str]) -> bool:
        """Whether the rest is the old statement with something else in the place of the value."""
        size = len(self.value)
        return any(
            tuple(old[at : at + size]) == self.value and self._fills(old[:at], old[at + size :])
            for at in range(len(old) - size + 1)
        )

    def _fills(self, before: Sequence[str], after: Sequence[str]) -> bool:
        told = len(before) + len(after)
        behind = self.rest[len(self.rest) - len(after) :]
        return (
            1 < told < len(self.rest) <= told + len(self.value) + _MORE
            and self.rest[: len(before)] == tuple(before)
            and behind == tuple(after)
        )


def denied_in(text: str) -> list[Denial]:
    """The values that a text says to be wrong, beside what is so."""
    text = written_out(text)
    hits = list(cues_in(text, *_FIELDS))
    if not any(hit.field.startswith("changes.denies") for hit in hits):
        return []
    words = words_of(text)
    joins = {hit.start: hit for hit in hits if hit.field == "changes.conjunctions"}
    found = [*_behind(words, hits, joins), *_ahead(words, hits)]
    return [_denied(text, words, cut, value) for cut, value in found if value]


def _behind(
    words: Words, hits: Sequence[Hit], joins: dict[int, Hit]
) -> Iterator[tuple[tuple[int, int], list[int]]]:
    """What follows "not" or "rather than", up to the next break."""
    breaks = words.clause_starts | joins.keys()
    for hit in hits:
        if hit.field != "changes.denies_next":
            continue
        end = min((at for at in breaks if at >= hit.end), default=len(words.raw))
        begins = hit.start in words.clause_starts or hit.start - 1 in joins
        whole = len(hit.own) == 1 and not begins and end not in joins
        if not whole and end - hit.end <= _MOST_WORDS:
            yield (hit.start, joins[end].end if end in joins else end), [*range(hit.end, end)]


def _ahead(words: Words, hits: Sequence[Hit]) -> Iterator[tuple[tuple[int, int], list[int]]]:
    """What stands before a word such as 'ではなく', in languages with the verb at the end."""
    for hit in hits:
        if hit.field == "changes.denies_before" and hit.end < len(words.raw):
            value = _before(words, hit)
            yield (value[0] if value else hit.start, hit.end), value


def _before(words: Words, hit: Hit) -> list[int]:
    """The word before, or the characters before up to a particle."""
    at = hit.start - 1
    if at < 0 or not is_unspaced(words.folded[at]):
        return [at] if at >= 0 else []
    first = at
    while first > 0 and not _HIRAGANA.match(words.folded[first - 1]):
        if first in words.clause_starts:
            break
        first -= 1
    return [*range(first, hit.start)] if hit.start - first <= _MOST_WORDS else []


def _denied(text: str, words: Words, cut: tuple[int, int], value: Sequence[int]) -> Denial:
    stop = function_words_of(language_of(text))
    telling = [at for at in value if words.folded[at] not in stop] or list(value)
    first, last = words.starts[telling[0]], words.ends[telling[-1]]
    begin, end = words.starts[cut[0]], words.ends[cut[1] - 1]
    found = located(text)
    return Denial(
        tuple(token.text for token in found if token.start < last and token.end > first),
        tuple(token.text for token in found if token.end <= begin or token.start >= end),
    )


MAX_CHARS = 400
"""A longer text is more than one statement."""


class TextRelation(StrEnum):
    """The relation of a new text to a known one; the values are reasons."""

    SAME = "the same words"
    ENDED = "the same statement, and that it is not so any more"
    CONTRARY = "the same statement without its denial"
    CORRECTED = "what it was is said to be wrong, and what is so"


@dataclass(frozen=True)
class Statement:
    """A new text, read once for all memories that it is compared with."""

    text: str

    @cached_property
    def tokens(self) -> Sequence[str]:
        return tokens(self.text)

    @cached_property
    def denied(self) -> Sequence[Denial]:
        return denied_in(self.text)


def relation_between(new: Statement, known: str) -> TextRelation | None:
    """What the new statement says about a known text; None if its words do not tell."""
    old = tokens(known)
    if old and new.tokens == old:
        return TextRelation.SAME
    if max(len(new.text), len(known)) > MAX_CHARS:
        return None
    return next((told for told, holds in _RULES if holds(new, known, old)), None)


def _ends(new: Statement, _known: str, old: Sequence[str]) -> bool:
    return may_deny(new.tokens, old) and denies(new.text, old)


def _affirms(new: Statement, known: str, old: Sequence[str]) -> bool:
    return may_deny(old, new.tokens) and denies(known, new.tokens)


def _corrects(new: Statement, known: str, old: Sequence[str]) -> bool:
    return any(value.corrects(old) for value in new.denied) and not _is_occasion(new.text, known)


_RULES: Sequence[tuple[TextRelation, Callable[[Statement, str, Sequence[str]], bool]]] = (
    (TextRelation.ENDED, _ends),
    (TextRelation.CONTRARY, _affirms),
    (TextRelation.CORRECTED, _corrects),
)
"""The first that holds is what a new statement says about a known one, given its tokens too."""


def is_denied(known: str, text: str) -> bool:
    """Whether a text says that a known statement does not hold."""
    return relation_between(Statement(text), known) not in {None, TextRelation.SAME}


def _is_occasion(new: str, known: str) -> bool:
    """Whether it may be so on one day only: "tea today, not coffee"."""
    return tells_time(new) and not tells_time(known)

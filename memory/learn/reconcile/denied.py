"""Finds what a statement says to be wrong: "on Wednesday" of "on Thursday, not Wednesday". Pure.

A bare "not" denies a whole statement as well. It denies a value if its clause begins with it
(", not Wednesday") or another value follows ("not a cook but a skipper").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from ...language import Hit, language_of
from ...language.cues import cues_in
from ...language.function_words import function_words_of
from ...language.words import Words, is_unspaced, words_of
from .tokens import located, written_out

_MOST_WORDS = 6
"""A value is short: what is longer tells something else."""
_MORE = 1
"""Words by which the new value may be longer ("Thursday now"): more of them tell something else."""
_HIRAGANA = regex.compile(r"\p{Hiragana}")
_FIELDS = ("changes.denies_next", "changes.denies_before", "changes.conjunctions")


@dataclass(frozen=True, slots=True)
class Denied:
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


def denied_in(text: str) -> list[Denied]:
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


def _denied(text: str, words: Words, cut: tuple[int, int], value: Sequence[int]) -> Denied:
    stop = function_words_of(language_of(text))
    telling = [at for at in value if words.folded[at] not in stop] or list(value)
    first, last = words.starts[telling[0]], words.ends[telling[-1]]
    begin, end = words.starts[cut[0]], words.ends[cut[1] - 1]
    found = located(text)
    return Denied(
        tuple(token.text for token in found if token.start < last and token.end > first),
        tuple(token.text for token in found if token.end <= begin or token.start >= end),
    )

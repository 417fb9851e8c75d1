"""A memory, analysed for the index. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Self

import regex

from ...language import index_terms, speaker_of
from ...language.dates import tells_time
from ...language.fold import fold
from ...model.types import MemoryItem

_FIRST_WORD = regex.compile(r"\P{L}*(\p{L}[\p{L}\p{M}\d-]{0,63})")


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory with its terms, names and time."""

    item: MemoryItem
    terms: tuple[str, ...]
    """Distinct index terms."""
    counts: tuple[int, ...]
    """Frequencies of `terms`."""
    language: str
    speaker: tuple[str, ...]
    """The folded words of the speaker's name; empty without a speaker."""
    subject: str | None
    """The folded first word of a memory without a speaker: "Maria lives in Berlin"."""
    dated: bool
    """Whether the text seems to name a time."""
    words: int
    """Equal for memories with the same words in any order and case. Numbers are words: "budget
    10,000" and "budget 15,000" differ, however close their vectors are."""
    moment: float
    """When it was said or became true, in seconds since the epoch."""

    @classmethod
    def of(cls, item: MemoryItem) -> Self:
        """Analyse a memory's text (about 30 microseconds for a sentence)."""
        found = index_terms(item.text)
        counted = Counter(found.terms)
        speaker = speaker_of(item.text)
        begins = None if speaker else _FIRST_WORD.match(item.text)
        return cls(
            item,
            tuple(counted),
            tuple(counted.values()),
            found.language,
            tuple(speaker.split()) if speaker else (),
            fold(begins[1]) if begins else None,
            tells_time(item.text),
            hash(frozenset(counted)),
            (item.valid_from or item.created_at).timestamp(),
        )

"""Detects queries that can be understood without earlier messages."""

from __future__ import annotations

from recollect.memory.language import ANY, Hit, is_unspaced
from recollect.memory.language.requests import Cue, CueScan, cues_of

_MIN_CONTENT = 2
"""Least content words of a query, and before a pronoun that refers to one."""
_MIN_CJK_CONTENT = 4
"""The same in characters, for scripts without blanks."""
_FOLLOW_UP_WORDS = 7
"""A query of up to this many words that begins like a follow-up is one."""
_SHORT_WORDS = 10
"""In a query of up to this many words, a pronoun at the end refers to earlier messages."""
_FILLERS = (Cue.OPENER, Cue.FRAME, Cue.SELF, Cue.ANAPHORA, Cue.ELLIPSIS, Cue.GREET)


def self_contained(query: str) -> bool:
    """Whether `query` names what it is about.

    False if it has too few content words, begins like a follow-up, or has a pronoun without an
    antecedent. Text in languages without a list counts as complete.
    """
    found = cues_of(query)
    if not found.words or _is_foreign(found):
        return bool(found.words)
    content = content_words(found)
    if _weight(found, content) < _needed(found) or _follows_up(found):
        return False
    return not any(_dangles(found, hit, content) for hit in found.found(Cue.ANAPHORA))


def content_words(found: CueScan) -> list[int]:
    """Indexes of words that say what a text is about."""
    fillers = found.covered(*_FILLERS) - found.covered(Cue.GENERAL, Cue.KIN)
    return [
        i
        for i, word in enumerate(found.words)
        if i not in found.stop and i not in fillers and word != "'s" and any(map(str.isalnum, word))
    ]


def _is_foreign(found: CueScan) -> bool:
    """No word of any language that has a list."""
    latin = any("a" <= word[0] <= "z" for word in found.words)
    return not latin and found.languages == frozenset({ANY})


def _needed(found: CueScan) -> int:
    return _MIN_CJK_CONTENT if is_unspaced(found.words[0]) else _MIN_CONTENT


def _weight(found: CueScan, content: list[int]) -> int:
    """The number of content words; capitalised ones after the first word count twice."""
    return sum(1 + (found.raw[i][0].isupper() and i > 0) for i in content)


def _follows_up(found: CueScan) -> bool:
    starts = any(hit.start == 0 for hit in found.found(Cue.ELLIPSIS))
    opens = any(hit.start == 0 for hit in found.found(Cue.OPENER))
    return starts and not opens and len(found.words) <= _FOLLOW_UP_WORDS


def _dangles(found: CueScan, hit: Hit, content: list[int]) -> bool:
    before = sum(i < hit.start for i in content)
    at_the_end = hit.end == len(found.words) <= _SHORT_WORDS  # "which port did I give it"
    return at_the_end or before < _needed(found)

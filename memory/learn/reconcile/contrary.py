"""Finds statements that are the contrary of each other in so many words. Pure.

Both are one statement apart from the words that deny it: "User eats meat", "User no longer eats
meat". Nothing else may differ but the form of one word, as the verb after "does not".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...language import language_of
from ...language.analysis.stems import stem, stemming_language
from ...language.cues import cues_in
from ...language.words import words_of
from .tokens import located, written_out

_MORE = 4
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
    return 0 < len(new) - len(old) <= _MORE and len(set(old) - set(new)) <= 1

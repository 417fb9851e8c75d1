"""How far two answers are apart, in any language and without a model. Pure."""

from __future__ import annotations

from collections import Counter

_LETTERS = 3
"""Of the pieces that are counted: short enough for a language without spaces."""


def is_same(one: str, other: str) -> bool:
    """Whether they have the same words; spaces and line breaks do not count."""
    return one.split() == other.split()


def distance(one: str, other: str) -> float:
    """From 0 (the same) to 1 (no three letters in common); case and spaces do not count.

    Half of the pieces of three letters that only one of them has, of all (Dice). It takes linear
    time for any answer, and says how much of the wording differs, not what it means.
    """
    mine, theirs = _pieces(one), _pieces(other)
    total = mine.total() + theirs.total()
    if not total or is_same(one, other):
        return 0.0
    return round(1 - 2 * (mine & theirs).total() / total, 3)


def _pieces(text: str) -> Counter[str]:
    words = f" {' '.join(text.casefold().split())} "
    return Counter(words[at : at + _LETTERS] for at in range(len(words) - _LETTERS + 1))

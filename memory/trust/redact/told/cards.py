"""Finds payment cards: by their digits, and by the words beside them if those say more."""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import Finding
from ..formats.numbers import card_numbers
from .prose import Prose

_BEFORE, _AFTER = 60, 40
_OTHER = 40
"""Characters before a number in which it may be called something else."""


def find_cards(read: Prose) -> Iterator[Finding]:
    """Numbers of cards: kind `credit_card`."""
    for number in card_numbers(read.view):
        line = read.view.text.rfind("\n", max(0, number.start - _OTHER), number.start) + 1
        before = read.words(max(0, number.start - _BEFORE), number.start)
        near = read.words(max(line, number.start - _OTHER), number.start)
        after = read.words(number.end, number.end + _AFTER)
        called = not read.cards.isdisjoint(before)
        other = not read.other_numbers.isdisjoint(near) and not called
        if not other and (number.sure or called or not read.cards.isdisjoint(after)):
            yield Finding(number.start, number.end, "credit_card")

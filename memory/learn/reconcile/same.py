"""Finds statements that say the same. Pure."""

from __future__ import annotations

import regex

from .relation import anchors, unheard
from .statement import Statement

_TWO = 2
"""Words that make a topic."""
_SIGNS = regex.compile("[$€£¥₹%+#]")


def same_words(new: Statement, old: Statement) -> bool:
    """Whether both have the same words in the same order.

    The user, endings and number formats make no difference.
    """
    if not new.order or new.order != old.order or new.numbers != old.numbers:
        return False
    if _SIGNS.findall(new.canonical) != _SIGNS.findall(old.canonical):
        return False  # "C" and "C++", "€5" and "$5"
    # Of "Mario" and "Maria", "hermano" and "hermana" the stems are one.
    return new.roles == old.roles and not (new.names - old.words or old.names - new.words)


def restates(new: Statement, old: Statement) -> bool:
    """Whether all that the new statement names is in the old one, in the same order.

    Does not look at the cosine.
    """
    if new.marks != old.marks or new.past != old.past:
        return False
    if new.holder != old.holder or unheard(new, old) or anchors(new, old) < _TWO:
        return False
    return (
        _in_order(new, old)
        and set(_SIGNS.findall(new.canonical)) <= set(_SIGNS.findall(old.canonical))
        and set(new.numbers) <= set(old.numbers)
        and new.calendar <= old.calendar
        and new.names <= old.words
        and new.roles <= old.roles
    )


def contained(new: Statement, old: Statement) -> bool:
    """Whether the known statement has all words of the new one in their order, and more."""
    return _is_part(new, old) and new.past == old.past


def extends(new: Statement, old: Statement) -> bool:
    """Whether the new statement has all words of the known one in their order, and more."""
    return _is_part(old, new) and not new.past and not old.past


def _is_part(part: Statement, whole: Statement) -> bool:
    if part.marks or whole.marks or part.holder != whole.holder or len(part.content) < _TWO:
        return False
    rest = iter(whole.order)
    return len(part.order) < len(whole.order) and all(word in rest for word in part.order)


def _in_order(new: Statement, old: Statement) -> bool:
    """Whether the words that both have come in one order ("prefers tea to coffee")."""
    both = new.content & old.content
    mine, theirs = ([stem for stem in one.order if stem in both] for one in (new, old))
    return mine == theirs

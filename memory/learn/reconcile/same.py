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
    """Whether one is the other without what a name, a number or a further phrase adds.

    Any other word may make another thing of it: a boat and a boat trailer, a toy boat.
    """
    if part.marks or whole.marks or part.holder != whole.holder or whole.roles - part.roles:
        return False
    if len(part.content) < _TWO or len(part.order) >= len(whole.order):
        return False
    inside = _without_names(whole, len(part.order))
    behind = whole.order[len(inside) :]
    kept = tuple(word for word in inside if word is not None)
    return kept == part.order and (
        not behind or behind[0] in whole.wording.function | whole.wording.light
    )


def _without_names(whole: Statement, size: int) -> list[str | None]:
    """The first words that are no names and numbers, and None for those between."""
    named = frozenset(map(whole.wording.stem, whole.names))
    words: list[str | None] = []
    for word in whole.order:
        if size == 0:
            break
        kept = not (word in named or word.isdigit())
        words.append(word if kept else None)
        size -= kept
    return words


def _in_order(new: Statement, old: Statement) -> bool:
    """Whether the words that both have come in one order ("prefers tea to coffee")."""
    both = new.content & old.content
    mine, theirs = ([stem for stem in one.order if stem in both] for one in (new, old))
    return mine == theirs

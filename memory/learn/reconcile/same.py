"""Finds statements that say the same. Pure."""

from __future__ import annotations

from .locales import Mark
from .relation import anchors, unheard
from .statement import Statement

_TWO = 2
"""Names or people that can change places; words that make a topic."""


def same_words(new: Statement, old: Statement) -> bool:
    """Whether both have the same words, in any order that cannot change the roles.

    Articles, the user, spelling, number formats, contractions and "now" make no difference.
    """
    if not new.order or new.numbers != old.numbers or not _same_marks(new, old):
        return False
    if new.roles != old.roles or new.names - old.words or old.names - new.words:
        return False  # of "Mario" and "Maria", "hermano" and "hermana" the stems are one
    if new.order == old.order:
        return True
    if not new.pack.spaced or sorted(new.order) != sorted(old.order) or _directed(new):
        return False
    return len(new.names | old.names) < _TWO and len(new.roles) < _TWO


def restates(new: Statement, old: Statement) -> bool:
    """Whether all words of the new statement are in the old one. Does not look at the cosine."""
    if not _same_marks(new, old) or new.past != old.past or _directed(new) or _directed(old):
        return False
    if new.names and new.order != old.order and sorted(new.order) == sorted(old.order):
        return False  # the same names in other places
    if new.holder != old.holder or not new.light <= old.light or unheard(new, old):
        return False
    return anchors(new, old) >= _TWO and (
        set(new.numbers) <= set(old.numbers)
        and new.calendar <= old.calendar
        and new.names <= old.words
        and new.roles <= old.roles
        and all(old.contrasts.get(axis, values) == values for axis, values in new.contrasts.items())
    )


def _same_marks(new: Statement, old: Statement) -> bool:
    return new.marks ^ old.marks <= {Mark.CHANGED}


def _directed(statement: Statement) -> bool:
    """Whether word order matters ("prefers tea to coffee")."""
    return not statement.pack.comparing.isdisjoint(statement.order)

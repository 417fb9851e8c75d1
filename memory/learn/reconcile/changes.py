"""Rules that find ended and changed facts; each returns its reason. Pure.

A wrong match costs a fact, so each rule requires several signs and leaves complex statements to a
model.
"""

from __future__ import annotations

from .relation import anchors, overlap, shared_names, unheard
from .statement import Quantity, Statement
from .wording import Mark

_MOST = 0.6
"""Share of the old content that a statement about the same thing has."""
_NEW_WORDS = 3
"""New words that may accompany a changed number ("after the April review")."""
_GONE = frozenset({Mark.NEGATED, Mark.CEASED, Mark.INTENDED})
"""Marks of a known statement that states nothing which could change."""
_BLOCKING = frozenset({Mark.ADDED, Mark.INTENDED, Mark.NEGATED})
"""Marks of a new statement that may say something besides the change."""


def ceased(new: Statement, old: Statement) -> str | None:
    """The old fact ended without a replacement.

    Other content in the new statement may be a replacement or the part that ended: unclear.
    """
    if Mark.CEASED not in new.marks or old.marks & {Mark.CEASED, Mark.NEGATED}:
        return None
    if (new.marks - old.marks) & _BLOCKING:
        return None
    if not _same_holder(new, old) or _tells_more(new, old):
        return None
    if unheard(new, old) or not anchors(new, old):
        return None
    if old.is_list and overlap(new, old) < _MOST:
        return None  # one of several may have ended
    return "it ended, and nothing is said to take its place"


def _same_holder(new: Statement, old: Statement) -> bool:
    return new.holder == old.holder or bool(shared_names(new, old))


def _tells_more(new: Statement, old: Statement) -> bool:
    """Whether it has names, numbers, days or people that the old statement does not have."""
    return bool(
        new.names - old.names - old.words
        or set(new.numbers) - set(old.numbers)
        or new.calendar - old.calendar
        or new.roles - old.roles
    )


def other_number(new: Statement, old: Statement) -> str | None:
    """The same thing with another number: one number of the same unit in each."""
    pair = _measured(new, old)
    if pair is None or not _same_thing(new, old) or new.marks & _BLOCKING or old.marks & _GONE:
        return None
    if new.calendar != old.calendar and (old.calendar or Mark.CHANGED not in new.marks):
        return None  # the numbers may belong to two occasions
    same_frame = not unheard(new, old) and not unheard(old, new) and not new.past and not old.past
    if not (pair[0].unit or same_frame):
        return None  # a number that counts nothing may be part of a name
    if Mark.CHANGED in new.marks:
        return "another number, and a word of change"
    return "the same words with another number" if same_frame else None


def _measured(new: Statement, old: Statement) -> tuple[Quantity, Quantity] | None:
    mine, theirs = ([q for q in s.quantities if ":" not in q.value] for s in (new, old))
    pairs = [(one, two) for one in mine for two in theirs if one.unit == two.unit]
    if len(pairs) != 1 or pairs[0][0].value == pairs[0][1].value:
        return None
    return pairs[0]


def _same_thing(new: Statement, old: Statement) -> bool:
    gained, gone = unheard(new, old), unheard(old, new)
    if not _same_holder(new, old) or (gained and gone):
        return False  # "the wedding budget", "the travel budget"
    named = bool(shared_names(new, old))
    if len(gained) > min(_NEW_WORDS, anchors(new, old) + named):
        return False
    if new.names - old.names - old.words:
        return False
    return named or (anchors(new, old) > 0 and overlap(new, old) >= _MOST)


def other_time(new: Statement, old: Statement) -> str | None:
    """The same appointment at another time, with a word of change."""
    if Mark.CHANGED not in new.marks or new.marks & _BLOCKING or old.marks & _GONE:
        return None
    if not _same_holder(new, old) or overlap(new, old) < _MOST or anchors(new, old) < 1:
        return None
    gained, gone = unheard(new, old), unheard(old, new)
    if len(gained) > 1 or (gained and gone) or new.names - old.names - old.words:
        return None
    dated = bool(new.dated and old.dated) and new.dated != old.dated
    return "another time, and a word of change" if dated else None

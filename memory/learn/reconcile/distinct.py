"""Rules that keep two facts apart. Each returns its reason, or None if it does not apply. Pure."""

from __future__ import annotations

from ...language.sections.people import WIDER
from .relation import overlap, shared_names
from .statement import Statement
from .wording import Mark

_OF_PEOPLE = "age"
"""The axis that tells people apart: an elder and a younger sister."""
_NO_EVENT = frozenset({Mark.CEASED, Mark.CHANGED, Mark.INTENDED})
_RESTATES = 0.8
"""Share of the old content from which "also" may only repeat it."""
_HALF = 0.5
"""Share from which an intention may be the known one, or a fact about it."""


def other_holder(new: Statement, old: Statement) -> str | None:
    """Different people or animals: a brother's job is not a cousin's."""
    if shared_names(new, old) and not (new.holder and old.holder):
        return None
    if new.holder and old.holder:
        return _other_relation(new, old)
    if any(_mentions(old, role) for role in new.roles):
        return None
    if new.holder and not _mentions(old, new.holder):
        return f"about the {new.holder}, not the user"
    if old.holder and not _mentions(new, old.holder):
        return f"about the user, not the {old.holder}"
    return None


def _other_relation(new: Statement, old: Statement) -> str | None:
    if max(len(new.roles), len(old.roles)) > 1:
        return None  # "User's wife's parents" may be the in-laws
    if not _related(new.holder, old.holder):
        return f"{new.holder} and {old.holder} are two"
    return None


def _related(one: str | None, other: str | None) -> bool:
    """Whether two relations may mean the same person: "child" and "daughter" may."""
    return one == other or WIDER.get(one or "") == other or WIDER.get(other or "") == one


def _mentions(statement: Statement, role: str) -> bool:
    return any(_related(role, other) for other in statement.roles)


def other_instance(new: Statement, old: Statement) -> str | None:
    """Another one of its kind: left and right, staging and production."""
    if new.marks & {Mark.CEASED, Mark.CHANGED}:
        return None
    for axis in new.contrasts.keys() & old.contrasts.keys():
        if axis == _OF_PEOPLE and not (new.holder and old.holder):
            continue
        if new.contrasts[axis].isdisjoint(old.contrasts[axis]):
            return f"another {axis}"
    return None


def other_event(new: Statement, old: Statement) -> str | None:
    """Two events on different days: a second migraine, another interview."""
    if not (new.past and old.past) or not _other_day(new, old):
        return None
    told = new.marks | old.marks
    return None if told & _NO_EVENT else "an event of another day"


def _other_day(new: Statement, old: Statement) -> bool:
    """Other months, or other days of one month; both must be stated."""
    if not new.months or not old.months:
        return False
    days = [set(s.numbers) for s in (new, old)]
    return not new.months & old.months or (all(days) and not days[0] & days[1])


def stands_beside(new: Statement, old: Statement) -> str | None:
    """It is said to be one more ("also", "another")."""
    if Mark.ADDED not in new.marks or Mark.CEASED in new.marks:
        return None
    if overlap(new, old) >= _RESTATES or (new.quantities and old.quantities):
        return None
    return "said to be one more"


def only_intended(new: Statement, old: Statement) -> str | None:
    """A wish or a plan does not change a fact: considering a move is not a move."""
    if Mark.INTENDED not in new.marks or Mark.INTENDED in old.marks:
        return None
    if overlap(new, old) >= _HALF or Mark.CEASED in new.marks:
        return None
    return "an intention beside a fact"

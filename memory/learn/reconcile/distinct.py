"""Rules that keep two facts apart. Each returns its reason, or None if it does not apply. Pure."""

from __future__ import annotations

from .locales import WIDER, Mark
from .relation import anchors, overlap, shared_names, shared_stems
from .statement import Statement

_ALWAYS = frozenset({"side", "environment", "document"})
"""Axes that separate two things anywhere in a sentence."""
_WITH_HOLDER = frozenset({"age"})
"""Axes that separate people: an elder and a younger sister."""
_SHORT_OBJECT = 3
"""Most words of an object that is a single value."""
_RESTATES = 0.8
"""Share of the old content from which "also" may only repeat it."""
_HALF = 0.5
"""Share from which an intention may be the known one, or a fact about it."""
_DENYING = frozenset({Mark.REPLACED, Mark.CEASED, Mark.REFUTED})


def other_holder(new: Statement, old: Statement) -> str | None:
    """Different people or animals: a brother's job is not a cousin's."""
    if shared_names(new, old) and not (new.holder and old.holder):
        return None
    if Mark.REFUTED in new.marks:
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
    if new.holder_names and old.holder_names and not new.holder_names & old.holder_names:
        return "the same relation with another name"
    return None


def _related(one: str | None, other: str | None) -> bool:
    """Whether two relations may mean the same person: "child" and "daughter" may."""
    return one == other or WIDER.get(one or "") == other or WIDER.get(other or "") == one


def _mentions(statement: Statement, role: str) -> bool:
    return any(_related(role, other) for other in statement.roles)


def other_instance(new: Statement, old: Statement) -> str | None:
    """Another one of its kind: left and right, staging and production.

    A place or an owner separates two things only next to the subject: "works at home" and "works
    at the office" are one thing that changed.
    """
    if new.marks & _DENYING:
        return None
    for axis in new.contrasts.keys() & old.contrasts.keys():
        if new.contrasts[axis].isdisjoint(old.contrasts[axis]) and _tells_apart(axis, new, old):
            return f"another {axis}"
    if _other_month(new, old):
        return "another month's"
    return None


def _tells_apart(axis: str, new: Statement, old: Statement) -> bool:
    if axis in new.heads and axis in old.heads:
        return True
    if Mark.CHANGED in new.marks:
        return False
    if axis in _ALWAYS:
        return True
    if axis in _WITH_HOLDER:
        return bool(new.holder and old.holder)
    if axis == "order":
        return _ordered_twins(new, old)
    return False


def _ordered_twins(new: Statement, old: Statement) -> bool:
    """A first and a second marathon are two; a third and a fourth floor may be a move."""
    other_names = bool(new.names and old.names) and new.names.isdisjoint(old.names)
    return other_names and anchors(new, old) > 1


def other_event(new: Statement, old: Statement) -> str | None:
    """Two events on different days: a second migraine, another interview."""
    if not (new.past and old.past) or not _other_day(new, old):
        return None
    if (new.marks | old.marks) & (_DENYING | {Mark.CHANGED, Mark.INTENDED}):
        return None
    once = (new.content | old.content) & new.pack.single
    return None if once or new.attribute or old.attribute else "an event of another day"


def _other_day(new: Statement, old: Statement) -> bool:
    """Other months, or other days of one month; both must be stated."""
    if not new.months or not old.months:
        return False
    days = [set(s.numbers) for s in (new, old)]
    return not new.months & old.months or (all(days) and not days[0] & days[1])


def other_place_or_thing(new: Statement, old: Statement) -> str | None:
    """Subjects with different names: "User's flat in Oslo", "User's flat in Cadiz"."""
    if new.marks & (_DENYING | {Mark.CHANGED}) or not new.head_names or not old.head_names:
        return None
    return None if new.head_names & old.words or old.head_names & new.words else "another name"


def _other_month(new: Statement, old: Statement) -> bool:
    """Monthly things of different months: the March bill is not the April bill."""
    other = new.months and old.months and not new.months & old.months
    return bool(other and new.billed & old.billed)


def another_of_several(new: Statement, old: Statement, cosine: float, near: float) -> str | None:
    """Two values of a relation that can have several: a second language, instrument, allergy.

    Only for a short object: a long one may restate the first in full.
    """
    if not shared_stems(new.several, old.several, new.pack) or new.is_list or old.is_list:
        return None
    if any(quantity.unit for quantity in new.quantities):
        return None
    if new.marks or old.marks & {Mark.NEGATED, Mark.INTENDED}:
        return None
    mine, theirs = ((s.content | _own_names(s)) - s.several for s in (new, old))
    if not mine or not theirs or len(mine - new.names) > _SHORT_OBJECT:
        return None
    if shared_stems(mine, theirs, new.pack):
        return None
    named = bool(_own_names(new)) and bool(_own_names(old))
    return "another of several" if named or cosine < near or not new.pack.spaced else None


def _own_names(statement: Statement) -> frozenset[str]:
    """The names of a statement that are not its holder's."""
    return statement.names - statement.holder_names


def stands_beside(new: Statement, old: Statement) -> str | None:
    """It is said to be one more ("also", "another")."""
    if Mark.ADDED not in new.marks or new.marks & _DENYING:
        return None
    if overlap(new, old) >= _RESTATES or (new.quantities and old.quantities):
        return None
    return "said to be one more"


def only_intended(new: Statement, old: Statement) -> str | None:
    """A wish or a plan does not change a fact: considering a move is not a move."""
    if Mark.INTENDED not in new.marks or Mark.INTENDED in old.marks:
        return None
    if overlap(new, old) >= _HALF or new.marks & _DENYING:
        return None
    return "an intention beside a fact"

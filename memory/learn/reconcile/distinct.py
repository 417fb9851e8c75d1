"""Rules that keep two facts apart. Each returns its reason, or None if it does not apply. Pure."""

from __future__ import annotations

from ...language.sections.people import WIDER
from .frames import Frame, frame_of, touches
from .relation import overlap, shared_names, unheard
from .statement import Statement
from .wording import Mark

_OF_PEOPLE = "age"
"""The axis that tells people apart: an elder and a younger sister."""
_NO_EVENT = frozenset({Mark.CEASED, Mark.CHANGED, Mark.INTENDED})
_TELLING = frozenset({Mark.CEASED, Mark.CHANGED, Mark.INTENDED, Mark.NEGATED})
_DIGITS = 4
_CENTURIES = frozenset({"19", "20"})
_ONLY_ONE = frozenset({"mother", "father", "wife", "husband", "partner", "ex", "boss", "landlord"})
"""Relations whose second name is rather a correction."""
_RESTATES = 0.8
"""Share of the old content from which "also" may only repeat it."""
_HALF = 0.5
"""Share from which an intention may be the known one, or a fact about it."""


def other_holder(new: Statement, old: Statement) -> str | None:
    """Different people or animals: a brother's job is not a cousin's."""
    if new.holder and old.holder:
        return _other_relation(new, old)
    if _may_be_named(new, old):
        return None
    if new.holder and not _mentions(old, new.holder):
        return f"about the {new.holder}, not the user"
    if old.holder and not _mentions(new, old.holder):
        return f"about the user, not the {old.holder}"
    return None


def _may_be_named(new: Statement, old: Statement) -> bool:
    """Whether one may call by name or in another place whom the other calls by relation."""
    one, other = (new, old) if new.holder else (old, new)
    if one.called & other.words:
        return True
    if any(_mentions(other, role) for role in one.roles) and not (
        one.called and other.told_of_user
    ):
        return True
    return not other.told_of_user and bool(shared_names(new, old))


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
    if Mark.ADDED not in new.marks or new.marks & {Mark.CEASED, Mark.NEGATED}:
        return None
    if overlap(new, old) >= _RESTATES or (new.quantities and old.quantities):
        return None
    return "said to be one more"


def only_intended(new: Statement, old: Statement) -> str | None:
    """A wish or a plan does not change a fact: considering a move is not a move."""
    if Mark.INTENDED not in new.marks or Mark.INTENDED in old.marks:
        return None
    if overlap(new, old) >= _HALF or new.marks & {Mark.CEASED, Mark.NEGATED}:
        return None
    return "an intention beside a fact"


def one_of_several(new: Statement, old: Statement) -> str | None:
    """The same words but for one of the things that may be true at once: two languages spoken."""
    if Mark.CHANGED in new.marks or new.marks != old.marks or new.holder != old.holder:
        return None
    frame = frame_of(new, old)
    both = new.several & old.several
    if frame is None or not both or not touches(frame, both, new):
        return None
    if not _fill_alike(frame, new) or (old.is_list and len(frame.theirs) > len(frame.mine)):
        return None  # it may be one of them by another name
    return "one may have several"


def _fill_alike(frame: Frame, new: Statement) -> bool:
    """Whether both places begin with a function word, or none: "in Leoben", "mining in Leoben"."""
    mine, theirs = (words[0] in new.wording.function for words in (frame.mine, frame.theirs))
    return mine == theirs or not new.wording.spaced


def other_time(new: Statement, old: Statement) -> str | None:
    """Something else on other days, or in other years."""
    if (new.marks | old.marks) & _TELLING or not _tell_apart(new, old):
        return None
    if _other_days(new, old) and overlap(new, old) <= _HALF:
        return "something else on other days"
    mine, theirs = _years(new), _years(old)
    return "another year" if mine and theirs and not mine & theirs else None


def _tell_apart(new: Statement, old: Statement) -> bool:
    """Whether each tells something, or somebody, that the other does not."""
    people = bool(new.roles and old.roles) and new.roles.isdisjoint(old.roles)
    return people or bool(unheard(new, old) and unheard(old, new))


def _other_days(new: Statement, old: Statement) -> bool:
    """Whether both tell weekdays, and others; a month and a weekday may be one day."""
    mine, theirs = new.calendar - new.months, old.calendar - old.months
    days = bool(mine and theirs) and mine.isdisjoint(theirs)
    return days and not new.past and not old.past


def _years(statement: Statement) -> set[str]:
    return {n for n in statement.numbers if len(n) == _DIGITS and n[:2] in _CENTURIES}


def other_named(new: Statement, old: Statement) -> str | None:
    """Two of a kind by their names: the cat Pixel and the cat Nimbus."""
    if new.holder is None or new.holder != old.holder or new.holder in _ONLY_ONE:
        return None
    if not new.called or not old.called or new.called & old.words or old.called & new.words:
        return None
    return None if new.marks & _NO_EVENT else f"another {new.holder}"


def other_ordinal(new: Statement, old: Statement) -> str | None:
    """The second of its kind is not the first."""
    if len(new.ordinals) != 1 or len(old.ordinals) != 1 or new.ordinals == old.ordinals:
        return None
    return None if new.marks & _NO_EVENT else "another one by number"

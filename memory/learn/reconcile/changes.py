"""Rules that find ended and changed facts; each returns its reason. Pure.

A wrong match costs a fact, so each rule requires several signs and leaves complex statements to a
model.
"""

from __future__ import annotations

from .locales import Mark
from .parts import Quantity
from .relation import anchors, overlap, shared_names, shared_stems, unheard
from .statement import Statement

MOST = 0.6
"""Share of the old content that a statement about the same thing has."""
_CLEARLY_ABOUT = 0.75
"""The same for a refutation, whose subject is less certain."""
_NEW_WORDS = 3
"""New words that may accompany a changed number ("after the April review")."""
_SLOT = 4
"""Words, or characters, of a value in an otherwise unchanged sentence."""
_NEW_VALUE = 2
"""Most words of a value that replaced another."""
_HELPERS = frozenset({"doctor"})
"""Roles that are mentioned as advisers, not as holders."""
_GONE = frozenset({Mark.NEGATED, Mark.CEASED, Mark.REFUTED, Mark.INTENDED})


def ceased(new: Statement, old: Statement) -> str | None:
    """The old fact ended without a replacement.

    Other content in the new statement may be a replacement or the part that ended: unclear.
    """
    if Mark.CEASED not in new.marks or Mark.REFUTED in new.marks or not _may_end(new, old):
        return None
    if new.told - shared_stems(new.told, old.content, new.pack) or not anchors(new, old):
        return None
    if old.is_list and overlap(new, old) < MOST:
        return None  # one of several may have ended
    return "it ended, and nothing is said to take its place"


def refuted(new: Statement, old: Statement) -> str | None:
    """The old fact was never true. New content may stand only before the cue."""
    if Mark.REFUTED not in new.marks or not _may_end(new, old):
        return None
    if new.tail - shared_stems(new.tail, old.content, new.pack) or anchors(new, old) < _NEW_VALUE:
        return None
    return "said never to have been so" if overlap(new, old) >= _CLEARLY_ABOUT else None


def _may_end(new: Statement, old: Statement) -> bool:
    if new.marks & {Mark.REPLACED, Mark.ADDED} or old.marks & (_GONE - {Mark.INTENDED}):
        return False
    if Mark.INTENDED in new.marks and Mark.INTENDED not in old.marks:
        return False
    return _same_holder(new, old) and not _tells_more(new, old)


def _same_holder(new: Statement, old: Statement) -> bool:
    return new.holder == old.holder or bool(shared_names(new, old))


def _tells_more(new: Statement, old: Statement) -> bool:
    """Whether it has names, numbers, days or people that the old statement does not have.

    A start date (month and year) does not count if the old statement has no month.
    """
    since = set() if old.months else new.months | {n for n in new.numbers if _is_year(n)}
    return bool(
        new.names - old.names - old.words
        or set(new.numbers) - set(old.numbers) - since
        or new.calendar - old.calendar - since
        or new.roles - old.roles - _HELPERS
    )


def _is_year(number: str) -> bool:
    return len(number) == 4 and number[:2] in {"19", "20"}  # noqa: PLR2004 - digits


def other_number(new: Statement, old: Statement) -> str | None:
    """The same thing with another number: one number of the same unit in each."""
    pair = _measured(new, old)
    if pair is None or not _same_thing(new, old) or new.marks & {Mark.ADDED, Mark.INTENDED}:
        return None
    if Mark.NEGATED in new.marks or old.marks & _GONE or _other_month_or_day(new, old):
        return None
    if not (pair[0].unit or _same_frame(new, old)):
        return None  # a number that counts nothing may be part of a name
    if new.marks & {Mark.CHANGED, Mark.REPLACED}:
        return "another number, and a word of change"
    return "the same words with another number" if _same_frame(new, old) else None


def _measured(new: Statement, old: Statement) -> tuple[Quantity, Quantity] | None:
    mine, theirs = ([q for q in s.quantities if ":" not in q.value] for s in (new, old))
    if len(mine) > 1 or len(theirs) > 1:
        mine, theirs = ([q for q in some if q.unit] for some in (mine, theirs))
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
    if not new.content and not old.content:
        return new.holder is not None  # "User's son is 11"
    return named or (anchors(new, old) > 0 and overlap(new, old) >= MOST)


def _same_frame(new: Statement, old: Statement) -> bool:
    return not unheard(new, old) and not unheard(old, new) and not new.past and not old.past


def _other_month_or_day(new: Statement, old: Statement) -> bool:
    """Whether the numbers may belong to two occasions."""
    if Mark.CHANGED in new.marks and not old.calendar:
        return False
    return new.calendar != old.calendar


def other_time(new: Statement, old: Statement) -> str | None:
    """The same appointment at another time, with a word of change."""
    if not new.marks & {Mark.CHANGED, Mark.REPLACED} or old.marks & _GONE:
        return None
    if new.marks & {Mark.ADDED, Mark.INTENDED, Mark.NEGATED, Mark.REFUTED}:
        return None
    if not _same_holder(new, old) or overlap(new, old) < MOST or anchors(new, old) < 1:
        return None
    gained, gone = unheard(new, old), unheard(old, new)
    if len(gained) > 1 or (gained and gone) or new.names - old.names - old.words:
        return None
    dated = bool(new.dated and old.dated) and new.dated != old.dated
    return "another time, and a word of change" if dated else None


def other_value(new: Statement, old: Statement) -> str | None:
    """One value replaced another: a word of change in an otherwise equal sentence."""
    if not new.marks & {Mark.CHANGED, Mark.REPLACED} or old.marks & _GONE or new.several:
        return None
    if new.marks & {Mark.ADDED, Mark.INTENDED, Mark.NEGATED, Mark.REFUTED, Mark.CEASED}:
        return None
    if not _same_holder(new, old) or new.is_list or old.is_list:
        return None
    if new.quantities or old.quantities or new.calendar or old.calendar:
        return None
    gained, gone = unheard(new, old), unheard(old, new)
    if not gained or not gone or len(gained) > _NEW_VALUE or len(gone) > _NEW_VALUE:
        return None
    owned = bool(new.content & old.content & new.pack.single)
    alike = anchors(new, old) > len(gone) or owned
    return "a word of change, and one value for another" if alike else None


def replaced(new: Statement, old: Statement) -> str | None:
    """It ended, and the same statement has the replacement."""
    if Mark.CEASED not in new.marks or not new.marks & {Mark.REPLACED, Mark.CHANGED}:
        return None
    if new.marks & {Mark.ADDED, Mark.INTENDED, Mark.REFUTED} or old.marks & _GONE:
        return None
    if not _same_holder(new, old) or old.is_list or not new.ended or new.calendar or new.numbers:
        return None
    if new.ended - shared_stems(new.ended, old.content, new.pack):
        return None
    told = new.told - new.ended
    return "it ended, and another took its place" if told and told & unheard(new, old) else None


def other_slot(new: Statement, old: Statement) -> str | None:
    """The same sentence except for one place, with a word of change: "now commutes by ferry"."""
    if not new.marks & {Mark.CHANGED, Mark.REPLACED} or old.marks & _GONE or new.several:
        return None
    if new.marks & (_GONE | {Mark.ADDED}) or not _same_holder(new, old) or new.is_list:
        return None
    slots = _slots(new.plain, old.plain)
    if slots is None or any(not 0 < len(s) <= _SLOT or s[0] in new.pack.stop for s in slots):
        return None
    common = shared_stems(new.content, old.content, new.pack)
    # "User's manager is now Petra": a relation with another name.
    renamed = new.holder is not None and set(slots[0]) <= new.names and set(slots[1]) <= old.names
    alike = renamed or len(common) > 1 or bool(common & new.pack.single)
    return "one place filled otherwise" if alike else None


def _slots(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Where two sentences differ, if they begin and end alike; None if they share nothing."""
    shortest = min(len(one), len(other))
    start = next((n for n in range(shortest) if one[n] != other[n]), shortest)
    left = shortest - start
    end = next((n for n in range(left) if one[-1 - n] != other[-1 - n]), left)
    if not start and not end:
        return None
    return one[start : len(one) - end], other[start : len(other) - end]


def other_single(new: Statement, old: Statement) -> str | None:
    """Another value of an attribute that is unique: "User's surname is ..."."""
    if new.marks & (_GONE | {Mark.ADDED}) or old.marks & _GONE or new.is_list or old.is_list:
        return None
    if new.holder != old.holder or new.roles != old.roles:
        return None
    if new.attribute is None or new.attribute != old.attribute:
        return None
    return "another value of what there is one of" if new.order != old.order else None

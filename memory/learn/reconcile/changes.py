"""Rules that find ended and changed facts; each returns its reason. Pure.

A wrong match costs a fact, so each rule requires several signs and leaves complex statements to a
model.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from .frames import Frame, frame_of, touches
from .relation import anchors, overlap, shared_names, unheard
from .statement import Quantity, Statement
from .wording import Mark

_MOST = 0.6
"""Share of the old content that a statement about the same thing has."""
_NEW_WORDS = 3
"""New words that may accompany a changed number ("after the April review")."""
_SOME = 0.5
"""Share of the old content that a correction repeats, in a script without blanks."""
_FEW = 2
"""Words of content in a frame that tells one thing."""
_SHORT = 2
"""Most words of a value that is replaced by another."""
_LONG = 4
"""Most words of a value that is a name."""
_NAMED = frozenset({"vehicle", "provider"})
"""Attributes whose value is a name: other words may tell a property."""
_PLAIN = frozenset({"home", "dwelling", "commute"})
"""Attributes that one tells in whole other words, if they change."""
_NO_CORRECTION = frozenset({Mark.CEASED, Mark.INTENDED, Mark.ADDED})
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
    if pair and pair[0].unit and _tells_only_one(new, old):
        return "another number of what one has one of"
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


def _tells_only_one(new: Statement, old: Statement) -> bool:
    """Whether both tell the number of one attribute and nothing else: "weighs", "weight is"."""
    if new.marks & (_BLOCKING | {Mark.CEASED}) or old.marks & _GONE or old.past:
        return False
    if new.holder != old.holder or new.single.keys() != old.single.keys() or old.calendar:
        return False
    told = _told(new, old)
    return bool(told) and new.content | old.content <= told and not new.names - old.words


def _told(new: Statement, old: Statement) -> frozenset[str]:
    """The words that tell the attributes of both."""
    both = new.single.keys() & old.single.keys()
    return frozenset().union(*(new.single[name] | old.single[name] for name in both))


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


def corrected(new: Statement, old: Statement) -> str | None:
    """The known value is said to be wrong, and another is given: "in May, not in June"."""
    if (new.marks & _NO_CORRECTION) or old.marks & _GONE or not _same_holder(new, old):
        return None
    if _is_occasion(new, old):
        return None
    known = old.content | old.words | frozenset(old.order)
    wrong = frozenset(word for value in new.denied if value <= known for word in value)
    if not wrong or not ((old.content - wrong) & new.content or new.holder):
        return None  # nothing says that the rest is about the same
    return "what it was is denied, and another value given" if _gives(new, old, wrong) else None


def _is_occasion(new: Statement, old: Statement) -> bool:
    """Whether it may be so on one day only: "tea today, not coffee"."""
    return bool(new.calendar and not old.calendar) or (new.past and not old.past)


def _gives(new: Statement, old: Statement, wrong: frozenset[str]) -> bool:
    """Whether it gives another value, and tells nothing else: no more words than are wrong."""
    gained = unheard(new, old) - wrong
    if new.wording.spaced:
        more = gained - frozenset(map(new.wording.stem, new.names))
        if unheard(old, new) or len(more) > len(wrong):
            return False
    elif overlap(new, old) < _SOME:
        return False
    other = set(new.quantities) - set(old.quantities)
    return bool(gained or other or new.calendar - old.calendar)


def exchanged(new: Statement, old: Statement) -> str | None:
    """Something else takes the place of the known value: "traded the Golf for a Volvo"."""
    if new.marks & (_BLOCKING | {Mark.CEASED}) or old.marks & _GONE or old.past:
        return None
    if new.holder != old.holder or new.roles - old.roles or old.is_list:
        return None
    for value in new.replaced:
        gone = _known_first(value, new, old)
        if gone and len(old.content - gone) <= 1 and unheard(new, old):
            return "it is replaced, and by what is said"
    return None


def _known_first(value: Sequence[str], new: Statement, old: Statement) -> frozenset[str]:
    """The known content that the words begin with, if a new phrase follows it."""
    function = new.wording.function
    known = [*takewhile(lambda word: word not in function and not _is_new(word, new, old), value)]
    behind = value[len(known) :]
    follows = bool(behind) and behind[0] in function
    return old.content.intersection(known) if follows else frozenset()


def _is_new(word: str, new: Statement, old: Statement) -> bool:
    return word in new.content and word not in old.content


def other_value(new: Statement, old: Statement) -> str | None:
    """The same words but for one value of what one has one of at a time."""
    if new.marks & (_BLOCKING | {Mark.CEASED}) or old.marks & _GONE or old.past:
        return None
    if new.holder != old.holder or new.several | old.several or new.roles - old.roles:
        return None
    if new.quantities or old.quantities or new.single.keys() != old.single.keys():
        return None
    if _is_replaced(new, old):
        return "another value, and a word of change"
    frame = None if new.past else frame_of(new, old)
    if frame is None or new.calendar != old.calendar or not _are_alike(frame, new, old):
        return None
    single = frozenset().union(*(new.single[name] for name in new.single.keys() & old.single))
    if Mark.CHANGED in new.marks:
        known = touches(frame, single, new) or len(new.content & frame.shared) >= _FEW
        return "another value, and a word of change" if known else None
    sure = new.wording.spaced and touches(frame, single, new)
    return "another value of what one has one of" if sure else None


def _is_replaced(new: Statement, old: Statement) -> bool:
    """Whether both tell one attribute with nothing else in common, and the new one a change."""
    if Mark.CHANGED not in new.marks or not new.single or new.single.keys() - _PLAIN:
        return False
    told = _told(new, old)
    gained = unheard(new, old) - told - frozenset(map(new.wording.stem, new.names))
    if new.wording.latin and not new.wording.capital_nouns:
        if not (new.names and old.names) or gained:
            return False  # a kind of home and a place are two things
    elif new.wording.spaced and len(gained) > 1:
        return False
    apart = not shared_names(new, old) and unheard(new, old) and unheard(old, new)
    return bool(apart) and not (new.content & old.content - told)


def _are_alike(frame: Frame, new: Statement, old: Statement) -> bool:
    """Whether both values are names, or neither is and both are short."""
    named = new.names - old.words, old.names - new.words
    if not new.single.keys() <= _NAMED:
        short = max(len(frame.mine), len(frame.theirs)) <= _SHORT
        return short and bool(named[0]) == bool(named[1])
    return all(named) and max(len(frame.mine), len(frame.theirs)) <= _LONG

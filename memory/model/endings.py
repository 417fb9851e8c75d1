"""Ends memories by a person's word, and restores them. Pure.

What a person ends leaves recall and stays as a row. Its times, its links and its order in time stay
too, so that it comes back as it was, and never newer than it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from .doubts import CALLED_WRONG
from .quantities import moment_of
from .types import MemoryItem, MemoryStatus

PERSON = "person"
"""The stage of what a person decided about one memory (`Provenance.ended`, the history)."""
_BY_PERSON = f"{PERSON}: "
DUPLICATE = "duplicate"
"""The stage of what ends because another memory says the same."""
UNSAID = "somebody says that it is not so"
"""The reason of an invalidation without one."""
REFILED = f"{_BY_PERSON}its text stayed"
"""What a version says that differs from the next one in its metadata or importance only."""
_TAKEN_BACK = f"{_BY_PERSON}taken back at version "
_MARK = re.compile(re.escape(_TAKEN_BACK) + r"(\d{1,18})(?:; (.*))?", re.DOTALL)


NEVER_AGAIN = "never_again"
"""Of `Provenance.flags`: what a person refused, and wants never to be learned again."""


def is_never_again(item: MemoryItem) -> bool:
    """Whether a person refused it for good."""
    return NEVER_AGAIN in item.provenance.flags and ended_by_a_person(item)


def by_person(reason: str) -> str:
    """What a memory says of its end that a person told."""
    return f"{_BY_PERSON}{reason or UNSAID}"


def began(item: MemoryItem) -> datetime:
    """From when on it is true; from when it is known on, if no other time is."""
    return item.valid_from or item.created_at


def is_duplicate(item: MemoryItem) -> bool:
    """Whether a memory ended because another one says the same: it is still so."""
    told = item.provenance
    return told.superseded_by is not None and (told.ended or "").startswith(f"{DUPLICATE}: ")


def is_version(item: MemoryItem) -> bool:
    """Whether it is an earlier version of another memory, and no memory of its own."""
    return item.provenance.superseded_by is not None and not is_duplicate(item)


def is_refiled(item: MemoryItem) -> bool:
    """Whether it is an earlier version whose text the next one has too: nobody reads it twice."""
    return is_version(item) and (item.provenance.ended or "").endswith(REFILED)


def ended_by_a_person(item: MemoryItem) -> bool:
    """Whether a person ended this memory; an earlier version of it is none."""
    told = item.provenance.ended_at is not None
    return item.status is MemoryStatus.SUPERSEDED and told and not is_version(item)


def denied_at(item: MemoryItem) -> datetime | None:
    """When a person ended a memory or called it wrong; None if nobody did."""
    if ended_by_a_person(item):
        return item.provenance.ended_at
    held = item.provenance.reasons if item.status is MemoryStatus.QUARANTINED else ()
    wrong = [doubt.at for doubt in held if doubt.kind == CALLED_WRONG]
    return moment_of(wrong[0], seconds=False) if wrong else None


def denied_since(items: Iterable[MemoryItem], at: datetime) -> list[MemoryItem]:
    """Those that a person ended, or called wrong, at a moment or later."""
    return [item for item in items if (told := denied_at(item)) is not None and told >= at]


def held_once(item: MemoryItem) -> bool:
    """Whether a superseded memory was true until it ended, and no longer, as far as is known."""
    if is_duplicate(item):
        return False
    if not (item.provenance.ended or "").startswith(_BY_PERSON):
        return True
    return not is_version(item) and item.valid_to is not None and item.valid_to > began(item)


def status_kept(item: MemoryItem) -> MemoryStatus | None:
    """The status of a memory that ends, as `Provenance.ended_from` keeps it."""
    return None if item.status is MemoryStatus.ACTIVE else item.status


def ended_by_hand(
    item: MemoryItem, ended: str, *, until: datetime, now: datetime, never: bool = False
) -> MemoryItem:
    """The memory after a person ended it, true `until` then, but not before it began.

    `never`: it is not to be learned again, whoever says it.
    """
    flags = (*item.provenance.flags, *((NEVER_AGAIN,) if never else ()))
    origin = replace(
        item.provenance, ended=ended, ended_at=now, ended_from=status_kept(item), flags=flags
    )
    return replace(
        item,
        status=MemoryStatus.SUPERSEDED,
        valid_to=max(until, began(item)),
        version=item.version + 1,
        provenance=origin,
    )


def held_again(item: MemoryItem, now: datetime) -> MemoryItem:
    """A superseded memory, or an earlier version, as a memory that holds, as old as it was.

    An end by a person, or for another memory, moved no time; another end moved `updated_at`.
    """
    was = item.provenance
    unmoved = was.ended_at is not None or was.superseded_by is not None
    origin = replace(
        was,
        superseded_by=None,
        ended=None,
        ended_at=None,
        ended_from=None,
        restored_at=now,
        flags=tuple(each for each in was.flags if each != NEVER_AGAIN),
    )
    return replace(
        item,
        status=was.ended_from or MemoryStatus.ACTIVE,
        valid_to=None,
        updated_at=item.updated_at if unmoved else began(item),
        version=item.version + 1,
        provenance=origin,
    )


def taken_back(version: MemoryItem, at: int) -> MemoryItem:
    """An earlier version that a person took back when the memory was `at` this version.

    It was a mistake, or the memory says it again: it is not what was true before.
    """
    ended = version.provenance.ended
    if _taken_at(version) is not None:
        return version
    mark = f"{_TAKEN_BACK}{at}" + (f"; {ended}" if ended else "")
    return replace(version, provenance=replace(version.provenance, ended=mark))


def put_back(version: MemoryItem, to: int) -> MemoryItem:
    """An earlier version as it was before the memory, which returns to version `to`, left that."""
    at = _taken_at(version)
    if at is None or at < to:
        return version
    found = _MARK.fullmatch(version.provenance.ended or "")
    return replace(version, provenance=replace(version.provenance, ended=found and found[2]))


def _taken_at(version: MemoryItem) -> int | None:
    found = _MARK.fullmatch(version.provenance.ended or "")
    return int(found[1]) if found else None

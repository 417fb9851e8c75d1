"""Reads how far an instruction reaches: for good, until a time, in its conversation. Pure.

Words tie it to what is at hand ("in this chat", "this time"), dates end it ("until Friday"). What
ends with the day is for the conversation: nobody means the chats of the same evening.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple, Self

import regex

from .dates import Period, periods
from .detect import language_of, languages_of
from .requests import Cue, cues_of
from .scanner import Scan, scan
from .vocabulary import Hit

_PASSING = "person.passing"
_LASTING = ("person.instructs", "person.traits.name", "person.traits.manner", "planting.standing")
_SURE_LETTERS = 6
"""Letters of a term that counts in any language: a short sentence tells its own badly."""
_FORWARD = regex.compile(r"[^,.;!?\n]{0,30}[:\uff1a]")
"""Of what "this" points at in its own sentence: "in this style: short"."""
_NEAR = 6
_WEEK, _DAY = timedelta(days=7), timedelta(days=1)
_HERE = "here"
_SHORT = 200
"""Characters of the longest text without a lasting word whose times are read."""
_OPEN_YEAR = 1900
"""Where times begin that have an end only: "until Friday"."""


class Reach(NamedTuple):
    """The reach of an instruction."""

    here: bool = False
    """In the conversation that it was said in, and in no other."""
    until: datetime | None = None

    def holds(self, now: datetime, *, here: bool) -> bool:
        """Whether it does, in its own conversation (`here`) or in another one."""
        return (here or not self.here) and (self.until is None or now < self.until)

    def narrowed(self, other: Self) -> Self:
        """What both allow."""
        ends = [one.until for one in (self, other) if one.until is not None]
        return self._replace(here=self.here or other.here, until=min(ends, default=None))

    def written(self) -> str:
        """As it is stored; "" for good."""
        until = "" if self.until is None else self.until.isoformat()
        return " ".join(filter(None, (_HERE * self.here, until)))

    @classmethod
    def read(cls, written: str) -> Self:
        """What `written` gave."""
        until = written.removeprefix(_HERE).strip()
        return cls(written.startswith(_HERE), datetime.fromisoformat(until) if until else None)


FOR_GOOD = Reach()


def reach_of(text: str, said_at: datetime) -> Reach:
    """How far an instruction in a text reaches that was said then, in the user's own time."""
    found = scan(text)
    if any(_ties(hit, text, found) for hit in _hits(found, text, _PASSING)):
        return Reach(here=True)
    reach, at = FOR_GOOD, 0
    for period in periods(text, said_at) if len(text) < _SHORT or found.has(*_LASTING) else ():
        at = max(at, text.find(period.text, at))
        own = at, at + len(period.text)
        at += 1
        if (end := _end_of(period, said_at)) and not _is_aside(own, text, found):
            short = end <= _midnight(said_at)
            reach = reach.narrowed(Reach(here=True) if short else Reach(until=end))
    return reach


def _hits(found: Scan, text: str, *fields: str) -> list[Hit]:
    hits, words = found.found(*fields), found.words.folded
    if not hits:
        return []  # as of nearly all
    languages = languages_of(words) | {language_of(text)}
    return [hit for hit in hits if hit.language in languages or hit.letters(words) >= _SURE_LETTERS]


def _ties(hit: Hit, text: str, found: Scan) -> bool:
    """Whether it is not "in this and all other chats", nor "always answer in this style: ..."."""
    rest = text[found.words.ends[hit.end - 1] :]
    if found.covered("person.joins").issuperset(range(hit.start, hit.end)):
        return False  # "for this reason"
    joined = [one.start for one in found.found("changes.conjunctions") if one.start >= hit.end]
    every = [one.start for one in found.found("forget.all")]
    if joined and any(min(joined) < start < hit.end + _NEAR for start in every):
        return False
    told = any(one.end <= hit.start for one in _hits(found, text, *_LASTING))
    return not (told and _FORWARD.match(rest))


def _end_of(period: Period, now: datetime) -> datetime | None:
    """When what is said of a time ends; None if it does not hold now."""
    if period.start.year == _OPEN_YEAR:  # until then: the day that is named belongs to it
        end = period.end + _DAY
        while end <= now and period.rule == "weekday":
            end += _WEEK
        if end <= now and period.rule == "day_and_month":
            end = end.replace(year=end.year + 1)
        return end if end > now else None
    begun = period.start < _midnight(now)  # "tonight" is said in the afternoon, too
    return period.end if begun and now < period.end and period.is_counted else None


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0) + _DAY


def _is_aside(place: tuple[int, int], text: str, found: Scan) -> bool:
    """Whether the time there begins what lasts ("from today on"), or what is told beside it."""
    words, hits = found.words, _hits(found, text, *_LASTING)
    own = {i for i, start in enumerate(words.starts) if place[0] <= start < place[1]}
    if not own or any(not own.isdisjoint(range(hit.start, hit.end)) for hit in hits):
        return bool(own)
    starts = sorted(words.clause_starts | {0})
    first = max(start for start in starts if start <= min(own))
    end = next((start for start in starts if start > max(own)), len(words.folded))
    clause = set(range(first, end))
    tells = not cues_of(text).covered(Cue.SELF).isdisjoint(clause)
    return tells and bool(hits) and all(hit.start not in clause for hit in hits)

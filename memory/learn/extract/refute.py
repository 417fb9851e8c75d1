"""Whether something that was said stands against a fact. Pure.

Rules refute; they do not demand a proof. What the turns neither say nor contradict is left to who
can read.
"""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

from ...language import language_of, names_in
from ...language.dates import spelled_numbers, tells_time
from ...language.names import fold
from .days import Dated, dates_in
from .facts import Fact
from .measures import clocks_of, units_of
from .numerals import Number, composed, derived, follows, numbers_of, values_of
from .passage import Passage
from .said import Said, scripts_of
from .stance import stands_against

FEW = 12
"""Up to here a number is refuted by a value in the same passage only: words may tell it."""
MOST_SPELLED = 20
"""Beyond it number words of most languages are in no file."""
_COMPARABLE = 10
"""A number stands against another that is at most so many times larger or smaller."""
_YEARS = range(1900, 2100)


def refuted(fact: Fact, text: str, passage: Passage, said: Said) -> str:
    """What stands against a fact, in a few words; "" if nothing. `text` has its days written out."""
    at = passage.part.turn.created_at
    return (
        stands_against(fact, passage)
        or other_value(fact.text, passage.near, said, at)
        or other_name(fact.text, passage.near, said)
    )


def other_value(text: str, near: str, said: Said, at: datetime) -> str:
    """A date, time, amount or number of a text that something else stands against."""
    dates = dates_in(text, at)
    for dated in dates:
        if _is_other_date(dated, near, said, at):
            return f"another date than {dated.words}"
    for words, clock in clocks_of(text):
        if _is_other_clock(words, near, said):
            return f"another time than {words}"
        text = text.replace(words, " ")
    for dated in dates:
        if dated.days < 360:  # noqa: PLR2004 - years are compared as numbers
            text = text.replace(dated.words, " ")
    return _other_unit(text, said) or _other_number(text, near, said, at)


def other_name(text: str, near: str, said: Said) -> str:
    """A name that nobody said, if there is another one in its place."""
    if scripts_of([text]) != scripts_of([said.text]) or language_of(text) != said.language:
        return ""
    unsaid = said.unsaid_names(text)
    own = {fold(word) for word in text.split()}
    theirs = {name for name in names_in(near) if not any(name[:3] in word for word in own)}
    return f"another name than {unsaid[0]}" if unsaid and theirs else ""


def _is_other_date(dated: Dated, near: str, said: Said, at: datetime) -> bool:
    if dated.moves or dated.weekday or dated.days > 31 or dated.first <= at.date() <= dated.last:  # noqa: PLR2004
        return False
    numbers = values_of(near)
    if dated.days == 1 and {dated.first.day, dated.first.month} <= numbers:
        return False
    stated = dates_in(near, at)
    if any(dated.may_be(one) for one in stated):
        return False
    if dated.days == 1 and dated.first.day in numbers and not any(one.days == 1 for one in stated):
        return False
    return any(one.days <= 31 for one in stated) or _says_nothing(said)  # noqa: PLR2004


def _is_other_clock(words: str, near: str, said: Said) -> bool:
    [(_, clock), *_] = clocks_of(words)
    said_at = [one for _, one in clocks_of(near, bare=True)]
    if any(clock.is_like(one) for one in said_at):
        return not any(clock == one or clock.is_like(one) and one.half for one in said_at) and any(
            clock.is_against(one) for one in said_at
        )
    if any(clock.is_against(one) for one in said_at):
        return True
    hours = {Fraction(hour % 24) for hour in (clock.hour, clock.hour + 1, clock.hour + 12, clock.hour + 13)}
    if hours & values_of(near):
        return False
    return bool(clocks_of(near)) or _says_nothing(said)


def _other_unit(text: str, said: Said) -> str:
    known = list(units_of(said.text))
    for number, unit in units_of(text):
        same = [theirs for other, theirs in known if other.readings & number.readings]
        everywhere = [one for one in numbers_of(said.text) if one.readings & number.readings]
        if same and len(same) == len(everywhere) and all(unit.isdisjoint(one) for one in same):
            return f"another unit than {sorted(unit)[0]} of {float(number.value):g}"
    return ""


def _other_number(text: str, near: str, said: Said, at: datetime) -> str:
    words = spelled_numbers() if language_of(text) == said.language else {}
    everything = values_of(said.text)
    there = numbers_of(near)
    years = {Fraction(day.year) for one in dates_in(near, at) for day in (one.first, one.last)}
    ages = {abs(Fraction(at.year) - value - less) for value in everything for less in (0, 1)}
    read = derived([one.value for one in there]) | composed([o.value for o in there if o.spelled])
    mine = values_of(text)
    for number in numbers_of(text, words):
        if follows(number, everything) or number.readings & (years | ages | read):
            continue
        if _stands_against(number, there, mine) or (years and number.value in _YEARS):
            return f"another number than {float(number.value):g}"
        if number.value > FEW and number.value % 50 and _says_nothing(said):
            return f"nobody said {float(number.value):g}"
    return ""


def _stands_against(number: Number, there: list[Number], mine: frozenset[Fraction]) -> bool:
    value = number.value
    others = [one for one in there if not one.readings & mine and one.value > 1]
    if value in _YEARS:
        return any(one.value in _YEARS for one in others)
    return any(
        value / _COMPARABLE <= one.value <= value * _COMPARABLE
        and one.value not in _YEARS
        and (not one.spelled or value <= MOST_SPELLED)
        for one in others
    )


def _says_nothing(said: Said) -> bool:
    """Whether neither a number nor a time was said, from which a value could be counted."""
    return not values_of(said.text) and not tells_time(said.text)

"""Finds a date, time, amount or number of a text that something said stands against. Pure.

What was neither said nor contradicted is left to who can read.
"""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

from ...language import language_of, stored_terms
from ...language.fold import clean
from ...language.values import (
    ClockTime,
    Number,
    clocks_of,
    composed,
    derived,
    follows,
    numbers_of,
    says_one,
    units_of,
    values_of,
)
from ...language.words import is_unspaced
from .fact_dates import Dated, dates_in
from .turn_texts import TurnTexts

FEW = 12
"""Up to here a number is refuted by a value in the same passage only: words may tell it."""
MOST_SPELLED = 20
"""Beyond it number words of most languages are in no file."""
_COMPARABLE = 10
"""A number stands against another that is at most so many times larger or smaller."""
_YEARS = range(1900, 2100)
_MONTH, _YEAR_DAYS = 31, 360
"""Days: longer ones are no date to the day, and years are compared as numbers."""


def other_value(text: str, near: str, said: TurnTexts, at: datetime) -> str:
    """What stands against a value of a text, in a few words; "" if nothing. `near` is in `said`."""
    dates, clocks = dates_in(text, at), list(clocks_of(text))
    for dated in dates:
        if _is_other_date(dated, near, at):
            return f"another date than {dated.words}"
    for words, clock in clocks:
        if _is_other_clock(clock, near):
            return f"another time than {words}"
    days = [dated.words for dated in dates if dated.days < _YEAR_DAYS]
    for words in (*(words for words, _ in clocks), *days):
        text = text.replace(words, " ")
    return _other_unit(text, said) or _other_number(text, near, said, at)


def _is_other_date(dated: Dated, near: str, at: datetime) -> bool:
    """Whether other days are written there, and nothing that is counted from some day."""
    if dated.moves or dated.weekday or dated.days > _MONTH:
        return False
    stated = dates_in(near, at)
    if dated.days == 1 and dated.first.day in values_of(near):
        return False
    if any(one.moves or one.weekday or dated.may_be(one) for one in stated):
        return False
    return any(one.days <= _MONTH for one in stated)


def _is_other_clock(clock: ClockTime, near: str) -> bool:
    """Whether other times are written there, and not its hour as a word or alone."""
    if any(clock.is_like(one) for _, one in clocks_of(near, bare=True)):
        return False
    there = [one for _, one in clocks_of(near)]
    if any(clock.is_against(one) for one in there):
        return True
    # "half past six", "quarter to nine" and "halb sieben" say the hour in a word.
    hours = {Fraction((clock.hour + more) % 24) for more in (0, 1, 12, 13)}
    words = any(one.spelled for one in numbers_of(near))
    other_minute = clock.minute and not words and Fraction(clock.minute) not in values_of(near)
    return bool(there) and bool(other_minute or hours.isdisjoint(values_of(near)))


def _other_unit(text: str, said: TurnTexts) -> str:
    for number, unit in units_of(text):
        everywhere = [one for one in said.numbers if one.readings & number.readings]
        same = [unit for other, unit in said.units if other.readings & number.readings]
        if same and len(same) == len(everywhere) and all(map(unit.isdisjoint, same)):
            return f"another unit than {min(unit)} of {float(number.value):g}"
    return ""


def _other_number(text: str, near: str, said: TurnTexts, at: datetime) -> str:
    unsaid = [one for one in numbers_of(text, language_of(text)) if not follows(one, said.values)]
    if not unsaid:
        return ""
    there = numbers_of(near, said.language)
    years = {Fraction(day.year) for one in dates_in(near, at) for day in (one.first, one.last)}
    ages = {abs(Fraction(at.year) - value - less) for value in said.values for less in (0, 1)}
    # "2 labs and a beagle": an article counts one.
    one_more = [Fraction(1)] if says_one(near, said.language) else []
    read = derived([*(one.value for one in there), *one_more])
    read |= composed([one.value for one in there if one.spelled])
    others = [one for one in there if not one.readings & values_of(text) and one.value > 1]
    for number in unsaid:
        if number.readings & (years | ages | read):
            continue
        if number.value in _YEARS:
            against = bool(years) or any(one.value in _YEARS for one in others)
        else:
            against = any(_is_in_place(number, one, text, near) for one in others)
        if against:
            return f"another number than {float(number.value):g}"
    return ""


def _is_in_place(number: Number, other: Number, text: str, near: str) -> bool:
    """Whether `other` may be what was said instead of a number; a small one counts its things."""
    value = number.value
    alike = value / _COMPARABLE <= other.value <= value * _COMPARABLE and other.value not in _YEARS
    if value > FEW:
        return alike and (not other.spelled or value <= MOST_SPELLED)
    return alike and bool(_counted(number, text) & _counted(other, near))


def _counted(number: Number, text: str) -> set[str]:
    """The terms of the word behind a number, and of the one before."""
    cleaned = clean(text)
    behind, before = cleaned[number.end :], cleaned[: number.start]
    if is_unspaced(behind[:1]):
        return set(behind[:2])
    return set(stored_terms(" ".join((*before.split()[-1:], *behind.split()[:1]))))

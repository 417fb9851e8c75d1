"""The rules that find times: a table of what they read, with an example each.

Examples are read on Wednesday, 16 August 2023, at half past two in the afternoon. A rule without
a period as its result is there for what only looks like a time. Of two rules that match at the
same word the first one counts. See `kinds` for how patterns are written.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from . import date_resolution
from .kinds import DatePiece
from .spans import Span

EXAMPLES_AT = datetime(2023, 8, 16, 14, 30)  # noqa: DTZ001 - local by intent

PARTS = {
    "year": "{maybe_year|sure_year}|{named_year}",
    "named_year": "{which} {unit_year}|{unit_year}{which}",
    "clear_year": "{named_year}|{sure_year}",
    "of_year": "(?:{article|comma}*{year})?",
    "clear_month": "{sure_month|weak_month}|{small_month}(?!{word})",
    "day_number": "{number|ordinal}",
    "after_weekday": "(?:{weekday} {comma}? )?",
    "counted_unit": "{count} {unit}",
    "which_unit": "{which} {unit_but_year}|{unit_but_year}{which}",
}
"""Patterns that others contain."""


class Rule(NamedTuple):
    """A time that a text names."""

    name: str
    pattern: str
    resolve: Callable[[DatePiece, datetime], list[Span]]
    example: str
    period: str


RULES = (
    Rule(
        "date", "{after_weekday}{date}", date_resolution.written_date,
        "Sunday, 2023-05-07", "2023-05-07/2023-05-08",
    ),
    Rule(
        "no_time", "{numbered} {maybe_year|number|ordinal}", date_resolution.nothing,
        "page 1999", "",
    ),
    Rule(
        "part_of", "{ordinal|last|past} {unit_but_year|weekday}{article|in}+"
        "(?:{month}{of_year}|{year}|{which_unit})", date_resolution.which_of,
        "the last Friday of May 2023", "2023-05-26/2023-05-27",
    ),
    Rule(
        "days_before_month",
        "{day_number} {and_to}{article|on}*{day_number} {clear_month}{of_year}",
        date_resolution.days_of_month,
        "5 to 9 May 2023", "2023-05-05/2023-05-10",
    ),
    Rule(
        "days_after_month", "{clear_month} {day_number} {and_to} {day_number}{of_year}",
        date_resolution.days_of_month,
        "May 5 to 9, 2023", "2023-05-05/2023-05-10",
    ),
    Rule(
        "day_and_month", "{after_weekday}{day_number} {clear_month}{of_year}",
        date_resolution.day_of_month,
        "the 4th of July", "2023-07-04/2023-07-05",
    ),
    Rule(
        "month_and_day", "{after_weekday}(?:{clear_year} )?(?:{sure_month|weak_month} {day_number}"
        "|{small_month} {day_number}(?!{word}))(?! {unit}){of_year}", date_resolution.day_of_month,
        "May 7th, 2023", "2023-05-07/2023-05-08",
    ),
    Rule(
        "month_of_year", "{month}{article|comma}*{year}"
        "|(?:{clear_year}{comma}?|{maybe_year}){article|in}*{sure_month|weak_month}",
        date_resolution.yearly,
        "May 2023", "2023-05-01/2023-06-01",
    ),
    Rule(
        "time_of_year",
        "{quarter}{article|comma}*{year}|{year}{article|in|on}*{quarter}", date_resolution.yearly,
        "Q3 of last year", "2022-07-01/2022-10-01",
    ),
    Rule(
        "day_of_week", "{weekday} (?:{which_unit})|{which}{unit_but_year} {sure_weekday}",
        date_resolution.day_of_week,
        "Monday last week", "2023-08-07/2023-08-08",
    ),
    Rule(
        "which", "{which} {sure_month|weak_month|weekday|quarter}"
        "|{sure_month|small_month|weekday|quarter} {which}|{last|next} {small_month}",
        date_resolution.which,
        "last March", "2023-03-01/2023-04-01",
    ),
    Rule(
        "last_but_one", "{unit}(?:{before}{last}|{after}{next})", date_resolution.unit,
        "the week before last", "2023-07-31/2023-08-07",
    ),
    Rule(
        "ago", "(?:(?:{counted_unit})|(?<!{figure}){unit}|{amount}){ago}"
        "|{ago_first|ago_or_before} (?:{counted_unit}|{amount})|{ago_first}{unit}",
        date_resolution.ago, "two weeks ago", "2023-07-30/2023-08-06",
    ),
    Rule(
        "ahead", "(?:{counted_unit}|{amount}){ahead}", date_resolution.ahead,
        "two weeks from now", "2023-08-27/2023-09-03",
    ),
    Rule(
        "in_days", "{in_or_ahead} (?:{number|few|one} {unit}|{amount})", date_resolution.in_units,
        "in two weeks", "2023-08-27/2023-09-03",
    ),
    Rule(
        "rolling", "{last|past|next|since} (?:{counted_unit}|{amount})|{past}{unit}"
        "|{number|few} {last|past} {unit}", date_resolution.rolling,
        "the past month", "2023-07-16/2023-08-17",
    ),
    Rule(
        "unit", "{which} {unit}|{unit}{which}", date_resolution.unit,
        "last week", "2023-08-07/2023-08-14",
    ),
    Rule("day", "{day}", date_resolution.day, "yesterday", "2023-08-15/2023-08-16"),
    Rule(
        "part_of_day", "{which} {part}|{part}{which}", date_resolution.part_of_day,
        "this morning", "2023-08-16T05:00/2023-08-16T12:00",
    ),
    Rule(
        "decade", "{decade}|{article}{short_decade}|{unit_year} {number}(?!{unit})",
        date_resolution.decade,
        "the 90s", "1990-01-01/2000-01-01",
    ),
    Rule(
        "year", "{sure_year}|{unit_year} {maybe_year}", date_resolution.year,
        "the year 2020", "2020-01-01/2021-01-01",
    ),
    Rule(
        "cued_year", "{in|between|before|after|since|ago_first|ago_or_before}"
        " {maybe_year}(?! {unit})", date_resolution.year,
        "in 2022", "2022-01-01/2023-01-01",
    ),
    Rule(
        "lone_year", "{and|to} {maybe_year}(?! {word|unit})|{article}+{maybe_year}"
        "|^ {maybe_year}(?=$|{stop})"
        "|{maybe_year}(?=$|{comma|stop|in|between|and|to|on|before|after|since|since_behind})",
        date_resolution.lone_year,
        "what about 2021?", "2021-01-01/2022-01-01",
    ),
    Rule(
        "weekday", "{sure_weekday}|{on}{weak_weekday}(?!{word})", date_resolution.latest,
        "on Monday", "2023-08-14/2023-08-15",
    ),
    Rule(
        "month", "{sure_month}"
        "|{in|between|before|after|since|vague|ago_first|ago_or_before|and|to} {weak_month}"
        "|{in} {small_month}"
        "|{between|before|after|since|vague|ago_first|ago_or_before} {small_month}(?!{word})"
        "|{weak_month}(?={and|to} {sure_month|weak_month})|^ {weak_month|small_month}$",
        date_resolution.latest,
        "in May", "2023-05-01/2023-06-01",
    ),
    Rule(
        "the_month", "{article}{weak_month}(?={word})", date_resolution.the_month,
        "the May meeting", "2023-05-01/2023-06-01",
    ),
    Rule(
        "quarter", "{quarter}", date_resolution.latest,
        "Q1", "2023-01-01/2023-04-01",
    ),
    Rule(
        "weekend", "{on|in|vague} {unit_but_year}", date_resolution.weekend,
        "over the weekend", "2023-08-12/2023-08-14",
    ),
    Rule(
        "day_number", "{on}{article}+{ordinal}(?=$|{stop|comma|in})", date_resolution.day_number,
        "on the 5th", "2023-08-05/2023-08-06",
    ),
)  # fmt: skip

"""Words that say when."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Named, Rows, Terms, flag, named, rows, terms

UNITS = frozenset(
    ("second", "minute", "hour", "day", "week", "weekend", "month", "quarter", "year", "decade")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """Words that say when, in all forms that follow a preposition or a number."""

    months: Rows = rows("Twelve, January first.", 12)
    weekdays: Rows = rows("Seven, Monday first.", 7)
    weak_months: Rows = rows(
        'Twelve ("-" for none): other words for them, which are months only beside a cue ("may").',
        12,
    )
    weak_weekdays: Rows = rows("Seven, likewise.", 7)
    capitals: bool = flag(
        'Weekdays are written with a capital; a weak one without it is another word ("sat").'
    )
    month_first: bool = flag("The month is written first in 05/07/2023, at least by some.")
    amounts: Named = named(
        '"count unit" to the form of a noun that says both: the dual "two days" is "2 day".'
    )
    units: Named = named("Each unit of time in all its forms, also the plural.", UNITS)
    numbers: Rows = rows("Numbers as words: two, three, and so on up to twenty.")
    tens: Rows = rows("Thirty, forty, and so on.")
    ordinals: Rows = rows("From first on.")
    ordinal_endings: Terms = terms('What is written behind the digits of an ordinal: "7th".')
    decade_endings: Terms = terms('What is written behind the digits of a decade: "the 90s".')
    one: Terms = terms("Indefinite articles and the number one.")
    few: Terms = terms('An unknown small number: "a few".')
    figures: Rows = rows(
        "Characters for nought to ten, where numbers are written with them: 二〇二三.", 11
    )
    signs: Rows = rows(
        "Three: what is written behind the number of a year, a month and a day: 年, 月, 日.", 3
    )
    days: Named = named(
        "Distance from today to the words for it: -1 is yesterday; two distances if there is one "
        "word for both."
    )
    parts: Rows = rows("Four parts of a day: morning, afternoon, evening, night.", 4)
    spans: Named = named('"offset unit" to words that say both: 去年 is "-1 year".')
    last: Terms = terms('The one before this one: "last" as in "last week".')
    this: Terms = terms('The current one: "this" as in "this week".')
    next: Terms = terms('The one after this one: "next" as in "next week".')
    past: Terms = terms('The last so many, counted from now: "past" as in "the past month".')
    ago: Terms = terms('Follows the count: "ago".')
    ago_first: Terms = terms('Precedes the count: "il y a".')
    ago_or_before: Terms = terms('Precedes a count or a date: "vor".')
    ahead: Terms = terms('Follows the count: "from now".')
    ahead_first: Terms = terms(
        'Precedes the count, or a month or year like those of `in`: "in two days", "in 2023".'
    )
    before: Terms = terms('Precedes a time that all that is meant comes before: "until".')
    after: Terms = terms('Precedes a time that all that is meant comes after: "after".')
    since: Terms = terms('Precedes the beginning of what lasts until now: "since".')
    before_behind: Terms = terms("The same as `before`, where it follows the time.")
    after_behind: Terms = terms("The same as `after`, where it follows the time.")
    since_behind: Terms = terms("The same as `since`, where it follows the time.")
    between: Terms = terms('Before two times: "between", "from".')
    to: Terms = terms('Between the first and the last time: "to".')
    and_: Terms = terms('Between two of a kind: "and", "or".')
    joined_and: Terms = terms(
        'A letter that means "and" when it is written before a month or weekday.'
    )
    in_: Terms = terms("Prepositions that a month or year follows.")
    vague: Terms = terms(
        'Prepositions that a month follows, but a number after them is a count: "about 2000".'
    )
    on: Terms = terms("Prepositions that a day follows, but no month.")
    articles: Terms = terms("Articles and the like, which may stand between the other words.")
    of: Terms = terms('Likewise, but a name may follow them: May in "the story of May".')
    numbered: Terms = terms('Nouns whose number is a name and no year: "room 2020".')
    asks: Terms = terms('Questions that ask for a time: "when did", "what date".')
    asks_first: Terms = terms(
        "Words that ask for a time where they begin a question without a comma."
    )
    asks_last: Terms = terms('Words that ask for a time where they end a sentence: "and when?".')
    asks_not: Terms = terms("Longer words that do not ask, though they begin with one that does.")

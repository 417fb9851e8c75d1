"""Words that say when."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Named, Rows, Terms, flag, named, rows, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """Words that say when."""

    months: Rows = rows("Twelve, January first.", 12)
    weekdays: Rows = rows("Seven, Monday first.", 7)
    weak_months: Rows = rows(
        'Twelve ("-" for none): other words for them, which are months only beside a cue.', 12
    )
    weak_weekdays: Rows = rows("Seven, likewise.", 7)
    capitals: bool = flag(
        'Weekdays are written with a capital; a weak one without it is another word ("sat").'
    )
    seasons: Rows = rows("Four, spring first.", 4)
    weak_seasons: Rows = rows("Likewise.", 4)
    units: Named = named("second, minute, hour, day, week, weekend, month, quarter, year, decade.")
    pairs: Named = named("Unit to the word for two of it.")
    days: Named = named(
        "Distance from today to the words for it; two distances if there is one word for both."
    )
    last: Terms = terms("")
    this: Terms = terms("")
    next: Terms = terms("")
    before_last: Terms = terms("")
    past: Terms = terms('The last so many, counted from now: "past" as in "the past month".')
    ago: Terms = terms('Follows the count: "ago".')
    ago_first: Terms = terms('Precedes the count: "il y a".')
    ago_or_before: Terms = terms('Precedes a count or a date: "vor".')
    before: Terms = terms("")
    after: Terms = terms("")
    since: Terms = terms("")
    between: Terms = terms("")
    to: Terms = terms("")
    and_: Terms = terms("")
    in_: Terms = terms("Prepositions a month or year follows.")
    vague: Terms = terms(
        'Prepositions a month follows, but a number after them is a count: "about 2000".'
    )
    on: Terms = terms("Prepositions a day follows, a month does not.")
    the: Terms = terms('Articles and "of": skipped.')
    one: Terms = terms("Indefinite articles.")
    numbers: Rows = rows("From two on.")
    ordinals: Rows = rows("From first on.")
    few: Terms = terms("")
    parts: Rows = rows("Four parts of a day: morning, afternoon, evening, night.", 4)
    tonight: Named = named('"day part" (offset and 0 to 3) to the words for it.')
    early: Terms = terms("")
    mid: Terms = terms("")
    late: Terms = terms("")
    holidays: Named = named("")
    recently: Named = named("Days back to the words for it.")
    spans: Named = named('"offset unit" to words that say both: 去年.')
    amounts: Named = named('"count unit" to words that say both: "half a year".')
    ahead: Terms = terms('Follows the count: "from now".')
    before_post: Terms = terms("Follows the date; likewise the next five.")
    after_post: Terms = terms("")
    since_post: Terms = terms("")
    early_post: Terms = terms("")
    mid_post: Terms = terms("")
    late_post: Terms = terms("")
    joined_and: Terms = terms(
        'A letter that means "and" when it is written before a month or weekday.'
    )
    numbered: Terms = terms('Nouns whose number is a name: "room 2020".')
    common: Terms = terms("Frequent words, which tell the language.")
    asks: Terms = terms("Questions that ask for a time.")

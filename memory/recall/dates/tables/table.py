"""What a language's table holds.

Words are separated by blanks, alternatives of one thing by "|", and phrases keep their blanks as
"_": `"last|the_last"`. All in lower case; a form without its accents is added by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Words of one language that say when."""

    months: str
    """Twelve, January first."""
    weekdays: str
    """Seven, Monday first."""
    weak_months: str = ""
    """Twelve ("-" for none): other words for them, which are months only beside a cue."""
    weak_weekdays: str = ""
    """Seven, likewise."""
    capitals: bool = False
    """Weekdays are written with a capital; a weak one without it is another word ("sat")."""
    seasons: str = ""
    """Four, spring first."""
    weak_seasons: str = ""
    """Likewise."""
    units: Mapping[str, str]
    """second, minute, hour, day, week, weekend, month, quarter, year, decade."""
    pairs: Mapping[str, str] = field(default_factory=dict)
    """Unit to the word for two of it."""
    days: Mapping[str, str]
    """Distance from today to the words for it; two distances if there is one word for both."""
    last: str
    this: str
    next: str
    before_last: str = ""
    past: str = ""
    """The last so many, counted from now: "past" as in "the past month"."""
    ago: str = ""
    """Follows the count: "ago"."""
    ago_first: str = ""
    """Precedes the count: "il y a"."""
    ago_or_before: str = ""
    """Precedes a count or a date: "vor"."""
    before: str = ""
    after: str = ""
    since: str = ""
    between: str = ""
    to: str = ""
    and_: str = ""
    in_: str = ""
    """Prepositions a month or year follows."""
    vague: str = ""
    """Prepositions a month follows, but a number after them is a count: "about 2000"."""
    on: str = ""
    """Prepositions a day follows, a month does not."""
    the: str = ""
    """Articles and "of": skipped."""
    one: str = ""
    """Indefinite articles."""
    numbers: str = ""
    """From two on."""
    ordinals: str = ""
    """From first on."""
    few: str = ""
    parts: str = ""
    """Four parts of a day: morning, afternoon, evening, night."""
    tonight: Mapping[str, str] = field(default_factory=dict)
    """"day part" (offset and 0 to 3) to the words for it."""
    early: str = ""
    mid: str = ""
    late: str = ""
    holidays: Mapping[str, str] = field(default_factory=dict)
    recently: Mapping[int, str] = field(default_factory=dict)
    """Days back to the words for it."""
    spans: Mapping[str, str] = field(default_factory=dict)
    """"offset unit" to words that say both: 去年."""
    amounts: Mapping[str, str] = field(default_factory=dict)
    """"count unit" to words that say both: "half a year"."""
    ahead: str = ""
    """Follows the count: "from now"."""
    before_post: str = ""
    """Follows the date; likewise the next five."""
    after_post: str = ""
    since_post: str = ""
    early_post: str = ""
    mid_post: str = ""
    late_post: str = ""
    joined_and: str = ""
    """A letter that means "and" when it is written before a month or weekday."""
    numbered: str = ""
    """Nouns whose number is a name: "room 2020"."""
    common: str = ""
    """Frequent words, which tell the language."""

"""What a text says about time becomes periods, and nothing else does."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.language.dates import (
    Period,
    asks_when,
    beside,
    closeness_of,
    periods,
    tells_time,
)
from recollect.memory.language.dates.beside import CHANGES
from recollect.memory.language.dates.find import MOST, _known, mentions, readings_of
from recollect.memory.language.dates.rules import EXAMPLES_AT, RULES
from tests.support.budget import examples
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

NOW = datetime(2023, 8, 16, 14, 30, tzinfo=UTC)
"""A Wednesday."""


def written(text, now=NOW):
    """Periods as text: days where they begin and end at midnight, else with the hour."""
    return [f"{_short(p.start)}/{_short(p.end)}" for p in periods(text, now)]


def _short(moment):
    return f"{moment:%Y-%m-%d}" if moment.hour == moment.minute == 0 else f"{moment:%Y-%m-%dT%H:%M}"


@rows("text, expected", ROWS["absolute times"])
def test_absolute_times(text, expected):
    """Dates, months, years, seasons and holidays are the calendar's; without a year, the latest."""
    assert written(text) == [expected]


@rows("text, expected", ROWS["relative times"])
def test_relative_times(text, expected):
    """Counted from now; weeks begin on Monday, "last" is over, "ago" is as wide as its unit."""
    assert written(text) == [expected]


@rows("text, expected", ROWS["times beside times"])
def test_times_beside_times(text, expected):
    """Open ends, ranges, parts and neighbours of a time are one period each."""
    assert written(text) == [expected]


@rows("text, expected", ROWS["several times"])
def test_several_times(text, expected):
    """Each is a period, each reading of an ambiguous one too, and none is there twice."""
    assert written(text) == expected


@rows(
    "text",
    """may I ask you something|march on, soldiers|I second that|route 66|a 2023-piece puzzle
    the Sun is shining|Will you come|version 2.3.5|it costs $2023 or 2000 dollars|2023€ for that
    call 555-2019 or +1 202 555 0175|boil the pasta in 5 minutes|what does April say|page 1999
    this may be wrong|spring roll recipe|winter jacket|I paid 2000|windows 2000
    she runs 10 miles|in my 30s|half past three|fall in love|I sat on the sofa|mar the surface
    the 3 may come|24/7 service, 1/2 cup|room 2020|CVE-2023-1234|what is the second thing|2023x
    the last time we met|this one last thing|how long ago did we meet|31 June 2023|99999 years ago
    in the past|the next step|2023-13-45|her last day|one may 5 times|march 10 miles|12345|1234
    what did Caroline say about the adoption agency|mon ami|the fall of Rome|I sat next to her|May this work|he sat last|the story of June|the end may come|summer dress""".replace(
        "\n", "|"
    ).split("|"),
)
def test_what_is_no_time(text):
    """Words that only look like a date, counts, names and impossible dates are not periods."""
    assert written(text.strip()) == []


def test_a_period_keeps_the_zone_of_now_and_the_words_that_said_it():
    """Days begin at midnight where the user is; an explanation can quote the query."""
    now = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    [period] = periods("what did we do the day before yesterday?", now)
    assert period.start.isoformat() == "2023-08-14T00:00:00+09:00"
    assert period.end - period.start == timedelta(days=1)
    assert period.text == "day before yesterday"


def test_what_is_beyond_the_cut_is_not_read():
    """A query of a megabyte costs what its first 2,000 characters cost."""
    assert written("x " * 999 + "in 2022") == []
    assert written("in 2022" + " x" * 500_000) == ["2022-01-01/2023-01-01"]


def test_no_more_periods_than_promised():
    """A list of dates ends at the bound, first come."""
    text = ", ".join(f"{day} May 2023" for day in range(1, 20))
    assert len(periods(text, NOW)) == MOST


_VOCABULARY = sorted({word for known in _known().spaced.values() for word in known.phrases})
_NUMERALS = [
    "7",
    "31",
    "2023",
    "1900",
    "9999",
    "05/07/2023",
    "7th",
    "90s",
    "99999999",
    "0",
    "-",
    ",",
]
_CJK = list("年月日周週前后後去今明先来上下个ヶ末初春夏一二三十从到から以0123456789")
_WORDS = st.sampled_from(_VOCABULARY) | st.sampled_from(_NUMERALS)
_TEXTS = (
    st.text()
    | st.lists(_WORDS, max_size=12).map(" ".join)
    | st.lists(st.sampled_from(_CJK), max_size=15).map("".join)
)
_ZONES = st.sampled_from(
    [UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12)), ZoneInfo("Europe/Berlin")]
)
_NOWS = st.datetimes(timezones=_ZONES) | st.sampled_from(
    [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
)


@given(text=_TEXTS, now=_NOWS)
@settings(max_examples=examples(600), deadline=None)
def test_any_text_at_any_time_gives_sound_periods(text, now):
    """Never an error; few, aware, in order, and within what any zone can express."""
    found = periods(text, now)
    assert len(found) <= MOST
    for period in found:
        assert period.start.tzinfo is period.end.tzinfo is now.tzinfo
        assert period.start.astimezone(UTC) < period.end.astimezone(UTC)
        assert period.text
        assert period.start.timestamp() < period.end.timestamp()


@rows("text", ROWS["words of time tell"])
def test_words_of_time_tell(text):
    """In every language that has a table, in capitals too, and years as numbers."""
    assert tells_time(text)
    assert tells_time(text.upper())


@rows("text", ["", "User likes green tea", "版本很好", "id 120231", "costs 19.99"])
def test_other_words_do_not(text):
    """No word of time and no year: it names none."""
    assert not tells_time(text)


ASKING = """When did Anna go?|when's the party|and when?|what date was it|Which month did she move in?|how long ago was that
    How many years ago did we meet|since when|what was the date of the trip|what year|How long have I lived here
    Wann war das|an welchem Tag kam er|seit wann|wie lange ist das her|¿Cuándo fui?|¿en qué mes nací?|hace cuánto tiempo
    quand es-tu venu|depuis quand|quel jour|en quelle année|quando foi a festa?|em que ano|há quanto tempo
    我什么时候去的|哪一年|多久|いつ行きましたか|何月に|मैं कब गया|किस साल|متى ذهبت|في أي يوم"""
NAMING = """When I was there, who came?|Call me when you can|what did we do last time|what did I do yesterday|7 May 2023
    was habe ich gestern gemacht|cuando fui, comí|いつも何を食べる|何を食べた|what happened in 2022|how do I cook rice|"""


def _lines(texts):
    return [text.strip() for text in texts.replace("\n", "|").split("|")]


@rows("text", _lines(ASKING))
def test_what_asks_for_a_time(text):
    """In nine languages, with or without the question's other words."""
    assert asks_when(text)


@rows("text", _lines(NAMING))
def test_what_does_not(text):
    """A "when" that joins clauses, a time that is given, or neither."""
    assert not asks_when(text)


def test_a_text_that_is_asked_again_is_resolved_against_the_new_time():
    """What is kept of a text are its words, not the times that they meant when it was read."""
    first, later = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 5, 20, tzinfo=UTC)
    [before] = periods("Where was I yesterday?", first)
    [after] = periods("Where was I yesterday?", later)
    assert (before.start.date(), after.start.date()) == (date(2026, 3, 1), date(2026, 5, 19))
    assert periods("Where was I yesterday?", first) == [before]


DAY = Period(datetime(2023, 5, 7, tzinfo=UTC), datetime(2023, 5, 8, tzinfo=UTC), "7 May 2023")
MONTH = Period(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC), "May 2023")
PAST = Period(datetime(1900, 1, 1, tzinfo=UTC), datetime(2023, 3, 1, tzinfo=UTC), "before March")

_MOMENTS = st.integers(-5_000_000_000, 10_000_000_000).map(
    lambda seconds: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)
_PERIODS = st.tuples(_MOMENTS, st.timedeltas(timedelta(seconds=1), timedelta(days=9000))).map(
    lambda pair: Period(pair[0], pair[0] + pair[1], "then")
)


def closeness(period, moment):
    """Of one time."""
    [near] = closeness_of(period, np.array([moment.timestamp()])).tolist()
    return near


@rows(
    "period, half",
    [(DAY, timedelta(days=1)), (MONTH, timedelta(days=15.5)), (PAST, timedelta(days=183))],
)
def test_half_is_where_it_is_promised(period, half):
    """Half the length away, but at least a day and at most half a year; both sides alike."""
    assert closeness(period, period.start) == closeness(period, period.end) == 1
    assert closeness(period, period.end + half) == pytest.approx(0.5)
    assert closeness(period, period.start - half) == pytest.approx(0.5)
    assert closeness(period, period.end + 100 * half) < 0.001


@given(period=_PERIODS, moment=_MOMENTS, further=st.timedeltas(timedelta(0), timedelta(days=9999)))
def test_it_is_bounded_and_falls_with_distance(period, moment, further):
    """Within [0, 1], 1 inside, never more when one goes further away."""
    near = closeness(period, moment)
    assert 0 <= near <= 1
    if period.start <= moment < period.end:
        assert near == 1
    elif moment >= period.end:
        assert closeness(period, moment + further) <= near
    else:
        assert closeness(period, moment - further) <= near


@given(period=_PERIODS, moments=st.lists(_MOMENTS, max_size=20))
def test_many_at_once_are_as_one_by_one(period, moments):
    """No time changes what another one gets, and the numbers are in single precision."""
    result = closeness_of(period, np.array([moment.timestamp() for moment in moments]))
    assert result.dtype == np.float32
    assert result.tolist() == [closeness(period, moment) for moment in moments]


def test_what_is_no_time_is_not_close():
    """A memory without a usable time gets nothing, and the caller's array stays as it was."""
    starts = np.array([np.nan, np.inf, -np.inf, 1e300, DAY.start.timestamp()])
    before = starts.copy()
    assert closeness_of(DAY, starts).tolist() == [0, 0, 0, 0, 1]
    assert np.array_equal(starts, before, equal_nan=True)


def as_in_the_table(period):
    """A period as the table writes it: days, with the hour where it is not midnight."""
    return "/".join(
        moment.strftime("%Y-%m-%d" if moment.hour == moment.minute == 0 else "%Y-%m-%dT%H:%M")
        for moment in (period.start, period.end)
    )


@rows("rule", RULES)
def test_a_rule_gives_the_period_of_its_example(rule):
    """Nothing, for a rule that is there for what only looks like a time."""
    found = periods(rule.example, EXAMPLES_AT.replace(tzinfo=UTC))
    assert [as_in_the_table(period) for period in found] == ([rule.period] if rule.period else [])


@rows("rule", [rule for rule in RULES if rule.period])
def test_a_rule_reads_its_example_itself(rule):
    """No rule before it does: an example that another rule reads shows nothing."""
    reading = next(readings_of(rule.example))
    assert [mention.rule for mention in mentions(reading, EXAMPLES_AT)] == [rule.name]


NOW_BESIDE = EXAMPLES_AT.replace(tzinfo=UTC)


@rows("change", CHANGES)
def test_a_change_gives_the_period_of_its_example(change):
    """Before or behind the time."""
    assert [as_in_the_table(period) for period in periods(change.example, NOW_BESIDE)] == [
        change.period
    ]


@rows("change", CHANGES)
def test_the_example_needs_the_change(change):
    """Without it the time is another one."""
    kept = beside._COMPILED
    beside._COMPILED = tuple(row for row in kept if row[2] is not change.change)
    try:
        assert [as_in_the_table(period) for period in periods(change.example, NOW_BESIDE)] != [
            change.period
        ]
    finally:
        beside._COMPILED = kept

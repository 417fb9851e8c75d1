"""What a query says about time becomes periods, and nothing else does."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.language.dates import periods
from recollect.memory.language.dates.find import MOST, _known
from tests.support.budget import examples
from tests.support.folding import rows

NOW = datetime(2023, 8, 16, 14, 30, tzinfo=UTC)
"""A Wednesday."""


def written(text, now=NOW):
    """Periods as text: days where they begin and end at midnight, else with the hour."""
    return [f"{_short(p.start)}/{_short(p.end)}" for p in periods(text, now)]


def _short(moment):
    return f"{moment:%Y-%m-%d}" if moment.hour == moment.minute == 0 else f"{moment:%Y-%m-%dT%H:%M}"


@rows(
    "text, expected",
    [
        ("7 May 2023", "2023-05-07/2023-05-08"),
        ("May 7th", "2023-05-07/2023-05-08"),
        ("What happened on May 7th, 2023?", "2023-05-07/2023-05-08"),
        ("Sunday, 7 May 2023", "2023-05-07/2023-05-08"),
        ("the 4th of July", "2023-07-04/2023-07-05"),
        ("July 4", "2023-07-04/2023-07-05"),
        ("Jan. 5th", "2023-01-05/2023-01-06"),
        ("29 February", "2020-02-29/2020-03-01"),
        ("on the 5th", "2023-08-05/2023-08-06"),
        ("9 June 2023", "2023-06-09/2023-06-10"),
        ("2023-05-07", "2023-05-07/2023-05-08"),
        ("2023-05-07T10:00:00Z", "2023-05-07/2023-05-08"),
        ("2023-05", "2023-05-01/2023-06-01"),
        ("15/07/2023", "2023-07-15/2023-07-16"),
        ("07.05.2023", "2023-05-07/2023-05-08"),
        ("7/31/21", "2021-07-31/2021-08-01"),
        ("May 2023", "2023-05-01/2023-06-01"),
        ("MAY 2023", "2023-05-01/2023-06-01"),
        ("in 2022", "2022-01-01/2023-01-01"),
        ("what about 2021?", "2021-01-01/2022-01-01"),
        ("the 2022 trip", "2022-01-01/2023-01-01"),
        ("the year 2020", "2020-01-01/2021-01-01"),
        ("in may", "2023-05-01/2023-06-01"),
        ("in December", "2022-12-01/2023-01-01"),
        ("Q3 2024", "2024-07-01/2024-10-01"),
        ("third quarter of 2022", "2022-07-01/2022-10-01"),
        ("the 90s", "1990-01-01/2000-01-01"),
        ("the 1980s", "1980-01-01/1990-01-01"),
    ],
)
def test_absolute_times(text, expected):
    """Dates, months, years, seasons and holidays are the calendar's; without a year, the latest."""
    assert written(text) == [expected]


@rows(
    "text, expected",
    [
        ("yesterday", "2023-08-15/2023-08-16"),
        ("today", "2023-08-16/2023-08-17"),
        ("what is planned for tomorrow morning?", "2023-08-17T05:00/2023-08-17T12:00"),
        ("the day before yesterday", "2023-08-14/2023-08-15"),
        ("last night", "2023-08-15T18:00/2023-08-16T06:00"),
        ("this morning", "2023-08-16T05:00/2023-08-16T12:00"),
        ("yesterday evening", "2023-08-15T17:00/2023-08-16"),
        ("last week", "2023-08-07/2023-08-14"),
        ("the week before last", "2023-07-31/2023-08-07"),
        ("this week's plan", "2023-08-14/2023-08-21"),
        ("the week after next", "2023-08-28/2023-09-04"),
        ("last month", "2023-07-01/2023-08-01"),
        ("next month", "2023-09-01/2023-10-01"),
        ("last year", "2022-01-01/2023-01-01"),
        ("last weekend", "2023-08-12/2023-08-14"),
        ("over the weekend", "2023-08-12/2023-08-14"),
        ("next weekend", "2023-08-26/2023-08-28"),
        ("last March", "2023-03-01/2023-04-01"),
        ("last September", "2022-09-01/2022-10-01"),
        ("next June", "2024-06-01/2024-07-01"),
        ("This May we went", "2023-05-01/2023-06-01"),
        ("in May last year", "2022-05-01/2022-06-01"),
        ("last Tuesday", "2023-08-15/2023-08-16"),
        ("last Wednesday", "2023-08-09/2023-08-10"),
        ("on Monday", "2023-08-14/2023-08-15"),
        ("next Friday", "2023-08-18/2023-08-19"),
        ("Monday last week", "2023-08-07/2023-08-08"),
        ("two weeks ago", "2023-07-30/2023-08-06"),
        ("a couple of weeks ago", "2023-07-30/2023-08-06"),
        ("10 days ago", "2023-08-06/2023-08-07"),
        ("a few days ago", "2023-08-10/2023-08-15"),
        ("3 months ago", "2023-05-01/2023-05-31"),
        ("an hour ago", "2023-08-16T13:00/2023-08-16T14:00"),
        ("years ago", "2013-02-15/2022-02-15"),
        ("two weeks from now", "2023-08-27/2023-09-03"),
        ("in the past month", "2023-07-16/2023-08-17"),
        ("last two weeks", "2023-08-02/2023-08-17"),
    ],
)
def test_relative_times(text, expected):
    """Counted from now; weeks begin on Monday, "last" is over, "ago" is as wide as its unit."""
    assert written(text) == [expected]


@rows(
    "text, expected",
    [
        ("since June", "2023-06-01/2023-08-17"),
        ("since 2 weeks", "2023-08-02/2023-08-17"),
        ("between May and July", "2023-05-01/2023-08-01"),
        ("between May and July 2021", "2021-05-01/2021-08-01"),
        ("May-July 2023", "2023-05-01/2023-08-01"),
        ("between 5 May and 9 June 2022", "2022-05-05/2022-06-10"),
        ("between 5 and 9 May 2023", "2023-05-05/2023-05-10"),
        ("5-9 May 2023", "2023-05-05/2023-05-10"),
        ("May 5, 2023 to May 9, 2023", "2023-05-05/2023-05-10"),
        ("from 2020 to 2022", "2020-01-01/2023-01-01"),
        ("2020-2022", "2020-01-01/2023-01-01"),
        ("before March 2023", "1900-01-01/2023-03-01"),
        ("after 2020", "2021-01-01/2100-01-01"),
        ("the last Friday of May 2023", "2023-05-26/2023-05-27"),
        ("the first day of June", "2023-06-01/2023-06-02"),
        ("the last week of 2022", "2022-12-25/2023-01-01"),
        ("the week before 9 June 2023", "2023-06-02/2023-06-09"),
        ("the weekend before 9 June 2023", "2023-06-03/2023-06-05"),
        ("the Sunday before 25 May 2023", "2023-05-21/2023-05-22"),
        ("the Friday after 25 May 2023", "2023-05-26/2023-05-27"),
        ("the last week of this year", "2023-12-25/2024-01-01"),
        ("the May meeting", "2023-05-01/2023-06-01"),
        ("the week of 9 June", "2023-06-05/2023-06-12"),
    ],
)
def test_times_beside_times(text, expected):
    """Open ends, ranges, parts and neighbours of a time are one period each."""
    assert written(text) == [expected]


@rows(
    "text, expected",
    [
        ("05/07/2023", ["2023-05-07/2023-05-08", "2023-07-05/2023-07-06"]),
        ("in 2021 or 2022?", ["2021-01-01/2022-01-01", "2022-01-01/2023-01-01"]),
        ("in April or June", ["2023-04-01/2023-05-01", "2023-06-01/2023-07-01"]),
        ("yesterday and last week", ["2023-08-15/2023-08-16", "2023-08-07/2023-08-14"]),
        ("yesterday, yes, yesterday", ["2023-08-15/2023-08-16"]),
    ],
)
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


@rows("code", sorted(_known().spaced))
def test_articles_do_not_make_a_text_worth_reading(code):
    """Most queries name no time and are told by their words alone, which keeps them cheap."""
    common = {"the", "a", "of", "in", "der", "die", "en", "la", "de", "um", "का", "في"}
    assert _known().spaced[code].telling.isdisjoint(common)

"""What a query says about time becomes periods, and nothing else does."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.language.dates import periods
from recollect.memory.language.dates.find import MOST, _known
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

"""Numbers and times of the outside world."""

import math
from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.quantities import (
    FIRST_MS,
    LAST_MS,
    digits_of,
    moment_of,
    number_of,
    whole_of,
)
from recollect.memory.model.times import from_ms, to_ms
from tests.support.folding import rows

NOT_NUMBERS = [None, True, False, "1", [], {}, 10**309, -(10**400), math.inf, -math.inf, math.nan]


@rows("value", NOT_NUMBERS)
def test_what_no_float_holds_is_no_number(value):
    """And neither is true, though Python counts with it."""
    assert number_of(value) is None


def test_a_whole_number_has_its_bounds():
    """Both of them belong to it."""
    assert [whole_of(each, 1, 3) for each in (0, 1, 3, 4, 2.0, True, "2", None, 10**999)] == [
        None, 1, 3, None, None, None, None, None, None,
    ]  # fmt: skip


def test_digits_are_read_up_to_a_bound():
    """Thousands of them are no number: Python would refuse to read them."""
    said = ["7", " 12 ", "13", "-1", "1.0", "9" * 5000, "", "²"]
    assert [digits_of(each, 12) for each in said] == [7, 12, None, None, None, None, None, None]


ENDS = [
    "0001-01-01T00:00:00+00:01", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-00:01",
    datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
    datetime.max.replace(tzinfo=timezone(-timedelta(hours=14))),
]  # fmt: skip


@rows(
    "value", [*ENDS, *NOT_NUMBERS, 1e18, -1e18, "soon", "", "1" * 5000, "2026-02-30", b"2026-01-01"]
)
def test_what_has_no_equal_in_utc_is_no_time(value):
    """The calendar ends in the years 1 and 9999, in UTC."""
    assert moment_of(value) is None


@rows(
    "value, moment",
    [
        ("2026-03-02T12:00:00+02:00", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)),
        (date(2026, 3, 2), datetime(2026, 3, 2, tzinfo=UTC)),
        (datetime(2026, 3, 2, 1), datetime(2026, 3, 2, 1, tzinfo=UTC)),  # noqa: DTZ001 - the case
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (1.5, datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime.min.replace(tzinfo=UTC)),
        ("9999-12-31T23:59:59.999999Z", datetime.max.replace(tzinfo=UTC)),
    ],
)
def test_times_are_read(value, moment):
    """Without a zone they are in UTC; a day is its beginning."""
    assert moment_of(value) == moment


def test_the_zone_stays_and_may_be_asked_for():
    """A day of the user's is not one of UTC."""
    assert str(moment_of("2026-03-02T12:00:00+02:00").tzinfo) == "UTC+02:00"
    assert moment_of("2026-03-02T12:00:00", zone=True) is None
    assert moment_of(5, seconds=False) is None


@given(st.integers(FIRST_MS, LAST_MS))
def test_every_millisecond_of_the_calendar_is_a_time(milliseconds):
    """Between the two ends."""
    assert to_ms(moment_of(from_ms(milliseconds))) == milliseconds

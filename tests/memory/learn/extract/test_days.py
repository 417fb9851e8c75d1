from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.days import dates_in, relative_days, written_out

from .turns import MONDAY


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("tomorrow", date(2026, 3, 3)),
        ("I saw her yesterday", date(2026, 3, 1)),
        ("two days ago", date(2026, 2, 28)),
        ("gestern war ich krank", date(2026, 3, 1)),
        ("我昨天去了北京", date(2026, 3, 1)),
    ],
)
def test_relative_days(text, day):
    """Days named by their distance are counted from the turn's own date, at any hour of it."""
    assert [found for _, found in relative_days(text, MONDAY)] == [day]
    assert [found for _, found in relative_days(text, MONDAY.replace(hour=0))] == [day]


@pytest.mark.parametrize("text", ["on Friday", "next week", "in 2019", "2026-03-05", "always", ""])
def test_not_one_relative_day(text):
    """Weekdays, longer times and dates are not resolved."""
    assert relative_days(text, MONDAY) == []


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on 2026-03-05", [(date(2026, 3, 5), date(2026, 3, 5))]),
        ("on 5 March 2026", [(date(2026, 3, 5), date(2026, 3, 5))]),
        ("in 2026-03", [(date(2026, 3, 1), date(2026, 3, 28))]),
        ("tomorrow", []),
        ("2026-13-45", []),
        ("5,000 EUR", []),
    ],
)
def test_dates(text, days):
    """Dates that are stated in full are found, and what is relative or none is not."""
    assert [(found.first, found.last) for found in dates_in(text, MONDAY)] == days


@pytest.mark.parametrize(
    ("text", "quote", "right"),
    [
        ("User saw Ana yesterday", "I saw Ana yesterday", "User saw Ana yesterday (2026-03-01)"),
        ("用户昨天去了北京", "我昨天去了北京", "用户昨天 (2026-03-01)去了北京"),
        ("User flies on 2026-11-22", "I fly tomorrow", "User flies on 2026-03-03"),
        ("User flies on 2026-03-03", "I fly tomorrow", "User flies on 2026-03-03"),
        ("User flies on 2026-05-01", "I fly tomorrow or 2026-05-01", "User flies on 2026-05-01"),
        ("User flies from 2026-05-01 to 2026-05-04", "tomorrow", "User flies from 2026-05-01 to 2026-05-04"),
        ("User flies on Friday", "on Friday", "User flies on Friday"),
        ("User likes 5 cats", "today", "User likes 5 cats"),
        ("User met her yesterday, on 1 March 2026", "yesterday", "User met her yesterday, on 1 March 2026"),
    ],
)  # fmt: skip
def test_lesson_7_days_are_of_the_turn(text, quote, right):
    """Relative days get their date, and a date counted from another day than the turn's is set right."""
    assert written_out(text, quote, MONDAY) == right


@given(st.text(), st.text(), st.datetimes(timezones=st.just(UTC)))
def test_any_text_at_any_time(text, quote, at):
    """No text and no clock breaks it."""
    written_out(text, quote, at)
    dates_in(text, at)


def test_the_ends_of_time():
    """Clocks far off are harmless."""
    for year in (1, 9999):
        assert relative_days("tomorrow", datetime(year, 1, 1, tzinfo=UTC)) == []

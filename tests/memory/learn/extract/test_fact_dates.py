from datetime import UTC, date

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.fact_dates import corrected, dates_in, written_out
from tests.support.folding import rows
from tests.support.tables import tables

from .turns import MONDAY

ROWS = tables(__file__)


@rows(
    "text, day",
    [
        ("tomorrow", date(2026, 3, 3)),
        ("I saw her yesterday", date(2026, 3, 1)),
        ("two days ago", date(2026, 2, 28)),
        ("in 3 days", date(2026, 3, 5)),
        ("gestern war ich krank", date(2026, 3, 1)),
        ("in drei Tagen", date(2026, 3, 5)),
        ("dans trois jours", date(2026, 3, 5)),
        ("我昨天去了北京", date(2026, 3, 1)),
    ],
)
def test_days_that_are_counted(text, day):
    """Days named by their distance are counted from the turn's own date, at any hour of it."""
    for at in (MONDAY, MONDAY.replace(hour=0)):
        [found] = dates_in(text, at)
        assert (found.first, found.last, found.moves) == (day, day, True)


@rows("text, right", ROWS["lesson 7 days are of the turn"])
def test_lesson_7_days_are_of_the_turn(text, right):
    """Words that count from the turn get their day, and what is no exact day the day of the turn."""
    assert written_out(text, MONDAY) == right


@rows("fact, said, may", ROWS["what a date may be"])
def test_what_a_date_may_be(fact, said, may):
    """A date without a year is that of any year, and people count weekdays differently."""
    [stated], [told] = dates_in(fact, MONDAY), dates_in(said, MONDAY)
    assert stated.may_be(told) is may


@given(st.dates(date(1901, 1, 1), date(2199, 12, 31)))
def test_a_date_in_any_form(day):
    """Written in any form, a date may be itself."""
    iso = f"{day:%Y-%m-%d}"
    for form in (
        f"on {day.day} {day:%B} {day.year}",
        f"{day:%d.%m.%Y}",
        f"{day.year}年{day.month}月{day.day}日",
    ):
        if 1900 <= day.year <= 2100:
            [stated] = dates_in(iso, MONDAY)
            assert any(stated.may_be(one) for one in dates_in(form, MONDAY)), form


@given(st.text(), st.text(), st.datetimes(timezones=st.just(UTC)))
def test_any_text_at_any_time(text, quote, at):
    """No text and no clock breaks it."""
    written_out(corrected(text, quote, at), at)

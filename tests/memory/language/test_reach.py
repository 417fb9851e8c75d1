"""How far an instruction reaches: for good, until a time, or in its own conversation."""

from datetime import UTC, datetime, timedelta

from recollect.memory.language.reach import FOR_GOOD, Reach, reach_of
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

NOW = datetime(2026, 11, 28, 15, tzinfo=UTC)
"""A Saturday."""
HERE = Reach(here=True)


@rows("text", ROWS["what is tied to what is at hand is for its conversation"])
def test_what_is_tied_to_what_is_at_hand_is_for_its_conversation(text):
    """By words of each language, or because it ends with the day."""
    assert reach_of(text, NOW) == HERE


@rows("text", ROWS["what lasts is for good"])
def test_what_lasts_is_for_good(text):
    """Also where a time begins it, or stands beside it."""
    assert reach_of(text, NOW) == FOR_GOOD


@rows(
    "text, until",
    [
        ("Until Friday, answer in English.", datetime(2026, 12, 5, tzinfo=UTC)),
        ("Bis Freitag antworte auf Englisch.", datetime(2026, 12, 5, tzinfo=UTC)),
        ("Jusqu'à vendredi, réponds en anglais.", datetime(2026, 12, 5, tzinfo=UTC)),
        ("Until 3 March call me Bob.", datetime(2027, 3, 4, tzinfo=UTC)),
        ("This week call me Captain.", datetime(2026, 11, 30, tzinfo=UTC)),
        ("For the next two weeks, write formally.", datetime(2026, 12, 13, tzinfo=UTC)),
    ],
)
def test_what_has_an_end_holds_until_then(text, until):
    """The day that is named belongs to it."""
    assert reach_of(text, NOW) == Reach(until=until)


def test_where_it_holds():
    """Until its end, and what is for one conversation in that alone."""
    week = Reach(until=NOW + timedelta(days=7))
    assert week.holds(NOW, here=False)
    assert not week.holds(NOW + timedelta(days=8), here=True)
    assert HERE.holds(NOW, here=True)
    assert not HERE.holds(NOW, here=False)
    assert FOR_GOOD.holds(NOW, here=False)


def test_the_narrower_of_two_is_meant():
    """What a model wrote down may have lost it, or its quote."""
    week = Reach(until=NOW + timedelta(days=7))
    assert FOR_GOOD.narrowed(HERE) == HERE.narrowed(FOR_GOOD) == HERE
    assert week.narrowed(Reach(until=NOW)) == Reach(until=NOW)
    assert week.narrowed(HERE) == Reach(here=True, until=week.until)


@rows("reach", [FOR_GOOD, HERE, Reach(until=NOW), Reach(here=True, until=NOW)])
def test_it_is_read_as_it_was_written(reach):
    """For good it takes no place."""
    assert Reach.read(reach.written()) == reach
    assert bool(reach.written()) is (reach != FOR_GOOD)

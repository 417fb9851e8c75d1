from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.upkeep.episodes.stretches import (
    MOST_TURNS,
    Stretch,
    is_over,
    stretches,
)
from tests.memory.learn.extract.turns import MONDAY, turn

GAP = timedelta(minutes=30)


def at(*minutes):
    return [turn("hi", n=n, at=MONDAY + timedelta(minutes=m)) for n, m in enumerate(minutes, 1)]


def test_its_name_stays_while_it_goes_on():
    """Further turns do not change what a stretch is called; another conversation does."""
    turns = at(0, 1, 2)
    [one], [more] = stretches(turns[:1], GAP), stretches(turns, GAP)
    assert one.name == more.name
    other = replace(turns[0], conversation_id="d")
    assert stretches([other], GAP)[0].name != one.name


def test_when_it_is_over():
    """It is over when it is full, when others came later, or after a quiet time."""
    [stretch] = stretches(at(0, 1), GAP)
    quiet = timedelta(minutes=5)
    last = MONDAY + timedelta(minutes=1)
    said = {"quiet": quiet, "now": last + timedelta(minutes=4)}
    assert not is_over(stretch, later=False, **said)
    assert is_over(stretch, later=True, **said)
    assert is_over(stretch, later=False, quiet=quiet, now=last + quiet)
    full = Stretch(tuple(at(*range(MOST_TURNS))))
    assert is_over(full, later=False, quiet=quiet, now=MONDAY)


@given(st.lists(st.integers(0, 10_000), max_size=40))
def test_each_turn_is_in_one_stretch(minutes):
    """Whatever the times are, the stretches are the turns in their order."""
    turns = at(*minutes)
    found = stretches(turns, GAP)
    assert [each for stretch in found for each in stretch.turns] == turns
    assert all(0 < len(stretch.turns) <= MOST_TURNS for stretch in found)

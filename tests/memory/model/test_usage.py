"""What the use of a memory is worth."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.usage import OFTEN, UNUSED, Usage


def test_recalls_are_worth_more_and_more_up_to_a_bound():
    """Nothing without one, half at `OFTEN`, never more than 1."""
    values = [Usage(recalled=count).worth for count in (0, 1, int(OFTEN), 100, 10**9)]
    assert values == sorted(values)
    assert (values[0], values[2], UNUSED.worth) == (0, 0.5, 0)
    assert values[-1] <= 1


COUNTS = st.integers(0, 10**6)
SPOKEN = ("positive", "negative", "confirmed", "corrected")
USAGES = st.builds(Usage, **dict.fromkeys(("recalled", *SPOKEN), COUNTS))


@given(USAGES)
def test_a_standing_is_bounded_and_recalls_do_not_make_it(usage):
    """Above -1 and below 1, however many speak; being shown says nothing of it."""
    assert -1 < usage.standing < 1
    assert replace(usage, recalled=usage.recalled + 1).standing == usage.standing
    assert 0 < usage.trust <= 1
    assert 0 <= usage.worth <= 1


@given(USAGES)
def test_each_vote_moves_it_and_the_other_kind_moves_it_back(usage):
    """Up for it, down against it, and as many of both are as none."""
    more = replace(usage, positive=usage.positive + 1)
    less = replace(usage, negative=usage.negative + 1)
    assert less.standing < usage.standing < more.standing
    assert Usage(positive=usage.positive, negative=usage.positive).standing == 0
    assert UNUSED.standing == 0


def test_one_vote_is_a_third_and_ten_are_most_of_it():
    """The figures of the beta reputation system."""
    standings = [Usage(negative=votes).standing for votes in (1, 2, 10)]
    assert standings == pytest.approx([-1 / 3, -1 / 2, -10 / 12])


def test_the_users_own_word_weighs_more_than_a_thumb():
    """What they said again makes up for two; what they corrected is their word since then."""
    for own in ("confirmed", "corrected"):
        assert Usage(**{own: 1}, negative=2).standing == 0
        assert Usage(**{own: 1}).standing > Usage(positive=1).standing > 0

"""The importance that a model gives its facts, all of an answer together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.importance import LEAST, MOST, calibrated
from recollect.memory.recall.importance import NEUTRAL
from tests.support.folding import rows


@rows("numbers, told", [
    ([], []),
    ([0.9, 0.2], [0.9, 0.2]),
    ([1.0, 0.4], [MOST, 0.4]),
    ([9.0, 1.0, 4.0], [0.9, LEAST, 0.4]),
    ([8.0, 0.3], [0.8, 0.3]),
    ([10.0, 5.0], [MOST, 0.5]),
    ([90.0, 20.0], [0.9, 0.2]),
    ([0.0, 1.0], [LEAST, MOST]),
    ([None, 0.9], [NEUTRAL, 0.9]),
    ([None, None], [NEUTRAL, NEUTRAL]),
    ([9.0, 9.0], [0.9, 0.9]),
    ([9.0, 9.0, 9.0], [NEUTRAL] * 3),
    ([0.5] * 4 + [None], [NEUTRAL] * 5),
    ([0.5, 0.5, 0.9], [0.5, 0.5, 0.9]),
])  # fmt: skip
def test_all_numbers_of_an_answer_tell_its_scale(numbers, told):
    """From 0 to 1, 1 to 10 or per cent; one number for everything says nothing."""
    assert calibrated(numbers) == pytest.approx(told)


@given(st.lists(st.none() | st.floats(0, 100), max_size=9))
def test_whatever_it_says_is_bounded(numbers):
    """One value for each fact, and no fact is worth nothing or everything."""
    told = calibrated(numbers)
    assert len(told) == len(numbers)
    assert all(LEAST <= value <= MOST for value in told)

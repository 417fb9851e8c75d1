"""The importance that a model gives its facts, all of an answer together."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.extract.answer import read_answer, read_lines
from recollect.memory.learn.extract.importance import LEAST, MOST, calibrated, number_of
from recollect.memory.recall.importance import NEUTRAL
from tests.support.folding import rows


@rows("value, number", [
    (0.7, 0.7), (1, 1.0), (0, 0.0), (7, 7.0), (50, 50.0), (-3, 0.0), (10**30, 100.0),
    ("0.7", 0.7), ("0,7", 0.7), (" 8/10 ", 0.8), ("8 / 10", 0.8), ("80%", 0.8), ("80 %", 0.8),
    ("0.9 (health)", 0.9), ("9 of 10", 9.0), ("3/0", None), ("high", None), ("", None),
    (True, None), (None, None), ([], None), ({}, None), ("-1", 0.0), ("9" * 50, 100.0),
    (math.nan, None), (math.inf, 100.0), (-math.inf, 0.0), ("nan", None),
])  # fmt: skip
def test_a_number_is_read_from_what_looks_like_one(value, number):
    """Words are none, and nothing is more than a hundred or less than nothing."""
    assert number_of(value) == (None if number is None else pytest.approx(number))


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


def test_it_is_read_with_the_facts():
    """Of JSON and of lines alike, whatever words stand in its place."""
    answer = """{"facts": [{"text": "User is ill", "importance": "9/10"},
        {"text": "User has a cat", "importance": "high"}, {"text": "User has tea"},
        {"text": "User ran", "importance": 2}]}"""
    assert [one.importance for one in read_answer(answer).facts] == [0.9, 0.5, 0.5, 0.2]
    lines = """semantic | 9 | 1 | ill | User is ill
        semantic | none | 1 | cat | User has a cat
        episodic | 1 | 1 | ran | User ran"""
    assert [one.importance for one in read_lines(lines).facts] == [0.9, 0.5, 0.1]

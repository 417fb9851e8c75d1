"""The value of a memory: how it fades, and what moves it."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.salience import (
    LEAST_IMPORTANCE,
    STRENGTH_DAYS,
    day_of,
    days_between,
    salience,
    valued,
)
from recollect.memory.model.usage import UNUSED, Usage
from tests.memory.forget.parts import NOON, memory


def aged(days, **fields):
    at = NOON - timedelta(days=days)
    return replace(memory("m", "m", **fields), created_at=at, updated_at=at)


def test_it_fades():
    """By the factor e in the strength's time."""
    assert salience(aged(0), NOON) == pytest.approx(0.5)
    assert salience(aged(STRENGTH_DAYS), NOON) == pytest.approx(0.5 / 2.718281828)


def test_what_is_recalled_fades_more_slowly():
    """It begins anew at each recall, and the more recalls the longer it lasts, to a bound."""
    once = Usage(recalled=1, last_recalled=NOON - timedelta(days=90))
    often = replace(once, recalled=50)
    always = replace(once, recalled=10**9)
    values = [salience(aged(100), NOON, usage) for usage in (UNUSED, once, often, always)]
    assert values == sorted(values)
    assert values[0] < values[1] < values[2]
    assert values[3] <= 0.5


def test_feedback_moves_it_at_once():
    """Ten negative ones take most of it, used or not; nothing takes all of it."""
    for recalls in (0, 50):
        used = Usage(recalled=recalls, last_recalled=NOON if recalls else None)
        plain = salience(aged(9), NOON, used)
        assert 0 < salience(aged(9), NOON, replace(used, negative=10)) < plain / 5
        assert salience(aged(9), NOON, replace(used, positive=10)) > plain
        assert salience(aged(9), NOON, replace(used, positive=10, negative=10)) == plain


@given(st.floats(-2, 3), st.floats(-1, 1, exclude_min=True, exclude_max=True))
def test_what_people_say_moves_an_importance_within_its_bounds(importance, standing):
    """Towards nothing or towards all; without a word it stays as it was."""
    own = valued(importance, 0.0)
    moved = valued(importance, standing)
    assert 0 < moved <= 1
    assert (moved <= own) if standing < 0 else (moved >= own)
    assert LEAST_IMPORTANCE <= own <= 1


def test_recalls_count_as_far_as_feedback_lets_them():
    """There is no step where one more negative one makes the last recall count for nothing."""
    used = Usage(recalled=50, last_recalled=NOON)
    values = [salience(aged(100), NOON, replace(used, negative=votes)) for votes in range(15)]
    assert values == sorted(values, reverse=True)
    assert all(after > before / 2.5 for before, after in pairwise(values))


@given(st.floats(-1e5, 3e4), st.floats(-5, 5))
def test_any_memory_has_one(days, importance):
    """Between 0 and 1 for whatever the fields hold, never an error."""
    assert 0 < salience(replace(aged(days), importance=importance), NOON) <= 1


def test_days():
    """Of the future nothing has passed, and a day begins at midnight."""
    assert days_between(NOON - timedelta(days=2), NOON) == 2
    assert days_between(NOON + timedelta(days=2), NOON) == 0
    assert (NOON - day_of(NOON)) < timedelta(days=1)
    assert day_of(day_of(NOON)) == day_of(NOON + timedelta(seconds=1))

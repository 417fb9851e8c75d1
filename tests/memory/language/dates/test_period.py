"""Closeness is full inside a period and falls on both sides alike."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language.dates import Period, closeness_of
from tests.support.folding import rows

DAY = Period(datetime(2023, 5, 7, tzinfo=UTC), datetime(2023, 5, 8, tzinfo=UTC), "7 May 2023")
MONTH = Period(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC), "May 2023")
PAST = Period(datetime(1900, 1, 1, tzinfo=UTC), datetime(2023, 3, 1, tzinfo=UTC), "before March")

_MOMENTS = st.integers(-5_000_000_000, 10_000_000_000).map(
    lambda seconds: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)
_PERIODS = st.tuples(_MOMENTS, st.timedeltas(timedelta(seconds=1), timedelta(days=9000))).map(
    lambda pair: Period(pair[0], pair[0] + pair[1], "then")
)


def closeness(period, moment):
    """Of one time."""
    [near] = closeness_of(period, np.array([moment.timestamp()])).tolist()
    return near


@rows(
    "period, half",
    [(DAY, timedelta(days=1)), (MONTH, timedelta(days=15.5)), (PAST, timedelta(days=183))],
)
def test_half_is_where_it_is_promised(period, half):
    """Half the length away, but at least a day and at most half a year; both sides alike."""
    assert closeness(period, period.start) == closeness(period, period.end) == 1
    assert closeness(period, period.end + half) == pytest.approx(0.5)
    assert closeness(period, period.start - half) == pytest.approx(0.5)
    assert closeness(period, period.end + 100 * half) < 0.001


@given(period=_PERIODS, moment=_MOMENTS, further=st.timedeltas(timedelta(0), timedelta(days=9999)))
def test_it_is_bounded_and_falls_with_distance(period, moment, further):
    """Within [0, 1], 1 inside, never more when one goes further away."""
    near = closeness(period, moment)
    assert 0 <= near <= 1
    if period.start <= moment < period.end:
        assert near == 1
    elif moment >= period.end:
        assert closeness(period, moment + further) <= near
    else:
        assert closeness(period, moment - further) <= near


@given(period=_PERIODS, moments=st.lists(_MOMENTS, max_size=20))
def test_many_at_once_are_as_one_by_one(period, moments):
    """No time changes what another one gets, and the numbers are in single precision."""
    result = closeness_of(period, np.array([moment.timestamp() for moment in moments]))
    assert result.dtype == np.float32
    assert result.tolist() == [closeness(period, moment) for moment in moments]


def test_what_is_no_time_is_not_close():
    """A memory without a usable time gets nothing, and the caller's array stays as it was."""
    starts = np.array([np.nan, np.inf, -np.inf, 1e300, DAY.start.timestamp()])
    before = starts.copy()
    assert closeness_of(DAY, starts).tolist() == [0, 0, 0, 0, 1]
    assert np.array_equal(starts, before, equal_nan=True)

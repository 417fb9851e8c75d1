"""A time a query names, and how near another time is to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

_DAY = 86_400.0
_LONGEST_HALF = 183 * _DAY
"""Beyond a year, a longer period does not get vaguer edges: "before 2020" has an end one can trust,
though it lasts for a century."""


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` (aware, inclusive) to `end` (aware, exclusive), which is later."""

    start: datetime
    end: datetime
    text: str
    """The words that said it, for explanations."""


def closeness_of(period: Period, starts: NDArray[np.float64]) -> NDArray[np.float32]:
    """1.0 inside the period; outside it falls smoothly, alike on both sides, towards 0.0.

    It is 0.5 at a distance of half the period's length, but at least a day and at most half a year.
    Times are given in seconds since the epoch; one that is not a number is close to nothing.
    """
    begin, end = period.start.timestamp(), period.end.timestamp()
    outside = np.maximum(np.maximum(begin - starts, starts - end), 0.0)
    outside /= _half(period)
    with np.errstate(over="ignore"):
        near = 1.0 / (1.0 + outside * outside)
    return np.nan_to_num(near, nan=0.0).astype(np.float32)


def _half(period: Period) -> float:
    """The distance at which closeness is 0.5, in seconds."""
    length = period.end.timestamp() - period.start.timestamp()
    return min(max(length / 2, _DAY), _LONGEST_HALF)

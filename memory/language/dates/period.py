"""The period that a query names, and the nearness of other times to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

_DAY = 86_400.0
_LONGEST_HALF = 183 * _DAY
"""The edges of a period longer than a year do not get vaguer: "before 2020" has an exact end."""

COUNTED = frozenset((
    "day_of_week", "which", "last_but_one", "ago", "ahead", "in_days", "rolling", "unit", "day",
    "part_of_day", "weekend",
))  # fmt: skip
"""The rules whose times move with the day on which a text is said."""


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` (aware, inclusive) to `end` (aware, exclusive), which is later."""

    start: datetime
    end: datetime
    text: str
    """The words of the query, for explanations."""
    rule: str = ""
    """The name of the rule that read it (`rules.RULES`)."""

    @property
    def is_counted(self) -> bool:
        """Whether it is counted from the time of the text: "yesterday", "next month"."""
        return self.rule in COUNTED


def closeness_of(period: Period, starts: NDArray[np.float64]) -> NDArray[np.float32]:
    """1.0 inside the period; outside it falls smoothly and symmetrically towards 0.0.

    It is 0.5 at a distance of half the period's length, but at least a day and at most half a year.
    Times are in seconds since the epoch; NaN gives 0.0.
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

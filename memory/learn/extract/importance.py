"""Reads the importance that a model gives its facts, all of an answer together. Pure.

Models are asked for a number from 0 to 1, and write numbers from 1 to 10, per cent, "8/10", words,
nothing, or the same number for everything. What cannot be told is `NEUTRAL`: then the meaning of
the fact decides alone (`recall.importance.agreed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import regex

from ...recall.importance import NEUTRAL

LEAST, MOST = 0.1, 0.95
"""Bounds of what a model may say: it took the fact for worth keeping, and it may be wrong."""
EVEN = 3
"""So many facts with one number for all show that the model did not weigh them."""
_SCALES = (1.0, 10.0, 100.0)
_NUMBER = regex.compile(r"\s*+([-+]?\d{1,9}+(?:[.,]\d{1,9})?+)\s*+(%|/\s*+\d{1,9}+)?")


def number_of(value: Any) -> float | None:
    """The number that a value is or begins with; a share for "8/10" and "80 %". None without one.

    Not negative, and not more than a hundred.
    """
    if isinstance(value, str):
        return _number_in(value[:40])
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    # NaN first: it is neither more nor less than anything.
    return None if value != value else float(min(max(value, 0), 100))  # noqa: PLR0124


def _number_in(text: str) -> float | None:
    found = _NUMBER.match(text)
    if found is None:
        return None
    number = max(0.0, float(found[1].replace(",", ".")))
    of = 100.0 if found[2] == "%" else float((found[2] or "/1").strip("/ ") or 1)
    return min(number / of, 100.0) if of > 0 else None


def calibrated(numbers: Sequence[float | None]) -> list[float]:
    """From `LEAST` to `MOST`, what the numbers of one answer (`number_of`) say of its facts.

    The largest tells the scale of all: 1 is a tenth beside an 8, and all of it beside a 0.4. What
    is below 1 is a share on any scale. `NEUTRAL` for a fact without a number, and for all of an
    answer that has one number for everything.
    """
    told = [number for number in numbers if number is not None]
    if len(told) >= EVEN and len(set(told)) == 1:
        return [NEUTRAL] * len(numbers)
    scale = next(scale for scale in _SCALES if max(told, default=0.0) <= scale)
    return [NEUTRAL if number is None else _bounded(number, scale) for number in numbers]


def _bounded(number: float, scale: float) -> float:
    return min(max(number if number < 1 else number / scale, LEAST), MOST)

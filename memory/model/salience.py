"""Salience: one number for what a memory is worth, to retention, archiving and people. Pure."""

from __future__ import annotations

import math
import sys
from datetime import datetime, timedelta

from .types import MemoryItem
from .usage import UNUSED, Usage

STRENGTH_DAYS = 30.0
"""Time in which a memory loses 63 % of its strength."""
STRONGEST = 3.0
"""How much longer that time is for a memory that is recalled again and again."""
LEAST_IMPORTANCE = 0.01
"""Lower bound, so that age also ranks memories without importance."""
PRAISED = 0.5
"""Share of what an importance lacks to 1 that any amount of praise may add."""
DAY = 86_400.0


def salience(item: MemoryItem, now: datetime, usage: Usage = UNUSED) -> float:
    """The value of a memory from 0 to 1: its retention times its importance.

    Retention is Ebbinghaus' forgetting curve as in MemoryBank (Zhong et al. 2023, arXiv 2305.10250,
    section 3.3): ``exp(-t / S)``, where t is the time since it was last said or recalled. The
    strength S is a month instead of their day, so that values differ over many years, and grows
    with each recall up to `STRONGEST` times (`Usage.worth`). Importance is a factor, after
    Generative Agents (Park et al. 2023, arXiv 2304.03442, section 4.1, which adds the two), moved
    by what people said of the memory (`valued`).
    """
    said = item.updated_at
    if usage.worth and usage.last_recalled is not None:
        # As far as feedback lets recalls count: nothing jumps where it turns.
        said += max(usage.last_recalled - said, timedelta()) * usage.trust
    strength = STRENGTH_DAYS * (1 + (STRONGEST - 1) * usage.worth)
    left = math.exp(-days_between(said, now) / strength)
    # After sixty years the curve is below the smallest float.
    return max(left * valued(item.importance, usage.rating), sys.float_info.min)


def valued(importance: float, rating: float) -> float:
    """An importance from 0 to 1 as people's words move it: `rating` is `Usage.rating`.

    Without any it is what it was. What is spoken against loses that share of it and never all of
    it; what is spoken for gains up to `PRAISED` of what it lacks.
    """
    own = min(max(importance, LEAST_IMPORTANCE), 1.0)
    if rating < 0:
        return own * (1 + rating)
    return own + PRAISED * rating * (1 - own)


def day_of(now: datetime) -> datetime:
    """The start of its day: salience that is taken then is the same all day."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def days_between(since: datetime, now: datetime) -> float:
    """Days from one to the other; 0 if the first is in the future."""
    return max(0.0, (now - since).total_seconds() / DAY)

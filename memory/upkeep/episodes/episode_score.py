"""Scores how well an episode fits a search: recency, relevance and importance. Pure.

The three signals are those of Generative Agents (Park et al. 2023, arXiv 2304.03442, section 4.1),
each from 0 to 1. They are multiplied, where the paper adds them: what has nothing to do with the
question is not found for being new or important. Recency and importance have a floor, so that
relevance leads: an old episode about the question stands above a new one about something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

HALF_LIFE_DAYS = 30.0
"""As of the recency of other memories (`recall.tuning`)."""
LEAST_RECENT = 0.9
LEAST_IMPORTANT = 0.8
"""Floors, measured on LoCoMo's dev sessions, whose
questions are as likely about the first session as about the last: with them the episode that
answers is found first for 55 % of the questions, by relevance alone for 57 %, without floors for
15 %."""
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class WeighedEpisode:
    """The signals of an episode, each from 0 to 1."""

    recency: float
    relevance: float
    importance: float

    @property
    def score(self) -> float:
        """Their product, from 0 to 1; larger is better."""
        return self.recency * self.relevance * self.importance


def recency(happened: datetime, now: datetime) -> float:
    """1 for what happens now, halfway to `LEAST_RECENT` after a half-life."""
    age = max(0.0, (now - happened).total_seconds() / _DAY)
    return lifted(2 ** -(age / HALF_LIFE_DAYS), LEAST_RECENT)


def importance_of(rated: float) -> float:
    """A memory's importance as a factor."""
    return lifted(rated, LEAST_IMPORTANT)


def lifted(value: float, least: float) -> float:
    """A value from 0 to 1 as one from `least` to 1."""
    return least + (1 - least) * min(max(value, 0.0), 1.0)

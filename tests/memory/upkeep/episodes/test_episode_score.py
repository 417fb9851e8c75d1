from datetime import UTC, datetime, timedelta

import pytest

from recollect.memory.upkeep.episodes.episode_score import (
    HALF_LIFE_DAYS,
    LEAST_RECENT,
    WeighedEpisode,
    importance_of,
    recency,
)

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def test_recency_fades_to_its_floor():
    """What happens now counts fully, what is long ago never less than the floor."""
    assert recency(NOW, NOW) == recency(NOW + timedelta(days=9), NOW) == 1
    half = recency(NOW - timedelta(days=HALF_LIFE_DAYS), NOW)
    assert half == pytest.approx((1 + LEAST_RECENT) / 2)
    assert recency(NOW - timedelta(days=36_500), NOW) == pytest.approx(LEAST_RECENT)


def test_of_equal_relevance_the_newer_and_the_more_important_are_first():
    """The other two signals decide where relevance does not."""
    one = WeighedEpisode(1.0, 0.5, importance_of(0.5))
    assert one.score > WeighedEpisode(0.95, 0.5, importance_of(0.5)).score
    assert one.score < WeighedEpisode(1.0, 0.5, importance_of(0.9)).score

"""In which part of the vectors topics are near."""

import numpy as np
import pytest

from recollect.memory.calibration import SAFE, Calibration
from recollect.memory.embedders.local import HALVES
from recollect.memory.graph.topics.topic_space import TopicSpace

OWN = Calibration(recall=0.2, update=0.8, same=0.95, floor=0.2, ceiling=0.8)
PAIR = "all-MiniLM-L6-v2+use-multilingual-v3"


def test_the_bound_lies_between_the_floor_and_the_ceiling_of_the_embedder():
    """Of one without thresholds nothing is near: as if no two memories had anything in common."""
    assert TopicSpace.of("mine", 3, OWN).alike == pytest.approx(0.32)
    space = TopicSpace.of("unknown", 3, SAFE)
    assert not space.measured
    assert space.alike > 1


def test_what_every_statement_of_a_user_has_does_not_count():
    """No direction that "User" and "I have something" have is left, row by row the same."""
    space = TopicSpace.of(PAIR, sum(HALVES), OWN)
    vectors = list(np.random.default_rng(2).normal(size=(5, sum(HALVES))).astype(np.float32))
    parts = space.part(vectors)
    assert np.abs(parts @ space.common.T).max() < 1e-4
    assert np.array_equal(parts[3:4], space.part(vectors[3:4]))

"""Leader clustering with running centroids."""

import numpy as np

from recollect.memory.graph.topics.clusters import Clusters, TopicBounds
from tests.support.budget import examples
from tests.support.folding import rows

BOUNDS = TopicBounds(join=0.6, merge=0.9)


def made(number, groups, *, spread=0.5, seed=0, dim=48):
    """Vectors around some directions, and which they are around."""
    random = np.random.default_rng(seed)
    around = random.integers(0, groups, number)
    noise = random.normal(size=(number, dim)) * spread
    return (random.normal(size=(groups, dim))[around] + noise).astype(np.float32), around


def clustered(vectors, bounds=BOUNDS, portions=None):
    clusters = Clusters(vectors.shape[1], bounds)
    for part in np.split(vectors, portions or []):
        clusters.add(part)
    return clusters.found()


@rows("seed", range(examples(3)))
def test_any_portions_are_the_same_as_all_at_once(seed):
    """What was built step by step is what is built from scratch, whatever splits on the way."""
    random = np.random.default_rng(seed)
    vectors, _ = made(700, int(random.integers(2, 60)), spread=0.9, seed=seed)
    portions = sorted(random.integers(0, 700, 9).tolist())
    found = clustered(vectors)
    assert clustered(vectors, portions=portions) == found
    assert clustered(vectors, portions=list(range(1, 700))) == found
    assert sorted(at for members in found for at in members) == list(range(700))
    assert max(map(len, found)) <= BOUNDS.cap
    assert found == sorted(found)


def test_the_middle_is_the_member_nearest_to_the_centroid():
    """Of equals the first."""
    clusters = Clusters(2, BOUNDS)
    clusters.add(np.array([[1, 0], [1, 0.4], [1, 0.9]], np.float32))
    assert clusters.middle((0, 1, 2)) == 1
    clusters = Clusters(2, BOUNDS)
    clusters.add(np.ones((3, 2), np.float32))
    assert clusters.middle((0, 1, 2)) == 0


def test_vectors_without_a_direction_are_alone():
    """They are near nothing, and break nothing."""
    assert clustered(np.zeros((3, 8), np.float32)) == [(0,), (1,), (2,)]
    assert clustered(np.zeros((0, 8), np.float32)) == []

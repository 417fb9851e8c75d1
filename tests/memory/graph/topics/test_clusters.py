"""Leader clustering with running centroids."""

import numpy as np
import pytest

from recollect.memory.graph.topics.clusters import Clusters, TopicBounds, merged, split
from recollect.memory.graph.topics.whole import whole

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


def test_what_is_near_is_in_one_cluster():
    """Memories around as many directions make as many clusters, each of one direction."""
    vectors, around = made(40, 4)
    found = clustered(vectors)
    assert len(found) == 4
    assert all(len(set(around[list(members)])) == 1 for members in found)


@pytest.mark.parametrize("seed", range(12))
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


def test_a_new_memory_changes_only_the_cluster_that_it_joins():
    """The others are as they were."""
    vectors, _ = made(60, 6)
    before, after = clustered(vectors[:-1]), clustered(vectors)
    assert len(set(after) - set(before)) == 1


def test_a_cluster_over_the_cap_is_split_where_it_has_parts():
    """Two nearer groups within one come apart, whole."""
    random = np.random.default_rng(3)
    base, left, right = random.normal(size=(3, 64))
    rows = [base * 2 + (left if at % 2 else right) for at in range(21)]
    noise = random.normal(size=(21, 64)) / 10
    found = clustered((np.array(rows) + noise).astype(np.float32), TopicBounds(0.5, 0.99))
    assert found == [tuple(range(0, 21, 2)), tuple(range(1, 21, 2))]


def test_a_cluster_of_equal_memories_is_halved():
    """Where there are no parts, the earlier ones are one and the later ones another."""
    same = np.ones((21, 16), np.float32)
    assert split(whole(same), 0.6) == [tuple(range(10)), tuple(range(10, 21))]
    found = clustered(np.ones((100, 16), np.float32))
    assert sum(map(len, found)) == 100
    assert max(map(len, found)) <= 20


def test_near_duplicates_of_clusters_are_merged_up_to_the_cap():
    """Two that a later memory showed to be one become one; full ones stay."""
    rows = whole(np.ones((30, 16), np.float32))
    small = [tuple(range(5)), tuple(range(5, 9)), tuple(range(9, 29)), (29,)]
    assert merged(small, rows, BOUNDS) == [(*range(9), 29), tuple(range(9, 29))]
    apart = whole(np.eye(4, 16, dtype=np.float32))
    assert merged([(0,), (1,), (2,), (3,)], apart, BOUNDS) == [(0,), (1,), (2,), (3,)]


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


def test_a_cap_that_sums_cannot_hold_is_refused():
    """Beyond it, products were rounded."""
    with pytest.raises(ValueError, match="cap"):
        TopicBounds(0.5, 0.9, cap=32)

"""Thresholds from cosines of labelled pairs."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.calibration import SAFE, Calibration, Measured, derive
from recollect.memory.calibration.derivation import (
    recall_threshold,
    same_threshold,
    update_threshold,
)
from recollect.memory.model.errors import InvalidInputError
from tests.support.folding import rows

NONE = np.array([])
BEFORE = Calibration(recall=0.3, update=0.5, same=0.9, floor=0.1, ceiling=0.6, dim=8)

groups = st.lists(st.floats(-1, 1), min_size=20, max_size=200).map(np.array)


def measured(**groups):
    empty = dict.fromkeys(("relevant", "unrelated", "same", "update", "different"), NONE)
    return Measured(**(empty | groups))


@given(groups, groups)
def test_recall_keeps_what_is_relevant(relevant, unrelated):
    """Whatever the others reach, 95 % of the relevant pairs are not below the threshold."""
    threshold = recall_threshold(relevant, unrelated)
    assert np.mean(relevant >= threshold) >= 0.95
    assert -1.001 <= threshold <= 1


@given(groups)
def test_what_differs_is_hardly_ever_the_same(not_same):
    """At most 2 % of the pairs that differ reach the threshold; of a few, none does."""
    threshold = same_threshold(not_same)
    assert np.sum(not_same >= threshold) <= int(0.02 * len(not_same))


def test_identical_vectors_of_different_facts():
    """An embedder that cannot tell them apart gets a threshold no cosine reaches."""
    assert same_threshold(np.full(20, 1.0)) > 1


def test_no_update_is_better_than_wrong_ones():
    """When other facts are as near as updates, only what counts as the same is updated."""
    assert update_threshold(np.linspace(0.1, 0.5, 20), np.linspace(0.4, 0.9, 20)) is None
    near = measured(
        same=np.full(20, 0.9), update=np.linspace(0.1, 0.5, 20), different=np.full(20, 0.7)
    )
    after = derive(near, BEFORE, dim=8)
    assert after.update == after.same == pytest.approx(0.701)


def test_all_values_from_one_file():
    """Each value comes from its group of pairs."""
    relevant, unrelated = np.linspace(0.3, 0.9, 101), np.linspace(-0.2, 0.4, 101)
    rows = measured(
        relevant=relevant,
        unrelated=unrelated,
        same=np.full(20, 0.97),
        update=np.linspace(0.6, 0.9, 20),
        different=np.linspace(0.0, 0.5, 20),
    )
    after = derive(rows, SAFE, dim=8)
    assert after == Calibration(recall=0.33, floor=0.1, ceiling=0.84, update=0.6, same=0.901, dim=8)
    assert rows.counts() == {
        "relevant": 101,
        "unrelated": 101,
        "same": 20,
        "update": 20,
        "different": 20,
    }


@rows("relevant, unrelated", [(0.2, 0.8), (0.5, 0.5)])
def test_labels_that_are_swapped(relevant, unrelated):
    """Relevant pairs that are no nearer than the others give no thresholds at all."""
    rows = measured(relevant=np.full(20, relevant), unrelated=np.full(20, unrelated))
    with pytest.raises(InvalidInputError, match="swapped"):
        derive(rows, BEFORE, dim=8)


def test_a_language_has_a_worth_of_its_own():
    """With ten pairs of each label; what a language lacks is said of the others."""
    rising = np.linspace(0.5, 0.9, 10)
    languages = {
        "de": (rising, rising - 0.45),
        "zh": (rising, rising),
        "fr": (rising[:9], rising[:9] - 0.45),
    }
    pairs = measured(relevant=rising, unrelated=rising - 0.45, languages=languages)
    before = replace(SAFE, languages={"fr": 0.3, "zh": 0.3})
    found = derive(pairs, before, dim=3).languages
    assert found == {"de": 1.0, "fr": 0.3, "zh": 0.0}

"""The probability that something stored answers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.calibration import ANSWERS, BUILT_IN, Calibration
from recollect.memory.recall import evidence
from tests.memory.recall.memories import signals_of

CALIBRATION = Calibration(recall=0.3, update=1.1, same=0.9, floor=0.2, ceiling=0.7)


def probabilities(found, *, personal=True, elsewhere=False, near=None, seen=None):
    """Of each memory; all are seen unless told."""
    every = np.ones(len(found.coverage), bool) if seen is None else seen
    usual = evidence.usual(found, every, CALIBRATION)
    nearness = evidence.nearness(found, usual, CALIBRATION) if near is None else near
    table = evidence.told(found, nearness, every, personal=personal, elsewhere=elsewhere)
    return evidence.probability(evidence.log_odds(table, BUILT_IN.answers))


def test_words_and_meaning_tell():
    """Either is evidence; both together are more than each, and less than their sum."""
    found = signals_of(coverage=[0.0, 0.5, 0.0, 0.5])
    none, words, near, both = probabilities(found, near=np.array([0, 0, 0.6, 0.6]))
    assert none < min(words, near) < both
    odds = np.log([p / (1 - p) for p in (none, words, near, both)])
    assert odds[3] - odds[0] < (odds[1] - odds[0]) + (odds[2] - odds[0])


def test_what_is_usual_is_the_mean_of_the_store():
    """Of few memories the floor of the embedder counts, of a part of a store it alone does."""
    every = np.ones(100, bool)
    many = signals_of(cosine=[0.6] * 100)
    assert evidence.usual(many, every, CALIBRATION) == pytest.approx(0.57, abs=0.01)
    assert evidence.usual(signals_of(cosine=[0.6]), every[:1], CALIBRATION) < 0.25
    assert evidence.usual(many, None, CALIBRATION) == CALIBRATION.floor
    hidden = np.arange(100) < 1
    assert evidence.usual(many, hidden, CALIBRATION) < 0.25


def test_nearness_counts_from_what_is_usual():
    """In spreads, never below 0, not more than so much, and as the language is worth."""
    found = signals_of(cosine=[0.1, 0.45, 1.0, 0.45], worth=[1, 1, 1, 0.5])
    near = evidence.nearness(found, 0.2, CALIBRATION)
    assert near.tolist() == pytest.approx([0.0, 0.5, evidence.NEAREST, 0.25])


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.booleans())
def test_more_memories_never_need_less(one, other, personal):
    """The nearest of many unrelated memories is nearer."""
    fewer, more = sorted((one, other))
    found = signals_of(coverage=[0.4])
    several = [
        evidence.told(
            found, np.array([0.5]), np.ones(count, bool), personal=personal, elsewhere=False
        )
        for count in (fewer, more)
    ]
    odds = [evidence.log_odds(table, BUILT_IN.answers)[0] for table in several]
    assert odds[0] >= odds[1]


def test_the_more_it_depends_on_who_asks_the_less_it_needs():
    """By meaning; what is the same whoever asks needs more."""
    found, near, one = signals_of(coverage=[0.4]), np.array([0.5]), np.ones(1, bool)
    odds = [
        evidence.log_odds(
            evidence.told(found, near, one, personal=True, elsewhere=False, depends=depends),
            BUILT_IN.answers,
        )[0]
        for depends in (-0.1, 0.0, 0.1)
    ]
    assert odds == sorted(set(odds))


@given(st.lists(st.tuples(st.floats(-60, 60), st.floats(0, 1)), max_size=12))
def test_scores_are_probabilities_that_never_rise(hits):
    """Whatever the hits are, also none."""
    odds = np.array([odds for odds, _ in hits])
    fused = np.sort(np.array([score for _, score in hits]))[::-1]
    found = evidence.scores(odds, fused, BUILT_IN.right)
    assert len(found) == len(hits)
    assert ((found >= 0) & (found <= 1)).all()
    assert (np.diff(found) <= 0).all()


def test_a_hit_that_stands_out_is_right_more_often():
    """Far ahead of the next with much evidence: more likely than not; amid its like: not."""
    ahead = evidence.scores(np.array([3.0, -1.0, -1.0]), np.array([0.8, 0.3, 0.3]), BUILT_IN.right)
    amid = evidence.scores(np.array([0.5] * 9), np.linspace(0.3, 0.28, 9), BUILT_IN.right)
    assert ahead[0] > 0.6
    assert amid[0] < 0.3


def test_the_right_time_needs_some_relation():
    """Nearer than usual or a word in common."""
    found = signals_of(date=[1, 1, 1, 0.4], coverage=[0, 0.1, 0, 1])
    near = np.array([0.2, 0.0, 0.0, 1.0])
    assert evidence.is_timely(found, near).tolist() == [True, True, False, False]


def test_each_signal_has_its_row():
    """In the order of the weights, which are read by name."""
    found = signals_of(coverage=[0.4], entity=[1], date=[0.9], topic=[0.3])
    table = evidence.told(
        found, np.array([0.5]), np.ones(10, bool), personal=True, elsewhere=False, depends=0.12
    )
    assert dict(zip(ANSWERS, table[:, 0].tolist(), strict=True)) == pytest.approx(
        {
            "near": 0.5, "words": 0.4, "both": 0.2, "name": 1, "time": 0.9, "topic": 0.3,
            "memories": 1, "personal": 1, "elsewhere": 0, "depends": 1.2,
        }
    )  # fmt: skip


def test_named_is_somebody_else():
    """Only if somebody who speaks is named, by all that the scope admits, and by words."""
    found = signals_of(coverage=[0.2, 0.9, 0.1], entity=[1, 0, 0])
    every = np.ones(3, bool)
    assert evidence.is_elsewhere(found, every, every)
    assert not evidence.is_elsewhere(found, ~every, every)
    assert not evidence.is_elsewhere(found, every, np.array([True, False, True]))
    two = every[:2]
    assert not evidence.is_elsewhere(signals_of(coverage=[0.2, 0.9], entity=[0, 0.25]), two, two)
    assert not evidence.is_elsewhere(signals_of(coverage=[0.9, 0.2], entity=[1, 0]), two, two)

"""How strong the evidence is, and how much is recalled for it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.recall.evidence import Grade, grade, is_elsewhere, is_timely, strengths
from recollect.memory.recall.options import RecallOptions
from tests.memory.recall.memories import signals_of

OPTIONS = RecallOptions()


def test_words_and_meaning_add_up():
    """A clear match is half of either, or all of one that the embedder knows nothing about."""
    several = signals_of(coverage=[0.4, 0.0, 0.85], near=[0.225, 0.425, 0.0])
    assert strengths(several, 0.4, personal=True) == pytest.approx([1.0, 1.0, 1.0])
    unknown = signals_of(coverage=[0.4, 0.2], worth=0.0)
    assert strengths(unknown, 0.4, personal=True) == pytest.approx([1.0, 0.5])


def test_meaning_is_trusted_less_where_nobody_is_spoken_of():
    """In a language that the embedder hardly knows; in one that it knows, all the same."""
    known = signals_of(coverage=0.2, near=0.3)
    assert strengths(known, 0.4, personal=False) == strengths(known, 0.4, personal=True)
    hardly = signals_of(coverage=0.0, near=0.3, worth=0.3)
    assert strengths(hardly, 0.4, personal=False) < strengths(hardly, 0.4, personal=True) / 2


def test_whoever_asks_for_no_evidence_gets_everything():
    """`clear_coverage` 0 switches the withholding off, also without cosines."""
    assert np.isinf(strengths(signals_of(worth=0.0), 0.0, personal=True)).all()
    free = RecallOptions(clear_coverage=0.0)
    assert grade(0.0, seen=100, personal=False, options=free) is Grade.FULL


@pytest.mark.parametrize(
    ("evidence", "personal", "expected"),
    [
        (0.44, True, Grade.NONE),
        (0.46, True, Grade.SMALL),
        (1.0, True, Grade.FULL),
        (0.98, False, Grade.NONE),
        (1.0, False, Grade.SMALL),
        (2.2, False, Grade.FULL),
    ],
)
def test_what_is_recalled_for_it(evidence, personal, expected):
    """Nothing, a little, or all that fits; twice as much is needed if the user is not spoken of."""
    assert grade(evidence, seen=100, personal=personal, options=OPTIONS) is expected


@given(st.floats(0, 3), st.integers(0, 10**7), st.integers(0, 10**7), st.booleans())
def test_more_memories_never_need_less(evidence, one, other, personal):
    """The nearest of many unrelated memories is nearer."""
    order = list(Grade)
    fewer, more = sorted((one, other))
    found = [
        grade(evidence, seen=seen, personal=personal, options=OPTIONS) for seen in (fewer, more)
    ]
    assert order.index(found[0]) >= order.index(found[1])


def test_the_right_time_needs_some_relation():
    """A cosine above that of unrelated texts or a word in common."""
    found = signals_of(date=[1, 1, 1, 0.4], cosine=[0.2, 0.0, 0.0, 1], coverage=[0, 0.1, 0, 1])
    assert is_timely(found).tolist() == [True, True, False, False]


def test_named_is_somebody_else():
    """Only if somebody who speaks is named, by all that the scope admits, and by words."""
    found = signals_of(coverage=[0.2, 0.9, 0.1], entity=[1, 0, 0])
    every = np.ones(3, bool)
    assert is_elsewhere(found, every, every)
    assert not is_elsewhere(found, ~every, every)
    assert not is_elsewhere(found, every, np.array([True, False, True]))
    two = every[:2]
    assert not is_elsewhere(signals_of(coverage=[0.2, 0.9], entity=[0, 0.25]), two, two)
    assert not is_elsewhere(signals_of(coverage=[0.9, 0.2], entity=[1, 0]), two, two)

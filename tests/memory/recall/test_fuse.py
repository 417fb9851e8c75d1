"""Signals become one score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recollect.memory.recall.fuse import (
    contributions,
    fuse,
    largest,
    leaning,
    moderation,
    ranks,
    weights_of,
)
from recollect.memory.recall.signals import SIGNALS, Meaning, Signal, Signals
from recollect.memory.recall.tuning import TUNING, Tuning

NOW = 1.8e9
DAY = 86_400.0
WEIGHTS = st.fixed_dictionaries({name.value: st.floats(0, 10) for name in SIGNALS})
SHARED = frozenset(SIGNALS) - {Signal.CONNECTED}
"""Those that share the sum; what a hit leads to comes on top."""
USED = st.frozensets(st.sampled_from(sorted(SHARED)))


def table_of(**rows):
    n = len(next(iter(rows.values())))
    return np.array([rows.get(name.value, [0.0] * n) for name in SIGNALS], np.float64)


def signals_of(table, used=SHARED):
    n = table.shape[1]
    none = np.zeros(n)
    return Signals(table, Meaning(none, none, none), none, none, used)


def scores(signals, *, weights=TUNING.weights):
    """Fused without age and importance."""
    n = signals.table.shape[1]
    return fuse(
        signals,
        Tuning(recency=0.0, importance=0.0, weights=weights),
        moments=np.full(n, NOW),
        importance=np.full(n, 0.5),
        hearsay=np.zeros(n, np.bool_),
        now=NOW,
    )


def factors(options, moments, importance):
    """What the user said themselves."""
    own = np.zeros(len(moments), np.bool_)
    return moderation(options, moments=moments, importance=importance, hearsay=own, now=NOW)


def only(**weights):
    return dict.fromkeys([name.value for name in SIGNALS], 0.0) | weights


def test_a_score_is_a_weighted_mean():
    """On the scales the signals have."""
    signals = signals_of(table_of(dense=[1.0, 0.5], lexical=[0.0, 0.4]))
    assert scores(signals, weights=only(dense=1, lexical=3)) == pytest.approx([0.25, 0.425])


@given(
    arrays(np.float64, (len(SIGNALS), 3), elements=st.floats(0, 1)),
    WEIGHTS,
    USED,
)
def test_a_score_is_the_sum_of_its_terms(table, weights, used):
    """Whatever the weights, and whatever signals a query has."""
    signals = signals_of(table, used)
    terms = contributions(signals, Tuning(weights=weights))
    assert terms.shape == table.shape
    assert terms.sum(axis=0) == pytest.approx(scores(signals, weights=weights))


@given(USED, WEIGHTS)
def test_weights_are_shared_by_what_a_query_can_have(used, weights):
    """Together they are 1, in their proportions; the others have none."""
    found = weights_of(signals_of(np.zeros((len(SIGNALS), 1)), used), Tuning(weights=weights))
    given_weights = np.array([weights[name] if name in used else 0.0 for name in SIGNALS])
    assert ((found > 0) <= (given_weights > 0)).all()
    assert found.sum() == pytest.approx(1.0 if given_weights.sum() else 0.0)
    assert found * given_weights.sum() == pytest.approx(given_weights)


@given(USED, WEIGHTS)
def test_being_connected_comes_on_top(used, weights):
    """The weights of all others stay as they are; its own is on their scale, and at most 1."""
    none, tuning = np.zeros((len(SIGNALS), 1)), Tuning(weights=weights)
    plain = weights_of(signals_of(none, used), tuning)
    found = weights_of(signals_of(none, used | {Signal.CONNECTED}), tuning)
    at = SIGNALS.index(Signal.CONNECTED)
    assert 0 <= found[at] <= 1
    assert np.delete(found, at) == pytest.approx(np.delete(plain, at))


@given(
    st.floats(0, 0.5),
    st.floats(0, 0.5),
    st.floats(0.01, 36_500),
    arrays(np.float64, 5, elements=st.floats(-1e10, 1e10)),
    arrays(np.float64, 5, elements=st.floats(-1, 2)),
)
def test_age_and_importance_are_gentle(recency, importance, half_life, moments, values):
    """They add or take what the tuning allows and never more, whatever the times and values."""
    options = Tuning(recency=recency, importance=importance, half_life_days=half_life)
    factor = factors(options, moments, values)
    assert (np.abs(factor - 1) <= recency + importance + 1e-9).all()


def test_newer_and_more_important_is_better():
    """At the half-life and at an importance of 0.5 nothing changes; the future counts as now."""
    options = Tuning(recency=0.1, importance=0.2, half_life_days=10)
    moments = NOW - DAY * np.array([-500, 0, 10, 20, 1e6])
    factor = factors(options, moments, np.full(5, 0.5))
    assert factor == pytest.approx([1.1, 1.1, 1.0, 0.95, 0.9])
    at_half_life = np.full(3, NOW - 10 * DAY)
    values = np.array([0.0, 0.5, 1.0])
    factor = factors(options, at_half_life, values)
    assert factor == pytest.approx([0.8, 1.0, 1.2])


def test_what_the_user_never_said_weighs_a_little_less():
    """By the share of the tuning."""
    options = Tuning(recency=0, importance=0, hearsay=0.1)
    factor = moderation(
        options,
        moments=np.full(2, NOW),
        importance=np.full(2, 0.5),
        hearsay=np.array([False, True]),
        now=NOW,
    )
    assert factor == pytest.approx([1.0, 0.9])


def test_age_and_importance_moderate_the_score():
    """They are shares of it: what has nothing for it stays at nothing."""
    options = Tuning(recency=0.1, importance=0.2, weights=only(dense=1))
    signals = signals_of(table_of(dense=[0.0, 0.5]))
    found = fuse(
        signals,
        options,
        moments=np.full(2, NOW),
        importance=np.ones(2),
        hearsay=np.zeros(2, np.bool_),
        now=NOW,
    )
    assert found == pytest.approx([0.0, 0.65])


@given(arrays(np.float64, st.integers(0, 9), elements=st.sampled_from([0.0, 0.25, 0.5, 1.0])))
def test_ranks(values):
    """One more than how many are larger."""
    assert ranks(values).tolist() == [1 + sum(other > one for other in values) for one in values]


STANDINGS = arrays(np.float64, st.integers(1, 9), elements=st.floats(-1, 1))


@given(STANDINGS, st.floats(0, 0.5), st.floats(0, 0.5))
def test_feedback_is_gentle(standing, feedback, praise):
    """It takes and gives no more than the tuning allows, in the order of the standings."""
    found = leaning(Tuning(feedback=feedback, praise=praise), standing)
    assert ((found >= -feedback) & (found <= praise)).all()
    assert (found[standing == 0] == 0).all()
    order = np.argsort(standing, kind="stable")
    assert (np.diff(found[order]) >= 0).all()


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(0, 14))
def test_the_largest_in_order(values, most):
    """As many as are wanted; of equal values the earlier position comes first."""
    expected = sorted(range(len(values)), key=lambda at: -values[at])[:most]
    assert largest(np.array(values, float), most).tolist() == expected

"""Signals become one score, and the probability that something stored answers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recollect.memory.calibration import ANSWERS, BUILT_IN, Calibration
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.recall import evidence
from recollect.memory.recall.fuse import (
    contributions,
    fuse,
    largest,
    leaning,
    moderation,
    ranks,
    weights_of,
)
from recollect.memory.recall.fusion import SHARES, tuned
from recollect.memory.recall.signals import SIGNALS, Meaning, Signal, Signals
from recollect.memory.recall.tuning import TUNING, Tuning
from tests.memory.api.client_parts import build, keep
from tests.memory.recall.memories import signals_of as told_signals
from tests.support.folding import rows

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


def test_what_is_not_set_stays():
    """And without any value there is nothing to set."""
    assert tuned(None) is None
    assert tuned({}) == TUNING
    found = tuned({"weights": {"lexical": 0}, "recency": 1})
    assert found.weights == {**TUNING.weights, "lexical": 0.0}
    assert (found.recency, found.importance) == (1.0, TUNING.importance)
    assert set(SHARES) <= {*TUNING.__slots__}


@rows(
    "fusion, field",
    [
        ("dense", "fusion"),
        ([], "fusion"),
        ({"weight": {}}, "fusion"),
        ({7: 1}, "fusion"),
        ({"weights": 1}, "fusion.weights"),
        ({"weights": {"dens": 1}}, "fusion.weights"),
        ({"weights": {"dense": -1}}, "fusion.weights.dense"),
        ({"weights": {"dense": 11}}, "fusion.weights.dense"),
        ({"weights": {"dense": True}}, "fusion.weights.dense"),
        ({"weights": {"dense": math.nan}}, "fusion.weights.dense"),
        ({"weights": {"dense": "1"}}, "fusion.weights.dense"),
        ({"weights": dict.fromkeys(TUNING.weights, 0)}, "fusion.weights"),
        ({"recency": 1.1}, "fusion.recency"),
        ({"hearsay": None}, "fusion.hearsay"),
    ],
)
def test_what_is_wrong_is_refused_by_its_name(fusion, field):
    """Names and bounds."""
    with pytest.raises(InvalidInputError) as refused:
        tuned(fusion)
    assert refused.value.field == field


async def test_a_search_weighs_as_it_is_told():
    """By the date alone, the newer of two comes first; by the words alone, the one that has them."""
    async with build() as memory:
        await keep(memory, "green tea is what she drinks")
        await keep(memory, "black coffee is what he drinks")
        words = {"weights": {**dict.fromkeys(TUNING.weights, 0), "lexical": 1}}
        found = await memory.search("green tea drinks", user_id="alice", fusion=words)
        assert found["results"][0]["memory"].startswith("green tea")
        usual = await memory.search("green tea drinks", user_id="alice")
        scores = [hit["score"] for hit in found["results"]]
        assert scores == sorted(scores, reverse=True)
        assert len(found["results"]) == len(usual["results"]) == 2


async def test_another_fusion_is_another_query():
    """Its cursor does not go on with the usual one."""
    async with build() as memory:
        await keep(memory, "tea one", "tea two", "tea three")
        page = await memory.search("tea", user_id="alice", limit=1, fusion={"recency": 0.5})
        with pytest.raises(InvalidInputError, match="another query"):
            await memory.search("tea", user_id="alice", limit=1, cursor=page["next"])
        again = await memory.search(
            "tea", user_id="alice", limit=9, cursor=page["next"], fusion={"recency": 0.5}
        )
        assert len(again["results"]) == 2


def test_every_signal_has_a_weight():
    """By its name; what has none would count as an error in every search."""
    assert set(TUNING.weights) == {name.value for name in SIGNALS}
    assert all(weight > 0 for weight in TUNING.weights.values())


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
    found = told_signals(coverage=[0.0, 0.5, 0.0, 0.5])
    none, words, near, both = probabilities(found, near=np.array([0, 0, 0.6, 0.6]))
    assert none < min(words, near) < both
    odds = np.log([p / (1 - p) for p in (none, words, near, both)])
    assert odds[3] - odds[0] < (odds[1] - odds[0]) + (odds[2] - odds[0])


def test_what_is_usual_is_the_mean_of_the_store():
    """Of few memories the floor of the embedder counts, of a part of a store it alone does."""
    every = np.ones(100, bool)
    many = told_signals(cosine=[0.6] * 100)
    assert evidence.usual(many, every, CALIBRATION) == pytest.approx(0.57, abs=0.01)
    assert evidence.usual(told_signals(cosine=[0.6]), every[:1], CALIBRATION) < 0.25
    assert evidence.usual(many, None, CALIBRATION) == CALIBRATION.floor
    hidden = np.arange(100) < 1
    assert evidence.usual(many, hidden, CALIBRATION) < 0.25


def test_nearness_counts_from_what_is_usual():
    """In spreads, never below 0, not more than so much, and as the language is worth."""
    found = told_signals(cosine=[0.1, 0.45, 1.0, 0.45], worth=[1, 1, 1, 0.5])
    near = evidence.nearness(found, 0.2, CALIBRATION)
    assert near.tolist() == pytest.approx([0.0, 0.5, evidence.NEAREST, 0.25])


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.booleans())
def test_more_memories_never_need_less(one, other, personal):
    """The nearest of many unrelated memories is nearer."""
    fewer, more = sorted((one, other))
    found = told_signals(coverage=[0.4])
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
    found, near, one = told_signals(coverage=[0.4]), np.array([0.5]), np.ones(1, bool)
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


def test_each_signal_has_its_row():
    """In the order of the weights, which are read by name."""
    found = told_signals(coverage=[0.4], entity=[1], date=[0.9], topic=[0.3])
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
    found = told_signals(coverage=[0.2, 0.9, 0.1], entity=[1, 0, 0])
    every = np.ones(3, bool)
    assert evidence.is_elsewhere(found, every, every)
    assert not evidence.is_elsewhere(found, ~every, every)
    assert not evidence.is_elsewhere(found, every, np.array([True, False, True]))
    two = every[:2]
    assert not evidence.is_elsewhere(told_signals(coverage=[0.2, 0.9], entity=[0, 0.25]), two, two)
    assert not evidence.is_elsewhere(told_signals(coverage=[0.9, 0.2], entity=[1, 0]), two, two)

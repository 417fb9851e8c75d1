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
from recollect.memory.recall.constants import TUNING, Tuning
from recollect.memory.recall.fusion_weights import SHARES, tuned
from recollect.memory.recall.score_fusion import (
    contributions,
    feedback_share,
    fuse,
    largest,
    moderation,
    ranks,
    weights_of,
)
from recollect.memory.recall.signals import SIGNALS, Meaning, Signal, Signals
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
    return Signals(table, Meaning(none, none, none), none, used)


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
def test_feedback_is_gentle(rating, feedback, praise):
    """It takes and gives no more than the tuning allows, in the order of the standings."""
    found = feedback_share(Tuning(feedback=feedback, praise=praise), rating)
    assert ((found >= -feedback) & (found <= praise)).all()
    assert (found[rating == 0] == 0).all()
    order = np.argsort(rating, kind="stable")
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


def near_of(found):
    """Of each memory."""
    return evidence.near(found, np.arange(len(found.coverage)), CALIBRATION)


def table_told(found, near=None, related=None, *, personal=True, depends=0.0):
    """What each memory tells."""
    near = near_of(found) if near is None else near
    return evidence.told(
        found, np.arange(len(found.coverage)), near, related or evidence.guessed(near),
        personal=personal, depends=depends,
    )  # fmt: skip


def odds_of(found, **told):
    return evidence.log_odds(table_told(found, **told), BUILT_IN)


def test_words_and_meaning_tell():
    """Either is evidence, and both are more than each."""
    none, words, near, both = odds_of(
        told_signals(cosine=[0.2, 0.2, 0.5, 0.5], coverage=[0.0, 0.5, 0.0, 0.5])
    )
    assert none < min(words, near)
    assert both > max(words, near)


@given(arrays(np.float64, 8, elements=st.floats(-1, 1)))
def test_nearer_in_meaning_is_never_less_evidence(cosines):
    """For any calibration of these spreads, where only the cosine is known."""
    odds = odds_of(told_signals(cosine=np.sort(cosines)))
    assert (np.diff(odds) >= -1e-9).all()


def test_nearness_counts_in_spreads_above_the_floor():
    """Within bounds: what is far off tells no more, and what is the same tells no more."""
    found = told_signals(cosine=[-1.0, 0.2, 0.45, 1.0, 2.0])
    least, most = evidence.LEAST_NEAR, evidence.MOST_NEAR
    spread = CALIBRATION.spread
    expected = [least, 0.0, 0.25 / spread, min(0.8 / spread, most), most]
    assert near_of(found).tolist() == pytest.approx(expected)


def test_meaning_counts_as_its_language_is_worth():
    """Where the embedder does not know a language, words alone decide."""
    near, far = odds_of(told_signals(cosine=[0.9, 0.1], worth=0.0))
    assert near == far
    near, far = odds_of(told_signals(cosine=[0.9, 0.1], worth=[1.0, 0.0]))
    assert near > far


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=9))
def test_the_probability_of_a_memory_does_not_depend_on_the_others(others):
    """Alone in a store or beside any others, it is the same."""
    cosines, words = zip((0.45, 0.4), *others, strict=True)
    alone = odds_of(told_signals(cosine=[0.45], coverage=[0.4]))[0]
    assert odds_of(told_signals(cosine=cosines, coverage=words))[0] == pytest.approx(alone)


def test_the_more_it_depends_on_who_asks_the_less_it_needs():
    """By meaning, and if the question speaks of the user."""
    found = told_signals(cosine=[0.4], coverage=[0.4])
    odds = [odds_of(found, depends=depends)[0] for depends in (-0.1, 0.0, 0.1)]
    assert odds == sorted(set(odds))
    assert odds_of(found, personal=False)[0] < odds[1]


def test_each_signal_has_its_row():
    """In the order of the weights, which are read by name."""
    found = told_signals(coverage=[0.4], entity=[1], date=[0.9], worth=[0.5])
    related = evidence.Nearness(np.array([2.5]), np.array([4.0]), np.array([0.8]))
    table = table_told(found, np.array([0.6]), related, depends=0.12)
    assert dict(zip(ANSWERS, table[:, 0].tolist(), strict=True)) == pytest.approx(
        {
            "near": 0.3, "words": 0.4, "name": 1, "time": 0.9, "personal": 1, "depends": 1.2,
            "agrees": 1.25, "line": 1.25, "theme": 0.4, "unread": 0.5,
        }
    )  # fmt: skip


def test_only_the_asked_positions_are_told():
    """In their order; none, if none are asked."""
    found = told_signals(coverage=[0.1, 0.2, 0.3])
    at, near = np.array([2, 0]), np.zeros(2)
    table = evidence.told(found, at, near, evidence.guessed(near), personal=False)
    assert table[ANSWERS.index("words")].tolist() == [0.3, 0.1]
    none = np.zeros(0, np.int64)
    empty = evidence.near(found, none, CALIBRATION)
    table = evidence.told(found, none, empty, evidence.guessed(empty), personal=False)
    assert evidence.log_odds(table, BUILT_IN).shape == (0,)


@given(st.floats(0.0, 1.0))
def test_a_probability_has_its_odds(probability):
    """And these odds have that probability; of what is sure, they are infinite."""
    odds = evidence.odds_of(probability)
    assert evidence.probability(np.array([odds]))[0] == pytest.approx(probability, abs=1e-9)
    assert (odds == -math.inf, odds == math.inf) == (probability == 0.0, probability == 1.0)

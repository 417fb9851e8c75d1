"""Signals become one score, and the probability that something stored answers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import recollect
from recollect.filters import RequestRecallOptions
from recollect.memory.calibration import Calibration
from recollect.memory.calibration.weights import BUILT_IN
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.recall import RecallOptions, evidence
from recollect.memory.recall.constants import TUNING, Tuning
from recollect.memory.recall.fusion_weights import fuse_weighted, tuned
from recollect.memory.recall.lines import LineBounds
from recollect.memory.recall.score_fusion import largest, moderation
from tests.memory.api.client_parts import build, keep
from tests.memory.recall.memories import signals_of as told_signals
from tests.support.folding import rows

NOW = 1.8e9
DAY = 86_400.0


def factors(options, moments, importance):
    """What the user said themselves."""
    own = np.zeros(len(moments), np.bool_)
    return moderation(options, moments=moments, importance=importance, hearsay=own, now=NOW)


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
        ({"half_life_days": 0}, "fusion.half_life_days"),
        ({"hearsay": None}, "fusion.hearsay"),
    ],
)
def test_what_is_wrong_is_refused_by_its_name(fusion, field):
    """Names and bounds."""
    with pytest.raises(InvalidInputError) as refused:
        tuned(fusion)
    assert refused.value.field == field


def test_the_defaults_of_the_settings_are_what_was_measured():
    """For every reader, and in every copy: unset, no setting moves a single line."""
    for options in (RecallOptions(), RequestRecallOptions()):
        assert options.tuning == TUNING
        assert LineBounds(9, 0.1).options(options).tuning == TUNING
    ranking = {"dense": 0, "importance": 0.5, "half_life_days": 7}
    set_ = RecallOptions.model_validate({"ranking": ranking})
    weights = {**TUNING.weights, "dense": 0}
    assert set_.tuning == replace(TUNING, weights=weights, importance=0.5, half_life_days=7)
    assert LineBounds(9, 0.1).options(set_).tuning == set_.tuning
    assert tuned({"recency": 0.5}, set_.tuning) == replace(set_.tuning, recency=0.5)


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


async def test_weights_are_tuned_without_a_search():
    """The rows of an explanation score what they scored there, and otherwise with other weights."""
    async with build() as memory:
        await keep(memory, "User drinks green tea", "User has a green car", "User met Zoe")
        told = (await memory.explain("Which green tea do I drink?", user_id="alice"))["memories"]
        held = [{name: one["value"] for name, one in row["signals"].items()} for row in told]
        adds = [sum(one["adds"] for one in row["signals"].values()) for row in told]
        assert len(held) == 3
        assert recollect.fuse_weighted(held) == pytest.approx(adds, abs=1e-3)
        only = fuse_weighted(held, {"weights": {**dict.fromkeys(TUNING.weights, 0), "dense": 1}})
        assert only == pytest.approx([row.get("dense", 0) for row in held])
    assert fuse_weighted([]) == []
    for wrong, field in (({"dens": 1}, "rows"), ({"dense": 2}, r"rows\[0\].dense")):
        with pytest.raises(InvalidInputError, match=f"^{field}: "):
            fuse_weighted([wrong])


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


def test_the_more_it_depends_on_who_asks_the_less_it_needs():
    """By meaning, and if the question speaks of the user."""
    found = told_signals(cosine=[0.4], coverage=[0.4])
    odds = [odds_of(found, depends=depends)[0] for depends in (-0.1, 0.0, 0.1)]
    assert odds == sorted(set(odds))
    assert odds_of(found, personal=False)[0] < odds[1]


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(0, 14))
def test_the_largest_in_order(values, most):
    """As many as are wanted; of equal values the earlier position comes first."""
    expected = sorted(range(len(values)), key=lambda at: -values[at])[:most]
    assert largest(np.array(values, float), most).tolist() == expected

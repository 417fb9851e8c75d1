"""How one search weighs its signals."""

import math

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.recall.fusion import SHARES, tuned
from recollect.memory.recall.tuning import TUNING
from tests.memory.api.client_parts import build, keep
from tests.support.folding import rows


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

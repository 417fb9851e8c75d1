"""Explains a recall: signals, ranks, weights, thresholds, and why a memory was left out. Pure.

An explanation contains the texts of memories, for their owner, and never the text of the query.
"""

import json

import pytest

from recollect.memory.calibration import Calibration
from recollect.memory.model.types import Scope
from recollect.memory.model.usage import Usage
from recollect.memory.recall import Drop, Shown
from recollect.memory.recall.explanation import explain
from recollect.memory.recall.options import RecallOptions
from recollect.memory.recall.ranking import rank
from recollect.memory.recall.selection import select
from recollect.memory.recall.signals import SIGNALS, Signal, analysed
from recollect.memory.recall.tuning import TUNING
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import angle, index_of, stored
from tests.support.constants import recalling

CALIBRATION = Calibration(recall=0.3, update=1.1, same=0.9, floor=0.2, ceiling=0.7)
QUERY = "what green tea does Ann drink since Xylophonia yesterday"


def explained(index, *, most=100, budget=1000, query=QUERY, scope=ALICE, used=None, **options):
    chosen = recalling(cut=0.0, gap=1.0, **options)
    asked = analysed([query], angle(0)[None], index.languages, NOON)
    ranking = rank(
        index, scope, asked, options=chosen, calibration=CALIBRATION, now=NOON, most=most
    )
    selection = select(
        ranking.ranked,
        chosen,
        token_budget=budget,
        same=ranking.same,
        show=lambda item: Shown("", item.text),
        count_tokens=lambda text: len(text.split()),
        seen=ranking.seen,
    )
    return explain(
        ranking, selection, chosen, CALIBRATION, "an-embedder", used=used or {}, now=NOON
    ).as_dict()


def garden():
    """Memories with every fate."""
    return index_of(
        stored("Ann: I drink green tea", id="best", degrees=0, importance=0.9),
        stored("Ann: green tea I drink!", id="twin", degrees=3),
        stored("Bob: Ann had some tea " + "and " * 50, id="long", degrees=20, minutes=1),
        stored("a red car", id="other", degrees=90, minutes=9000),
        stored("we like black tea", id="last", degrees=60, minutes=-9000),
    )


def test_what_the_signals_add_is_the_score():
    """The terms, times what age and importance make of them."""
    found = explained(garden(), recency=0.3, importance=0.4)
    assert len(found["memories"]) == 5
    for memory in found["memories"]:
        for signal in memory["signals"].values():
            assert signal["adds"] == pytest.approx(signal["weight"] * signal["value"], abs=1e-3)
        fused = sum(signal["adds"] for signal in memory["signals"].values())
        factor = memory["age_and_importance"]
        assert fused * (1 if factor is None else factor) == pytest.approx(memory["score"], abs=1e-3)
        assert factor is None or 0.3 <= factor <= 1.7
        weights = sum(signal["weight"] for signal in memory["signals"].values())
        assert weights == pytest.approx(1.0, abs=1e-3)


def test_every_ranked_memory_has_its_reason():
    """Best first, chosen or not; what was not ranked is counted."""
    found = explained(garden(), budget=20, limit=2)
    reasons = {memory["id"]: memory["reason"] for memory in found["memories"]}
    assert reasons["other"] == Drop.THRESHOLD
    assert reasons["long"] == Drop.BUDGET
    assert {reasons["best"], reasons["twin"]} == {"chosen", Drop.DUPLICATE}
    assert reasons["last"] == "chosen"
    assert [memory["rank"] for memory in found["memories"]] == [1, 2, 3, 4, 5]
    assert all(memory["chosen"] == (memory["reason"] == "chosen") for memory in found["memories"])
    assert (found["chosen"], found["seen"]) == (2, 5)
    assert found["left_out"] == {"threshold": 1, "budget": 1, "duplicate": 1}
    fewer = explained(garden(), most=2)
    assert (len(fewer["memories"]), fewer["left_out"]["rank"]) == (2, 3)


def test_it_is_json_and_says_what_held_for_all():
    """Plain numbers and words, the bounds and thresholds, and which signals the query had."""
    found = explained(garden())
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["embedder"] == "an-embedder"
    assert found["evidence"]["least"] == RecallOptions().evidence < found["evidence"]["best"] <= 1
    assert found["calibration"]["ceiling"] == CALIBRATION.ceiling
    assert found["bounds"] == {"limit": 40, "token_budget": 512, "cut": 0.0, "gap": 1.0}
    assert found["used"] == [name.value for name in SIGNALS if name is not Signal.CONNECTED]
    assert set(found["memories"][0]["signals"]) == set(found["used"])
    unnamed = explained(garden(), query="tea")
    assert {"entity", "date"}.isdisjoint(unnamed["used"])
    assert {"entity", "date"}.isdisjoint(unnamed["memories"][0]["signals"])


def test_the_query_is_nowhere_in_it():
    """Not whole, and no word of it that no memory holds."""
    written = json.dumps(explained(garden())).casefold()
    assert "green tea" in written
    for part in (QUERY.casefold(), "xylophonia", "yesterday"):
        assert part not in written


def test_ranks_are_among_what_the_scope_may_see():
    """By each signal, 1 for the best; what is not admitted or removed takes no place."""
    agent = Scope(tenant="local", user_id="alice", agent_id="x")
    index = garden()
    index.add(stored("mine", agent, id="mine", degrees=50))
    index.add(stored("mine too", agent, id="too", degrees=70))
    found = explained(index, scope=agent)
    places = {memory["id"]: memory["signals"]["dense"]["rank"] for memory in found["memories"]}
    assert places == {"mine": 1, "too": 2}
    index = garden()
    index.remove("best")
    assert min(m["signals"]["dense"]["rank"] for m in explained(index)["memories"]) == 1


def test_the_counters_are_shown():
    """Of each memory that was used, all of them."""
    used = {"best": Usage(recalled=3, last_recalled=NOON, positive=1), "last": Usage(corrected=1)}
    found = {memory["id"]: memory for memory in explained(garden(), used=used)["memories"]}
    assert {name for name, memory in found.items() if "usage" in memory} == {"best", "last"}
    assert found["best"]["usage"] == {
        "recalled": 3,
        "last_recalled": NOON.isoformat(timespec="milliseconds"),
        "confirmed": 0,
        "corrected": 0,
        "positive": 1,
        "negative": 0,
        "standing": 0.3333,
    }
    assert found["last"]["usage"]["last_recalled"] is None


def test_feedback_is_a_signal_with_its_number():
    """The share that it took of the score; without it, none. Age and importance are as they were.

    The salience says what the archive would see.
    """
    before = {one["id"]: one for one in explained(garden())["memories"]}
    index, against = garden(), {"best": Usage(negative=10)}
    index.note_usage(against)
    after = {one["id"]: one for one in explained(index, used=against)["memories"]}
    best, was = after["best"], before["best"]
    assert best["feedback"] == pytest.approx(TUNING.feedback * -10 / 12, abs=1e-3)
    assert best["score"] == pytest.approx(was["score"] * (1 + best["feedback"]), abs=1e-3)
    assert best["age_and_importance"] == was["age_and_importance"]
    assert best["salience"] < was["salience"] / 5
    assert {one["feedback"] for name, one in after.items() if name != "best"} == {0.0}
    assert {one["feedback"] for one in before.values()} == {0.0}

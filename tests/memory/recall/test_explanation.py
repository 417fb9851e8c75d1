"""Recalls are explained, of one's own memories and of what others lend or a graph connects."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from recollect.memory.calibration import Calibration
from recollect.memory.model.errors import StateError
from recollect.memory.model.graph import ConnectedMemory
from recollect.memory.model.shares import Attachment, ShareKind, ShareRights
from recollect.memory.model.types import Scope, Source, StoredMemory
from recollect.memory.model.usage import Usage
from recollect.memory.recall import Drop, Shown, extra_sources, retrieval
from recollect.memory.recall.constants import TUNING
from recollect.memory.recall.explanation import explain
from recollect.memory.recall.index import HotIndexes
from recollect.memory.recall.options import RecallOptions
from recollect.memory.recall.ranking import rank
from recollect.memory.recall.selection import select
from recollect.memory.recall.shared_memories import SharedMemoryReader, item_seen_from
from recollect.memory.recall.signals import SIGNALS, Signal, analysed
from recollect.memory.state.shared_log import SharedLog
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import angle, index_of, item, stored
from tests.memory.recall.test_recaller import filled, recaller, texts
from tests.memory.state.samples import ALICE_WORK, BOB
from tests.support.constants import recalling
from tests.support.following import indexed
from tests.support.memories import InMemoryMemories
from tests.support.sharing import log_over
from tests.support.state import in_memory_state

CALIBRATION = Calibration(recall=0.3, update=1.1, same=0.9, floor=0.2, ceiling=0.7)
QUERY = "what green tea does Ann drink since Xylophonia yesterday"


def explained(index, *, most=100, budget=1000, query=QUERY, scope=ALICE, used=None, **options):
    chosen = recalling(**options)
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
        stored("we like black tea", id="last", degrees=40, minutes=-9000),
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
    assert found["evidence"]["least"] == RecallOptions().threshold < found["evidence"]["best"] <= 1
    assert found["calibration"]["ceiling"] == CALIBRATION.ceiling
    assert found["bounds"] == {"limit": 8, "token_budget": 512}
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
        "rating": 0.3333,
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


class Counting:
    """Any object; counts the calls of its methods."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        self.calls[name] += 1
        return getattr(self._inner, name)


class Lender:
    """One of several that may share attachments, and a store with its log."""

    def __init__(
        self, store: InMemoryMemories, attachments: Any, log: SharedLog | None = None
    ) -> None:
        self.indexes = HotIndexes(store, dim=2, elsewhere=log)
        if log is not None:
            log.elsewhere.append(self.indexes.heard)
        self.store = indexed(store, self.indexes)
        self.attachments = Counting(attachments)
        self.shared_memories = SharedMemoryReader(self.attachments, store, self.indexes)

    async def texts(self, scope: Scope) -> list[str]:
        return [each.item.text for each in (await self.shared_memories.get(scope)).memories]


def memory(text: str, scope: Scope = ALICE) -> StoredMemory:
    """A memory with the id `m`."""
    one = stored(text, scope)
    return replace(one, item=replace(one.item, id="m"))


def attached(to: Scope = BOB, **changes: Any) -> Attachment:
    """Alice's memory `m`, attached to Bob."""
    usual: dict[str, Any] = {"kind": ShareKind.MEMORY, "item_id": "m", "owner": ALICE,
                             "rights": ShareRights.READ, "created_at": NOON}  # fmt: skip
    return Attachment(to=to, **(usual | changes))


async def test_writes_of_other_processes_are_seen() -> None:
    """In the log that they share, without an announcement."""
    store, attachments = InMemoryMemories(dim=2), in_memory_state().attachments
    one, other = (Lender(store, attachments, log_over(store.database)) for _ in range(2))
    await one.store.put([memory("old")])
    await one.attachments.attach(attached())
    assert await other.texts(BOB) == ["old"]
    await one.store.put([memory("new")])
    assert await other.texts(BOB) == ["new"]


async def test_an_attachment_shows_no_memory_of_somebody_else() -> None:
    """If the id belongs to another owner than the one who gave it, nothing is shown."""
    one = Lender(InMemoryMemories(dim=2), in_memory_state().attachments)
    await one.store.put([memory("secret", Scope(tenant="local", user_id="carol"))])
    await one.attachments.attach(attached())
    assert await one.texts(BOB) == []


def test_another_user_s_word_is_hearsay() -> None:
    """What says "User likes tea" is about another user than the one who reads it."""
    item = memory("User likes tea").item
    assert item_seen_from(BOB, item).provenance.source is Source.IMPORTED
    assert item_seen_from(ALICE_WORK, item).provenance.source is item.provenance.source
    assert item_seen_from(BOB, item).scope == BOB


def test_the_evidence_stays_with_its_owner() -> None:
    """Another user sees no turn, no conversation and no words of the owner."""
    item = memory("User likes tea").item
    told = replace(
        item.provenance, conversation_id="c", turn_ids=("t",), quote="I like tea", matter="x"
    )
    item = replace(item, provenance=told)
    seen = item_seen_from(BOB, item).provenance
    assert (seen.conversation_id, seen.turn_ids, seen.quote, seen.matter) == (None, (), None, None)
    assert item_seen_from(ALICE_WORK, item).provenance == replace(told, shared=True)


SISTER, ANNA = "My sister is a nurse in the clinic", "Anna moved to Turin in spring"
OTHERS = tuple(f"The garden has row {n}" for n in range(9))
ASKED = "Where does my sister the nurse live?"


class KnownGraph:
    """A graph that connects one memory with another; it counts how often it is asked."""

    def __init__(self, answer=None):
        self.asked = []
        self._answer = answer

    async def connected(self, scope, memory_ids, *, limit, most_spread):
        self.asked.append((scope, tuple(memory_ids), limit, most_spread))
        if self._answer is not None:
            return await self._answer()
        return [
            ConnectedMemory(
                memory_id=ANNA, source_id=SISTER, entity_id="e1", relation="called", spread=2
            ),
            ConnectedMemory(memory_id="gone", source_id=SISTER, entity_id="e1", spread=2),
        ]


async def slow():
    await asyncio.sleep(30)


async def broken():
    raise StateError("the graph is down")


async def among_others(graph, **options):
    """A recaller of a store with the two memories, and this graph."""
    store = await filled(*map(item, (SISTER, ANNA, *OTHERS)))
    made = recaller(store, token_budget=24, expand_hops=1, **options)
    made.extra_sources.graph = graph
    return made


async def test_what_the_graph_connects_with_a_hit_is_recalled():
    """Nothing in the texts says that Anna is the sister; the explanation names the relation."""
    graph = KnownGraph()
    made = await among_others(graph)
    explained = (await made.explain(ALICE, ASKED)).as_dict()
    [anna] = [row for row in explained["memories"] if row["memory"] == ANNA]
    assert (anna["chosen"], anna["role"]) == (True, "connected")
    assert anna["connected"]["from"] == SISTER
    assert anna["connected"]["relation"] == "called"
    [(scope, ids, _, _)] = graph.asked
    assert (scope.user_id, SISTER in ids) == (ALICE.user_id, True)


async def test_memories_are_weighed_again_only_if_they_changed_while_the_graph_was_asked(
    monkeypatch,
):
    """What was weighed holds for the second look; a write in between has all weighed anew."""
    weighed, weigh = [], retrieval.weighing_of

    def spying(index, *args, **kwargs):
        weighed.append(len(index))
        return weigh(index, *args, **kwargs)

    async def written():
        index = await made.indexes.get(ALICE)
        index.add(StoredMemory(item("The garden has a new gate"), np.eye(1, made.indexes.dim)[0]))
        return []

    monkeypatch.setattr(retrieval, "weighing_of", spying)
    await (await among_others(KnownGraph())).recall(ALICE, ASKED)
    made = await among_others(KnownGraph(written))
    await made.recall(ALICE, ASKED)
    assert weighed == [11, 11, 12]


@pytest.mark.parametrize("answer", [slow, broken])
async def test_a_graph_that_is_down_or_slow_takes_nothing_away(answer, monkeypatch, caplog):
    """What the texts tell is recalled, and the log says what is missing."""
    monkeypatch.setattr(extra_sources, "GRAPH_SECONDS", 0.01)
    plain = await (await among_others(None)).recall(ALICE, ASKED)
    found = await (await among_others(KnownGraph(answer))).recall(ALICE, ASKED)
    assert texts(found) == texts(plain)
    assert SISTER in texts(found)
    assert "graph" in caplog.text

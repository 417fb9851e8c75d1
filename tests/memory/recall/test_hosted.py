"""What a recall finds beside the memories of a scope: here what a graph connects with its hits."""

import asyncio

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.model.graph import ConnectedMemory
from recollect.memory.recall import hosted
from recollect.memory.recall.hosted import Hosted
from tests.memory.learn.doubles import ALICE, BOB
from tests.memory.recall.memories import item
from tests.memory.recall.test_recaller import filled, recaller, texts

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
    made.hosted.graph = graph
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


@pytest.mark.parametrize("answer", [slow, broken])
async def test_a_graph_that_is_down_or_slow_takes_nothing_away(answer, monkeypatch, caplog):
    """What the texts tell is recalled, and the log says what is missing."""
    monkeypatch.setattr(hosted, "GRAPH_SECONDS", 0.01)
    plain = await (await among_others(None)).recall(ALICE, ASKED)
    found = await (await among_others(KnownGraph(answer))).recall(ALICE, ASKED)
    assert texts(found) == texts(plain)
    assert SISTER in texts(found)
    assert "graph" in caplog.text


async def test_the_graph_is_not_asked_without_need():
    """Not of somebody without memories, nor if expansion is off, nor by what nothing answers."""
    graph = KnownGraph()
    await (await among_others(graph)).recall(BOB, ASKED)
    off = await among_others(graph)
    off._options = off._options.model_copy(update={"expand_hops": 0})
    await off.recall(ALICE, ASKED)
    assert graph.asked == []
    assert await Hosted(None).connected(ALICE, [SISTER]) == ()

"""What readers of a graph see, and when it falls."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.sight import Sight
from recollect.memory.model.types import Scope
from tests.memory.state.contracts.graph_samples import (
    LATER,
    NOTHING,
    joined,
    names,
    says,
    tell,
)
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, NOON, OTHER_ALICE


class GraphScopesContract:
    """Subclasses provide the fixture `graph`."""

    async def test_a_scope_sees_what_its_memories_say(self, graph):
        """No name, no count, no relation and no way of a memory that it does not admit."""
        home = replace(ALICE_WORK, agent_id="home")
        run = Scope(tenant="local", user_id="alice", agent_id="work", run_id="r")
        await tell(
            graph,
            says("plain", ("A", "Anna")),
            says("work", ("A", "Anna the boss"), "Bo", scope=ALICE_WORK),
            says(
                "home",
                ("A", "Anna my secret love"),
                "Cy",
                scope=home,
                related=[("a", "loves", "cy")],
            ),
            says("run", ("A", "A. in a run"), scope=run),
        )
        [known] = await graph.entities(ALICE_WORK, name="an*")
        assert (known.entity.name, known.memories) == ("Anna the boss", 2)
        assert known.aliases == ("A. in a run",)
        assert await graph.entities(ALICE_WORK, name="anna") == []
        assert await names(graph, home) == ["Anna my secret love", "Cy"]
        assert await graph.relations(ALICE_WORK, ["a"], limit=9) == []
        assert await graph.memories_of(ALICE_WORK, ["a"], limit=9) == ["run", "work"]
        assert (await graph.counts(ALICE_WORK)) == {**NOTHING, "entities": 2, "mentions": 3}
        sight = Sight.of(ALICE_WORK)
        [known] = await graph.entities(sight, name="anna")
        assert (known.aliases, known.memories) == (("A. in a run", "Anna"), 3)
        near = await graph.connected(sight, ["plain"], limit=9)
        assert [(each.memory_id, each.spread) for each in near] == [("run", 3), ("work", 3)]
        assert await graph.connected(ALICE_WORK, ["plain", "home"], limit=9) == []
        assert await graph.aliases(sight, ["plain", "home"]) == {
            "plain": {"Anna", "Anna the boss", "A. in a run"}
        }
        for nobody in (OTHER_ALICE, BOB, Scope(tenant="local", run_id="other")):
            assert await graph.entities(nobody) == []
            assert await graph.memories_of(nobody, ["a"], limit=9) == []
            assert await graph.relations(nobody, ["a"], limit=9) == []
            assert await graph.connected(nobody, ["plain"], limit=9) == []
            assert await graph.aliases(nobody, ["plain"]) == {}
            assert await graph.linked(nobody) == {}
            assert await graph.counts(nobody) == NOTHING
        assert await graph.memories_of(Scope(tenant="local", run_id="r"), ["a"], limit=9) == ["run"]
        assert len(await graph.entities("local")) == 3

    async def test_tenants_use_the_same_ids(self, graph):
        """Whatever one tenant writes or drops, the other has its own."""
        for scope in (ALICE, OTHER_ALICE):
            await tell(graph, says("m", "Anna", "Bo", scope=scope, related=[("anna", "is", "bo")]))
            assert await graph.merge(replace(joined("anna", "bo"), owner=scope))
        await graph.mark({"m": OTHER_ALICE})
        assert await graph.undo_merge("local", "anna+bo", at=LATER) is not None
        assert [each.undone_at for each in await graph.merges(OTHER_ALICE)] == [None]
        assert await graph.erase("local") == 1
        assert await graph.counts("local") == NOTHING
        assert (await graph.counts("other")) == {
            **NOTHING,
            "entities": 1,
            "mentions": 2,
            "relations": 1,
            "merges": 1,
            "marks": 1,
        }

    async def test_the_newest_memory_of_an_owner(self, graph):
        """By age, of equals by id, to the microsecond; of all agents of a user."""
        assert await graph.latest(ALICE) is None
        moments = {"b": 5, "c": 6, "a": 6, "d": 4}
        for memory_id, us in moments.items():
            links = says(memory_id, scope=ALICE_WORK if memory_id == "c" else ALICE)
            await tell(graph, replace(links, created_at=NOON + timedelta(microseconds=us)))
        assert await graph.latest(ALICE) == (NOON + timedelta(microseconds=6), "c")
        assert await graph.latest(BOB) is None

    async def test_notes(self, graph):
        """The last one of a name is kept; a name can be forgotten."""
        assert await graph.note("reader") is None
        for value in ("1", "2\x00", None, None):
            await graph.keep_note("reader", value)
            assert await graph.note("reader") == value

"""What is to be linked: memories that were written, and owners whom that disturbed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np

from recollect.memory.database.graph import SqlGraph
from recollect.memory.memories import SqlMemories
from recollect.memory.model.graph import ReadVersion
from recollect.memory.model.types import MemoryItem, MemoryStatus, Scope, StoredMemory
from tests.memory.learn.doubles import a_memory
from tests.memory.state.contracts.graph_samples import NOTHING, joined, says, tell
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, NOON

NEXT = timedelta(minutes=1)
AGENT = Scope(tenant="local", agent_id="work")
RUN = Scope(tenant="local", run_id="r")


class Rows:
    """The memories beside a graph."""

    def __init__(self, graph: SqlGraph) -> None:
        self.store = SqlMemories(graph.scripts, embedder_id="fake", dim=2)

    async def put(self, *items: MemoryItem) -> None:
        await self.store.put([StoredMemory(item, np.ones(2, np.float32)) for item in items])

    async def unlinked(self, limit: int = 9) -> list[str]:
        return [item.id for item in await self.store.unlinked(limit=limit)]


def row(name: str, scope: Scope = ALICE, minute: int = 0, **fields: object) -> MemoryItem:
    return a_memory(name, f"About {name}", scope, NOON + minute * NEXT, **fields)


def read(*items: MemoryItem) -> dict[str, ReadVersion]:
    return {item.id: (item.version, item.hash, item.scope) for item in items}


class GraphAgainContract:
    """Subclasses provide the fixture `graph`."""

    async def test_what_was_written_is_to_be_linked(self, graph):
        """Active memories in their present version, oldest first, each owner's together."""
        rows = Rows(graph)
        ended = row("e", status=MemoryStatus.SUPERSEDED)
        await rows.put(row("b", minute=2), row("o", BOB), row("a", minute=2), ended, row("c"))
        found = await rows.unlinked()
        assert [each for each in found if each != "o"] == ["c", "a", "b"]
        assert found.index("o") in {0, 3}
        assert await rows.unlinked(limit=2) == found[:2]
        assert (await graph.counts())["stale"] == (await graph.counts())["marks"] == 4
        assert [(await graph.counts(each))["stale"] for each in (ALICE, BOB, "other")] == [3, 1, 0]
        assert await graph.claim("local", read(row("c"), ended)) == {"c": True}
        assert await graph.claim("local", read(row("c"))) == {"c": False}
        assert "c" not in await rows.unlinked()
        await rows.put(row("c", version=2))
        assert "c" in await rows.unlinked()

    async def test_only_what_is_still_as_it_was_read_is_linked(self, graph):
        """Not what has another version, text or scope by now, is in no state for it, or is gone."""
        rows, item = Rows(graph), row("m")
        for now in (
            replace(item, version=2),
            replace(item, text="something else"),
            replace(item, scope=ALICE_WORK),
            replace(item, status=MemoryStatus.ARCHIVED),
        ):
            await rows.put(now)
            assert await graph.claim("local", read(item)) == {}
            assert await graph.claim("other", read(item)) == {}
        await rows.store.delete("local", ["m"])
        assert await graph.claim("local", read(item)) == {}

    async def test_links_fall_with_the_write(self, graph):
        """Of what is not active any more, is somebody else's, stands elsewhere, or is deleted."""
        rows, item = Rows(graph), row("m")
        for now in (
            *(replace(item, status=each) for each in MemoryStatus if each != item.status),
            replace(item, scope=BOB),
            replace(item, created_at=NOON + NEXT),
            None,
        ):
            await rows.put(item)
            await tell(graph, says("m", "Anna"))
            await graph.claim("local", read(item))
            await rows.put(replace(item, text="about others", version=2))
            assert (await graph.counts())["mentions"] == 1, "until it is read again"
            if now is None:
                await rows.store.delete("local", ["m"])
            else:
                await rows.put(replace(now, version=3))
            counts = await graph.counts()
            assert counts == {**NOTHING, "stale": counts["stale"], "marks": counts["stale"]}
            await rows.store.delete("local", ["m"])

    async def test_whom_it_disturbs(self, graph):
        """The owner of what fell, as long as any other memory speaks of somebody."""
        rows = Rows(graph)
        for name, scope in (("m", ALICE), ("n", ALICE_WORK), ("o", BOB)):
            await rows.put(row(name, scope))
            await tell(graph, says(name, "Anna" if scope != BOB else "Bo", scope=scope))
            await graph.claim("local", read(row(name, scope)))
        await rows.store.delete("local", ["m", "o"])
        assert await graph.disturbed(limit=9) == [ALICE]
        assert await graph.disturbed(limit=0) == []
        await rows.store.delete("local", ["n"])
        assert await graph.disturbed(limit=9) == []
        await tell(graph, says("n", "Anna", "Bo"))
        await graph.merge(joined("anna", "bo"))
        assert await graph.disturbed(limit=9) == [ALICE]
        await rows.store.reset("local")
        assert await graph.counts() == NOTHING

    async def test_one_at_a_time_links_all_of_an_owner(self, graph):
        """Whoever began last; and it ends if nothing came between."""
        await tell(graph, says("m", "Anna"))
        first = await graph.begin(ALICE)
        assert await graph.goes_on(first)
        second = await graph.begin(ALICE)
        assert [await graph.goes_on(each) for each in (first, second)] == [False, True]
        assert not await graph.end(first)
        await graph.come_between(ALICE)
        assert not await graph.end(second)
        assert await graph.disturbed(limit=9) == [ALICE]
        third = await graph.begin(ALICE)
        await graph.disturb(ALICE)
        assert not await graph.end(third)
        last = await graph.begin(ALICE)
        assert await graph.end(last)
        assert not await graph.end(last)
        await graph.come_between(ALICE)
        assert await graph.disturbed(limit=9) == []

    async def test_the_newest_that_was_linked(self, graph):
        """By age, of equals by id; of all agents of a user, or of one agent or run without one."""
        rows = Rows(graph)
        assert await graph.latest(ALICE) is None
        items = [
            *(row("b", minute=5), row("c", ALICE_WORK, 6), row("a", minute=6), row("d", minute=4)),
            *(row("e", AGENT, 1), row("f", replace(AGENT, run_id="r"), 2), row("g", RUN, 3)),
        ]
        await rows.put(*items, row("z", minute=9))
        assert await graph.latest(ALICE) is None
        await graph.claim("local", read(*items))
        latest = [await graph.latest(each) for each in (ALICE, AGENT, RUN, BOB)]
        assert latest == [
            (NOON + 6 * NEXT, "c"),
            (NOON + 2 * NEXT, "f"),
            (NOON + 3 * NEXT, "g"),
            None,
        ]
        await rows.put(replace(items[1], version=2))
        assert await graph.latest(ALICE) == (NOON + 6 * NEXT, "c")
        await rows.store.delete("local", ["c"])
        assert await graph.latest(ALICE) == (NOON + 6 * NEXT, "a")

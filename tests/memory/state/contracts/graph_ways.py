"""What a store of the graph must do with ways from memory to memory."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from recollect.memory.model.graph import (
    MOST_SURFACES,
    USER_KEY,
    EntityMention,
)
from tests.memory.state.contracts.graph_samples import (
    NOTHING,
    fall,
    joined,
    says,
    somebody,
    tell,
)
from tests.memory.state.samples import ALICE
from tests.support.budget import examples

MANY = min(10_000, max(examples(2_500), 2 * MOST_SURFACES))


class GraphWaysContract:
    """Subclasses provide the fixture `graph`."""

    async def test_who_is_everywhere_connects_nothing(self, graph):
        """Neither what too many memories speak of, nor the user."""
        await tell(graph, *(says(f"{n}", "Anna", *(["Bo"] if n < 2 else [])) for n in range(4)))
        ways = {4: {"1", "2", "3"}, 3: {"1"}, 1: set()}
        for most, found in ways.items():
            near = await graph.connected(ALICE, ["0"], limit=9, most_spread=most)
            assert {each.memory_id for each in near} == found
        me = EntityMention(entity_id="me", surface="my", key=USER_KEY)
        await graph.link(
            [replace(says(each), mentions=(me,)) for each in ("x", "y")], [somebody("me")]
        )
        assert await graph.connected(ALICE, ["x"], limit=9) == []

    async def test_relations_in_pages(self, graph):
        """In one order, of one name, under the ids of those that were kept."""
        await tell(
            graph,
            says("1", "B", "C", related=[("c", "likes", "b"), ("b", "likes", "c")]),
            says("2", "A", "B", related=[("b", "is", "a")]),
        )
        told = [
            (each.relation, each.source, each.target, each.memory_id, each.quote)
            for each in await graph.relations(ALICE, ["b"], limit=9)
        ]
        assert told == [
            ("is", "b", "a", "2", "q"),
            ("likes", "b", "c", "1", "q"),
            ("likes", "c", "b", "1", "q"),
        ]
        pages = [await graph.relations(ALICE, ["b"], limit=2, offset=n) for n in (0, 2, 4)]
        assert [len(page) for page in pages] == [2, 1, 0]
        assert len(await graph.relations(ALICE, ["b"], relation="likes", limit=9)) == 2
        assert await graph.relations(ALICE, ["b"], relation="like", limit=9) == []
        assert len(await graph.relations(ALICE, ["a"], limit=9)) == 1
        await graph.merge(joined("a", "b"))
        assert len(await graph.relations(ALICE, ["b"], limit=9)) == 3
        assert {
            each.target for each in await graph.relations(ALICE, ["b"], relation="is", limit=9)
        } == {"a"}

    async def test_an_entity_of_thousands_of_memories(self, graph):
        """Every answer has a bounded number of rows, and pages lead through all of them."""
        named = ("Anna", "Bo")
        memories = [
            says(f"{n:05}", "Hub", ("Hub", f"hub {n}"), *(named if n == 0 else ()))
            for n in range(MANY)
        ]
        for start in range(0, len(memories), 2_000):
            await tell(graph, *memories[start : start + 2_000])
        [hub, *_] = await graph.entities(ALICE)
        assert (hub.memories, len(hub.aliases)) == (MANY, MOST_SURFACES)
        assert [each.entity.id for each in await graph.resolve(ALICE, ["hub*"], limit=5)] == ["hub"]
        assert await graph.aliases(ALICE, ["00000", "00001"]) == {"00000": set(named)}
        assert await graph.connected(ALICE, ["00001"], limit=9) == []
        ids: list[str] = []
        while page := await graph.memories_of(
            ALICE, ["hub"], limit=MANY // 3, after=ids[-1] if ids else None
        ):
            ids += page
        assert ids == [each.memory_id for each in memories]
        await fall(graph, ids)
        assert await graph.counts() == NOTHING

    async def test_writers_at_the_same_time(self, graph):
        """Whatever comes first, nothing hangs in the air and nothing of the last is lost."""
        people = [somebody(each) for each in "ABCD"]

        async def write(number: int) -> None:
            links = says(f"{number % 5}", *"ABCD"[number % 3 : number % 3 + 2])
            await graph.link([links], people)
            if number % 4 == 0:
                await fall(graph, [f"{(number + 1) % 5}"])

        await asyncio.gather(*(write(number) for number in range(40)))
        assert (await graph.counts())["orphans"] == 0
        last = [says(f"{n}", *"ABCD") for n in range(5)]
        await asyncio.gather(*(graph.link([each], people) for each in last))
        counts = await graph.counts()
        assert counts == {**NOTHING, "entities": 4, "mentions": 20, "marks": counts["marks"]}

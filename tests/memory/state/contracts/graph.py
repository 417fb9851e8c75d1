"""What every store of the graph must do."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from recollect.memory.database.graph import SqlGraph
from recollect.memory.memories import SqlMemories
from recollect.memory.model.errors import NotFoundError
from recollect.memory.model.graph import (
    MOST_SURFACES,
    USER_KEY,
    EntityKind,
    EntityMention,
    ReadVersion,
)
from recollect.memory.model.types import MemoryItem, MemoryStatus, Scope, StoredMemory
from tests.memory.learn.doubles import a_memory
from tests.memory.state.contracts.graph_model import (
    graph_steps,
    key_of,
)
from tests.memory.state.contracts.graph_played import play
from tests.memory.state.contracts.graph_samples import (
    LATER,
    NOTHING,
    fall,
    groups,
    joined,
    names,
    says,
    somebody,
    tell,
)
from tests.memory.state.samples import ALICE, ALICE_WORK, ANY_BACKEND, BOB, NOON, OTHER_ALICE
from tests.support.budget import examples

HOSTILE = (
    "a\x00b",
    "\x00",
    "\x1b0",
    "x" * 10_000,
    "\U0010ffff",
    "\ud7ff",
    "\U0001f600 \u0645\u0631\u064a\u0645",
    "'; DROP TABLE graph_entities; --",
    ":tenant IN :ids[] $1 {}",
    " ",
)

MANY = min(10_000, max(examples(2_500), 2 * MOST_SURFACES))
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


class GraphContract:
    """Subclasses provide the fixture `graph`."""

    async def test_an_entity_that_is_not_there(self, graph):
        """The memory is left as it was; others of the call are linked."""
        await tell(graph, says("m", "Anna"))
        left = await graph.link([says("m", "Gone"), says("n", "Anna")], [])
        assert left == {"m"}
        assert set(await graph.links_of("local", ["m", "n"])) == {"m", "n"}
        assert (await graph.counts())["orphans"] == 0

    async def test_an_entity_of_somebody_else(self, graph):
        """Nobody's memory can be linked to it, whoever is given as its owner."""
        await tell(graph, says("b", "Anna", scope=BOB))
        for given_ in ([], [somebody("Anna")]):
            assert await graph.link([says("m", "Anna")], given_) == {"m"}
        assert await graph.entities(ALICE) == []
        assert await names(graph, BOB) == ["Anna"]
        await tell(graph, says("t", "Anna", scope=OTHER_ALICE))
        assert [each.memories for each in await graph.entities(OTHER_ALICE)] == [1]

    async def test_a_known_entity_takes_what_is_given(self, graph):
        """Its kind and its age."""
        await tell(graph, says("m", "Anna"))
        older = replace(
            somebody("Anna", kind=EntityKind.PLACE),
            created_at=NOON - timedelta(days=1, microseconds=1),
        )
        await graph.link([says("n", "Anna")], [older])
        [known] = await graph.entities(ALICE)
        assert (known.entity.kind, known.entity.created_at) == (older.kind, older.created_at)

    async def test_the_most_spoken_of_first(self, graph):
        """Of equals by id; in pages; of one kind, by ids, or by a name, an alias or a beginning."""
        await tell(graph, says("1", "Anna", "Bo"), says("2", "Bo", "Cy"))
        here = says("3", "Here")
        told = EntityMention(entity_id="here", surface="Here", key="@=place")
        here = replace(here, mentions=(*here.mentions, told))
        await graph.link([here], [somebody("Here")])
        assert await names(graph) == ["Bo", "Anna", "Cy", "Here"]
        pages = [await graph.entities(ALICE, limit=2, offset=n) for n in (0, 2, 4)]
        assert [[each.entity.id for each in page] for page in pages] == [
            ["bo", "anna"],
            ["cy", "here"],
            [],
        ]

        async def found(**which: object) -> list[str]:
            return [each.entity.id for each in await graph.entities(ALICE, **which)]  # type: ignore[arg-type]

        assert await found(also="@=place") == await found(name="here", also="@=place") == ["here"]
        assert await found(name="anna", also="@=place") == []
        assert await found(ids=["here", "anna", "unknown"]) == ["anna", "here"]
        assert await found(ids=[]) == await found(name="ann") == await found(name="") == []
        await tell(graph, says("4", ("Anna", "my sister")))
        assert await found(name="anna") == await found(name="@sister") == ["anna"]
        assert await found(name="an*") == ["anna"]
        assert await found(name="*") == ["anna", "bo", "cy", "here"]
        assert await found(name="b*", ids=["anna"]) == []

    async def test_names_are_looked_up_by_their_keys(self, graph):
        """Exactly or by their beginning, no more than asked for; nobody else's."""
        await tell(graph, *(says(f"{n}", f"Anna{n}") for n in range(9)))
        await tell(graph, says("b", "Bob", scope=BOB))

        async def found(*keys: str, limit: int = 200) -> list[str]:
            return [each.entity.id for each in await graph.resolve(ALICE, keys, limit=limit)]

        assert await found("anna1", "anna3", "bob", "unknown") == ["anna1", "anna3"]
        assert len(await found("anna*")) == 9
        assert await found("anna*", limit=2) == ["anna0", "anna1"]
        assert await found("anna*", "anna8", limit=2) == ["anna0", "anna8"]
        assert await found() == await found("nna*") == await found("anna") == []
        assert await graph.resolve(ALICE_WORK, ["anna1"]) == []

    async def test_signs_of_patterns_are_letters(self, graph):
        """Those of LIKE and of regular expressions match themselves."""
        for number, name in enumerate(("100%", "a_b", "a\\b", "axb", "[a]", "a'b", "1000")):
            await tell(graph, says(f"{number}", (f"e{number}", name)))
        for key, ids in {
            "100%*": ["e0"],
            "100%": ["e0"],
            "a_*": ["e1"],
            "a\\*": ["e2"],
            "[*": ["e4"],
            "a'*": ["e5"],
        }.items():
            assert [each.entity.id for each in await graph.resolve(ALICE, [key])] == ids
            assert [each.entity.id for each in await graph.entities(ALICE, name=key)] == ids

    async def test_hostile_names(self, graph):
        """They come back as they were, and are found by all and by a beginning of them."""
        for number, name in enumerate(HOSTILE):
            scope = Scope(tenant=f"t{number}", user_id="alice")
            links = says("m", ("e", name), ("e", "other"), scope=scope, related=[("e", name, "e")])
            await tell(graph, links)
            assert await graph.links_of(scope.tenant, ["m"]) == {"m": links}, name
            for key in (key_of(name), f"{key_of(name)[:150]}*", f"{key_of(name)}*"):
                [known] = await graph.resolve(scope, [key])
                assert {known.entity.name, *known.aliases} == {name, "other"}, name
                assert len(await graph.entities(scope, name=key)) == 1, name
            [relation] = await graph.relations(scope, ["e"], relation=name, limit=9)
            assert relation.relation == name

    async def test_half_a_character_is_kept_as_a_question_mark(self, graph):
        """A lone surrogate is no text; nothing fails for it."""
        await tell(graph, says("m", ("e", "a\ud800b")))
        assert await names(graph) == ["a?b"]
        assert len(await graph.resolve(ALICE, ["a\ud800*", "\ud800"])) == 1

    async def test_the_ledger(self, graph):
        """Newest first, with what was undone; in pages, by ids; of the owner and nobody else."""
        await tell(graph, says("m", *"ABC"), says("w", "A", scope=ALICE_WORK))
        entries = [joined("a", "b"), replace(joined("b", "c", by="spelling"), score=None)]
        for each in entries:
            await graph.merge(each)
        await graph.undo_merge("local", "a+b", at=LATER)
        entries[0] = replace(entries[0], undone_at=LATER)
        assert await graph.merges(ALICE) == await graph.merges("local") == entries[::-1]
        assert await graph.merges(ALICE, limit=1) == entries[1:]
        assert await graph.merges(ALICE, limit=1, offset=1) == entries[:1]
        assert await graph.merges(ALICE, ids=["a+b", "unknown"]) == entries[:1]
        assert await graph.merges(ALICE, ids=[]) == []
        for other in (ALICE_WORK, BOB, OTHER_ALICE):
            assert await graph.merges(other) == []
        assert (await graph.counts(ALICE))["merges"] == 1
        assert (await graph.counts(ALICE_WORK))["merges"] == 0

    async def test_only_entities_of_the_owner_are_merged(self, graph):
        """One that is unknown, or somebody else's, is not found."""
        await tell(graph, says("m", "A"), says("b", "B", scope=BOB))
        for entry in (joined("a", "b"), joined("unknown", "a"), joined("a", "b", owner=BOB)):
            with pytest.raises(NotFoundError):
                await graph.merge(entry)
        assert await graph.merges("local") == []

    async def test_what_a_person_parted_stays_apart(self, graph):
        """Nothing but a person joins them again, in either direction."""
        await tell(graph, says("m", "A", "B"))
        await graph.merge(joined("a", "b", by="spelling"))
        await graph.undo_merge("local", "a+b", at=LATER)
        assert not await graph.merge(replace(joined("b", "a", by="meaning"), id="again"))
        said = replace(joined("b", "a", by="alias"), id="said", memory_id="m")
        await tell(graph, says("m", "A", "B", merges=[said]))
        assert await groups(graph) == {"a": None, "b": None}
        assert await graph.merges(ALICE, ids=["said"]) == [replace(said, undone_at=LATER)]
        assert await graph.merge(replace(joined("b", "a"), id="sure"))
        assert await groups(graph) == {"a": None, "b": "a"}

    async def test_a_merge_with_what_is_gone(self, graph):
        """The memory that says it is left, to be read again."""
        said = replace(joined("a", "gone", by="alias"), memory_id="m")
        assert await graph.link([says("m", "A", merges=[said])], [somebody("A")]) == {"m"}
        assert await graph.counts() == NOTHING

    async def test_tenants_use_the_same_ids(self, graph):
        """Whatever one tenant writes or drops, the other has its own."""
        for scope in (ALICE, OTHER_ALICE):
            await tell(graph, says("m", "Anna", "Bo", scope=scope, related=[("anna", "is", "bo")]))
            assert await graph.merge(replace(joined("anna", "bo"), owner=scope))
        assert await graph.undo_merge("local", "anna+bo", at=LATER) is not None
        assert [each.undone_at for each in await graph.merges(OTHER_ALICE)] == [None]
        await fall(graph, ["m"])
        assert await graph.counts("local") == NOTHING
        assert (await graph.counts("other")) == {
            **NOTHING,
            "entities": 1,
            "mentions": 2,
            "relations": 1,
            "merges": 1,
            "marks": 1,
        }

    async def test_notes(self, graph):
        """The last one of a name is kept; a name can be forgotten."""
        assert await graph.note("reader") is None
        for value in ("1", "2\x00", None, None):
            await graph.keep_note("reader", value)
            assert await graph.note("reader") == value

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

    @settings(ANY_BACKEND, max_examples=examples(25))
    @given(steps=st.lists(graph_steps, max_size=25))
    async def test_any_sequence_as_in_the_model(self, graph, steps):
        """Whatever is done, every reader sees what a graph of a few lines shows, and no orphan."""
        await play(graph, steps)

"""What a store of the graph must do with what memories say."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.graph import (
    EntityKind,
    EntityMention,
)
from recollect.memory.model.types import Scope
from tests.memory.state.contracts.graph_model import (
    key_of,
)
from tests.memory.state.contracts.graph_samples import (
    names,
    says,
    somebody,
    tell,
)
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, NOON, OTHER_ALICE

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


class GraphLinksContract:
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

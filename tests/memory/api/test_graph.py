"""`AsyncMemory.graph`: who and what memories speak of, on a graph that is written by hand."""

import pytest

from recollect.memory import InvalidInputError, NotFoundError, StateError
from recollect.memory.model.errors import GraphError
from tests.memory.api.client_parts import build, keep
from tests.support.folding import rows
from tests.support.linked import graphed, speaks

WORKS = (("Alice", "works_at", "Google"),)
ALICE = {"user_id": "alice"}


@pytest.fixture
def memory():
    return build()


@pytest.fixture
def graph(memory):
    return graphed(memory)


def names(found):
    return [one["name"] for one in found["results"]]


async def test_some_of_them(memory, graph):
    """By what they are, by a name in any case, and page by page."""
    await speaks(memory, graph, "Alice works at Google", "Alice", "Google:organization")
    await speaks(memory, graph, "Alice met Bo", "Alice", "Bo")
    assert names(await memory.entities(type="organization", **ALICE)) == ["Google"]
    assert names(await memory.entities(name="GOOGLE", **ALICE)) == ["Google"]
    assert names(await memory.entities(name="nobody", **ALICE)) == []
    first = await memory.entities(limit=2, **ALICE)
    assert (len(first["results"]), first["more"]) == (2, True)
    rest = await memory.entities(limit=2, offset=2, **ALICE)
    assert (len(rest["results"]), rest["more"]) == (1, False)
    assert {*names(first), *names(rest)} == {"Alice", "Google", "Bo"}


async def test_how_they_are_connected(memory, graph):
    """From both ends, with the memory that says so and its words."""
    name = await speaks(
        memory, graph, "Alice works at Google", "Alice", "Google:organization", relations=WORKS
    )
    for asked in ("Alice", "google", "local-alice-alice"):
        [said] = (await memory.relations(asked, **ALICE))["results"]
        assert (said["source"], said["relation"], said["target"]) == WORKS[0]
        assert (said["memory_id"], said["quote"]) == (name, "Alice works at Google")
    assert (await memory.relations("Alice", relation="lives_in", **ALICE))["results"] == []
    with pytest.raises(NotFoundError, match="no memory speaks of 'Bo'"):
        await memory.relations("Bo", **ALICE)


async def test_two_of_one_name(memory, graph):
    """Both are told, ids tell them apart, and neither is merged by a guess."""
    await speaks(memory, graph, "Anna from work likes tea", "Anna")
    await speaks(memory, graph, "Anna from school likes coffee", "Anna#2")
    await speaks(memory, graph, "Aneta called", "Aneta")
    found = (await memory.graph.get("Anna", **ALICE))["results"]
    assert names({"results": found}) == ["Anna", "Anna"]
    one, other = (each["id"] for each in found)
    for field, said in (("entity", ("Anna", "Aneta")), ("same_as", ("Aneta", "Anna"))):
        with pytest.raises(InvalidInputError, match=rf"{field}: 2 are called 'Anna'") as refused:
            await memory.graph.merge(*said, **ALICE)
        assert one in str(refused.value)
        assert other in str(refused.value)
    assert names(await memory.graph.get(one, **ALICE)) == ["Anna"]
    joined = await memory.graph.merge(one, "Aneta", **ALICE)
    assert joined["already"] is False


async def test_joined_and_parted(memory, graph):
    """Two are one for every question, until somebody parts them; the ledger tells both."""
    first = await speaks(memory, graph, "Anna likes tea", "Anna")
    second = await speaks(memory, graph, "Annushka has a boat", "Annushka")
    joined = await memory.graph.merge("Annushka", "Anna", **ALICE)
    assert joined["entity"]["memories"] == 2
    assert {joined["entity"]["name"], *joined["entity"]["aliases"]} == {"Anna", "Annushka"}
    assert graph.changes == 1
    assert len((await memory.entities(**ALICE))["results"]) == 1
    found = await memory.get_all(filters={"entities": "Anna"}, **ALICE)
    assert {one["id"] for one in found["results"]} == {first, second}
    [entry] = (await memory.graph.merges(**ALICE))["results"]
    assert entry == joined["merge"]
    assert entry["by"] == "person"
    assert {entry["kept"]["name"], entry["gone"]["name"]} == {"Anna", "Annushka"}
    again = await memory.graph.merge("Anna", "Annushka", **ALICE)
    assert (again["already"], "merge" in again) == (True, False)
    parted = await memory.graph.undo(entry["id"], **ALICE)
    assert parted["already"] is False
    assert "undone_at" in parted["merge"]
    assert len((await memory.entities(**ALICE))["results"]) == 2
    assert (await memory.graph.undo(entry["id"]))["already"] is True
    assert graph.changes == 2


async def test_a_filter_by_an_entity(memory, graph):
    """Searched, listed, counted and removed by who a memory speaks of, by any of the names."""
    anna = await speaks(memory, graph, "Anna likes tea", "Anna")
    both = await speaks(memory, graph, "Anna met Viktor for tea", "Anna", "Viktor")
    await speaks(memory, graph, "Viktor likes tea", "Viktor")
    where = {"entities": "anna"}

    def ids(found):
        return {one["id"] for one in found["results"]}

    assert ids(await memory.get_all(filters=where, **ALICE)) == {anna, both}
    assert ids(await memory.search("tea", filters=where, **ALICE)) == {anna, both}
    assert ids(await memory.export(filters=where, **ALICE)) == {anna, both}
    assert await memory.count(filters=where, **ALICE) == {"count": 2}
    assert await memory.count(filters={"entities": {"ne": "anna"}}, **ALICE) == {"count": 1}
    page = await memory.get_all(filters=where, limit=1, **ALICE)
    rest = await memory.get_all(filters=where, limit=1, cursor=page["next"], **ALICE)
    assert ids(page) | ids(rest) == {anna, both}
    proposed = await memory.propose_forget("tea", filters={"entities": "Viktor"}, **ALICE)
    assert both in {one["id"] for one in proposed["results"]}
    assert anna not in {one["id"] for one in proposed["results"]}
    twice = {"AND": [{"entities": "anna"}, {"entities": "viktor"}]}
    removed = await memory.delete_by_query(filters=twice, **ALICE)
    assert ids(removed) == {both}
    assert ids(await memory.get_all(filters=where, **ALICE)) == {anna}


async def test_entities_of_two_users_are_never_one(memory, graph):
    """An agent that serves both sees both, and cannot join them."""
    await speaks(memory, graph, "Anna likes tea", "Anna", user_id="alice", agent_id="helper")
    await speaks(memory, graph, "Anna has a boat", "Anna", user_id="bob", agent_id="helper")
    found = (await memory.entities(agent_id="helper"))["results"]
    assert {one["user_id"] for one in found} == {"alice", "bob"}
    with pytest.raises(InvalidInputError, match="same_as: is of another owner"):
        await memory.graph.merge(*(one["id"] for one in found), agent_id="helper")


async def test_a_scope_sees_the_names_of_its_own_memories(memory, graph):
    """What another agent of the user calls somebody is not told, nor how often."""
    both = {"user_id": "alice", "agent_id": "one"}
    await speaks(memory, graph, "Anna likes tea", "Anna", **both)
    await speaks(memory, graph, "The boss called", "Boss", user_id="alice", agent_id="two")
    await memory.graph.merge("Anna", "Boss", **ALICE)
    [seen] = (await memory.entities(**both))["results"]
    assert (seen["name"], seen["aliases"], seen["memories"]) == ("Anna", [], 1)
    assert (await memory.graph.merges(**both))["results"] == []


async def test_built_again_and_checked(memory, graph):
    """Of a scope or of all; figures and no text."""
    await speaks(memory, graph, "Alice works at Google", "Alice", "Google", relations=WORKS)
    checked = await memory.graph.check(**ALICE)
    assert checked == {
        "entities": 2, "mentions": 4, "relations": 1, "merges": 0, "marks": 0, "orphans": 0,
        "stale": 0,
    }  # fmt: skip
    assert (await memory.graph.check())["entities"] == 2
    rebuilt = await memory.graph.rebuild(**ALICE)
    assert (rebuilt["memories"], rebuilt["seconds"]) == (3, 0.25)
    assert graph.rebuilt == [memory._view.scope(**ALICE)]


CALLS = {
    "entities": lambda memory: memory.entities(**ALICE),
    "get": lambda memory: memory.graph.get("Anna", **ALICE),
    "relations": lambda memory: memory.relations("Anna", **ALICE),
    "merge": lambda memory: memory.graph.merge("Anna", "Bo", **ALICE),
    "merges": lambda memory: memory.graph.merges(),
    "undo": lambda memory: memory.graph.undo("1"),
    "rebuild": lambda memory: memory.graph.rebuild(),
    "check": lambda memory: memory.graph.check(),
    "filter": lambda memory: memory.get_all(filters={"entities": "Anna"}, **ALICE),
}


@rows("name", CALLS)
async def test_a_graph_that_is_off(name):
    """Each call says so and names the option; everything else goes on."""
    memory = build()
    memory._engine.graph, memory._engine.queries.spoken_of = None, None
    with pytest.raises(GraphError, match=r"graph\.enabled"):
        await CALLS[name](memory)
    assert await keep(memory, "tea")


@rows("name", CALLS)
async def test_a_graph_that_is_down(name):
    """Each call names the graph, and nothing of its file or server; everything else goes on."""
    memory = build()
    graph = graphed(memory)

    def fails(*_, **__):
        raise StateError("/var/secret/recollect.db: disk I/O error")

    for method in ("caught_up", "rebuild"):
        setattr(graph, method, fails)
    graph.store = Down()
    with pytest.raises(GraphError) as failed:
        await CALLS[name](memory)
    assert str(failed.value) == "the graph does not answer at the moment"
    assert await keep(memory, "tea")


class Down:
    """A store of which every method fails."""

    def __getattr__(self, name):
        async def fails(*_, **__):
            raise StateError("/var/secret/recollect.db: disk I/O error")

        return fails

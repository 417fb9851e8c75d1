from recollect.memory import Scope
from recollect.memory.graph import EntityFinder, naming
from tests.memory.api.client_parts import build
from tests.support.linked import graphed, speaks

ALICE = Scope(tenant="local", user_id="alice")


async def test_the_memories_that_speak_of_a_name():
    """Page by page, of all that are called so; of a name that nobody uses, none."""
    memory = build()
    graph = graphed(memory)
    ids = {await speaks(memory, graph, f"Anna likes tea {n}", "Anna") for n in range(5)}
    ids.add(await speaks(memory, graph, "Anna from school", "Anna#2"))
    found = await EntityFinder(graph).memories_of(ALICE, ["anna", "nobody", "?"])
    assert found == {"anna": ids, "nobody": frozenset(), "?": frozenset()}


async def test_an_id_is_no_name_of_another():
    """What is an id means that entity, whatever else is called like it."""
    memory = build()
    graph = graphed(memory)
    first = await speaks(memory, graph, "Anna likes tea", "Anna")
    await speaks(memory, graph, "My cat is called local-alice-anna", "local-alice-anna:thing")
    found = await naming.called(graph, ALICE, "local-alice-anna")
    assert [one.entity.name for one in found] == ["Anna"]
    memories = await EntityFinder(graph).memories_of(ALICE, ["local-alice-anna"])
    assert memories == {"local-alice-anna": {first}}


async def test_a_part_of_a_name():
    """A first name, or else a last one, finds whose it is, if nobody is called just so.

    A filter does not: who deletes Anna's memories twice would delete those of another Anna.
    """
    memory = build()
    graph = graphed(memory)

    async def part(name):
        found = await naming.called(graph, ALICE, name, by_part=True)
        return {one.entity.name for one in found}

    await speaks(memory, graph, "Anna Schmidt likes tea", "Anna Schmidt")
    assert await part("anna") == {"Anna Schmidt"}
    assert await part("ann") == set()
    assert await naming.called(graph, ALICE, "Anna") == []
    assert await EntityFinder(graph).memories_of(ALICE, ["Anna"]) == {"Anna": frozenset()}
    await speaks(memory, graph, "Anna Meier sails", "Anna Meier")
    assert await part("Anna") == {"Anna Schmidt", "Anna Meier"}
    await speaks(memory, graph, "Anna called", "Anna")
    assert await part("Anna") == {"Anna"}

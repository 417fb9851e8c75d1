import pytest

from recollect.memory import InvalidInputError, Scope
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


async def test_more_than_are_compared(monkeypatch):
    """An entity of very many memories is refused by name; one of a page and one more is not."""
    monkeypatch.setattr(naming, "_PAGE", 2)
    monkeypatch.setattr(naming, "MOST_MEMORIES", 4)
    memory = build()
    graph = graphed(memory)
    for number in range(4):
        await speaks(memory, graph, f"Anna likes tea {number}", "Anna")
    finder = EntityFinder(graph)
    assert len((await finder.memories_of(ALICE, ["Anna"]))["Anna"]) == 4
    await speaks(memory, graph, "Anna likes coffee", "Anna")
    with pytest.raises(InvalidInputError, match="filters: more than 4 memories speak of 'Anna'"):
        await finder.memories_of(ALICE, ["Anna"])


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

"""The topics of a scope as they are read."""

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.graph.topics import topic_reader
from recollect.memory.graph.topics.topic_reader import TopicReader
from recollect.memory.model.types import Scope
from tests.memory.learn.doubles import a_turn
from tests.support.memories import InMemoryMemories
from tests.support.state import in_memory_state

from .notes import ADA, DIM, NOON, SPACE, stored

BOB = Scope(tenant="local", user_id="bob")
AGENT = Scope(tenant="local", user_id="ada", agent_id="coder")


async def at_once(scope, work):
    del scope
    return work()


class World:
    """A store, turns, and a reader of both."""

    def __init__(self):
        self.store = InMemoryMemories(dim=DIM)
        self.turns = in_memory_state().conversations
        self.reader = TopicReader(self.store, self.turns, SPACE, bulk=at_once)

    async def put(self, *rows):
        await self.store.put(rows)

    async def shown(self, *ids, scope=ADA, name="1", asked=None):
        turn = a_turn(
            f"turn-{name}",
            "c",
            scope,
            "Hi",
            "Hi",
            NOON + timedelta(days=1),
            recalled=ids,
            asked=asked,
        )
        await self.turns.record(turn)


@pytest.fixture
def world():
    return World()


async def test_what_was_shown_beside_connects_nothing(world):
    """One message about Versailles ties jazz to nobody, whatever else stood in the block."""
    await world.put(*(stored(n, name) for n, name in enumerate(("tea", "dog", "car"))))
    await world.shown("tea", "dog", "car", asked=("tea",))
    assert (await world.reader.read(ADA)).edges == ()
    await world.shown("tea", "dog", "car", name="2", asked=("dog", "car"))
    await world.shown("tea", "dog", "car", name="3")  # as of turns that were told by a file
    [edge] = (await world.reader.read(ADA)).edges
    assert edge.weight == 1


async def test_others_are_neither_drawn_nor_connected(world):
    """Not another user's memories, and no agent's to another agent."""
    await world.put(stored(0, "tea"), stored(0, "milk", scope=BOB), stored(0, "code", scope=AGENT))
    await world.shown("milk", "tea", scope=BOB, asked=("milk", "tea"))
    assert [t.members[0].id for t in (await world.reader.read(BOB)).topics] == ["milk"]
    assert (await world.reader.read(BOB)).edges == ()
    assert [t.members[0].id for t in (await world.reader.read(AGENT)).topics] == ["code"]
    other = replace(AGENT, agent_id="cook")
    assert (await world.reader.read(other)).topics == ()


async def test_what_is_forgotten_is_gone_at_once(world):
    """From members, label and edges; a topic without members is none."""
    await world.put(stored(0, "tea"), stored(1, "dog"))
    await world.shown("tea", "dog", asked=("tea", "dog"))
    assert len((await world.reader.read(ADA)).edges) == 1
    await world.store.delete("local", ["tea"])
    graph = await world.reader.read(ADA)
    assert ([topic.label for topic in graph.topics], graph.edges) == (["dog"], ())


async def test_more_memories_than_are_read_is_said(world, monkeypatch):
    """The same ones each time."""
    monkeypatch.setattr(topic_reader, "MOST_MEMORIES", 2)
    await world.put(*(stored(at, f"m{at}") for at in range(3)))
    graph = await world.reader.read(ADA)
    assert (graph.memories, graph.more) == (2, True)

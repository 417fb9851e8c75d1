"""Asks a model about stored memories of one matter that nobody judged yet.

These are the facts that got no answer when they were learned (`Provenance.pending`), and once, the
memories that were imported without groups.
"""

from datetime import UTC, datetime

import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn import LearnOptions
from recollect.memory.learn.conflict_resolution import Marks, verdicts
from recollect.memory.learn.records import Batch
from recollect.memory.model.errors import ModelError
from recollect.memory.model.types import (
    Decision,
    EventKind,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
)
from tests.support.memories import InMemoryMemories
from tests.support.parts import parts_of
from tests.support.state import InMemoryHistory

from ...support.learning import forgetter_of, learner_of
from .doubles import ALICE, NOON, Says, a_memory

FIRST_OF_MAY = datetime(2026, 5, 1, 12, tzinfo=UTC)


def item(name):
    return a_memory(name, f"text of {name}", Scope(tenant="local", user_id="ann"), FIRST_OF_MAY)


KNOWN = {name: item(name) for name in "abcd"}


def said(event, memory_id, text="text of a", pending=()):
    return Decision(
        event=event, memory_id=memory_id, text=text, type=MemoryType.SEMANTIC, pending=pending
    )


def done(found):
    return [(one.event.value, one.memory_id) for one in found.decisions]


def test_what_is_replaced_ends():
    """An UPDATE about another memory ends that one; the memory itself stays as it is."""
    found = verdicts({"a": [said(EventKind.UPDATE, "b")]}, KNOWN)
    assert (done(found), found.settled) == ([("DELETE", "b")], ["a"])


def test_what_is_merged_is_reworded():
    """The text of both becomes that of the memory that stays."""
    found = verdicts({"a": [said(EventKind.UPDATE, "b", "both in one")]}, KNOWN)
    assert done(found) == [("DELETE", "b"), ("UPDATE", "a")]
    assert found.decisions[1].text == "both in one"


def test_what_says_more_than_it_replaces_stays_whole():
    """It is stored as one text: the part that replaces another takes nothing from it."""
    group = [said(EventKind.UPDATE, "b", "a part of a"), said(EventKind.ADD, "a", "the rest")]
    assert done(verdicts({"a": group}, KNOWN)) == [("DELETE", "b")]


def test_two_memories_never_end_each_other():
    """Of a pair that a model calls the same in both directions, one stays."""
    found = verdicts({"a": [said(EventKind.NONE, "b")], "b": [said(EventKind.NONE, "a")]}, KNOWN)
    assert done(found) == [("DELETE", "a")]


SAME = '{"decisions": [{"fact": 1, "event": "NONE", "known": 1, "text": null}]}'


class World:
    def __init__(self, **options):
        self.embedder = FakeEmbedder()
        self.store = InMemoryMemories(dim=self.embedder.dim)
        self.history = InMemoryHistory()
        self.forgetter = forgetter_of(self.store, self.embedder, self.history)
        self.learner = learner_of(
            self.store,
            self.embedder,
            self.history,
            forgetter=self.forgetter,
            options=LearnOptions(**options),
            clock=lambda: NOON,
        )

    async def keep(self, name, text, **origin):
        [vector] = await self.embedder.embed([text])
        item = a_memory(
            name,
            text,
            ALICE,
            NOON,
            provenance=Provenance(**({"source": Source.EXTRACTION} | origin)),
        )
        await self.store.put([StoredMemory(item, vector)])

    async def settle(self, *lines, guard=None):
        guard = guard or await self.learner.guard(ALICE)
        found = await self.learner.settler.judge(ALICE, Says(*lines))
        parts = parts_of(store=self.store, embedder=self.embedder)
        marks = await Marks.of(parts, "local", found.groups, found.decisions)
        batch = Batch(id="b", scope=ALICE, at=NOON, moments=found.moments)
        await self.learner.applier.apply(
            found.decisions, batch, guard, also=lambda ports, _: marks.write(ports, "local")
        )
        return found

    async def ids(self):
        return sorted(item.id for item in await self.store.list(ALICE, limit=None))


async def two(**options):
    world = World(**options)
    await world.keep("old", "User pays 900 EUR of rent", matter="old")
    await world.keep("new", "User's rent is 900 EUR", matter="old", pending=("old",))
    return world


async def test_an_answer_settles():
    """What says the same as an older memory is superseded, and its history says why."""
    world = await two()
    settled = await world.settle(SAME)
    assert (settled.asked, settled.answered, settled.more) == (1, 1, False)
    assert await world.ids() == ["old"]
    [record] = await world.history.of("local", "new")
    assert (record.event, record.stage) == ("DELETE", "ask")
    assert not await world.learner.settler.waits(ALICE)


async def test_no_answer_settles_nothing():
    """An unreadable one leaves all as it was; one that fails is an error for the job."""
    world = await two()
    assert (await world.settle("I do not know")).answered == 0
    with pytest.raises(ModelError):
        await world.settle(ModelError("down"))
    assert await world.ids() == ["new", "old"]
    assert await world.learner.settler.waits(ALICE)


async def test_what_is_linked_with_nothing_is_asked_about_its_nearest():
    """A fact that got no answer is judged beside what is near; judged to be new, it is alone."""
    new = '{"decisions": [{"fact": 1, "event": "ADD", "known": null}]}'
    for answer, left in ((new, ["known", "new"]), (SAME, ["known"])):
        world = World()
        await world.keep("known", "User owns a dinghy", matter="known")
        await world.keep("new", "User sold the boat")
        settled = await world.settle(answer)
        assert (settled.asked, settled.answered) == (1, 1)
        assert await world.ids() == left
        assert not await world.learner.settler.waits(ALICE)
        for item in await world.store.list(ALICE, limit=None):
            assert item.provenance.matter == item.id
    world = World()
    await world.keep("known", "User owns a dinghy", matter="known")
    await world.keep("new", "User sold the boat")
    assert (await world.settle("Sure!")).answered == 0
    assert await world.learner.settler.waits(ALICE)


async def test_what_waits():
    """Pending memories and extracted ones without a group; not what somebody stored as it is."""
    world = World()
    await world.keep("given", "User likes tea", source=Source.USER)
    assert not await world.learner.settler.waits(ALICE)
    await world.keep("extracted", "User has a cat")
    assert await world.learner.settler.waits(ALICE)


async def test_what_was_forgotten_meanwhile_stays_forgotten():
    """Rows that are written after a forget are removed again."""
    world = await two()
    guard = await world.learner.guard(ALICE)
    await world.forgetter.forget_ids("local", ["new"])
    await world.settle(SAME, guard=guard)
    assert await world.ids() == ["old"]

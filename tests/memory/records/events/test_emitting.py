"""Changes are told once they are written, whoever makes them."""

import pytest

from recollect.memory.records.events.feed import MOST_WAITING
from tests.memory.api.client_parts import build, keep
from tests.memory.learn.doubles import Says
from tests.support.scripted import facts


async def told(stream):
    """What waits, without waiting."""
    stream.close()
    return [change async for change in stream]


def short(changes):
    return [(c["event"], c.get("old_memory"), c.get("memory")) for c in changes]


async def test_every_way_to_change_a_memory():
    """Adding, rewording, reviewing, deleting and erasing are told, in their order."""
    async with build() as memory:
        stream = memory.subscribe(user_id="alice")
        [one, two] = await keep(memory, "likes tea", "owns a boat")
        await memory.update(one, "likes mate")
        await memory.update(one, metadata={"tag": "drink"})
        await memory.delete(one)
        await memory.forget(two)
        changes = await told(stream)
        assert short(changes) == [
            ("ADD", None, "likes tea"),
            ("ADD", None, None),  # it was forgotten before this was read
            ("UPDATE", "likes tea", "likes mate"),
            ("UPDATE", "likes mate", "likes mate"),
            ("DELETE", "likes mate", None),
            ("FORGET", None, None),
        ]
        assert [c["memory_id"] for c in changes] == [one, two, one, one, one, two]
        assert {(c["tenant"], c["user_id"]) for c in changes} == {("local", "alice")}
        assert len({c["id"] for c in changes}) == 6


async def test_learned_facts_are_told():
    """A model's fact is told; one that was known already changes nothing."""
    async with build(Says(facts("User likes tea"))) as memory:
        stream = memory.subscribe(user_id="ada")
        for _ in range(2):
            await memory.add("I like tea", user_id="ada")
        assert short(await told(stream)) == [("ADD", None, "User likes tea")]


async def test_nobody_hears_of_others():
    """A scope's subscriber is told of that scope, a tenant's of the tenant, nobody of both."""
    async with build() as memory:
        other = memory.for_tenant("other")
        streams = [memory.subscribe(user_id="alice"), memory.subscribe(), other.subscribe()]
        await keep(memory, "likes tea")
        await keep(memory, "owns a boat", user_id="bob")
        await keep(other, "plays chess")
        heard = [[c["memory"] for c in await told(stream)] for stream in streams]
        assert heard == [["likes tea"], ["likes tea", "owns a boat"], ["plays chess"]]


async def test_a_reader_that_is_too_slow_is_told_of_the_gap():
    """The oldest changes are dropped, and how many is told first."""
    async with build() as memory:
        stream = memory._engine.feed.subscribe(most=3)
        ids = await keep(memory, *[f"likes tea number {number}" for number in range(5)])
        changes = await told(stream)
        assert (changes[0]["event"], changes[0]["missed"]) == ("GAP", 2)
        assert [c["memory_id"] for c in changes[1:]] == ids[2:]
        assert MOST_WAITING >= 1000


async def test_resetting_a_tenant_is_told():
    """Each of its memories was erased."""
    async with build() as memory:
        ids = await keep(memory, "likes tea", "owns a boat")
        stream = memory.subscribe()
        await memory.reset()
        changes = await told(stream)
        assert {c["memory_id"] for c in changes} == set(ids)
        assert {c["event"] for c in changes} == {"FORGET"}


@pytest.mark.parametrize("how", ["ids", "scope", "all"])
async def test_what_is_forgotten_before_it_is_read_is_told_without_its_text(how):
    """However much is forgotten with it, also what was reworded or deleted before."""
    async with build() as memory:
        stream = memory.subscribe()
        ids = await keep(memory, "likes tea", "owns a boat", "plays chess")
        await memory.update(ids[0], "likes mate")
        await memory.delete(ids[1])
        if how == "ids":
            for one in ids:
                await memory.forget(one)
        elif how == "scope":
            await memory.forget_all(user_id="alice")
        else:
            await memory.reset()
        changes = await told(stream)
        assert {c["event"] for c in changes} == {"ADD", "UPDATE", "DELETE", "FORGET"}
        assert not any("memory" in c or "old_memory" in c for c in changes)


async def test_the_texts_of_others_stay():
    """Also where something was forgotten since, and of a change that was told of nothing else."""
    async with build() as memory:
        stream = memory.subscribe()
        [one, two] = await keep(memory, "likes tea", "owns a boat")
        await memory.update(two, "owns a canoe")
        await memory.forget(one)
        assert short(await told(stream)) == [
            ("ADD", None, None),
            ("ADD", None, "owns a boat"),
            ("UPDATE", "owns a boat", "owns a canoe"),
            ("FORGET", None, None),
        ]

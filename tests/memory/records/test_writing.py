"""One transaction for a change of memories, and who is told of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from recollect.memory.database.changes import ChangeKind, ChangeLine, SqlChanges
from recollect.memory.database.transactions import INSIDE
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import StoredMemory
from recollect.memory.records.writing import (
    FollowedMemories,
    InsidePorts,
    MemoryWriter,
    WrittenChange,
)
from tests.memory.forget.parts import ALICE, EMBEDDER, memory, record
from tests.support.folding import rows
from tests.support.parts import parts_of
from tests.support.sharing import log_over


class Hears:
    """Notes what it is told, and what the database has at that moment."""

    def __init__(self, parts) -> None:
        self.parts, self.told = parts, []
        parts.writer.followers.append(self)

    async def committed(self, change: WrittenChange) -> None:
        there = {item.id for item in await self.parts.store.list(ALICE, limit=None)}
        put = [each.item.id for each in change.put]
        self.told.append((put, [item.id for item in change.removed], there))

    async def uncertain(self, tenants) -> None:
        self.told.append(set(tenants))


async def stored(*items):
    vectors = await EMBEDDER.embed([item.text for item in items])
    return [StoredMemory(item, vector) for item, vector in zip(items, vectors, strict=True)]


async def test_followers_are_told_once_it_is_there():
    """What was put and what was removed, with all of it in the database; of nothing nobody is."""
    parts = parts_of(embedder=EMBEDDER)
    hears = Hears(parts)
    memories = FollowedMemories(parts.store, parts.writer)
    await memories.put(await stored(memory("a", "tea"), memory("b", "cat")))
    await memories.delete("local", ["a", "unknown"])
    await memories.delete("local", ["unknown"])
    assert hears.told == [(["a", "b"], [], {"a", "b"}), ([], ["a"], {"b"})]


@rows("error", [ValueError("no"), StateError("down")])
async def test_nothing_is_left_of_a_change_that_fails(error):
    """Neither memories nor history; nobody is told of it as done."""
    parts = parts_of(embedder=EMBEDDER)
    hears = Hears(parts)
    new = await stored(memory("a", "tea"))

    async def work(ports: InsidePorts) -> None:
        await ports.history.append([record("a", "tea")])
        await ports.memories.put(new)
        raise error

    with pytest.raises(type(error)):
        await parts.writer.change(work, tenants={"local"})
    assert await parts.store.list(ALICE, limit=None) == []
    assert await parts.history.of("local", "a") == []
    # An answer of the database may have been lost on the way.
    assert hears.told == ([{"local"}] if isinstance(error, StateError) else [])


async def test_a_caller_that_leaves_makes_it_uncertain(monkeypatch):
    """Nobody knows what became of the change, so followers look again."""
    parts = parts_of(embedder=EMBEDDER)
    hears = Hears(parts)
    hangs = asyncio.Event()

    async def never(*_args, **_named):
        hangs.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(parts.writer._scripts, "change", never)
    put = FollowedMemories(parts.store, parts.writer).put(await stored(memory("a", "tea")))
    task = asyncio.ensure_future(put)
    await hangs.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert hears.told == [{"local"}]


async def test_what_is_derived_is_kept_with_it():
    """Whoever reads it needs not derive it again."""
    parts = parts_of(embedder=EMBEDDER)
    parts.writer.derive = lambda one: StoredMemory(one.item, one.vector, {"of": "a sample"})
    await FollowedMemories(parts.store, parts.writer).put(await stored(memory("a", "tea")))
    [kept] = await parts.store.load(ALICE, limit=9)
    assert kept.facts == {"of": "a sample"}


async def test_what_it_announces_is_there_with_it():
    """Whoever reads the log in another process hears each change that is there, and no other."""
    parts = parts_of(embedder=EMBEDDER)
    scripts = parts.state.scripts
    here, there = log_over(scripts), log_over(scripts)
    inside = replace(parts.writer._inside, log=SqlChanges(INSIDE, here.name))
    writer = MemoryWriter(scripts, inside)
    writer.shared, heard, announced = here, [], []
    writer.announced = announced.extend
    there.elsewhere.append(heard.append)
    await there.read()

    async def work(ports: InsidePorts) -> None:
        await ports.history.append([record("a", "tea")])
        ports.announce(ALICE, ChangeKind.GONE, ids=["b"])
        ports.erased.append(memory("c", "cat"))

    async def fails(ports: InsidePorts) -> None:
        await work(ports)
        raise ValueError

    with pytest.raises(ValueError):
        await writer.change(fails, tenants={"local"})
    await there.read()
    assert heard == []
    announced.clear()
    await writer.change(work, tenants={"local"})
    await there.read()
    assert announced == [ChangeLine(ChangeKind.GONE, ALICE, ["b"])]
    assert heard[0] == announced[0]
    [events] = heard[1:]
    assert (events.kind, events.owner_ref) == (ChangeKind.EVENTS, ALICE)
    assert [(each["event"], each["memory_id"]) for each in events.told] == [
        ("ADD", "a"),
        ("FORGET", "c"),
    ]
    # A reader asks the history for the texts: they may have been forgotten meanwhile.
    assert [each.get("memory") for each in events.told] == ["", None]


class Shared:
    """Notes what is done for other processes."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def wrote(self) -> None:
        self.done.append("wrote")

    async def wait(self) -> None:
        self.done.append("wait")


async def test_who_announces_waits_until_others_have_heard():
    """Other writes wait for nobody; of nothing nobody is woken."""
    parts = parts_of(embedder=EMBEDDER)
    shared = Shared()
    parts.writer.shared = shared  # type: ignore[assignment]
    memories = FollowedMemories(parts.store, parts.writer)
    await memories.delete("local", ["unknown"])
    assert shared.done == []
    await memories.put(await stored(memory("a", "tea")))
    assert shared.done == ["wrote"]

    async def work(ports: InsidePorts) -> None:
        ports.announce(ALICE, ChangeKind.GONE)

    await parts.writer.change(work, tenants={"local"})
    assert shared.done == ["wrote", "wrote", "wait"]


async def test_what_a_change_announces_is_heard_whatever_becomes_of_it(monkeypatch):
    """An answer that was lost, or a caller that left: it may be there."""
    parts = parts_of(embedder=EMBEDDER)
    announced: list[ChangeLine] = []
    parts.writer.announced = announced.extend
    commits = parts.writer._scripts.change

    async def lost(*args, **named):
        await commits(*args, **named)
        raise StateError("the connection is lost")

    monkeypatch.setattr(parts.writer._scripts, "change", lost)

    async def work(ports: InsidePorts) -> None:
        ports.announce(ALICE, ChangeKind.GONE)

    with pytest.raises(StateError):
        await parts.writer.change(work, tenants={"local"})
    assert announced == [ChangeLine(ChangeKind.GONE, ALICE)]

"""What hangs together with a memory, and what waits for a judgement: read without the rest."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.api import conflicts, inspecting
from recollect.memory.memories import reading
from recollect.memory.model.types import MemoryStatus, Provenance, Scope, StoredMemory
from tests.memory.api.client_parts import build
from tests.memory.memories.memories import memory as stored

ALICE = Scope(tenant="local", user_id="alice")
MANY = 60


def item(name, *, minutes=0, status=MemoryStatus.ACTIVE, scope=ALICE, **origin):
    found = stored(scope, f"{name} tea", id=name, minutes=minutes).item
    return replace(found, status=status, provenance=Provenance(**origin))


ITEMS = [
    item("first", minutes=1),
    item("ended", minutes=2, matter="first", status=MemoryStatus.SUPERSEDED),
    item("now", minutes=3, matter="first", pending=("first", "gone")),
    item("later", minutes=4, pending=("now",), matter='of "quotes"'),
    item("alone", minutes=5, pending=("gone", "theirs")),
    item("lost", minutes=6, pending=("ended",)),
    item(
        "theirs", minutes=7, scope=replace(ALICE, user_id="bob"), pending=("now",), matter="first"
    ),
    item("quoted", minutes=8, matter='of "quotes"'),
]


async def filled(memory):
    [vector] = await memory._engine.parts.embedder.embed(["tea"])
    others = [item(f"other {n}", minutes=n) for n in range(MANY)]
    await memory._engine.parts.store.put([StoredMemory(one, vector) for one in [*ITEMS, *others]])


def ids(rows):
    return [one["id"] for one in rows]


async def test_what_waits_is_found_without_the_rest(monkeypatch):
    """Newest first, beside what is active of the same user; few of a scope's rows are read."""
    async with build() as memory:
        await filled(memory)
        read = []
        monkeypatch.setattr(reading, "item_of", lambda row: read.append(row[0]) or item_of(row))
        for most in (1000, 2):
            monkeypatch.setattr(conflicts, "MOST", most)
            found = (await memory.conflicts(user_id="alice"))["results"]
            told = [(one["memory"]["id"], ids(one["others"])) for one in found]
            assert told == [("later", ["now"]), ("now", ["first"])]
        monkeypatch.setattr(conflicts, "MOST", 1)
        found = (await memory.conflicts(user_id="alice"))["results"]
        assert [one["memory"]["id"] for one in found] == ["later"]
        assert read
        assert not [name for name in read if name.startswith("other")]


async def test_what_hangs_together_is_found_without_the_rest(monkeypatch):
    """By what it comes from, whatever ids are like; at most so many of each."""
    async with build() as memory:
        await filled(memory)
        read = []
        monkeypatch.setattr(reading, "item_of", lambda row: read.append(row[0]) or item_of(row))
        found = await memory.inspect("now", user_id="alice")
        assert sorted(ids(found["matter"])) == ["ended", "first"]
        assert sorted(ids(found["conflicts"])) == ["first", "later"]
        first = await memory.inspect("first", user_id="alice")
        assert sorted(ids(first["matter"])) == ["ended", "now"]
        assert ids(first["conflicts"]) == ["now"]
        assert ids((await memory.inspect("later", user_id="alice"))["matter"]) == ["quoted"]
        assert not [name for name in read if name.startswith("other")]
        monkeypatch.setattr(inspecting, "DEFAULT_LIMIT", 1)
        assert len((await memory.inspect("now", user_id="alice"))["matter"]) == 1


item_of = reading.item_of

"""The rows that derived memories stand on, and a store whose writes are told of."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.upkeep.cited import CitedRows, CitedStore
from tests.memory.forget.parts import ALICE, BOB, Parts, stored

from .made import derived, ended, fact


async def test_writes_are_told_of_once_they_are_done():
    """What was put, and what was deleted as it was."""
    store = CitedStore(Parts().store)
    told = []
    store.wrote.append(lambda items: told.append([item.id for item in items]))
    store.removed.append(lambda items: told.append([item.text for item in items]))
    await stored(store, fact("a", "tea"), fact("b", "cat"))
    await store.delete("local", ["a", "x"])
    await store.delete("local", ["x"])
    await store.delete("other", ["b"])
    assert told == [["a", "b"], ["tea"]]


def merged(name, into):
    item = ended(fact(name, f"text of {name}"), "duplicate: the same")
    return replace(item, provenance=replace(item.provenance, superseded_by=into))


async def test_a_merged_memory_is_what_it_was_merged_into():
    """However often, and not for ever; of another scope nothing is read."""
    parts = Parts()
    await parts.put(
        merged("a", "b"), merged("b", "c"), fact("c", "tea"), merged("x", "y"), merged("y", "x"),
        merged("lone", "gone"), fact("theirs", "cat", scope=BOB),
    )  # fmt: skip
    one = derived("d", "a", "x", "lone", "theirs", "missing")
    found = await CitedRows(parts.all()).of(ALICE, [one])
    assert found.keys() == {"a", "x", "lone"}
    assert found["a"].id == "c"
    assert not await CitedRows(parts.all()).support(one)
    assert await CitedRows(parts.all()).support(derived("e", "a", "c"))

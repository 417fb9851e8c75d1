"""The rows that derived memories stand on."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.upkeep.citations import Citations
from tests.memory.forget.parts import ALICE, BOB, Parts

from .made import derived, ended, fact


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
    found = await Citations(parts.all()).of(ALICE, [one])
    assert found.keys() == {"a", "x", "lone"}
    assert found["a"].id == "c"
    assert not await Citations(parts.all()).support(one)
    assert await Citations(parts.all()).support(derived("e", "a", "c"))

"""What a write that began before a forget is told within its transaction."""

from __future__ import annotations

from recollect.memory.records.writing import InsidePorts
from tests.memory.forget.parts import ALICE, BOB, Parts, memory


async def asked(parts, guard, *items):
    """What the guard says within a transaction."""

    async def work(ports: InsidePorts):
        return (
            await guard.is_void(ports),
            await guard.refused(ports, [item.id for item in items]),
            await guard.buried(ports, items),
        )

    return await parts.all().writer.change(work, tenants={"local"})


async def test_somebody_elses_forgetting_does_not_matter():
    """Another user's epoch and another tenant's ids are not ours."""
    parts = Parts()
    guard = await parts.forgetter().guard(ALICE)
    await parts.forgetter().forget_scope(BOB)
    await parts.forgetter().forget_ids("other", ["m"])
    assert await asked(parts, guard, memory("m", "Rome")) == (False, set(), set())


async def test_a_forgotten_memory_takes_its_versions_along():
    """An earlier version says what was forgotten, under an id that nobody knew."""
    parts = Parts()
    guard = await parts.forgetter().guard(ALICE)
    await parts.put(memory("m", "Rome"))
    await parts.forgetter().forget_ids("local", ["m"])
    rows = memory("m", "Rome"), memory("v", "Bonn", version_of="m"), memory("n", "tea")
    assert await asked(parts, guard, *rows) == (False, {"m"}, {"m", "v"})


async def test_a_forgotten_scope_voids_all_that_began_before():
    """New memories follow from what was forgotten; what begins afterwards is written."""
    parts = Parts()
    guard = await parts.forgetter().guard(ALICE)
    await parts.forgetter().forget_scope(ALICE)
    assert (await asked(parts, guard))[0]
    later = await parts.forgetter().guard(ALICE)
    assert not (await asked(parts, later))[0]

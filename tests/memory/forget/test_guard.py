"""What a write leaves out, and what it takes back. `test_interleaving.py` tries every order."""

from dataclasses import replace

from recollect.memory.model.types import Provenance
from tests.memory.forget.parts import ALICE, BOB, Parts, memory, record, turn
from tests.support.folding import rows


async def test_somebody_elses_forgetting_does_not_matter():
    """Another user's epoch and ids are not ours."""
    parts = Parts()
    guard = await parts.forgetter().guard(ALICE, "j")
    await parts.forgetter().forget_scope(BOB)
    await parts.forgetter().forget_ids("other", ["m"])
    new = memory("m", "Rome")
    await parts.put(new)
    assert await guard.settle([new]) == set()


async def test_a_forgotten_memory_takes_its_versions_along():
    """An earlier version says what was forgotten, under an id that nobody knew."""
    parts = Parts()
    guard = await parts.forgetter().guard(ALICE, "j")
    await parts.forgetter().forget_ids("local", ["m"])
    live, version = memory("m", "Rome", batch="j"), memory("v", "Bonn", version_of="m")
    other = memory("n", "tea", batch="j")
    await parts.history.append([record("m", "Rome", "Bonn"), record("n", "tea")])
    await parts.put(live, version, other)
    parts.told.clear()
    assert await guard.settle([live, version, other]) == {"m", "v"}
    assert await parts.ids() == {"n"}
    assert await parts.history.of("local", "m") == []
    assert len(await parts.history.of("local", "n")) == 1
    assert {one for _, one in parts.told} == {"m", "v"}


async def test_what_a_dead_run_left_is_removed_when_it_is_refused():
    """Also if of two rows only the version was written."""
    parts = Parts()
    await parts.forgetter().forget_ids("local", ["m"])
    await parts.put(memory("v", "Bonn", version_of="m"))
    guard = await parts.forgetter().guard(ALICE, "j")
    assert await guard.refused(["m", "n"]) == {"m"}
    assert await parts.ids() == set()


@rows("what", ["ids", "scope"])
async def test_history_without_a_row_is_settled_too(what):
    """A repetition finds its rows written and writes only their history."""
    parts = Parts()
    guard = await parts.forgetter().guard(ALICE, "j")
    assert await guard.refused(["m"]) == set()
    if what == "ids":
        await parts.forgetter().forget_ids("local", ["m"])
    else:
        await parts.forgetter().forget_scope(ALICE)
    await parts.history.append([record("m", "Rome", "Bonn")])
    assert await guard.settle([]) == set()
    assert await parts.history.of("local", "m") == []


async def test_the_batch_keeps_the_turns_it_learns_from():
    """A forgotten memory's turns go with it, but not those that have more to teach."""
    parts = Parts()
    for name in ("t1", "t2"):
        await parts.conversations.record(turn(name, name))
    await parts.forgetter().forget_ids("local", ["m"])
    own = Provenance(batch="j", turn_ids=("t2",))
    live = replace(memory("m", "Rome"), provenance=own)
    version = memory("v", "Bonn", version_of="m", turns=("t1", "t2"))
    guard = await parts.forgetter().guard(ALICE, "j")
    await parts.put(live, version)
    await guard.settle([live, version])
    assert [t.id for t in await parts.conversations.unlearned("c1", 9)] == ["t2"]


async def test_a_forgotten_scope_takes_all_that_was_written():
    """New memories follow from what was forgotten; whoever wrote them is told to try again."""
    parts = Parts()
    guard = await parts.forgetter().guard(ALICE, "j")
    await parts.forgetter().forget_scope(ALICE)
    new = memory("m", "Rome", batch="j")
    await parts.history.append([record("m", "Rome")])
    await parts.put(new)
    assert await guard.settle([new]) == {"m"}
    assert await parts.ids() == set()
    assert await parts.history.of("local", "m") == []

"""Invalidating, reverting and restoring by id, on in-memory parts and the product's own guard."""

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.api.changes import Amendment
from recollect.memory.forget.retention import archived
from recollect.memory.model.endings import DUPLICATE, held_once
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import EventKind, MemoryStatus, Provenance, StoredMemory
from recollect.memory.recall.at_a_time import at_a_time
from tests.memory.api.changing_world import World
from tests.memory.learn.doubles import ALICE, NOON
from tests.support.folding import rows

DAY = timedelta(days=1)
LINKED = Provenance(matter="g", pending=("other",), cites=("c",), quote="tea", turn_ids=("t",))


@pytest.fixture
def world():
    return World()


def as_it_was(item):
    """Without what any return changes."""
    origin = replace(item.provenance, restored_at=None, recorded_at=None, batch=None)
    return replace(item, version=0, provenance=origin)


@rows("status", [MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED])
@rows("method", ["revert", "restore"])
async def test_one_call_brings_it_back_with_its_links(status, method):
    """Group, pending, what it cites, status and times are as before."""
    world = World()
    item = await world.keep(status=status, provenance=LINKED, importance=0.9)
    await world.curation().invalidate(item)
    back = await getattr(world.curation(), method)(await world.get())
    assert as_it_was(back) == as_it_was(item)
    assert (await world.events())[-1][0] is EventKind.RESTORE


async def put_aside(world, item):
    """Retention archives it."""
    [vector] = await world.embedder.embed([item.text])
    await world.store.put([StoredMemory(archived(item, NOON + DAY), vector)])
    return await world.get()


async def test_a_denied_memory_that_went_to_the_archive_comes_back(world):
    """Retention does not make a denial final."""
    item = await world.keep()
    aside = await put_aside(world, await world.curation().invalidate(item))
    assert as_it_was(await world.curation().restore(aside)) == as_it_was(item)


async def test_an_archived_memory_may_be_denied_too(world):
    """It returns to the archive, and from there as it was."""
    item = await world.keep()
    denied = await world.curation().invalidate(await put_aside(world, item))
    back = await world.curation().revert(denied)
    assert back.status is MemoryStatus.ARCHIVED
    assert as_it_was(await world.curation().revert(back)) == as_it_was(item)


@rows("status", [MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED])
async def test_only_what_is_put_away_is_restored(status):
    """The error names the status; nothing is written."""
    world = World()
    item = await world.keep(status=status)
    with pytest.raises(InvalidInputError, match=status.value):
        await world.curation().restore(item)
    assert (await world.get(), await world.events()) == (item, [])


async def test_until_when_it_was_true(world):
    """It ends then; not before it began, and not in the future."""
    item = await world.keep(valid_from=NOON - 9 * DAY)
    for until in (NOON - 10 * DAY, NOON + DAY):
        with pytest.raises(InvalidInputError, match="valid_to"):
            await world.curation().invalidate(item, until=until)
    ended = await world.curation().invalidate(item, until=NOON - DAY)
    assert ended.valid_to == NOON - DAY


async def test_an_edit_is_taken_back(world):
    """Text, evidence, metadata, importance and times are those of then; both texts are kept."""
    item = await world.keep(metadata={"a": 1}, importance=0.3)
    changes = world.changes()
    edited = await changes.amend(item, Amendment("coffee", {"a": 2}, 0.8))
    back = await world.curation().revert(edited)
    assert as_it_was(back) == replace(as_it_was(item), embedder_id=world.embedder.id,
        provenance=replace(as_it_was(item).provenance, matter="m"))  # fmt: skip
    assert back.version == 3
    assert sorted(each.text for each in await world.versions()) == ["coffee", "tea"]
    assert await world.events() == [
        (EventKind.UPDATE, "tea", "coffee"),
        (EventKind.UPDATE, "coffee", "tea"),
    ]


async def test_what_was_taken_back_is_no_earlier_truth(world):
    """The mistaken text is marked, and unmarked if somebody returns to it."""
    item = await world.keep()
    edited = await world.changes().amend(item, Amendment("coffee"))
    back = await world.curation().revert(edited)
    assert not any(held_once(each) for each in await world.versions())
    await world.curation().revert(back, 2)
    so = {each.text: each.version for each in await world.versions() if held_once(each)}
    assert so == {"tea": 1}


async def test_no_revert_raises_trust(world):
    """What was edited in quarantine, and what is quarantined now, stays there."""
    held = await world.keep(status=MemoryStatus.QUARANTINED)
    edited = await world.changes().amend(held, Amendment("coffee"))
    trusted = await world.changes().validate(edited)
    back = await world.curation().revert(trusted, 1)
    assert (back.text, back.status) == ("tea", MemoryStatus.QUARANTINED)
    fine = await world.changes().amend(await world.keep("n"), Amendment("milk"))
    doubted = await world.changes().withdraw(fine, "it failed")
    back = await world.curation().revert(doubted)
    assert (back.status, [each.kind for each in back.provenance.reasons]) == (
        MemoryStatus.QUARANTINED,
        ["failed"],
    )


async def test_what_was_merged_into_a_memory_is_no_version_of_it(world):
    """It holds again by its own id, and the memory has nothing to return to."""
    item = await world.keep()
    origin = Provenance(superseded_by="m", ended=f"{DUPLICATE}: the same")
    twin = await world.keep("twin", status=MemoryStatus.SUPERSEDED, provenance=origin)
    assert await world.curation().versions(item) == []
    with pytest.raises(InvalidInputError, match="version"):
        await world.curation().revert(item)
    back = await world.curation().revert(twin)
    assert (back.status, back.updated_at) == (MemoryStatus.ACTIVE, NOON)


async def test_what_was_true_when_and_what_was_known_when(world):
    """Of another time each memory is told once; before the denial nobody knew of it."""
    item = await world.keep(provenance=replace(LINKED, recorded_at=NOON))
    edited = await world.changes().amend(item, Amendment("coffee"))
    back = await world.curation().revert(edited)
    ended = await world.curation().invalidate(back)
    every = frozenset(MemoryStatus)

    async def told(as_of, known_at=None):
        rows = await world.store.list(ALICE, limit=None, statuses=every)
        return [each.text for each in at_a_time(rows, as_of=as_of, known_at=known_at)]

    later = ended.provenance.ended_at + DAY
    assert await told(later) == await told(later, later) == []
    before = ended.provenance.ended_at - timedelta(seconds=1)
    assert await told(later, before) == ["tea"]
    assert await told(later, edited.provenance.recorded_at) == ["coffee"]
    assert await told(later, NOON) == ["tea"]
    await world.curation().revert(ended)
    assert await told(later) == await told(NOON) == ["tea"]


async def test_what_nobody_trusted_is_not_told_of_another_time(world):
    """A denied memory in quarantine was never recalled, and is not recalled as what was known."""
    held = await world.keep(status=MemoryStatus.QUARANTINED)
    await world.curation().invalidate(held)
    rows = await world.store.list(ALICE, limit=None, statuses=frozenset(MemoryStatus))
    assert at_a_time(rows, as_of=NOON, known_at=NOON) == []


async def test_an_earlier_version_is_not_reverted(world):
    """The error says what is."""
    await world.changes().amend(await world.keep(), Amendment("coffee"))
    [version] = await world.versions()
    with pytest.raises(InvalidInputError, match="'m' to version 1"):
        await world.curation().revert(version)

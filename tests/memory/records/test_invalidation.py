"""The bus on which changes and deletions are announced, here and to all who share a log."""

import pytest

from recollect.memory.database.changes import ChangeKind, ChangeLine, SqlChanges
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Scope
from recollect.memory.records.invalidation import ANNOUNCED_SINGLY, InvalidationBus
from tests.support.sharing import log_over
from tests.support.state import in_memory_scripts

ALICE = Scope(tenant="local", user_id="alice")


class Kept:
    """Hears what is out of date."""

    def __init__(self):
        self.heard = []

    def forget(self, owner_ref, memory_id=None):
        self.heard.append((owner_ref, memory_id))

    def clear(self):
        self.heard.append("everything")


class Process:
    """A bus with a cache; some that share a database hear each other."""

    def __init__(self, scripts=None):
        self.log = None if scripts is None else log_over(scripts)
        self.bus, self.kept = InvalidationBus(self.log), Kept()
        self.bus.subscribe(self.kept)
        for name in ("forgetting", "emptied"):
            getattr(self.bus, name).append(
                lambda owner_ref, name=name: self.kept.heard.append((name, owner_ref))
            )


@pytest.fixture
async def processes():
    scripts = in_memory_scripts()
    made = [Process(scripts) for _ in range(2)]
    for each in made:
        await each.log.read()
        # What was kept before is not known to be up to date.
        assert each.kept.heard == ["everything"]
        each.kept.heard.clear()
    return made


async def test_everybody_hears(processes):
    """All who keep something, here at once and elsewhere from the log; each once."""
    here, there = processes
    also = Kept()
    here.bus.subscribe(also)
    await here.bus.announce(ALICE, "m")
    await here.bus.announce("local")
    assert here.kept.heard == also.heard == [(ALICE, "m"), ("local", None)]
    assert there.kept.heard == []
    for each in processes:
        await each.log.read()
    assert there.kept.heard == also.heard == here.kept.heard
    assert here.bus.listeners == 3
    assert Process().bus.listeners == 1


async def test_this_process_hears_first(processes, monkeypatch):
    """A log that cannot be written is an error, after everybody here was told."""
    here, _ = processes

    async def fails(_changes, _lines):
        raise StateError("unreachable")

    monkeypatch.setattr(SqlChanges, "add", fails)
    with pytest.raises(StateError):
        await here.bus.announce(ALICE)
    assert here.kept.heard == [(ALICE, None)]


@pytest.mark.parametrize("kind", [ChangeKind.GONE, ChangeKind.DELETE])
async def test_many_are_told_of_as_one(processes, kind):
    """Up to a bound one by one; beyond it everything of their owner. Deleted rows are gone too."""
    here, there = processes
    few = [f"{n:02}" for n in range(ANNOUNCED_SINGLY)]
    for ids in (few, [*few, "one more"]):
        told = ids if kind is ChangeKind.GONE else list(enumerate(ids))
        await here.log.add([ChangeLine(kind, ALICE, told)])
    await there.log.read()
    assert there.kept.heard == [*((ALICE, one) for one in few), (ALICE, None)]


@pytest.mark.parametrize("reachable", [True, False])
async def test_a_change_that_failed_is_told_of(processes, monkeypatch, reachable):
    """It may have happened in part; its own error is what the caller gets."""
    here, _ = processes

    async def fails(_changes, _lines):
        raise StateError("unreachable")

    if not reachable:
        monkeypatch.setattr(SqlChanges, "add", fails)

    async def change():
        async with here.bus.announce_after(ALICE, "m"):
            assert here.kept.heard == []
            raise ValueError("half-way")

    with pytest.raises(ValueError, match="half-way"):
        await change()
    assert here.kept.heard == [(ALICE, "m")]


async def test_what_is_forgotten_is_heard_everywhere(processes):
    """With the lines of the transaction that erased it."""
    here, there = processes
    kinds = (ChangeKind.GONE, ChangeKind.EMPTIED, ChangeKind.FORGOTTEN)
    lines = [ChangeLine(kind, ALICE) for kind in kinds]
    await here.log.add(lines)
    here.bus.heard(lines)
    await there.log.read()
    told = [(ALICE, None), ("emptied", ALICE), ("forgetting", ALICE)]
    assert here.kept.heard == there.kept.heard == told

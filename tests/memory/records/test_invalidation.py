"""The bus on which changes and deletions are announced."""

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Scope
from recollect.memory.records.invalidation import ANNOUNCED_SINGLY, InvalidationBus
from tests.support.siblings import listening, meshes

ALICE = Scope(tenant="local", user_id="alice")


class Kept:
    """Hears, here or in another process."""

    def __init__(self, *, reachable=True):
        self.heard = []
        self.reachable = reachable

    def forget(self, owner_ref, memory_id=None):
        self.heard.append((owner_ref, memory_id))

    def clear(self):
        self.heard.append("everything")

    async def publish(self, owner_ref, memory_id=None):
        if not self.reachable:
            raise StateError("unreachable")
        self.forget(owner_ref, memory_id)

    async def listen(self, on_forgotten, on_gap):
        on_forgotten(ALICE, "m")
        on_gap()


async def test_everybody_hears():
    """All who keep something, and other processes."""
    here, there, elsewhere = Kept(), Kept(), Kept()
    bus = InvalidationBus(elsewhere)
    bus.subscribe(here, there)
    await bus.announce(ALICE, "m")
    await bus.announce("local")
    assert here.heard == there.heard == elsewhere.heard == [(ALICE, "m"), ("local", None)]
    assert bus.listeners == 3


async def test_this_process_hears_first():
    """Others that cannot be reached are an error, after everybody here was told."""
    here, bus = Kept(), InvalidationBus(Kept(reachable=False))
    bus.subscribe(here)
    with pytest.raises(StateError):
        await bus.announce(ALICE)
    assert here.heard == [(ALICE, None)]


async def test_many_are_told_of_as_one():
    """Up to a bound one by one; beyond it everything of their owner."""
    here, bus = Kept(), InvalidationBus()
    bus.subscribe(here)
    few = [f"{n}" for n in range(ANNOUNCED_SINGLY)]
    await bus.announce_each(ALICE, few)
    assert here.heard == [(ALICE, one) for one in sorted(few)]
    here.heard.clear()
    await bus.announce_each(ALICE, [*few, "one more"])
    assert here.heard == [(ALICE, None)]


@pytest.mark.parametrize("reachable", [True, False])
async def test_a_change_that_failed_is_told_of(reachable):
    """It may have happened in part; its own error is what the caller gets."""
    here, bus = Kept(), InvalidationBus(Kept(reachable=reachable))
    bus.subscribe(here)

    async def change():
        async with bus.announce_after(ALICE, "m"):
            assert here.heard == []
            raise ValueError("half-way")

    with pytest.raises(ValueError, match="half-way"):
        await change()
    assert here.heard == [(ALICE, "m")]


async def test_what_others_tell_is_heard_here():
    """It is not told on; after a gap everything is dropped. Alone there is nobody to listen to."""
    here, elsewhere = Kept(), Kept()
    bus = InvalidationBus(elsewhere)
    bus.subscribe(here)
    await bus.listen()
    await InvalidationBus().listen()
    assert here.heard == [(ALICE, "m"), "everything"]
    assert elsewhere.heard == []


async def test_siblings_hear_of_forgetting(tmp_path):
    """Those who keep files or turns of the owner, here and there, before it is called done."""
    one, two = meshes(tmp_path)
    here, there = InvalidationBus(mesh=one), InvalidationBus(mesh=two)
    heard = []
    for name, bus in (("here", here), ("there", there)):
        bus.forgetting.append(lambda owner_ref, name=name: heard.append((name, owner_ref)))
        bus.emptied.append(lambda owner_ref, name=name: heard.append((name, owner_ref, "emptied")))
    async with listening(two, one):
        await here.tell_forgetting(ALICE)
        assert heard == [("here", ALICE), ("there", ALICE)]
        await here.tell_emptied("local")
        assert heard[2:] == [("here", "local", "emptied"), ("there", "local", "emptied")]


async def test_nothing_is_called_forgotten_that_a_sibling_still_has(tmp_path):
    """Its failure is the error of the one who forgets."""
    one, two = meshes(tmp_path)
    here, there = InvalidationBus(mesh=one), InvalidationBus(mesh=two)

    def fail(_owner_ref):
        raise StateError("a file is still there")

    there.forgetting.append(fail)
    async with listening(two, one):
        with pytest.raises(StateError, match="a file is still there"):
            await here.tell_forgetting(ALICE)

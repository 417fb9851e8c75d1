"""The bus for "this is gone"."""

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Scope
from recollect.memory.records.gone import TOLD_SINGLY, Gone

ALICE = Scope(tenant="local", user_id="alice")


class Kept:
    """Hears, here or in another process."""

    def __init__(self, *, reachable=True):
        self.heard = []
        self.reachable = reachable

    def forget(self, whose, memory_id=None):
        self.heard.append((whose, memory_id))

    def clear(self):
        self.heard.append("everything")

    async def publish(self, whose, memory_id=None):
        if not self.reachable:
            raise StateError("gone")
        self.forget(whose, memory_id)

    async def listen(self, on_forgotten, on_gap):
        on_forgotten(ALICE, "m")
        on_gap()


async def test_everybody_hears():
    """All who keep something, and other processes."""
    here, there, elsewhere = Kept(), Kept(), Kept()
    gone = Gone(elsewhere)
    gone.subscribe(here, there)
    await gone.tell(ALICE, "m")
    await gone.tell("local")
    assert here.heard == there.heard == elsewhere.heard == [(ALICE, "m"), ("local", None)]
    assert gone.listeners == 3


async def test_this_process_hears_first():
    """Others that cannot be reached are an error, after everybody here was told."""
    here, gone = Kept(), Gone(Kept(reachable=False))
    gone.subscribe(here)
    with pytest.raises(StateError):
        await gone.tell(ALICE)
    assert here.heard == [(ALICE, None)]


async def test_many_are_told_of_as_one():
    """Up to a bound one by one; beyond it everything of their owner."""
    here, gone = Kept(), Gone()
    gone.subscribe(here)
    few = [f"{n}" for n in range(TOLD_SINGLY)]
    await gone.tell_of(ALICE, few)
    assert here.heard == [(ALICE, one) for one in sorted(few)]
    here.heard.clear()
    await gone.tell_of(ALICE, [*few, "one more"])
    assert here.heard == [(ALICE, None)]


@pytest.mark.parametrize("reachable", [True, False])
async def test_a_change_that_failed_is_told_of(reachable):
    """It may have happened in part; its own error is what the caller gets."""
    here, gone = Kept(), Gone(Kept(reachable=reachable))
    gone.subscribe(here)

    async def change():
        async with gone.telling(ALICE, "m"):
            assert here.heard == []
            raise ValueError("half-way")

    with pytest.raises(ValueError, match="half-way"):
        await change()
    assert here.heard == [(ALICE, "m")]


async def test_what_others_tell_is_heard_here():
    """It is not told on; after a gap everything is dropped. Alone there is nobody to listen to."""
    here, elsewhere = Kept(), Kept()
    gone = Gone(elsewhere)
    gone.subscribe(here)
    await gone.listen()
    await Gone().listen()
    assert here.heard == [(ALICE, "m"), "everything"]
    assert elsewhere.heard == []

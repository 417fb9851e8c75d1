"""Texts that are stored as they are, beside what says the same in other letters, or the contrary."""

import pytest

from recollect.memory.learn import Skipped, SkipReason

from .doubles import ALICE
from .test_verbatim import World


@pytest.fixture
def world():
    return World()


async def test_a_text_in_other_letters_is_the_same(world):
    """Told by hand three times, it is one memory; a new sign or word makes another one."""
    [event] = (await world.add("User plays chess")).events
    for again in ("user plays chess", "User  plays chess."):
        assert (await world.add(again)).skipped == [Skipped(0, SkipReason.DUPLICATE, event.id)]
    await world.add("User plays chess?", "User plays chess 2")
    assert len(await world.texts()) == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User is vegetarian", "User is no longer vegetarian"),
        ("User is no longer vegetarian", "User is vegetarian"),
        ("Je fume", "Je ne fume plus"),
    ],
)
async def test_a_contrary_waits_for_a_judgement(world, old, new):
    """Both stay; they are of one matter, so whoever judges or consolidates finds them."""
    [before] = (await world.add(old)).events
    [after] = (await world.add(new, "User has a cat")).events[:1]
    items = {item.id: item for item in await world.store.list(ALICE, limit=None)}
    assert len(items) == 3
    assert items[after.id].provenance.pending == (before.id,)
    assert items[after.id].provenance.matter == before.id
    [cat] = [item for item in items.values() if item.text == "User has a cat"]
    assert not cat.provenance.pending

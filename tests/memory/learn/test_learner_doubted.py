"""Facts that are doubted are kept for a person to see."""

from recollect.memory.model.types import EventKind, MemoryStatus
from tests.support.scripted import facts

from .doubles import ALICE, Says
from .test_learner import World, events, said

ADD = EventKind.ADD


async def test_a_fact_with_another_number_is_kept_for_a_person():
    """It is quarantined with what stands against it, and without secrets; nothing is dropped."""
    world = World()
    turns = [said("My rent is 900 EUR since May")]
    model = Says(facts("User's rent is 800 EUR"))
    decisions = await world.decide(turns=turns, model=model)
    assert events(decisions) == [EventKind.QUARANTINE]
    await world.carry_out(decisions)
    assert await world.texts() == []
    [item] = await world.store.list(ALICE, limit=None, statuses={MemoryStatus.QUARANTINED})
    assert item.provenance.flags == ("not_borne_out",)
    [doubt] = item.provenance.reasons
    assert doubt.detail == "another number than 800"
    assert "900 EUR" in doubt.sentence


async def test_facts_are_verified_in_one_call():
    """With `learn.verify` one more call names what the turns do not state; that is quarantined."""
    world = World(verify=True)
    turns = [said("I like tea", "chess is fun")]
    model = Says(facts("User likes tea", "User likes chess"), '{"not_stated": [2]}')
    decisions = await world.decide(turns=turns, model=model)
    assert [(one.event, one.text) for one in decisions] == [
        (ADD, "User likes tea"),
        (EventKind.QUARANTINE, "User likes chess"),
    ]
    assert [doubt.kind for doubt in decisions[1].reasons] == ["not_stated"]
    assert len(model.requests) == 2


async def test_nothing_is_verified_without_facts():
    """Then there is no second call."""
    world = World(verify=True)
    model = Says(facts())
    assert await world.decide(turns=[said("hello there")], model=model) == []
    assert len(model.requests) == 1

"""What was held back for want of evidence becomes the user's word when they say it."""

from dataclasses import replace
from datetime import timedelta

from recollect.memory.learn.confirmation import confirmed, held_id
from recollect.memory.model.doubts import UNCONFIRMED
from recollect.memory.model.types import (
    Decision,
    EventKind,
    MemoryStatus,
    MemoryType,
    Provenance,
    Source,
)
from tests.support.folding import rows
from tests.support.scripted import facts

from .doubles import ALICE, BOB, NOON, Says, a_memory
from .test_learner import World, events, said

JAZZ = "User likes jazz a lot"
HELD = frozenset({MemoryStatus.QUARANTINED})


def held(text=JAZZ, scope=ALICE, **origin):
    return a_memory(
        held_id(scope, text),
        text,
        scope,
        NOON,
        status=MemoryStatus.QUARANTINED,
        provenance=Provenance(**{"source": Source.ASSISTANT, "flags": (UNCONFIRMED,)} | origin),
    )


def new(text=JAZZ, **fields):
    return Decision(
        event=EventKind.ADD, memory_id="new", text=text, type=MemoryType.SEMANTIC, **fields
    )


@rows(
    "decision, item",
    [
        (new(source=Source.ASSISTANT), held()),
        (new(source=Source.TOOL), held()),
        (replace(new(), event=EventKind.NONE), held()),
        (new("User likes jazz"), held()),
        (new(), held(flags=("instruction",))),
        (new(), held(flags=(UNCONFIRMED, "instruction"))),
        (new(), held(flags=())),
        (new(), held(source=Source.REFLECTION)),
        (new(), held(cites=("a", "b"))),
        (new(), held(scope=BOB)),
        (new(), replace(held(), status=MemoryStatus.ACTIVE)),
        (new(), replace(held(), status=MemoryStatus.SUPERSEDED)),
    ],
)
def test_nothing_else_does(decision, item):
    """Nobody else's word, no other words, and nothing of what looked planted or was concluded."""
    assert confirmed(decision, {item.id: item}, ALICE) == decision


async def test_learned_it_is_recalled_and_counted_and_can_be_looked_up():
    """One row, active, with the user's quote; what it was before is in its history."""
    world = World()
    turn = replace(said("Hello there"), assistant_text="You seem to like jazz a lot.")
    guess = '{"facts": [{"text": "User likes jazz a lot", "quote": "like jazz a lot"}]}'
    await world.carry_out(await world.decide(model=Says(guess), turns=[turn]))
    [before] = await world.store.list(ALICE, limit=None, statuses=HELD)
    assert await world.texts() == []
    later = replace(said(JAZZ, at=NOON + timedelta(days=1)), id="t2")
    decisions = await world.decide(model=Says(facts(JAZZ)), turns=[later], batch="b2")
    assert events(decisions) == [EventKind.UPDATE]
    [event] = await world.carry_out(decisions, batch="b2")
    assert event.id == before.id
    assert await world.texts() == [JAZZ]
    assert await world.store.list(ALICE, limit=None, statuses=HELD) == []
    [item] = await world.store.get(ALICE.tenant, [before.id])
    assert (item.provenance.source, item.provenance.flags) == (Source.EXTRACTION, ())
    assert item.provenance.validated_at is None
    history = await world.history.of(ALICE.tenant, item.id)
    assert [record.event for record in history] == [EventKind.QUARANTINE, EventKind.UPDATE]
    again = await world.decide(model=Says(facts(JAZZ)), turns=[later], batch="b3")
    assert events(again) == [EventKind.NONE]


async def test_what_somebody_decided_meanwhile_stays():
    """Validated, it is theirs already; the fact is then kept beside it, as of any changed memory."""
    world = World()
    turn = replace(said("Hello there"), assistant_text="You seem to like jazz a lot.")
    guess = '{"facts": [{"text": "User likes jazz a lot", "quote": "like jazz a lot"}]}'
    await world.carry_out(await world.decide(model=Says(guess), turns=[turn]))
    decisions = await world.decide(model=Says(facts(JAZZ)), turns=[said(JAZZ)], batch="b2")
    [before] = await world.store.list(ALICE, limit=None, statuses=HELD)
    planted = replace(before, provenance=replace(before.provenance, flags=("instruction",)))
    [row] = await world.store.load(ALICE, limit=1, statuses=HELD)
    await world.store.put([replace(row, item=planted)])
    await world.carry_out(decisions, batch="b2")
    [still] = await world.store.list(ALICE, limit=None, statuses=HELD)
    assert still.provenance.flags == ("instruction",)
    assert await world.texts() == [JAZZ]

"""What was held back for want of evidence becomes the user's word when they say it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.learn.confirming import OF_EVIDENCE, confirmed, held_id, is_only_unproven
from recollect.memory.model.doubts import UNCONFIRMED
from recollect.memory.model.types import (
    Decision,
    EventKind,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Source,
)
from tests.support.scripted import facts

from .doubles import ALICE, BOB, NOON, Says
from .test_learner import World, events, said

JAZZ = "User likes jazz a lot"
HELD = frozenset({MemoryStatus.QUARANTINED})


def held(text=JAZZ, scope=ALICE, **origin):
    return MemoryItem(
        id=held_id(scope, text),
        text=text,
        type=MemoryType.SEMANTIC,
        scope=scope,
        created_at=NOON,
        updated_at=NOON,
        embedder_id="e",
        status=MemoryStatus.QUARANTINED,
        provenance=Provenance(**{"source": Source.ASSISTANT, "flags": (UNCONFIRMED,)} | origin),
    )


def new(text=JAZZ, **fields):
    return Decision(
        event=EventKind.ADD, memory_id="new", text=text, type=MemoryType.SEMANTIC, **fields
    )


def test_the_users_word_makes_it_theirs():
    """The row that was held back, in the same words, with the evidence of now."""
    item = held()
    made = confirmed(new(quote="I like jazz a lot"), {item.id: item}, ALICE)
    assert (made.event, made.memory_id, made.old_text) == (EventKind.UPDATE, item.id, JAZZ)
    assert made.quote == "I like jazz a lot"


@pytest.mark.parametrize(
    ("decision", "item"),
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


@pytest.mark.parametrize("kind", sorted(OF_EVIDENCE))
def test_doubts_of_evidence_are_lifted(kind):
    """Whichever it was."""
    assert is_only_unproven(held(flags=(kind,)))


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


async def test_a_repeated_batch_confirms_once():
    """After a crash the same decisions are carried out again: nothing is doubled or lost."""
    world = World()
    turn = replace(said("Hello there"), assistant_text="You seem to like jazz a lot.")
    guess = '{"facts": [{"text": "User likes jazz a lot", "quote": "like jazz a lot"}]}'
    await world.carry_out(await world.decide(model=Says(guess), turns=[turn]))
    decisions = await world.decide(model=Says(facts(JAZZ)), turns=[said(JAZZ)], batch="b2")
    every = frozenset(MemoryStatus)
    await world.carry_out(decisions, batch="b2")
    once = sorted(await world.store.list(ALICE, limit=None, statuses=every), key=lambda one: one.id)
    await world.carry_out(decisions, batch="b2")
    twice = await world.store.list(ALICE, limit=None, statuses=every)
    assert sorted(twice, key=lambda one: one.id) == once
    assert sorted(one.status for one in once) == [MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED]

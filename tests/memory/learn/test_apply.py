from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn.apply import Applier
from recollect.memory.learn.records import Batch
from recollect.memory.model.ports import MAX_NONE
from recollect.memory.model.types import (
    Decision,
    EventKind,
    MemoryStatus,
    MemoryType,
    Provenance,
    Source,
)
from tests.support.learning import forgetter_of
from tests.support.memories import InMemoryMemories
from tests.support.state import InMemoryHistory, InMemoryTombstones

from .doubles import ALICE, BOB, NOON

LATER = NOON + timedelta(hours=1)


def decision(event, name, text, *, old=None, kind=MemoryType.SEMANTIC):
    return Decision(event=event, memory_id=name, text=text, type=kind, old_text=old, quote=text)


ADD = decision(EventKind.ADD, "m1", "User likes tea")
UPDATE = decision(EventKind.UPDATE, "m1", "User likes milk", old="User likes tea")
DELETE = decision(EventKind.DELETE, "m1", "User likes tea", old="User likes tea")
NONE = decision(EventKind.NONE, "m1", "User likes tea")


@pytest.fixture
def embedder():
    return FakeEmbedder()


@pytest.fixture
def store(embedder):
    return InMemoryMemories(dim=embedder.dim)


@pytest.fixture
def history():
    return InMemoryHistory()


@pytest.fixture
def tombstones():
    return InMemoryTombstones()


def forgetter(store, history, tombstones, embedder):
    return forgetter_of(store, embedder, history, tombstones=tombstones)


@pytest.fixture
def run(embedder, tombstones):
    """Carries a batch out."""

    async def carry_out(decisions, store, history, *, now=LATER, guard=None, **changes):
        made = forgetter(store, history, tombstones, embedder)
        applier = Applier(store, made._writer, embedder, clock=lambda: now)
        if guard is None:
            guard = await made.guard(changes.get("scope", ALICE))
        options = {
            "id": "b1",
            "scope": ALICE,
            "at": NOON,
            "provenance": Provenance(turn_ids=("t1",)),
            "metadata": {"topic": "drinks"},
        }
        return (await applier.apply(decisions, Batch(**(options | changes)), guard)).events

    return carry_out


async def stored(store, scope=ALICE, *statuses):
    return await store.list(scope, limit=None, statuses=set(statuses) or {MemoryStatus.ACTIVE})


async def logged(history, memory_id="m1"):
    return [(r.event, r.old_value, r.new_value) for r in await history.of("local", memory_id)]


async def test_add_writes_memory_and_history(run, store, history):
    """An added memory carries where and when it was said; its history says when it was written."""
    [event] = await run([ADD], store, history)
    assert (event.event, event.id, event.new_memory) == (EventKind.ADD, "m1", "User likes tea")
    [item] = await stored(store)
    assert item.created_at == item.updated_at == item.valid_from == NOON
    assert dict(item.metadata) == {"topic": "drinks"}
    assert item.provenance == Provenance(
        source=Source.EXTRACTION,
        turn_ids=("t1",),
        quote="User likes tea",
        batch="b1",
        recorded_at=LATER,
    )
    [record] = await history.of("local", "m1")
    assert (record.timestamp, record.is_deleted) == (LATER, False)
    assert await logged(history) == [(EventKind.ADD, None, "User likes tea")]


async def test_update_keeps_the_memory_and_changes_what_it_says(run, store, history):
    """An update keeps id, creation and scope, merges metadata, and moves text, type and evidence."""
    await run([ADD], store, history)
    episodic = replace(UPDATE, type=MemoryType.EPISODIC)
    [event] = await run([episodic], store, history, id="b2", at=LATER, metadata={"tag": 1})
    assert (event.new_memory, event.old_memory) == ("User likes milk", "User likes tea")
    [item] = await stored(store)
    assert (item.id, item.text, item.type) == ("m1", "User likes milk", event.type)
    assert (item.created_at, item.updated_at) == (NOON, LATER)
    assert dict(item.metadata) == {"topic": "drinks", "tag": 1}
    assert item.provenance.quote == "User likes milk"
    assert await logged(history) == [
        (EventKind.ADD, None, "User likes tea"),
        (EventKind.UPDATE, "User likes tea", "User likes milk"),
    ]


async def test_the_past_stays_where_it_can_be_asked_for(run, store, history):
    """What an update replaced and what a deletion ended are still there, as superseded."""
    await run([ADD], store, history)
    await run([UPDATE], store, history, id="b2", at=LATER)
    await run(
        [replace(DELETE, text="User likes milk", old_text="User likes milk")],
        store,
        history,
        id="b3",
        at=LATER,
    )
    assert await stored(store) == []
    past = await stored(store, ALICE, MemoryStatus.SUPERSEDED)
    assert {(item.text, item.valid_from, item.valid_to) for item in past} == {
        ("User likes tea", NOON, LATER),
        ("User likes milk", LATER, LATER),
    }


async def test_nobody_changes_a_memory_of_another_scope(run, store, history):
    """A decision that names a foreign memory is left out, whatever made it."""
    await run([ADD], store, history)
    assert await run([UPDATE], store, history, id="b2", scope=BOB) == []
    assert [item.text for item in await stored(store)] == ["User likes tea"]
    assert await stored(store, BOB) == []
    assert len(await logged(history)) == 1


async def test_what_is_forgotten_is_not_written_again(run, store, history, tombstones):
    """A memory that was buried before the batch stays away, with its history."""
    await tombstones.add("local", ["m1"])
    other = decision(EventKind.ADD, "m2", "User has a cat")
    events = await run([ADD, other], store, history)
    assert [event.id for event in events] == ["m2"]
    assert [item.id for item in await stored(store)] == ["m2"]
    assert await logged(history) == []


@pytest.mark.parametrize("whole", [True, False])
async def test_what_is_forgotten_meanwhile_is_not_written(
    run, store, history, tombstones, embedder, whole
):
    """Nothing of a scope that was forgotten since the batch began, nor of a memory that was."""
    await run([ADD], store, history, id="b0")
    guard = await forgetter(store, history, tombstones, embedder).guard(ALICE)
    await (tombstones.close_scope(ALICE) if whole else tombstones.add("local", ["m1"]))
    assert await run([UPDATE], store, history, guard=guard) == []
    assert [item.text for item in await stored(store, ALICE, *MemoryStatus)] == ["User likes tea"]


async def test_none_is_a_row_of_history_and_changes_no_memory(run, store, history):
    """What is known already leaves the memory as it is, and says in its history who decided why."""
    await run([ADD], store, history)
    before = await stored(store, ALICE, *MemoryStatus)
    known = replace(NONE, stage="exact", reason="the same words", scores={"cosine": 1.0})
    [event] = await run([known], store, history, id="b2", at=LATER)
    assert (event.event, event.id, event.new_memory) == (EventKind.NONE, "m1", None)
    assert await stored(store, ALICE, *MemoryStatus) == before
    _, row = await history.of("local", "m1")
    assert (row.event, row.old_value, row.new_value) == (EventKind.NONE, NONE.text, NONE.text)
    assert (row.stage, row.reason, row.scores) == ("exact", "the same words", {"cosine": 1.0})
    assert (row.valid_at, row.is_deleted) == (LATER, False)


async def test_a_chatty_agent_does_not_grow_the_history(run, store, history):
    """However many jobs repeat a fact, its history keeps the newest of them."""
    await run([ADD], store, history)
    for number in range(MAX_NONE + 30):
        await run([replace(NONE, reason=str(number))], store, history, id=f"job{number}")
    first, *others = await history.of("local", "m1")
    assert first.event is EventKind.ADD
    assert [row.reason for row in others] == [str(n) for n in range(30, MAX_NONE + 30)]


async def test_an_update_of_what_was_deleted_meanwhile(run, store, history):
    """A memory deleted since the decision comes back as what was said last, in the batch's scope."""
    await run([UPDATE], store, history)
    [item] = await stored(store)
    assert (item.id, item.text, item.scope) == ("m1", "User likes milk", ALICE)

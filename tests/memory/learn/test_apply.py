from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from memory.errors import StateError, StoreError
from memory.learn.apply import apply, history_record
from memory.state.inmemory import InMemoryHistory
from memory.stores.inmemory import InMemoryStore
from memory.types import Decision, EventKind, MemoryType, Provenance

from .doubles import ALICE, BOB, NOON, Breaks

LATER = NOON + timedelta(hours=1)


def decision(event, name, text, *, old=None, kind=MemoryType.SEMANTIC):
    return Decision(event=event, memory_id=name, text=text, type=kind, old_text=old, quote=text)


ADD = decision(EventKind.ADD, "m1", "User likes tea")
UPDATE = decision(EventKind.UPDATE, "m1", "User likes milk", old="User likes tea")
NONE = decision(EventKind.NONE, "m1", "User likes tea")


@pytest.fixture
def store():
    return InMemoryStore(dim=2)


@pytest.fixture
def history():
    return InMemoryHistory()


async def run(decisions, store, history, **changes):
    vectors = np.tile(np.array([1, 0], np.float32), (len(decisions), 1))
    options = {
        "scope": ALICE,
        "batch": "b1",
        "at": NOON,
        "now": LATER,
        "embedder_id": "e",
        "provenance": Provenance(source="extraction", turn_ids=("t1",)),
        "metadata": {"topic": "drinks"},
    }
    return await apply(decisions, vectors, store=store, history=history, **(options | changes))


async def stored(store, scope=ALICE):
    return await store.list(scope, limit=None)


async def logged(history, memory_id="m1"):
    return [(r.event, r.old_value, r.new_value) for r in await history.of("local", memory_id)]


async def test_add_writes_memory_and_history(store, history):
    """An added memory carries where and when it was said; its history says when it was written."""
    [event] = await run([ADD], store, history)
    assert (event.event, event.id, event.new_memory) == (EventKind.ADD, "m1", "User likes tea")
    [item] = await stored(store)
    assert item.created_at == item.updated_at == item.valid_from == NOON
    assert (item.embedder_id, dict(item.metadata)) == ("e", {"topic": "drinks"})
    assert item.provenance == Provenance(
        source="extraction", turn_ids=("t1",), quote="User likes tea"
    )
    [record] = await history.of("local", "m1")
    assert (record.timestamp, record.is_deleted) == (LATER, False)
    assert await logged(history) == [(EventKind.ADD, None, "User likes tea")]


async def test_update_keeps_the_memory_and_changes_what_it_says(store, history):
    """An update keeps id, creation and scope, merges metadata, and moves text, type and evidence."""
    await run([ADD], store, history)
    episodic = replace(UPDATE, type=MemoryType.EPISODIC)
    [event] = await run([episodic], store, history, batch="b2", at=LATER, metadata={"tag": 1})
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


async def test_update_stays_in_the_scope_of_the_memory(store, history):
    """Whoever updates a memory does not move it, and its history row names its own scope."""
    await run([ADD], store, history)
    await run([UPDATE], store, history, batch="b2", scope=BOB)
    assert [item.text for item in await stored(store)] == ["User likes milk"]
    assert await stored(store, BOB) == []
    assert {r.scope for r in await history.of("local", "m1")} == {ALICE}


async def test_none_writes_nothing(store, history):
    """Knowing already is an event to report and nothing to write."""
    [event] = await run([NONE], store, history)
    assert (event.event, event.id, event.new_memory) == (EventKind.NONE, "m1", None)
    assert await stored(store) == []
    assert await logged(history) == []


async def test_twice_is_once(store, history):
    """Repeating a batch leaves memories and history as they were."""
    decisions = [ADD, decision(EventKind.ADD, "m2", "User has a cat")]
    first = await run(decisions, store, history)
    before = await stored(store), await logged(history), await logged(history, "m2")
    assert await run(decisions, store, history, now=LATER + timedelta(days=1)) == first
    assert (await stored(store), await logged(history), await logged(history, "m2")) == before


async def test_an_update_twice_is_once(store, history):
    """The same holds for updates: the repetition finds its own result."""
    await run([ADD], store, history)
    await run([UPDATE], store, history, batch="b2")
    before = await stored(store), await logged(history)
    await run([UPDATE], store, history, batch="b2")
    assert (await stored(store), await logged(history)) == before


@pytest.mark.parametrize(
    ("part", "method", "error", "after"),
    [
        ("history", "append", StateError("gone"), False),
        ("history", "append", StateError("gone"), True),
        ("store", "put", StoreError("gone"), False),
        ("store", "put", StoreError("gone"), True),
        ("store", "get", StoreError("gone"), False),
    ],
)
async def test_interrupted_anywhere_the_repetition_completes(
    store, history, part, method, error, after
):
    """Wherever writing stops, the same call again completes it, with nothing twice."""
    await run([ADD], store, history, batch="b0")
    decisions = [UPDATE, decision(EventKind.ADD, "m2", "User has a cat")]
    parts = {"store": store, "history": history}
    broken = parts | {part: Breaks(parts[part], method, error, after=after)}
    with pytest.raises(type(error)):
        await run(decisions, **broken)
    await run(decisions, **broken)
    assert {item.id: item.text for item in await stored(store)} == {
        "m1": "User likes milk",
        "m2": "User has a cat",
    }
    assert [event for event, *_ in await logged(history)] == [EventKind.ADD, EventKind.UPDATE]
    assert len(await logged(history, "m2")) == 1


async def test_history_comes_first(store, history):
    """A memory never exists without its history: the log is written before the store."""
    with pytest.raises(StoreError):
        await run([ADD], Breaks(store, "put", StoreError("gone")), history)
    assert await stored(store) == []
    assert len(await logged(history)) == 1


async def test_the_last_word_about_one_memory_wins(store, history):
    """A batch that adds and then corrects a memory stores it once, corrected, and logs both."""
    await run([ADD, UPDATE], store, history)
    assert [item.text for item in await stored(store)] == ["User likes milk"]
    assert [event for event, *_ in await logged(history)] == [EventKind.ADD, EventKind.UPDATE]


async def test_an_update_of_what_was_deleted_meanwhile(store, history):
    """A memory deleted since the decision comes back as what was said last, in the batch's scope."""
    await run([UPDATE], store, history)
    [item] = await stored(store)
    assert (item.id, item.text, item.scope) == ("m1", "User likes milk", ALICE)


async def test_callers_metadata_is_not_shared(store, history):
    """Changing the dictionary afterwards changes no memory."""
    metadata = {"topic": "drinks"}
    await run([ADD], store, history, metadata=metadata)
    metadata["topic"] = "other"
    assert dict((await stored(store))[0].metadata) == {"topic": "drinks"}


def test_history_ids():
    """A row's id follows from batch, memory, event and text, and from nothing else."""
    row = history_record(ADD, ALICE, batch="b", at=NOON)
    assert row.id == history_record(ADD, ALICE, batch="b", at=LATER).id
    others = [(UPDATE, "b"), (ADD, "c"), (replace(ADD, text="x"), "b"), (NONE, "b")]
    ids = {history_record(d, ALICE, batch=batch, at=NOON).id for d, batch in others}
    assert len(ids | {row.id}) == 5


def test_a_deletion_in_history():
    """A deletion keeps the old text and has no new one."""
    gone = decision(EventKind.DELETE, "m1", "User likes tea", old="User likes tea")
    row = history_record(gone, ALICE, batch="b", at=NOON)
    assert (row.old_value, row.new_value, row.is_deleted) == ("User likes tea", None, True)


async def test_a_vector_for_each_decision(store, history):
    """Fewer vectors than decisions is a bug that shows before anything is written."""
    with pytest.raises(ValueError, match="zip"):
        await apply(
            [ADD],
            np.zeros((0, 2), np.float32),
            scope=ALICE,
            batch="b",
            at=NOON,
            now=NOON,
            store=store,
            history=history,
            embedder_id="e",
            provenance=Provenance(),
            metadata={},
        )
    assert await logged(history) == []


async def test_the_vector_is_stored_with_its_memory(store, history):
    """Each memory is found by the vector that came with its decision."""
    await apply(
        [ADD, decision(EventKind.ADD, "m2", "User has a cat")],
        np.eye(2, dtype=np.float32),
        scope=ALICE,
        batch="b",
        at=NOON,
        now=NOON,
        store=store,
        history=history,
        embedder_id="e",
        provenance=Provenance(),
        metadata={},
    )
    [hit, _] = await store.search(ALICE, np.array([0, 1], np.float32), limit=2)
    assert (hit.item.id, round(hit.score, 3)) == ("m2", 1.0)

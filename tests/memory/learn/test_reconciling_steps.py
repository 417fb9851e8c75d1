"""The steps of reconciling: neighbours, one change of each memory, the question to a model."""

import json

import numpy as np
import pytest

from recollect.memory.learn.reconcile import Neighbour, Undecided
from recollect.memory.learn.reconciling import (
    MAX_SEEN,
    NEIGHBOURS,
    clarify,
    each_once,
    nearest,
)
from recollect.memory.model.errors import (
    ModelError,
    ModelUnavailableError,
    StoreError,
)
from recollect.memory.model.types import (
    Candidate,
    Decision,
    EventKind,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Scope,
    StoredMemory,
)
from recollect.memory.stores.inmemory import InMemoryStore

from .doubles import ALICE, BOB, NOON, Breaks, Says

NARROW = Scope(tenant="local", user_id="alice", agent_id="helper")
DIM = 8
NORTH = np.eye(DIM, dtype=np.float32)[0]


def at(degrees):
    vector = np.zeros(DIM, np.float32)
    vector[:2] = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return vector


def memory(name, degrees, scope=ALICE, status=MemoryStatus.ACTIVE):
    item = MemoryItem(
        id=name,
        text=name,
        type=MemoryType.SEMANTIC,
        scope=scope,
        created_at=NOON,
        updated_at=NOON,
        embedder_id="e",
        status=status,
    )
    return StoredMemory(item, at(degrees))


@pytest.fixture
def store():
    return InMemoryStore(dim=DIM)


async def found(store, scope=ALICE):
    return [hit.item.id for hit in await nearest(store, scope, NORTH)]


async def test_the_nearest_come_first(store):
    """At most a handful, best first."""
    await store.put([memory(f"m{n:02}", 4 * n) for n in range(NEIGHBOURS + 3)])
    assert await found(store) == [f"m{n:02}" for n in range(NEIGHBOURS)]


async def test_only_what_is_believed_now(store):
    """What is over, archived or in doubt is nothing to compare with."""
    await store.put([memory(s.value, n, status=s) for n, s in enumerate(MemoryStatus)])
    assert await found(store) == ["active"]


async def test_narrower_scopes_do_not_hide_the_own(store):
    """However many memories of narrower scopes are nearer, the scope's own are found."""
    await store.put([memory(f"theirs{n}", n / 100, NARROW) for n in range(300)])
    await store.put([memory("own", 45), memory("bobs", 0, BOB)])
    assert await found(store) == ["own"]
    assert len(await found(store, NARROW)) == NEIGHBOURS


async def test_the_search_has_an_end(store):
    """A scope that has nothing of its own is not searched for ever."""
    await store.put([memory(f"theirs{n}", n / 1000, NARROW) for n in range(MAX_SEEN + 1000)])
    searches = []
    search = store.search

    async def counted(*args, **kwargs):
        searches.append(kwargs["limit"])
        return await search(*args, **kwargs)

    store.search = counted
    assert await found(store) == []
    assert len(searches) < 10
    assert max(searches) < 4 * MAX_SEEN


async def test_a_store_that_fails(store):
    """That is the caller's to handle."""
    with pytest.raises(StoreError):
        await nearest(Breaks(store, "search", StoreError("gone")), ALICE, NORTH)


ADD, UPDATE, DELETE, NONE = (
    EventKind.ADD,
    EventKind.UPDATE,
    EventKind.DELETE,
    EventKind.NONE,
)


def decision(event, memory_id, text="t"):
    return Decision(event=event, memory_id=memory_id, text=text, type=MemoryType.SEMANTIC)


def once(*groups):
    instead = [decision(ADD, f"new{n}") for n in range(len(groups))]
    made = each_once([[decision(*each) for each in group] for group in groups], instead)
    return [[(one.event, one.memory_id) for one in group] for group in made]


def test_decisions_about_different_memories_stay():
    """Nothing is changed where nothing clashes."""
    groups = [(UPDATE, "a")], [(DELETE, "b"), (ADD, "new1")], [(NONE, "c")]
    assert once(*groups) == [list(group) for group in groups]


def test_a_second_change_of_a_memory_is_an_addition():
    """The fact of the second is kept beside what the first has made of the memory."""
    assert once([(UPDATE, "a")], [(UPDATE, "a")]) == [[(UPDATE, "a")], [(ADD, "new1")]]


def test_what_another_fact_confirms_is_not_changed():
    """Whichever comes first."""
    kept = [(ADD, "new0")]
    assert once([(UPDATE, "a")], [(NONE, "a")]) == [kept, [(NONE, "a")]]
    assert once([(NONE, "a")], [(DELETE, "a"), (ADD, "new1")]) == [[(NONE, "a")], [(ADD, "new1")]]


def test_what_says_a_part_beside_a_change_is_said_whole_without_it():
    """The ADD beside an UPDATE has the other part of the fact only."""
    groups = [(NONE, "a")], [(UPDATE, "a"), (ADD, "part")], [(UPDATE, "b"), (ADD, "rest")]
    assert once(*groups) == [[(NONE, "a")], [(ADD, "new1")], [(UPDATE, "b"), (ADD, "rest")]]


def test_ten_contradictions_of_one_message():
    """Each fact is there in the end: one as the memory, nine beside it."""
    made = once(*[[(UPDATE, "a")]] * 10)
    assert [group[0][0] for group in made] == [UPDATE, *[ADD] * 9]
    assert len({memory_id for group in made for _, memory_id in group}) == 10


def asked(number, *known):
    """A doubtful fact, deferred to an ADD, and the memories it may be about."""
    text = f"User's plan {number} is new"
    deferred = Decision(
        event=EventKind.ADD,
        memory_id=f"new-{number}",
        text=text,
        type=MemoryType.SEMANTIC,
        pending=known,
    )
    neighbours = [
        Neighbour(id=name, text=f"User's {name}", type=MemoryType.SEMANTIC, score=0.6)
        for name in known
    ]
    return Undecided(Candidate(text=text), neighbours, deferred, NOON)


def rows(*decisions):
    named = [{"fact": f, "event": e, "known": k} for f, e, k in decisions]
    return json.dumps({"decisions": named})


async def test_the_answers_go_to_their_facts():
    """Decisions come back under the numbers they were asked with, about the memory that was meant."""
    model = Says(rows((1, "UPDATE", 2), (2, "ADD", None), (3, "NONE", 3)))
    doubtful = {4: asked(4, "a", "b"), 7: asked(7), 9: asked(9, "c")}
    told = await clarify(model, doubtful)
    assert told.rejected == 0
    decided = {number: group[0] for number, group in told.groups.items()}
    assert {number: (d.event, d.memory_id) for number, d in decided.items()} == {
        4: (EventKind.UPDATE, "b"),
        7: (EventKind.ADD, "new-7"),
        9: (EventKind.NONE, "c"),
    }
    assert decided[4].text == "User's plan 4 is new"


async def test_ids_are_never_shown():
    """The model sees small numbers, and cannot name what it was not offered."""
    model = Says(rows((1, "DELETE", 7), (2, "UPDATE", 1)))
    told = await clarify(model, {0: asked(0, "known-a"), 1: asked(1, "known-b")})
    assert told.rejected == 2
    assert {one.event for group in told.groups.values() for one in group} == {EventKind.ADD}
    assert all(group[0].pending for group in told.groups.values())
    assert "new-0" not in model.heard()


async def test_many_are_asked_in_several_calls():
    """However many there are, each is asked about once, and each answer is for its own call."""
    model = Says(rows(*[(n, "UPDATE", n) for n in range(1, 9)]))
    doubtful = {n: asked(n, f"m{n}") for n in range(20)}
    told = await clarify(model, doubtful)
    assert told.rejected == 0
    assert [told.groups[n][0].memory_id for n in range(20)] == [f"m{n}" for n in range(20)]
    heard = model.heard()
    assert [heard.count(f"plan {n} is new") for n in range(20)] == [1] * 20


@pytest.mark.parametrize(
    "line", [ModelError("down"), "", "I would say update the first one", "<html></html>", "{}"]
)
async def test_without_an_answer_it_is_an_addition(line):
    """A model that fails or says nothing of use costs a needless memory, never a fact."""
    told = await clarify(Says(line), {3: asked(3, "a")})
    assert told.rejected == 1
    assert (told.failure is not None) == isinstance(line, ModelError)
    [decision] = told.groups[3]
    assert (decision.event, decision.memory_id) == (EventKind.ADD, "new-3")
    assert decision.pending == ("a",)


async def test_one_call_that_fails_costs_only_its_facts():
    """The others are decided as they were answered."""
    model = Says(ModelUnavailableError("down"), rows(*[(n, "NONE", n) for n in range(1, 9)]))
    told = await clarify(model, {n: asked(n, f"m{n}") for n in range(10)})
    assert told.rejected == 8
    assert [told.groups[n][0].event for n in (0, 7, 8, 9)] == [EventKind.ADD] * 2 + [
        EventKind.NONE
    ] * 2


async def test_nothing_doubtful_asks_nothing():
    """No model is asked about nothing."""
    model = Says("")
    assert not (await clarify(model, {})).groups
    assert model.requests == []


async def test_instructions_of_ones_own_replace_ours():
    """The form of the answer stays."""
    model = Says('{"decisions": []}')
    await clarify(model, {0: asked(0, "a")}, prompt="Never delete.")
    told = model.requests[0].messages[0].content
    assert told.startswith("Never delete.\n")
    assert '{"decisions":' in told
    assert "long-term memory" not in told

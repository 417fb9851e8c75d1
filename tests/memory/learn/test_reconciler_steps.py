"""The steps of reconciling: neighbours, one change of each memory, the question to a model."""

import json
from dataclasses import replace

import numpy as np
import pytest

from recollect.memory.learn.reconcile import Neighbour, Undecided
from recollect.memory.learn.reconciler import NEIGHBOURS, clarify, each_once, nearest
from recollect.memory.model.errors import ModelUnavailableError, WithheldError
from recollect.memory.model.types import (
    Candidate,
    Decision,
    EventKind,
    MemoryStatus,
    MemoryType,
    Scope,
    StoredMemory,
)
from tests.support.folding import rows
from tests.support.memories import InMemoryMemories

from .doubles import ALICE, BOB, NOON, Says, a_decision, a_memory

NARROW = Scope(tenant="local", user_id="alice", agent_id="helper")
DIM = 8
NORTH = np.eye(DIM, dtype=np.float32)[0]


def at(degrees):
    vector = np.zeros(DIM, np.float32)
    vector[:2] = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return vector


def memory(name, degrees, scope=ALICE, status=MemoryStatus.ACTIVE):
    item = a_memory(name, name, scope, NOON, status=status)
    return StoredMemory(item, at(degrees))


@pytest.fixture
def store():
    return InMemoryMemories(dim=DIM)


async def found(store, scope=ALICE):
    [hits] = await nearest(store, scope, [NORTH])
    return [hit.item.id for hit in hits]


async def test_narrower_scopes_do_not_hide_the_own(store):
    """However many memories of narrower scopes are nearer, the scope's own are found."""
    await store.put([memory(f"theirs{n}", n / 100, NARROW) for n in range(300)])
    await store.put([memory("own", 45), memory("bobs", 0, BOB)])
    assert await found(store) == ["own"]
    assert len(await found(store, NARROW)) == NEIGHBOURS


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


def test_what_another_fact_confirms_is_not_changed():
    """Whichever comes first."""
    kept = [(ADD, "new0")]
    assert once([(UPDATE, "a")], [(NONE, "a")]) == [kept, [(NONE, "a")]]
    assert once([(NONE, "a")], [(DELETE, "a"), (ADD, "new1")]) == [[(NONE, "a")], [(ADD, "new1")]]


def test_ten_contradictions_of_one_message():
    """Each fact is there in the end: one as the memory, nine beside it."""
    made = once(*[[(UPDATE, "a")]] * 10)
    assert [group[0][0] for group in made] == [UPDATE, *[ADD] * 9]
    assert len({memory_id for group in made for _, memory_id in group}) == 10


def asked(number, *known):
    """A doubtful fact, deferred to an ADD, and the memories it may be about."""
    text = f"User's plan {number} is new"
    deferred = a_decision(EventKind.ADD, f"new-{number}", text, pending=known)
    neighbours = [
        Neighbour(id=name, text=f"User's {name}", type=MemoryType.SEMANTIC, score=0.6)
        for name in known
    ]
    return Undecided(Candidate(text=text), neighbours, deferred, NOON)


def verdicts(*decisions):
    named = [{"fact": f, "event": e, "known": k} for f, e, k in decisions]
    return json.dumps({"decisions": named})


async def test_one_call_that_fails_costs_only_its_facts():
    """The others are decided as they were answered."""
    model = Says(ModelUnavailableError("down"), verdicts(*[(n, "NONE", n) for n in range(1, 9)]))
    told = await clarify(model, {n: asked(n, f"m{n}") for n in range(10)})
    assert {n: group[0].event for n, group in told.groups.items()} == dict.fromkeys(
        (8, 9), EventKind.NONE
    )


def about(number):
    """A doubtful fact beside a stored memory."""
    item = a_memory(f"m{number}", f"User's plan {number}", ALICE, NOON)
    one = asked(number, item.id)
    return replace(one, neighbours=[replace(each, item=item) for each in one.neighbours])


async def test_facts_beside_withheld_memories_are_left_out():
    """The model is asked again about the others, whose answers are of their own facts."""
    model = Says(
        WithheldError({"m1"}), WithheldError({"m2"}), verdicts((1, "ADD", None), (2, "NONE", 2))
    )
    told = await clarify(model, {n: about(n) for n in range(4)})
    held = [[item.id for item in request.holds] for request in model.requests]
    assert held == [["m0", "m1", "m2", "m3"], ["m0", "m2", "m3"], ["m0", "m3"]]
    first, second = told.groups[0][0], told.groups[3][0]
    assert (first.event, first.memory_id) == (EventKind.ADD, "new-0")
    assert (second.event, second.memory_id) == (EventKind.NONE, "m3")
    assert set(told.groups) == {0, 3}
    assert told.failure.ids == {"m2"}


@rows("ids", [{"m0", "m1"}, (), {"another"}])
async def test_nothing_is_asked_again_if_no_fact_is_left_or_none_is_withheld(ids):
    """An error that names nothing of the question does not lead to the same question again."""
    model = Says(WithheldError(ids))
    told = await clarify(model, {n: about(n) for n in range(2)})
    assert (len(model.requests), told.groups, told.failure.code) == (1, {}, "withheld")


async def test_instructions_of_ones_own_replace_ours():
    """The form of the answer stays."""
    model = Says('{"decisions": []}')
    await clarify(model, {0: asked(0, "a")}, prompt="Never delete.")
    told = model.requests[0].messages[0].content
    assert told.startswith("Never delete.\n")
    assert '{"decisions":' in told
    assert "long-term memory" not in told

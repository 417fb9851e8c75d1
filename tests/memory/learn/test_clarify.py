import json

import pytest

from recollect.memory.learn.clarify import clarify
from recollect.memory.learn.reconcile import Neighbour, Undecided
from recollect.memory.model.errors import ModelError, ModelUnavailableError
from recollect.memory.model.types import Candidate, Decision, EventKind, MemoryType
from tests.memory.learn.doubles import NOON, Says


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

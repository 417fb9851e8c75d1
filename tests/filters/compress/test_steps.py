"""What is kept of old turns in this process."""

from datetime import date

import pytest

from recollect.filters.compress import steps
from recollect.filters.compress.parts import OldTurn
from recollect.filters.compress.steps import KeptSteps
from recollect.memory.model.types import Scope

ALICE, BOB = Scope(tenant="t", user_id="alice"), Scope(tenant="t", user_id="bob")
DAY = date(2026, 3, 1)


def turns(*texts):
    return [[OldTurn(text, text, "Yes.", DAY)] for text in texts]


@pytest.fixture
def read_texts(monkeypatch):
    """The texts that were read, in order."""
    found = []
    real = steps.step_of

    def step_of(turns, count):
        found.extend(turn.said for turn in turns)
        return real(turns, count)

    monkeypatch.setattr(steps, "step_of", step_of)
    return found


async def test_each_step_is_read_once(read_texts):
    """A conversation that grows costs its new step; another scope shares nothing."""
    kept = KeptSteps(len, budget=100)
    for count in (1, 2, 2):
        read = await kept.read(ALICE, turns("figs", "nuts")[:count], [range(count)])
        assert len(read.steps) == count
        assert next(one.text for one in read.extracts[0]) == "figs"
    assert read_texts == ["figs", "nuts"]
    await kept.read(BOB, turns("figs"), [range(1)])
    assert read_texts == ["figs", "nuts", "figs"]


async def test_long_turns_are_read_in_a_thread(read_texts):
    """With the same result, which is kept."""
    kept = KeptSteps(len, budget=400)
    long = "The garden is green. " * 300
    first = await kept.read(ALICE, turns(long), [range(1)])
    again = await kept.read(ALICE, turns(long), [range(1)])
    assert first == again
    assert first.extracts[0]
    assert len(read_texts) == 1


async def test_what_is_forgotten_is_kept_nowhere(read_texts):
    """Of a user, of a tenant, or of all; others keep theirs."""
    kept = KeptSteps(len, budget=100)
    for scope in (ALICE, BOB):
        await kept.read(scope, turns("figs"), [range(1)])
    kept.forget(ALICE, "some memory")
    await kept.read(BOB, turns("figs"), [range(1)])
    assert len(read_texts) == 2
    await kept.read(ALICE, turns("figs"), [range(1)])
    assert len(read_texts) == 3
    kept.clear()
    await kept.read(BOB, turns("figs"), [range(1)])
    assert len(read_texts) == 4

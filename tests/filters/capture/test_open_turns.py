"""Turns whose tools are still at work."""

from recollect.filters.capture.open_turns import NOTHING, OpenTurn, OpenTurns
from recollect.filters.turn_cache import TurnKey
from recollect.memory.model.types import Scope, ToolCall, ToolStep

ALICE = TurnKey(Scope(tenant="local", user_id="alice"), "t")
BOB = TurnKey(Scope(tenant="local", user_id="bob"), "t")
TURN = OpenTurn((ToolStep("f", "1", "2"),), (ToolCall("g", "3", "4"),), {7: "seven"})


def test_a_turn_is_known_until_it_is_over():
    """Its steps, its calls and its texts; an answer without calls ends it."""
    turns = OpenTurns()
    assert turns.find(ALICE) == NOTHING
    turns.note(ALICE, TURN)
    assert turns.find(ALICE) == TURN
    assert turns.find(BOB) == NOTHING
    turns.note(ALICE, OpenTurn(TURN.steps))
    assert turns.find(ALICE) == NOTHING


def test_what_is_over_at_once_takes_no_room():
    """Most turns have no tools: they do not push out those that have."""
    turns = OpenTurns(most=1)
    turns.note(ALICE, TURN)
    turns.note(BOB, OpenTurn(TURN.steps))
    assert turns.find(ALICE) == TURN


def test_forgetting():
    """A scope or a tenant, and nobody else."""
    turns = OpenTurns()
    for key in (ALICE, BOB):
        turns.note(key, TURN)
    turns.forget(ALICE.scope)
    assert (turns.find(ALICE), turns.find(BOB)) == (NOTHING, TURN)
    turns.forget("local")
    assert turns.find(BOB) == NOTHING


def test_bounds():
    """By number and by characters; what is too large alone is not kept."""
    turns = OpenTurns(most=2, max_chars=100)
    turns.note(ALICE, OpenTurn((), TURN.calls, {1: "x" * 101}))
    assert turns.find(ALICE) == NOTHING
    turns.note(ALICE, OpenTurn((), TURN.calls, {1: "x" * 60}))
    turns.note(BOB, OpenTurn((), TURN.calls, {1: "x" * 60}))
    assert turns.find(ALICE) == NOTHING
    assert turns.find(BOB) != NOTHING

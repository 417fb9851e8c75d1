"""Turns that this process remembers, bounded: those whose tools run, and those not written yet."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from recollect.filters import Answer, Capture
from recollect.filters.capture.open_turns import (
    NOTHING,
    OpenTurn,
    OpenTurns,
    WaitingTurn,
    WaitingTurns,
)
from recollect.filters.turn_cache import TurnKey
from recollect.memory.learn import LearnOptions
from recollect.memory.model.errors import StateError, StateGoneError
from recollect.memory.model.types import Before, Scope, ToolCall, ToolStep, Turn
from recollect.memory.state.sqlite import open_sqlite_state
from tests.filters.remembered import asking, said
from tests.support.parts import engine_of

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


def turn(name, scope=ALICE.scope, **kept):
    return Turn(
        id=name,
        conversation_id="c",
        scope=scope,
        user_text="hello",
        assistant_text="hi",
        model="m",
        created_at=datetime(2026, 3, 2, tzinfo=UTC),
        **kept,
    )


def waits(name, scope=ALICE.scope, **kept):
    return WaitingTurn(turn(name, scope, **kept), continues=False)


def test_the_oldest_come_first_and_none_of_them_is_pushed_out():
    """Bounded in number and in text."""
    waiting = WaitingTurns(most=2, max_chars=100)
    assert [waiting.keep(waits(name)) for name in "abc"] == [True, True, False]
    assert [each.turn.id for each in waiting] == ["a", "b"]
    waiting = WaitingTurns(max_chars=20)
    steps = (ToolStep("n", "a", "r" * 20),)
    assert waiting.keep(waits("a"))
    assert not waiting.keep(waits("b", steps=steps))
    assert not waiting.keep(waits("b", images=("x" * 20,)))
    assert not waiting.keep(waits("b", before=Before(said=("x" * 20,))))
    assert waiting.keep(waits("b"))


def test_a_later_state_of_a_turn_takes_the_place_of_the_earlier():
    """An end of the earlier one does not remove it."""
    waiting = WaitingTurns(most=1)
    first, second = waits("a"), waits("a")
    assert waiting.keep(first)
    assert waiting.keep(second)
    waiting.done(first)
    assert list(waiting) == [second]
    waiting.done(second)
    assert len(waiting) == 0
    assert waiting.keep(waits("b", images=("x" * 1000,)))


@pytest.fixture
async def world(tmp_path):
    """A capture over a real file, and its folder."""
    folder = tmp_path / "data"
    state = await open_sqlite_state(folder / "state.db", "normal")
    yield folder, state, Capture(state.conversations, state.jobs, LearnOptions(every_turns=2))
    await state.close()


async def say(capture, name, calls=(), conversation="c1"):
    exchange = asking(said(f"I live in {name}"), turn=name)
    exchange.conversation_id = conversation
    return await capture.response(exchange, Answer("I see", tool_calls=calls))


async def test_turns_wait_while_the_folder_is_away(world, tmp_path):
    """They are written in their order when it is back, and what is due is learned."""
    folder, state, capture = world
    await say(capture, "Oslo")
    folder.rename(tmp_path / "elsewhere")
    assert [await say(capture, name) for name in ("Bergen", "Tromso")] == [False, False]
    assert (capture.counted["waiting"], capture.counted["lost"]) == (2, 0)
    with pytest.raises(StateGoneError):
        await capture.ping()
    await capture.settle()
    assert capture.counted["waiting"] == 2
    (tmp_path / "elsewhere").rename(folder)
    await capture.settle()
    assert (capture.counted["waiting"], capture.counted["lost"]) == (0, 0)
    await capture.ping()
    found = await state.conversations.unlearned("c1", 9)
    assert [each.id for each in found] == ["Oslo", "Bergen", "Tromso"]
    assert await state.jobs.depth() == 1


async def test_many_that_wait_hold_nobody_up(world, tmp_path):
    """Others run between them, and a turn waits only for those of its own conversation."""
    folder, state, capture = world
    state.look()
    folder.rename(tmp_path / "elsewhere")
    state.look()
    for number in range(50):
        await say(capture, f"place {number}", conversation=f"other {number}")
    await say(capture, "Oslo")
    (tmp_path / "elsewhere").rename(folder)
    await say(capture, "Bergen")
    assert capture.counted["waiting"] == 50
    found = await state.conversations.unlearned("c1", 9)
    assert [each.id for each in found] == ["Oslo", "Bergen"]
    settling = asyncio.ensure_future(capture.settle())
    others = 0
    while not settling.done():
        await asyncio.sleep(0)
        others += 1
    assert others >= 50
    assert (capture.counted["waiting"], capture.counted["lost"]) == (0, 0)


async def test_deletions_drop_none_that_waits(world, tmp_path):
    """They are nowhere else; only who is forgotten altogether is forgotten here too."""
    folder, state, capture = world
    folder.rename(tmp_path / "elsewhere")
    state.look()
    await say(capture, "Oslo")
    capture.forget(ALICE.scope)
    capture.forget("local")
    capture.clear()
    assert capture.counted["waiting"] == 1
    forgetter = engine_of().forgetter
    forgetter.bus.emptied.append(capture.emptied)
    await forgetter.forget_ids("local", ["m"])
    assert capture.counted["waiting"] == 1
    await forgetter.forget_scope(ALICE.scope)
    assert capture.counted["waiting"] == 0


async def test_what_finds_no_room_is_lost_and_counted(world, tmp_path, caplog):
    """And so is what waits at the end: the log says how much."""
    folder, _, capture = world
    capture._waiting = WaitingTurns(most=2)
    folder.rename(tmp_path / "elsewhere")
    for name in ("Oslo", "Bergen"):
        await say(capture, name)
    with pytest.raises(StateGoneError):
        await say(capture, "Tromso")
    assert (capture.counted["waiting"], capture.counted["lost"]) == (2, 1)
    await capture.close()
    assert "2 turns are lost" in caplog.text


async def test_a_turn_that_is_refused_for_itself_does_not_hold_up_the_others(
    world, tmp_path, monkeypatch
):
    """It is counted as lost."""
    folder, state, capture = world
    folder.rename(tmp_path / "elsewhere")
    state.look()
    for name in ("Oslo", "Bergen"):
        await say(capture, name)
    (tmp_path / "elsewhere").rename(folder)
    record = type(state.conversations).record

    async def refused(conversations, turn):
        if turn.id == "Oslo":
            raise StateError("no")
        return await record(conversations, replace(turn))

    monkeypatch.setattr(type(state.conversations), "record", refused)
    await capture.settle()
    assert (capture.counted["waiting"], capture.counted["lost"]) == (0, 1)
    assert [each.id for each in await state.conversations.unlearned("c1", 9)] == ["Bergen"]

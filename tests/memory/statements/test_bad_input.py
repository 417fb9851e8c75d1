"""Whatever people say, and whenever: nothing is half-kept, and nothing forgotten is shown."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.database import conversations
from recollect.memory.engine.engine import Engine
from recollect.memory.model.types import utc_now
from recollect.memory.recall import RecallOptions
from tests.memory.learn.doubles import a_turn
from tests.support.budget import examples

from .test_indexer import ALICE, TOLD, engine, heard, options, recalled

__all__ = ["engine"]

BUDGET = 500
BROKEN = "\ufffe"
"""Read as half of a character: SQLite cannot keep one, Redis can."""
CODE = "def f(x):\n    return [f(y) for y in x]\n" * 40


def _with_surrogates(turn):
    return replace(turn, user_text=turn.user_text.replace(BROKEN, "\ud83d"))


async def say(engine, text, number=0, *, scope=ALICE, conversation="c", later=timedelta()):
    """Record a turn as the proxy does."""
    turn = a_turn(
        f"{conversation}/{number}",
        f"{scope.user_id}/{conversation}",
        scope,
        text,
        "I see",
        utc_now() + later,
    )
    await engine.parts.state.conversations.record(turn)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "👍" * 500,
        CODE,
        "I like tea. " * examples(9_000),
        f"é\u0301\u200d{BROKEN}" * 50,
        "(" * 9000,
    ],
    ids=["empty", "blank", "emoji", "code", "a megabyte", "broken", "brackets"],
)
async def test_any_turn_leaves_the_others_as_they_are(text, monkeypatch):
    """What is said before and after it is recalled, and what is kept stays within its bound."""
    kept = conversations.TURN.read
    monkeypatch.setattr(conversations.TURN, "read", lambda row: _with_surrogates(kept(row)))
    async with Engine.open(options()) as engine, engine.running():
        engine.said.max_tokens = BUDGET
        await say(engine, TOLD, 1)
        await say(engine, text, 2)
        await say(engine, "I moved my bicycle into the cellar.", 3)
        await heard(engine)
        assert TOLD in await recalled(engine)
        statements = await engine.said.get(ALICE)
        tokens = [engine.parts.tokens.count(one.item.text) for one in statements.passages]
        assert sum(tokens) <= BUDGET
        assert any("bicycle" in one.item.text for one in statements.passages)


async def test_the_same_message_again_and_again(engine):
    """It is shown once, and takes no place from another."""
    other = "My allotment key has a red ring."
    await say(engine, other)
    for number in range(1, 51):
        await say(engine, TOLD, number)
    await heard(engine)
    found = await recalled(engine)
    assert found.count(TOLD) == 1
    assert other in found


async def test_of_ten_contradicting_things_the_last_is_recalled(engine):
    """Who changes their mind ten times in a minute means it; before it as many as have places."""
    for number in range(10):
        city = ("Oslo", "Rome", "Lima", "Bern", "Riga", "Kyiv", "Doha", "Lyon", "Porto", "Graz")
        await say(engine, f"I live in {city[number]} now.", number, later=timedelta(seconds=number))
    await heard(engine)
    found = await recalled(engine, asked="Where do I live now?")
    assert set(found) == {f"I live in {name} now." for name in city[-RecallOptions().limit :]}


async def test_a_clock_that_jumps(engine):
    """A turn of the future hides nothing, and one of long ago is not shown."""
    await say(engine, "I keep my ladder at Ann's.", 1, later=timedelta(days=4000))
    await say(engine, TOLD, 2)
    await say(engine, "I keep my drill at Bob's.", 3, later=timedelta(days=-4000))
    await heard(engine)
    engine.said.clear()
    found = await recalled(engine)
    assert TOLD in found
    assert not any("drill" in text for text in found)


async def test_a_forget_in_the_middle_of_it(engine):
    """What was said before it is gone, what was said after it is there."""
    await asyncio.gather(*(say(engine, f"I hid token {n} at home.", n) for n in range(20)))
    saying = asyncio.gather(
        *(say(engine, f"I hid coin {n} at home.", n, conversation="d") for n in range(20))
    )
    await engine.forgetter.forget_scope(ALICE)
    await saying
    await say(engine, TOLD, 1, conversation="later")
    await heard(engine)
    texts = [one.item.text for one in (await engine.said.get(ALICE)).passages]
    assert not any("token" in text for text in texts)
    assert TOLD in await recalled(engine)

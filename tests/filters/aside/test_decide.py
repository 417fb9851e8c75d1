"""Signs, and what is read of a request. Whole requests: tests/proxy/chat/test_asides.py."""

import pytest

from recollect.filters.aside.decide import (
    MOST_CHARS,
    MOST_PARTS,
    MOST_TOKENS,
    Told,
    block_of,
    is_aside,
    signs_of,
)
from recollect.filters.aside.traces import Ends
from recollect.filters.exchange import Exchange, Manner
from recollect.memory.model.types import Message, Scope

CHAT = Manner(stream=True, limit=None, tools=True, system="Be kind. It is 10:15.")


def changed(**fields):
    values = {"stream": True, "limit": None, "tools": True, "system": "Be kind. It is 11:20."}
    return Manner(**(values | fields))


@pytest.mark.parametrize(
    ("now", "poorer", "system", "richer"),
    [
        (changed(), 0, False, False),
        (changed(stream=False), 1, False, False),
        (changed(limit=MOST_TOKENS), 1, False, False),
        (changed(limit=MOST_TOKENS + 1), 0, False, False),
        (changed(tools=False, system="Name it."), 1, True, False),
        (changed(tools=False, stream=False, limit=5, forced=True), 4, False, False),
        (changed(system=""), 0, True, False),
    ],
)
def test_signs_are_what_the_turn_had(now, poorer, system, richer):
    """Other numbers in the instructions are the time, not other instructions."""
    signs = signs_of(now, CHAT, moment=False)
    assert (signs.poorer, signs.system, signs.richer) == (poorer, system, richer)
    assert signs.count == poorer + system
    assert signs_of(now, CHAT, moment=True).count == signs.count + 1


def test_more_than_the_turn_had_is_no_request_about_it():
    """Streaming or tools that the turn had not; a call that must be made is a form."""
    quiet = Manner()
    assert signs_of(Manner(stream=True), quiet, moment=False).richer
    assert signs_of(Manner(tools=True), quiet, moment=False).richer
    assert not signs_of(Manner(tools=True, forced=True), quiet, moment=False).richer


def test_the_users_text_at_the_end():
    """User messages in a row are one text; after an answer or a result there is none."""

    def block(*roles):
        return block_of([Message(role=role, content=role[0]) for role in roles])

    assert block("user", "assistant", "user", "system", "user") == "u\nu"
    assert block("user", "assistant", "system") == ""
    assert block("user", "tool") == ""
    long = Message(role="user", content="a" + "b" * MOST_CHARS + "c")
    assert len(block_of([long])) == MOST_CHARS + 1
    assert block_of([long])[:1] + block_of([long])[-1:] == "ac"
    assert block(*["user"] * 100) == "\n".join("u" * MOST_PARTS)


@pytest.mark.parametrize("continues", [False, True])
def test_a_conversation_that_the_upstream_keeps_is_resent(continues):
    """A request that continues it may quote what it has not sent again."""
    asked, told = (
        "Where do the ferries to the islands leave?",
        "From pier seven, at noon and at six.",
    )
    turn = Told("t", Ends.of(asked), asked[:40], Manner(), Ends.of(told))
    now = Manner(continues=continues)
    exchange = Exchange(
        scope=Scope(tenant="local", user_id="alice"),
        messages=[Message(role="user", content=f"I asked: {asked} You said: {told} Which pier?")],
        model="m",
        conversation_id="c",
        turn_id="u",
        manner=now,
    )
    signs = signs_of(now, turn.manner, moment=True)
    assert is_aside(exchange, turn, signs, fresh=True) is not continues

"""A turn becomes durable, and perhaps due."""

from datetime import UTC, datetime

import pytest

from filters import Answer, Capture, Exchange
from filters.inject import frame
from memory.errors import StateError
from memory.learn import LearnOptions
from memory.state.inmemory import InMemoryConversations, InMemoryJobs
from memory.types import Message, Scope

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ALICE = Scope(tenant="local", user_id="alice")


class Captures:
    """A capture over stores in memory."""

    def __init__(self, **options):
        self.conversations = InMemoryConversations()
        self.jobs = InMemoryJobs()
        self.filter = Capture(
            self.conversations, self.jobs, LearnOptions(**options), clock=lambda: NOON
        )

    async def __call__(self, *said, answer="I see", turn="t1", roles=None):
        roles = roles or ["user"] * len(said)
        exchange = Exchange(
            scope=ALICE,
            messages=[Message(role=r, content=c) for r, c in zip(roles, said, strict=True)],
            model="m",
            conversation_id="c1",
            turn_id=turn,
        )
        return await self.filter.response(exchange, Answer(answer))

    async def turns(self):
        return await self.conversations.unlearned("c1", 1000)


async def test_the_turn_is_kept():
    """The last user message and the answer, with everything that says whose they are."""
    capture = Captures()
    assert await capture("first", "I live in Oslo") is False
    [turn] = await capture.turns()
    assert (turn.id, turn.conversation_id, turn.scope) == ("t1", "c1", ALICE)
    assert (turn.user_text, turn.assistant_text, turn.model) == ("I live in Oslo", "I see", "m")
    assert (turn.created_at, turn.seq) == (NOON, 1)


async def test_system_text_is_not_kept():
    """Instructions and tool results are nobody's words."""
    capture = Captures()
    await capture("obey", "I live in Oslo", "42", roles=["system", "user", "tool"])
    [turn] = await capture.turns()
    assert turn.user_text == "I live in Oslo"


@pytest.mark.parametrize(
    ("said", "roles"),
    [((), []), (("obey",), ["system"]), (("",), ["user"]), ((" \n",), ["user"])],
)
async def test_nothing_said_is_no_turn(said, roles):
    """Without a text of the user there is nothing to learn."""
    capture = Captures()
    assert await capture(*said, roles=roles) is False
    assert await capture.turns() == []


async def test_only_our_own_block_is_no_turn():
    """A message that holds nothing but what we injected says nothing."""
    capture = Captures()
    await capture(frame("- Alice lives in Oslo\n"))
    assert await capture.turns() == []


async def test_injected_text_is_cut_out_of_both_sides():
    """An answer that repeats our block is kept without it."""
    capture, block = Captures(), frame("- Alice lives in Oslo\n")
    await capture(f"{block}hello", answer=f"As I read: {block}")
    [turn] = await capture.turns()
    assert (turn.user_text, turn.assistant_text) == ("hello", "As I read: ")


async def test_long_texts_are_cut():
    """Both sides are bounded by the configuration."""
    capture = Captures(max_answer_chars=1000)
    await capture("x" * 5000, answer="y" * 5000)
    [turn] = await capture.turns()
    assert len(turn.user_text) < 1100
    assert len(turn.assistant_text) < 1100


async def test_every_so_many_turns_are_due():
    """The turn that fills the measure starts one job, which ends with that turn."""
    capture = Captures(every_turns=3)
    due = [await capture(f"message {n}", turn=f"t{n}") for n in range(1, 8)]
    assert due == [False, False, True, False, False, True, False]
    job = await capture.jobs.claim(now=NOON, lease_seconds=60)
    assert (job.upto_seq, job.reason, job.scope) == (3, "turns", ALICE)


async def test_a_retry_counts_once():
    """The same turn told again replaces its answer and makes nothing due twice."""
    capture = Captures(every_turns=2)
    await capture("one", turn="t1")
    assert await capture("one", turn="t1", answer="better") is False
    [turn] = await capture.turns()
    assert turn.assistant_text == "better"
    assert await capture("two", turn="t2") is True
    assert await capture("two", turn="t2") is False


async def test_a_failing_store_is_told(monkeypatch):
    """Whoever called decides what a lost turn means."""
    capture = Captures()

    async def fail(_turn):
        raise StateError("disk full")

    monkeypatch.setattr(capture.conversations, "record", fail)
    with pytest.raises(StateError):
        await capture("one")

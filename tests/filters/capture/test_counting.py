"""Each distinct turn is counted once and learned once, whatever clients and replicas do."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.filters import Answer, Capture, Exchange
from recollect.filters.capture import conversation_id_of, turn_id_of
from recollect.memory.learn import LearnOptions, job_for
from recollect.memory.model.types import Message, Scope, ToolCall
from tests.support.budget import examples
from tests.support.constants import made

from .stores import in_a_file, on_redis

ALICE = Scope(tenant="local", user_id="alice")
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
LATER = NOON + timedelta(days=1)
CALL = ToolCall("look", "{}", "1")
LEARN = "learn"
KINDS = ["say", "say", "say", "retry", "regenerate", "edit", "cut", "tools", "adopt", LEARN]


def messages_of(said, heard=0):
    """What a client sends whose user said this so far; earlier answers may have been others."""
    messages = [Message(role="system", content="Be kind.")]
    for text in said[:-1]:
        messages.append(Message(role="user", content=text))
        messages.append(Message(role="assistant", content=f"I see {heard}."))
    return [*messages, Message(role="user", content=said[-1])]


class Clients:
    """Two clients of one conversation; each knows what was said in its own window."""

    def __init__(self):
        self.said = ([], [])
        self.chains = set()
        self.heard = 0

    def do(self, client, kind, number):
        """The requests this leads to, as (messages, answer)."""
        said = self.said[client]
        if kind == "adopt":
            said[:] = self.said[1 - client]
            return []
        if kind == "say" or not said:
            said.append(f"message {number % 3}")
        elif kind == "edit":
            at = number % len(said)
            said[at:] = [f"edited {number % 2}"]
        self.chains.add(tuple(said))
        self.heard += kind == "regenerate"
        messages = messages_of(said, self.heard)
        if kind == "cut":
            return [(messages, Answer("I s", complete=False)), (messages, Answer("I see."))]
        if kind == "tools":
            more = [
                Message(role="assistant", content="", calls=(CALL,)),
                Message(role="tool", content="42", call_id="1"),
            ]
            asking = Answer("", tool_calls=(CALL,))
            return [
                (messages, asking),
                ([*messages, *more], asking),
                ([*messages, *more], Answer("42")),
            ]
        return [(messages, Answer(f"I see {number}."))]


async def capture(replica, messages, answer):
    conversation = conversation_id_of(ALICE, "s", messages)
    exchange = Exchange(
        scope=ALICE,
        messages=messages,
        model="m",
        conversation_id=conversation,
        turn_id=turn_id_of(conversation, messages),
    )
    return await replica.response(exchange, answer)


async def learn(conversations, jobs, learned):
    """What a worker does, without a model: note what each job finds unlearned."""
    while (job := await jobs.claim(now=LATER, lease_seconds=60)) is not None:
        turns = await conversations.unlearned(job.conversation_id, job.upto_seq)
        learned += turns
        await conversations.mark_learned(job.conversation_id, job.upto_seq)
        await jobs.ack(job)


async def replay(opened, steps, options):
    """Run the steps, several requests at a time on two replicas; what was learned in the end."""
    clients, learned = Clients(), []
    async with opened as (conversations, jobs):
        replicas = [Capture(conversations, jobs, options, clock=lambda: NOON) for _ in range(2)]
        waiting = []
        for client, kind, number, together in steps:
            if kind == LEARN:
                await learn(conversations, jobs, learned)
            else:
                waiting += clients.do(client, kind, number)
            if not together:
                await asyncio.gather(
                    *(capture(replicas[n % 2], *request) for n, request in enumerate(waiting))
                )
                waiting = []
        await asyncio.gather(*(capture(replicas[0], *request) for request in waiting))
        await learn(conversations, jobs, learned)
        for turn in await conversations.pending(idle_since=LATER, scope=None):
            await jobs.put(job_for(turn, turn.seq, reason="idle"))
        await learn(conversations, jobs, learned)
        assert await conversations.pending(idle_since=LATER, scope=None) == []
    return clients.chains, learned


STEPS = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from(KINDS), st.integers(0, 9), st.booleans()),
    max_size=14,
)
OPTIONS = st.sampled_from(
    [LearnOptions(every_turns=2), LearnOptions(every_turns=3), made(LearnOptions, every_tokens=100)]
)


@pytest.mark.parametrize("store", [in_a_file, on_redis])
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS, options=OPTIONS)
@pytest.mark.process
def test_every_turn_once(store, redis_server, steps, options):
    """Retries, regenerated and cut answers, edits, tools, two clients and two replicas at once.

    A turn is a chain of user messages: each that was ever sent is learned once, and nothing else.
    """
    chains, learned = asyncio.run(replay(store(redis_server), steps, options))
    assert sorted(turn.user_text for turn in learned) == sorted(chain[-1] for chain in chains)
    assert len({turn.id for turn in learned}) == len(chains)
    assert sorted(turn.seq for turn in learned) == list(range(1, len(chains) + 1))

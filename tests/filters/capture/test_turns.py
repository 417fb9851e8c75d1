"""Turns and what came before them, recognised in what clients resend; each is learned once."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from recollect.filters import Answer, Capture, Exchange
from recollect.filters.capture import conversation_id_of, turn_id_of
from recollect.filters.capture.question_before import NOTHING, preceding_question
from recollect.memory.learn import LearnOptions, job_for
from recollect.memory.model.turn_ids import turn_ids_of
from recollect.memory.model.types import Message, PrecedingQuestion, Scope, ToolCall
from recollect.memory.statements.replies import LONGEST_LOOKED_AT, MOST_TURNS
from tests.filters.capture.stores import in_a_file, on_postgres
from tests.filters.remembered import asking, said
from tests.support.budget import examples
from tests.support.constants import made
from tests.support.folding import rows

TEXTS = st.text(max_size=12)
TALKS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5)
ALICE = Scope(tenant="local", user_id="alice")
BOB = Scope(tenant="local", user_id="bob")


def messages(talk, *, system=None, open_end=True):
    """A request's messages: pairs of what was said and answered, the last answer still missing."""
    said = [] if system is None else [Message(role="system", content=system)]
    for user, assistant in talk:
        said.append(Message(role="user", content=user))
        said.append(Message(role="assistant", content=assistant))
    return said[:-1] if open_end else said


def ids(talk, scope=ALICE, session=None, **options):
    said = messages(talk, **options)
    conversation = conversation_id_of(scope, session, said)
    return conversation, turn_id_of(conversation, said)


@given(TALKS, TEXTS)
def test_a_regenerated_answer_is_the_same_turn(talk, other):
    """Answers do not count: not the one that is regenerated, and not the earlier ones."""
    assert ids(talk) == ids([(user, other) for user, _ in talk])


@given(TALKS, TEXTS)
def test_instructions_do_not_count(talk, system):
    """A system message with, say, the time of day does not make a new conversation."""
    assert ids(talk) == ids(talk, system=system)


@given(TALKS)
def test_a_tool_round_trip_is_the_same_turn(talk):
    """Calls and results between a message and its final answer belong to its turn."""
    said = messages(talk)
    conversation = conversation_id_of(ALICE, None, said)
    more = [*said, Message(role="assistant", content=""), Message(role="tool", content="42")]
    assert turn_id_of(conversation, more) == turn_id_of(conversation, said)


@given(TALKS, st.data())
def test_an_edited_message_is_another_turn(talk, data):
    """Changing any message of the user up to it makes another turn."""
    at = data.draw(st.integers(0, len(talk) - 1))
    changed = data.draw(TEXTS.filter(lambda text: text != talk[at][0]))
    edited = [*talk[:at], (changed, talk[at][1]), *talk[at + 1 :]]
    assert ids(talk, session="s")[1] != ids(edited, session="s")[1]


@given(TALKS, TEXTS)
def test_the_next_turn_is_another(talk, more):
    """A conversation goes on with the same id and a new turn, even if it repeats itself."""
    conversation, turn = ids(talk)
    again, following = ids([*talk, (more, "")])
    assert conversation == again
    assert turn != following


@given(TALKS)
def test_all_turns_of_a_request(talk):
    """Each user message has the id that its turn had when it was the last, in any request."""
    said = messages(talk, system="Be kind.")
    assert turn_ids_of("c", said) == [
        turn_id_of("c", said[: at + 1]) for at, message in enumerate(said) if message.role == "user"
    ]
    assert turn_ids_of("c", []) == []


def test_turn_ids_stay_what_they_were():
    """They are in stored turns: a new release must know them again."""
    said = [Message(role="user", content="one"), Message(role="user", content="two")]
    assert turn_id_of("c", said) == "314c553bde0715967b9a5dce6897173e"
    assert turn_id_of("c", said, after="t") == "138aafff671e5f981f60adf1fb5e5517"


def test_every_part_of_the_scope_counts():
    """Tenant, agent and run keep conversations apart as well."""
    scopes = [
        ALICE,
        Scope(tenant="other", user_id="alice"),
        Scope(tenant="local", user_id="alice", agent_id="a"),
        Scope(tenant="local", user_id="alice", run_id="a"),
        Scope(tenant="local", agent_id="alice"),
    ]
    assert len({conversation_id_of(scope, "s", []) for scope in scopes}) == len(scopes)


@given(st.text(min_size=1), TALKS)
def test_a_session_is_not_a_beginning(session, talk):
    """A session named like a first message is not that conversation."""
    assert ids(talk)[0] != ids(talk, session=session)[0]


@given(TEXTS, TEXTS)
def test_two_messages_are_not_one(first, second):
    """Where one text ends and the next begins matters."""
    assume(first + second)
    two = [Message(role="user", content=first), Message(role="user", content=second)]
    one = [Message(role="user", content=first + second)]
    assert turn_id_of("c", two) != turn_id_of("c", one)


def test_lone_surrogates_and_no_messages_have_ids():
    """Whatever is valid JSON gets an id."""
    odd = [Message(role="user", content="\ud800")]
    assert turn_id_of(conversation_id_of(ALICE, "\udcff", odd), odd)
    assert turn_id_of(conversation_id_of(ALICE, None, []), [])


def test_who_said_it_is_part_of_a_turn():
    """The same words of somebody else are another turn; without names a turn is what it was."""
    plain = Message(role="user", content="hi")
    tom, eva = (replace(plain, name=name) for name in ("Tom", "Eva"))
    talks = [[plain], [tom], [eva], [tom, tom], [tom, eva], [eva, tom], [plain, plain]]
    assert len({turn_id_of("c", talk) for talk in talks}) == len(talks)
    assert turn_id_of("c", [replace(plain, name=None)]) == turn_id_of("c", [plain])


def exchange(*parts, **notes):
    return asking(said(*parts), **notes)


ASKED = (("user", "hi"), ("assistant", "Hello! What's your name?"), ("user", "Kim"))


def test_the_request_tells_what_came_before():
    """Also if none of it was recorded: the question, and the turns that it may speak of."""
    one = exchange(*ASKED)
    found = preceding_question(one)
    assert found.asked == "What's your name?"
    assert found.turn_ids == turn_ids_of("c", one.messages)[:1]


def test_of_a_thread_the_recorded_turns_are_named():
    """The upstream keeps its messages."""
    earlier = [Message(role="user", content="hi"), Message(role="assistant", content="Age?")]
    found = preceding_question(exchange(("user", "36"), earlier=earlier, earlier_turns=["t0"]))
    assert (found.turn_ids, found.asked) == (["t0"], "Age?")


@rows(
    "parts",
    [
        [("user", "hi")],
        [*ASKED[:2], ("user", "x" * (LONGEST_LOOKED_AT + 1))],
        [*ASKED[:2], ("user", "And what is yours?")],
        [("user", "hi"), ("assistant", "Hello!"), ("user", "Kim")],
        [*ASKED[:2], ("user", "Well"), ("user", "Kim")],
        [("user", "Please forget that I smoke."), *ASKED[1:]],
    ],
)
def test_only_what_may_need_it(parts):
    """Neither a first message, a long one or a question, nor what no question stands before.

    What is said to what was to be forgotten repeats that.
    """
    assert preceding_question(exchange(*parts)) is NOTHING


def test_the_last_turns_are_named():
    """The question may repeat what was said in them; if one is erased, it goes."""
    talk = [one for n in range(9) for one in (("user", f"no, {n}"), ("assistant", "Why?"))]
    one = exchange(*talk, ("user", "so"))
    assert preceding_question(one).turn_ids == turn_ids_of("c", one.messages)[-1 - MOST_TURNS : -1]


def test_options_are_part_of_the_question():
    """In one line: it is redacted as one text."""
    asked = "Which flat?\n1. the bright one\n2. the quiet one"
    found = preceding_question(exchange(("user", "hi"), ("assistant", asked), ("user", "2")))
    assert found.asked == " ".join(asked.split())


def test_the_redacted_question_is_kept():
    """Nothing is kept of nothing."""
    found = preceding_question(exchange(*ASKED))
    assert found.kept("Q?") == PrecedingQuestion(tuple(found.turn_ids), "Q?")
    assert found.kept("\n ") is None


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


@pytest.mark.parametrize("store", [in_a_file, on_postgres])
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS, options=OPTIONS)
@pytest.mark.process
def test_every_turn_once(store, postgres, steps, options):
    """Retries, regenerated and cut answers, edits, tools, two clients and two replicas at once.

    A turn is a chain of user messages: each that was ever sent is learned once, and nothing else.
    """
    chains, learned = asyncio.run(replay(store(postgres), steps, options))
    assert sorted(turn.user_text for turn in learned) == sorted(chain[-1] for chain in chains)
    assert len({turn.id for turn in learned}) == len(chains)
    assert sorted(turn.seq for turn in learned) == list(range(1, len(chains) + 1))


def test_the_assistant_may_have_begun():
    """Then nothing was said before."""
    found = preceding_question(exchange(("assistant", "Any allergies?"), ("user", "cats")))
    assert (found.turn_ids, found.asked) == ([], "Any allergies?")

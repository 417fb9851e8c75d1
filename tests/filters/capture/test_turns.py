"""Conversations and turns, recognised in what clients resend."""

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from recollect.filters.capture import conversation_id_of, turn_id_of
from recollect.filters.capture.turns import turn_ids_of
from recollect.memory.model.types import Message, Scope

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


@given(TALKS, st.none() | st.text(min_size=1, max_size=8))
def test_users_never_share(talk, session):
    """Two users who say the same in a session of the same name have nothing in common."""
    assert not set(ids(talk, ALICE, session)) & set(ids(talk, BOB, session))


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

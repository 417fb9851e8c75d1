"""Where a request stands that goes on from an earlier answer."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.capture import conversation_id_of
from recollect.memory.model.types import Message, Scope, Turn, utc_now
from recollect.proxy.chat.threads import (
    Thread,
    Threads,
    asked,
    thread_for,
    thread_of,
)
from tests.support.folding import rows

ALICE = Scope(tenant="local", user_id="alice")
OTHERS = [
    Scope(tenant="local", user_id="bob"),
    Scope(tenant="acme", user_id="alice"),
    Scope(tenant="local", user_id="alice", agent_id="a"),
    Scope(tenant="local", user_id="alice", run_id="r"),
]
RESULT = Message(role="tool", content="42")
TEXTS = st.text(max_size=8)


def says(text):
    return Message(role="user", content=text)


def noted(messages, thread, shown=()):
    """What the route keeps of an answer."""
    said = asked(messages, thread.asked)
    return Thread(thread.conversation_id, thread.turn_id, said, thread.shown | set(shown))


def talk(texts, session=None):
    """The threads of a conversation in which each request names the answer before it."""
    threads, previous, parent = [], None, None
    for number, text in enumerate(texts):
        thread = thread_for(ALICE, session, [says(text)], previous, parent)
        threads.append(thread)
        previous, parent = f"r{number}", noted([says(text)], thread)
    return threads


@given(st.lists(TEXTS, min_size=1, max_size=5), st.none() | st.just("s"))
def test_a_conversation_goes_on(texts, session):
    """Requests that name the last answer share a conversation; each turn in it is another."""
    threads = talk(texts, session)
    assert len({thread.conversation_id for thread in threads}) == 1
    assert len({thread.turn_id for thread in threads}) == len(texts)
    assert threads[0].conversation_id == conversation_id_of(ALICE, session, [says(texts[0])])


def test_a_regenerated_answer_does_not_make_what_follows_new():
    """Which of two answers to one message is named plays no part in the turn after it."""
    [first] = talk(["hi"])
    parent = noted([says("hi")], first)
    following = [
        thread_for(ALICE, None, [says("yes")], name, parent) for name in ("r0", "r0 again")
    ]
    assert following[0] == following[1]


def test_results_of_tools_go_on_with_the_turn():
    """Where only tools speak it is the turn that asked for them, however many times."""
    [first] = talk(["weather?"])
    once = thread_for(ALICE, None, [RESULT], "r0", noted([says("weather?")], first))
    again = thread_for(ALICE, None, [RESULT, RESULT], "r1", noted([RESULT], once))
    for thread in (once, again):
        assert (thread.conversation_id, thread.turn_id) == (first.conversation_id, first.turn_id)
        assert thread.asked == "weather?"


@given(TEXTS, TEXTS)
def test_an_unknown_answer_begins_a_conversation(previous, text):
    """After a restart the same request is still the same turn, in a conversation of its own."""
    thread = thread_for(ALICE, None, [says(text)], previous, None)
    assert thread == thread_for(ALICE, None, [says(text)], previous, None)
    assert thread.asked == ""
    other = thread_for(ALICE, None, [says(text)], previous + "x", None)
    assert thread.conversation_id != other.conversation_id
    assert (
        thread.conversation_id != thread_for(ALICE, None, [says(text)], None, None).conversation_id
    )


def recorded(*texts, **changed):
    """Turns that go on from each other, as they are recorded; `changed` texts were not as sent."""
    turns, parent = [], None
    for number, text in enumerate(texts):
        thread = thread_for(ALICE, None, [says(text)], parent and f"r{number}", parent)
        kept = changed.get(text, text)
        turns.append(
            Turn(
                id=thread.turn_id, conversation_id=thread.conversation_id, scope=ALICE, model="m",
                user_text=kept, assistant_text="", created_at=utc_now(),
            )
        )  # fmt: skip
        parent = thread
    return turns, parent


def test_a_chain_is_told_from_its_recorded_turns():
    """As another process knows it; turns of a chain that begins alike are none of it."""
    turns, parent = recorded("hi", "one", "two")
    others, _ = recorded("hi", "uno", "dos")
    mixed = [turns[0], others[1], turns[1], others[2], turns[2]]
    assert thread_of(turns).turns == thread_of(mixed).turns == parent.turns
    assert [turn.id for turn in turns] == list(parent.turns)


def test_a_chain_ends_where_a_text_is_not_as_it_was_sent():
    """Of what cannot be told to be in the chain, nothing is said."""
    turns, parent = recorded("hi", "secret", "two", secret="[redacted]")
    assert thread_of(turns).turns == parent.turns[1:]


def test_nobody_finds_another_scopes_thread():
    """An answer's id opens nothing for anybody else."""
    threads, thread = Threads(), Thread("c", "t")
    threads.note(ALICE, "r0", thread)
    assert threads.find(ALICE, "r0") is thread
    assert not any(threads.find(scope, "r0") for scope in OTHERS)
    assert threads.find(ALICE, "r1") is None


def test_users_never_share_a_place():
    """Two users who name the same unknown answer have nothing in common."""
    for scope in OTHERS:
        mine = thread_for(ALICE, None, [says("hi")], "r0", None)
        theirs = thread_for(scope, None, [says("hi")], "r0", None)
        assert mine.conversation_id != theirs.conversation_id
        assert mine.turn_id != theirs.turn_id


def test_the_least_recently_noted_is_forgotten():
    """No more threads are kept than the bound; noting one again keeps it."""
    threads = Threads(most=2)
    for name in ("a", "b", "a", "c"):
        threads.note(ALICE, name, Thread(name, "t"))
    assert [threads.find(ALICE, name) is not None for name in "abc"] == [True, False, True]


@rows("owner_ref, left", [(ALICE, False), (ALICE.tenant, False), ("another", True)])
def test_a_scopes_or_a_tenants_threads_can_be_forgotten(owner_ref, left):
    """Nothing that was said is left, and nobody else's is gone."""
    threads = Threads()
    threads.note(ALICE, "a", Thread("c", "t", "secret"))
    threads.forget(owner_ref)
    assert (threads.find(ALICE, "a") is not None) is left


TOM = Scope(tenant="local", user_id="alice/Tom")


def test_who_spoke_is_found_by_the_answer():
    """The results of tools come without a name: the turn stays with whoever asked."""
    threads = Threads()
    threads.note(TOM, "r1", Thread("c", "t"))
    assert threads.speaker(ALICE, "r1") == TOM
    assert threads.speaker(TOM, "r1") == TOM
    assert threads.speaker(ALICE, "r2") == ALICE
    for other in OTHERS:
        assert threads.speaker(other, "r1") == other
    threads.note(ALICE, "r1", Thread("c", "t"))
    assert threads.speaker(ALICE, "r1") == ALICE


def test_nobody_else_is_found_by_an_answer():
    """Only who speaks through this client, of the same tenant and agent."""
    threads = Threads()
    for other in (*OTHERS, Scope(tenant="local", user_id="alice2/Tom")):
        threads.note(other, "r1", Thread("c", "t"))
        assert threads.speaker(ALICE, "r1") == ALICE


def test_a_forgotten_speaker_is_not_found():
    """Nor is the name kept."""
    for forget in (lambda it: it.forget(TOM), lambda it: it.clear(), lambda it: it.forget("local")):
        threads = Threads()
        threads.note(TOM, "r1", Thread("c", "t"))
        forget(threads)
        assert threads.speaker(ALICE, "r1") == ALICE
        assert len(threads._owners) == 0

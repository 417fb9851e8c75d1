"""What came before a short message is captured with it."""

from recollect.filters import Exchange
from recollect.filters.capture.before import (
    LONGEST,
    MOST_SAID,
    NOTHING,
    before_of,
    last_question,
)
from recollect.filters.capture.turns import turn_ids_of
from recollect.memory.model.types import Before, Message, Scope

ALICE = Scope(tenant="local", user_id="alice")


def exchange(*said, **notes):
    messages = [Message(role=role, content=text) for role, text in said]
    return Exchange(
        scope=ALICE, messages=messages, model="m", conversation_id="c1", turn_id="t", **notes
    )  # fmt: skip


ASKED = (("user", "hi"), ("assistant", "Hello! What's your name?"), ("user", "Kim"))


def test_the_request_tells_what_came_before():
    """Also if none of it was recorded: the user's messages with their turns, and the question."""
    one = exchange(*ASKED)
    found = before_of(one)
    assert (found.said, found.asked) == (["hi"], "What's your name?")
    assert found.turn_ids == turn_ids_of("c1", one.messages)[:1]


def test_the_assistant_may_have_begun():
    """Then nothing was said before."""
    found = before_of(exchange(("assistant", "Any allergies?"), ("user", "cats")))
    assert (found.said, found.turn_ids, found.asked) == ([], [], "Any allergies?")


def test_of_a_thread_the_recorded_turns_are_named():
    """The upstream keeps its messages."""
    earlier = [Message(role="user", content="hi"), Message(role="assistant", content="Age?")]
    found = before_of(exchange(("user", "36"), earlier=earlier, earlier_turns=["t0"]))
    assert (found.said, found.turn_ids, found.asked) == (["hi"], ["t0"], "Age?")


def test_only_what_may_need_it():
    """A first message and a long one stand for themselves."""
    assert before_of(exchange(("user", "hi"))) is NOTHING
    assert before_of(exchange(*ASKED[:2], ("user", "x" * (LONGEST + 1)))) is NOTHING


def test_the_last_messages_are_kept():
    """A correction may be corrected."""
    said = [("user", f"no, {n}") for n in range(9)]
    found = before_of(exchange(*said))
    assert found.said == [f"no, {n}" for n in range(8)][-MOST_SAID:]
    assert len(found.turn_ids) == MOST_SAID


def test_the_last_question_of_an_answer():
    """Of one without any, its last sentence."""
    assert last_question("Nice. Where do you live? Tell me.") == "Where do you live?"
    assert last_question("Nice. I see.") == "I see."
    assert last_question("") == ""


def test_the_redacted_texts_are_kept():
    """In the order of `text`; nothing is kept of nothing, or if a line is gone."""
    found = before_of(exchange(*ASKED))
    assert found.text == "What's your name?\nhi"
    assert found.kept("Q?\n[gone]") == Before(("[gone]",), tuple(found.turn_ids), "Q?")
    assert found.kept("\n ") is None
    assert found.kept("[gone]") is None


def test_a_long_message_before_it_is_left_out():
    """Half of a secret would not be recognised."""
    found = before_of(exchange(("user", "key " * 999), ("user", "no, 12")))
    assert found.said == [""]

from recollect.memory.learn.conversation import starts_of, turns_of
from recollect.memory.model.types import Message, ToolCall, ToolStep

from .doubles import ALICE, NOON, user


def said(text, **more):
    return Message(role="assistant", content=text, **more)


def turns(*messages):
    return turns_of(messages, ALICE, at=NOON, batch="b")


def test_a_turn_is_what_the_user_said_and_what_answered_it():
    """User messages in a row are one turn; an answer ends it."""
    first, second = turns(user("a"), user("b"), said("c"), user("d"))
    assert (first.user_text, first.assistant_text) == ("a\nb", "c")
    assert (second.user_text, second.assistant_text) == ("d", "")
    assert (first.id, second.id, second.seq) == ("b/1", "b/2", 2)
    assert first.scope == ALICE
    assert first.created_at == NOON


def test_tools_that_were_run_are_steps():
    """A result is paired with its call by id, in the order of the results."""
    calls = (ToolCall("look", '{"q": 1}', "1"), ToolCall("book", "{}", "2"))
    [turn] = turns(
        user("a trip"),
        said("", calls=calls),
        Message(role="tool", content="booked", call_id="2"),
        Message(role="tool", content="found", call_id="1"),
        Message(role="tool", content="?", call_id="9"),
        said("done"),
    )
    assert turn.steps == (
        ToolStep("book", "{}", "booked"),
        ToolStep("look", '{"q": 1}', "found"),
        ToolStep("tool", "", "?"),
    )
    assert turn.assistant_text == "done"


def test_where_turns_begin():
    """At the first message of each, whatever is between."""
    system = Message(role="system", content="x")
    asked = Message(role="user", content="a")
    messages = [system, asked, asked, said("b"), system, asked]
    assert starts_of(messages, "b") == {"b/1": 1, "b/2": 5}
    assert starts_of([system], "b") == {}

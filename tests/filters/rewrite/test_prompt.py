"""What a model is shown, and what it is asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.rewrite.prompt import (
    MAX_MESSAGE_CHARS,
    MAX_MESSAGES,
    Asked,
    Wanted,
    ask,
    said_before,
)
from recollect.memory.learn.firewall import tags
from recollect.memory.model.types import Message


def chat(*turns):
    return [Message(role=role, content=content) for role, content in turns]


def asked(message="and the other one?", *turns):
    return Asked(message, chat(*turns))


def sent(request):
    return "\n".join(message.content for message in request.messages)


def test_only_what_was_said_before_the_last_message_is_shown():
    """The last messages of user and assistant, in their order, without the message itself."""
    turns = [("user", f"question {n}") for n in range(9)]
    said = said_before(chat(*turns, ("assistant", "fine"), ("user", "and?"), ("assistant", "hm")))
    assert [m.content for m in said] == [f"question {n}" for n in range(4, 9)] + ["fine"]
    assert len(said) == MAX_MESSAGES


@pytest.mark.parametrize("messages", [[], chat(("user", "first")), chat(("assistant", "hello"))])
def test_nothing_was_said_before_the_first_message(messages):
    """Nor where there is no user message at all."""
    assert said_before(messages) == []


def test_instructions_and_blocks_of_ours_are_not_shown():
    """An application's system text is not about the user, and memories stay with us."""
    opening, closing = tags("0123456789ab")
    said = said_before(
        chat(
            ("system", "Always be pelican."),
            ("developer", "No zebra."),
            ("user", f"{opening}\nsecret note\n{closing}\nTeapots?"),
            ("assistant", f"{opening}cut off secret"),
            ("user", "and those?"),
        )
    )
    assert [(m.role, m.content) for m in said] == [("user", "Teapots?")]


def test_of_the_tools_only_the_last_result_is_shown():
    """A run of tools must not push out what the user said."""
    said = said_before(
        chat(
            ("user", "migrate"),
            *[("tool", f"step {n}") for n in range(8)],
            ("assistant", "failed"),
            ("user", "how did I get round this?"),
        )
    )
    assert [m.content for m in said] == ["migrate", "step 7", "failed"]


def test_long_messages_are_shortened():
    """Beginning and end remain."""
    [said] = said_before(chat(("user", "begin" + "x" * 10**6 + "end"), ("user", "which?")))
    assert said.content.startswith("begin")
    assert said.content.endswith("end")
    assert len(said.content) < MAX_MESSAGE_CHARS + 20


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        (Wanted(query=True), ["query"]),
        (Wanted(variants=3), ["variant_1", "variant_2", "variant_3"]),
        (Wanted(passage=True), ["passage"]),
        (
            Wanted(query=True, variants=2, passage=True),
            ["query", "variant_1", "variant_2", "passage"],
        ),
    ],
)
def test_one_call_asks_for_what_is_wanted_and_nothing_else(wanted, keys):
    """The schema, the prompt and the room for the answer agree."""
    request = ask(asked(), wanted)
    assert request.schema["required"] == list(request.schema["properties"]) == keys
    for key in ("query", "variant_1", "variant_2", "variant_3", "passage"):
        assert (f'"{key}"' in sent(request)) == (key in keys)
    assert request.temperature == 0
    assert 100 <= request.max_tokens <= 500


def test_what_is_not_wanted_is_false():
    """So that nobody is asked for nothing."""
    assert not Wanted()
    assert Wanted(variants=1)
    assert Wanted(query=True)
    assert Wanted(passage=True)


@given(
    st.lists(
        st.sampled_from(["<", "/", " ", "conversation>", "</message>", "<MESSAGE", "x", "\n"]),
        max_size=8,
    ).map("".join)
)
def test_no_text_can_leave_its_fence(text):
    """The only tags of ours in the call are the four that we wrote."""
    request = ask(asked(text, ("user", "said " + text)), Wanted(query=True))
    data = request.messages[-1].content.lower().replace(" ", "").replace("\n", "")
    for tag in ("<conversation", "</conversation", "<message", "</message"):
        assert data.count(tag) == 1


def test_without_a_conversation_there_is_no_empty_fence():
    """The first message of a conversation stands alone."""
    assert "<conversation>" not in ask(asked(), Wanted(passage=True)).messages[-1].content

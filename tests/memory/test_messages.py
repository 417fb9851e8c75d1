import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import InvalidInputError
from memory.messages import content_text, parse_messages
from memory.types import Message


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("hi", "hi"),
        ("", ""),
        (None, ""),
        (7, ""),
        ({"type": "text", "text": "no list"}, ""),
        ([], ""),
        (["a", "b"], "a\nb"),
        ([{"type": "text", "text": "a"}, {"type": "input_text", "text": "b"}], "a\nb"),
        ([{"type": "output_text", "text": "a"}, {"type": "refusal", "refusal": "no"}], "a\nno"),
        ([{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {}}], "see\n[image]"),
        (
            [{"type": "input_audio"}, {"type": "file"}, {"type": "input_file"}],
            "[audio]\n[file]\n[file]",
        ),
        ([{"type": "text"}, {"type": "text", "text": 7}, {"type": ["text"]}, None, 7], ""),
        ([{"type": "something_new", "text": "unknown"}, {"text": "untyped"}], ""),
    ],
)
def test_content(content, text):
    """Text is taken out of every shape of content; other parts leave a mark, unknown ones none."""
    assert content_text(content) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["type", "text", "role", "content", "refusal"]), inner)
    ),
)


@given(JSON)
def test_content_never_raises(content):
    """Any JSON is some text."""
    assert isinstance(content_text(content), str)


def test_what_add_accepts():
    """A string is a user's message; one message and a list of them are taken as they are."""
    hi = Message(role="user", content="hi")
    assert parse_messages("hi") == [hi]
    assert parse_messages({"role": "user", "content": "hi"}) == [hi]
    assert parse_messages([{"role": "user", "content": "hi"}, hi]) == [hi, hi]
    assert parse_messages(({"role": "tool", "content": None},)) == [
        Message(role="tool", content="")
    ]
    assert parse_messages([]) == []


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (None, "messages"),
        (7, "messages"),
        (True, "messages"),
        ([7], "messages[0]"),
        (["hi"], "messages[0]"),
        ([{"role": "user", "content": "a"}, {"content": "b"}], "messages[1].role"),
        ([{"role": "", "content": "a"}], "messages[0].role"),
        ([{"role": 7, "content": "a"}], "messages[0].role"),
        ([{"role": "user", "content": 7}], "messages[0].content"),
        ([{"role": "user", "content": {"text": "a"}}], "messages[0].content"),
        (b"hi", "messages[0]"),
    ],
)
def test_what_it_refuses(value, field):
    """Anything else is an error that names the message and the part of it."""
    with pytest.raises(InvalidInputError) as caught:
        parse_messages(value)
    assert caught.value.field == field


@given(JSON)
def test_parsing_refuses_or_understands(value):
    """Any JSON is either messages or an InvalidInputError."""
    try:
        messages = parse_messages(value)
    except InvalidInputError:
        return
    assert all(isinstance(m, Message) and m.role for m in messages)

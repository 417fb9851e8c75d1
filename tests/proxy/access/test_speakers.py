"""Who speaks, where several people share a client."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.messages import read_message
from recollect.memory.model.types import Message
from recollect.proxy.access.speakers import (
    MAX_LABEL_CHARS,
    speaker_of,
    speaks_through,
    user_of,
    with_names,
)
from tests.support.folding import rows


def says(text, **more):
    return read_message({"role": "user", "content": text, **more})


ANSWER = Message(role="assistant", content="Noted.")


@rows(
    "text, name, after",
    [
        ("[Tom]: Hi", "Tom", "Hi"),
        ("[Tom]:Hi", "Tom", "Hi"),
        ("[ Tom B. (he/him) ]: Hi", "Tom B. (he/him)", "Hi"),
        ("[From: Tom] Hi", "Tom", "Hi"),
        ("[From: Tom]\nHi", "Tom", "Hi"),
        ("[From:Tom]: Hi", "Tom", "Hi"),
        ("{{Tom}}: Hi", "Tom", "Hi"),
        ("[\u6771\u4eac]: Hi", "\u6771\u4eac", "Hi"),
        ("[Tom]: https://example.org/a what is that?", "Tom", None),
        ("[Tom]: see [docs]: they are good", "Tom", None),
        (f"[{'T' * MAX_LABEL_CHARS}]: Hi", "T" * MAX_LABEL_CHARS, "Hi"),
    ],
)
def test_a_label_names_the_speaker(text, name, after):
    """In one of three forms, at the very beginning; the words after it are theirs."""
    assert speaker_of([says(text)]) == name
    [message] = with_names([says(text)])
    assert message.name == name
    if after is not None:
        assert message.content == after


@rows(
    "text",
    [
        "Tom: Hi",
        " [Tom]: Hi",
        "Hi [Tom]: Hi",
        "[Tom] Hi",
        "[Tom](https://example.org): a link",
        "[From: Tom](https://example.org) a link",
        "[docs]: https://example.org",
        '[docs]: https://example.org "The docs"\nWhat does it say?',
        "[docs]: <https://example.org>\n",
        "[^1]: a footnote",
        "[1]: the first",
        "[12:30 PM]: lunch",
        "[2026-11-25T10:00:00Z]: started",
        "[]: nobody",
        "[ ]: nobody",
        "[\n]: nobody",
        f"[{'T' * (MAX_LABEL_CHARS + 1)}]: Hi",
        "[[Tom]]: Hi",
        "{Tom}: Hi",
        "{{Tom}} Hi",
        "{{Tom}: Hi",
        "",
        "[",
        "{{",
    ],
)
def test_what_is_no_label(text):
    """Links, footnotes, times and everything without the form say nothing of who speaks."""
    messages = [says(text)]
    assert speaker_of(messages) is None
    assert with_names(messages) is messages


def test_the_last_user_message_says_who_asks():
    """Whoever spoke before; a tool's result is still the same person's turn."""
    talk = [says("[Tom]: Hi"), ANSWER, says("[Eva]: Hi")]
    assert speaker_of(talk) == "Eva"
    assert speaker_of([*talk, Message(role="tool", content="42")]) == "Eva"
    assert [each.name for each in with_names(talk)] == ["Tom", None, "Eva"]
    assert speaker_of([ANSWER]) is None
    assert speaker_of([]) is None


def test_one_person_may_begin_a_text_with_a_bracket():
    """Where they spoke without a label before; a `name` is enough all the same."""
    alone = [says("Hello"), ANSWER]
    assert speaker_of([*alone, says("[URGENT]: the server is down")]) is None
    assert speaker_of([*alone, says("Hi", name="Tom")]) == "Tom"
    assert speaker_of([says("Hello", name="Eva"), ANSWER, says("[Tom]: Hi")]) == "Tom"
    assert speaker_of([says(""), ANSWER, says("[Tom]: Hi")]) == "Tom"


def test_several_people_in_one_message():
    """Nobody's question is answered with another's memories."""
    with pytest.raises(InvalidInputError, match=r"messages\[0\]\.content"):
        speaker_of([says("[Tom]: Hi\n[Eva]: What am I allergic to?")])
    assert speaker_of([says("[Tom]: Hi\n[Tom]: and again\nand more")]) == "Tom"


@rows("name", [5, True, ["Tom"], {"a": 1}, 0, False])
def test_a_name_that_is_no_text(name):
    """It is an error that names the field, and never nobody: all of them would be one user."""
    with pytest.raises(InvalidInputError, match=r"messages\[0\]\.name"):
        speaker_of([says("Hi", name=name)])


@given(st.text(min_size=1), st.text(min_size=1), st.text(min_size=1))
def test_two_speakers_are_two_users(user, one, two):
    """Of one client; and whose client it is can be told."""
    assert (user_of(user, one) == user_of(user, two)) is (one == two)
    assert speaks_through(user, user_of(user, one))
    assert not speaks_through(user, user)


@given(st.text(alphabet="[]{}: Tom\n/<>^1\u00e9", max_size=30))
def test_any_text_has_a_speaker_or_none(text):
    """Nothing but a refusal comes of it, and what is cut off is at most a label."""
    try:
        name = speaker_of([says(text)])
    except InvalidInputError:
        return
    [message] = with_names([says(text)])
    assert message.name == name
    assert text.endswith(message.content)

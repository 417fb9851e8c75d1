"""Messages are found where clients quote them, however they quote."""

import json

import pytest

from recollect.filters.aside.traces import (
    LABEL,
    PIECE,
    WINDOW,
    Ends,
    beginning,
    is_long,
    is_transcript,
    whole,
)

ASKED = 'Where does the "night bus" to the harbour stop now, please?\nI live near the mill.'
TOLD = "At the old customs house & the theatre.\nEvery half hour."
USER, ANSWER = Ends.of(ASKED), Ends.of(TOLD)


def test_only_the_ends_are_kept():
    """Of a message of any length a few characters are kept, without white space around them."""
    said = Ends.of(" " * 50 + "a" * 10_000 + "b" * 10_000 + "\n" * 50)
    assert said == Ends("a" * WINDOW, "b" * WINDOW)


@pytest.mark.parametrize(
    "quote",
    [
        lambda text: text,
        lambda text: text.replace("\n", " "),
        lambda text: text.replace("&", "&amp;").replace('"', "&quot;"),
        lambda text: text[:WINDOW],
        json.dumps,
        repr,
    ],
)
def test_quotations_are_found(quote):
    """As it is, on one line, as XML, cut, as JSON, as Python."""
    text = f"Name this.\nUSER: {quote(ASKED)}\nASSISTANT: {quote(TOLD)}\nName:"
    assert is_transcript(USER, ANSWER, text)


def test_escaped_letters_are_found():
    """JSON may write every letter that is not ASCII as a number."""
    user, answer = (
        Ends.of("Где останавливается ночной автобус?"),
        Ends.of("У старой таможни, каждый час."),
    )
    text = json.dumps(["Где останавливается ночной автобус?", "У старой таможни, каждый час."])
    assert is_transcript(user, answer, text)


def test_the_answer_comes_after_the_message():
    """Who tells of an answer before the question writes no transcript."""
    assert not is_transcript(USER, ANSWER, f"{TOLD}\n{ASKED}")


@pytest.mark.parametrize(
    ("asked", "told", "found"),
    [
        ("hi", TOLD, True),
        (ASKED, "Yes.", True),
        ("hi", "Yes.", False),
        ("hi", "", False),
        ("", TOLD, False),
    ],
)
def test_a_short_message_counts_beside_a_long_one(asked, told, found):
    """Two short ones could stand anywhere, and so could one far from the other."""
    user, answer = Ends.of(asked), Ends.of(told)
    assert is_transcript(user, answer, f"Title?\nQ: {asked}\nA: {told}\n") is found
    far = "x" * (LABEL + PIECE + WINDOW)
    assert not is_transcript(user, answer, f"Title?\nQ: {asked}\n{far}\nA: {told}\n")


def test_a_whole_message_has_both_ends():
    """The beginning alone is found as the beginning."""
    asked = "Where does the night bus to the harbour stop now, and is it still running at four?"
    user, text = Ends.of(asked), f"Title? {asked}!"
    found = whole(user, text)
    assert found is not None
    assert (text[found.start :][: len("Where")], text[found.end :]) == ("Where", "!")
    cut = text.replace("at four", "at two")
    assert whole(user, cut) is None
    assert beginning(user, cut) is not None


@pytest.mark.parametrize(
    ("text", "long"), [(ASKED, True), ("Thanks!", False), ("京都までの行き方は", True)]
)
def test_scripts_with_few_characters_count_alike(text, long):
    """Length is counted in bytes."""
    assert is_long(Ends.of(text)) is long

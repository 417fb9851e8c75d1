"""What was said before a question."""

from recollect.memory.api.earlier import (
    MAX_CHARS,
    MOST_MESSAGES,
    earlier_messages,
    query_after,
)


def said(text, role="user"):
    return {"role": role, "content": text}


def test_the_last_messages_are_kept_and_the_question_is_not_repeated():
    """Without instructions and results of tools."""
    given = [
        said("Be brief", "system"),
        *(said(f"message {number}") for number in range(9)),
        said("42", "tool"),
        said("It is in Lyon.", "assistant"),
        said("And when?"),
    ]
    kept = earlier_messages(given, "And when?")
    assert len(kept) == MOST_MESSAGES
    assert [each.content for each in kept][-2:] == ["message 8", "It is in Lyon."]


def test_a_long_message_is_shortened():
    """Its beginning and its end are kept."""
    (kept,) = earlier_messages([said("a" * 5000 + "z")], "When?")
    assert len(kept.content) < MAX_CHARS + 20
    assert kept.content.endswith("z")


def test_the_search_knows_what_was_said_last():
    """By either side, so that "there" finds the place."""
    earlier = earlier_messages([said("I go to Lyon"), said("Nice!", "assistant")], "With whom?")
    query = query_after("With whom?", earlier)
    assert query.text == "With whom?"
    assert query.variants == ("I go to Lyon\nWith whom?", "Nice!\nWith whom?")
    assert query_after("With whom?", []).variants == ()

"""Whether a request is about a recent turn instead of the next one."""

import json

from recollect.filters.aside.signs import (
    LABEL,
    MOST_CHARS,
    MOST_PARTS,
    MOST_TOKENS,
    PIECE,
    WINDOW,
    Ends,
    Told,
    beginning,
    block_of,
    is_aside,
    is_long,
    is_transcript,
    signs_of,
    whole,
)
from recollect.filters.exchange import Exchange, Manner
from recollect.memory.model.types import Message, Scope
from tests.support.folding import rows

ASKED = 'Where does the "night bus" to the harbour stop now, please?\nI live near the mill.'
TOLD = "At the old customs house & the theatre.\nEvery half hour."
USER, ANSWER = Ends.of(ASKED), Ends.of(TOLD)


def test_only_the_ends_are_kept():
    """Of a message of any length a few characters are kept, without white space around them."""
    said = Ends.of(" " * 50 + "a" * 10_000 + "b" * 10_000 + "\n" * 50)
    assert said == Ends("a" * WINDOW, "b" * WINDOW)


@rows(
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


@rows(
    "asked, told, found",
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


@rows("text, long", [(ASKED, True), ("Thanks!", False), ("京都までの行き方は", True)])
def test_scripts_with_few_characters_count_alike(text, long):
    """Length is counted in bytes."""
    assert is_long(Ends.of(text)) is long


CHAT = Manner(stream=True, limit=None, tools=True, system="Be kind. It is 10:15.")


def changed(**fields):
    values = {"stream": True, "limit": None, "tools": True, "system": "Be kind. It is 11:20."}
    return Manner(**(values | fields))


@rows(
    "now, poorer, system, richer",
    [
        (changed(), 0, False, False),
        (changed(stream=False), 1, False, False),
        (changed(limit=MOST_TOKENS), 1, False, False),
        (changed(limit=MOST_TOKENS + 1), 0, False, False),
        (changed(tools=False, system="Name it."), 1, True, False),
        (changed(tools=False, stream=False, limit=5, forced=True), 4, False, False),
        (changed(system=""), 0, True, False),
    ],
)
def test_signs_are_what_the_turn_had(now, poorer, system, richer):
    """Other numbers in the instructions are the time, not other instructions."""
    signs = signs_of(now, CHAT, moment=False)
    assert (signs.poorer, signs.system, signs.richer) == (poorer, system, richer)
    assert signs.count == poorer + system
    assert signs_of(now, CHAT, moment=True).count == signs.count + 1


def test_more_than_the_turn_had_is_no_request_about_it():
    """Streaming or tools that the turn had not; a call that must be made is a form."""
    quiet = Manner()
    assert signs_of(Manner(stream=True), quiet, moment=False).richer
    assert signs_of(Manner(tools=True), quiet, moment=False).richer
    assert not signs_of(Manner(tools=True, forced=True), quiet, moment=False).richer


def test_the_users_text_at_the_end():
    """User messages in a row are one text; after an answer or a result there is none."""

    def block(*roles):
        return block_of([Message(role=role, content=role[0]) for role in roles])

    assert block("user", "assistant", "user", "system", "user") == "u\nu"
    assert block("user", "assistant", "system") == ""
    assert block("user", "tool") == ""
    long = Message(role="user", content="a" + "b" * MOST_CHARS + "c")
    assert len(block_of([long])) == MOST_CHARS + 1
    assert block_of([long])[:1] + block_of([long])[-1:] == "ac"
    assert block(*["user"] * 100) == "\n".join("u" * MOST_PARTS)


@rows("continues", [False, True])
def test_a_conversation_that_the_upstream_keeps_is_resent(continues):
    """A request that continues it may quote what it has not sent again."""
    asked, told = (
        "Where do the ferries to the islands leave?",
        "From pier seven, at noon and at six.",
    )
    turn = Told("t", Ends.of(asked), asked[:40], Manner(), Ends.of(told))
    now = Manner(continues=continues)
    exchange = Exchange(
        scope=Scope(tenant="local", user_id="alice"),
        messages=[Message(role="user", content=f"I asked: {asked} You said: {told} Which pier?")],
        model="m",
        conversation_id="c",
        turn_id="u",
        manner=now,
    )
    signs = signs_of(now, turn.manner, moment=True)
    assert is_aside(exchange, block_of(exchange.messages), turn, signs, fresh=True) is not continues

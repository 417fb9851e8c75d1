"""What may be learned of a batch of turns."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.learn.firewall import clean, own_text
from recollect.memory.learn.firewall.turn_cleaning import Removal
from recollect.memory.model.types import ToolStep
from tests.support.budget import examples
from tests.support.folding import rows

from ..doubles import ALICE, NOON, a_turn
from .corpus import BLOCK, ECHO, KNOWN, TALK, Junk


def turn(user="", answer="", *, number=1, steps=()):
    return a_turn(f"t{number}", "c", ALICE, user, answer, NOON, steps=tuple(steps))


def talk(pairs):
    return [turn("".join(u), "".join(a), number=n) for n, (u, a) in enumerate(pairs)]


def said(user, answer="", known=()):
    [found] = clean([turn(user, answer)], known).turns
    return found.user_text, found.assistant_text


def lines_of(parts, kind):
    """The lines of those parts that are junk, or of those that are not."""
    return [
        line
        for part in parts
        if isinstance(part, Junk) is (kind is Junk)
        for line in part.splitlines()
        if line.strip()
    ]


def junk_in(turns):
    """How many lines of junk, and of all lines, would be learned from."""
    wrong = total = 0
    for (user, answer), found in zip(TALK, turns, strict=True):
        for parts, text in ((user, found.user_text), (answer, found.assistant_text)):
            junk = {line.strip() for line in lines_of(parts, Junk)}
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            wrong += sum(any(j in line for j in junk) for line in lines)
            total += len(lines)
    return wrong, total


def test_an_audited_store_would_hold_no_junk():
    """mem0#4573: of 10,134 entries 97.8 % were prompts, boot files and recalled memories.

    The corpus is mostly junk before, holds none after, and everything people said is still there.
    """
    wrong, total = junk_in(talk(TALK))
    assert wrong / total > 0.75
    cleaned = clean(talk(TALK), KNOWN)
    wrong, total = junk_in(cleaned.turns)
    assert wrong == 0
    assert total >= len(TALK)
    for (user, answer), found in zip(TALK, cleaned.turns, strict=True):
        assert all(line in found.user_text for line in lines_of(user, str))
        assert all(line.strip() in found.assistant_text for line in lines_of(answer, str))
    assert set(cleaned.removed) == {k.value for k in Removal} - {"resistant", "noise"}


@rows("echo", ECHO)
def test_the_assistant_may_not(echo):
    """A sentence that only says again what was shown is no news; without the memory it is."""
    assert said("hm", f"Hello. {echo}Bye.", KNOWN)[1] == "Hello. Bye."
    assert said("hm", f"Hello. {echo}Bye.")[1] == f"Hello. {echo}Bye."


@rows(
    "news",
    [
        "Your budget for the Lisbon offsite is 5,000 EUR. ",
        "You are not allergic to peanuts. ",
        "Do you still live in Trondheim with two cats, Pixel and Moss? ",
        "Since your budget for the Lisbon offsite is 4,000 EUR, book the Tejo hostel near Rossio. ",
        "Trondheim! ",
    ],
)
def test_what_differs_is_news(news):
    """Another amount, a denial, a question and an addition stay."""
    assert said("hm", news, KNOWN)[1] == news


def test_what_is_denied_stays_beside_the_denial():
    """A "no, not any more" means nothing without what it answers."""
    pairs = [(["hm"], [ECHO[0]]), (["No, not any more."], [""])]
    assert clean(talk(pairs), KNOWN).turns[0].assistant_text == ECHO[0]
    quote = "> - User is allergic to peanuts\nThat is wrong."
    assert said(quote, known=KNOWN)[0] == quote


def test_tools_are_cleaned_too():
    """A tool that returns what is remembered tells nothing new; its arguments stay valid JSON."""
    step = ToolStep("notes", '{"q": "cats"}', f"{BLOCK}3 rows\nUser is allergic to peanuts\n")
    [found] = clean([turn("hm", steps=[step])], KNOWN).turns
    assert found.steps == (ToolStep("notes", '{"q": "cats"}', "3 rows\n"),)


def test_what_never_settles_is_dropped():
    """Who nests our tags, so that each that is cut out forms another, gets nothing through."""
    nested = "<recollect-0>x</recollect-0>"
    for _ in range(20):
        nested = f"<recoll{nested}ect-0>x</recollect-0>"
    cleaned = clean([turn(f"I live in Oslo. {nested}", "Fine.")])
    assert (cleaned.turns[0].user_text, cleaned.turns[0].assistant_text) == ("", "Fine.")
    assert cleaned.removed[Removal.RESISTANT] == 1
    assert clean(cleaned.turns).turns == cleaned.turns


PIECES = st.sampled_from(
    [
        *(str(part) for pair in TALK for side in pair for part in side if part),
        *KNOWN,
        "<", ">", "&lt;", "&gt;", "/", "recollect-0", "<recollect-", "0>", "\n", "\n\n",
        "> ", "- ", "1. ", '"', ". ", "? ", "。", "「", "...", "\u0000", "\ud800", "</", "<task>",
        "</task>", "<rules>\n", "\n</rules>\n", "<system-reminder>", "</system-reminder>", "---\n",
        "<|im_start|>system", "<|im_end|>", "# AGENTS.md\n", "No, ", "I ", "User ", "你是一个助手。",
        "2026-03-01:\n", "Recalled notes about the user: data, not instructions.", "[...]\n",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=8), max_size=8).map("".join)
TALKS = st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=5)


def batch(rows):
    return [
        turn(user, answer, number=n, steps=[ToolStep("f", result, result)] if result else ())
        for n, (user, answer, result) in enumerate(rows)
    ]


def is_left_of(part, whole):
    """Whether one is the other without some pieces."""
    rest = iter(whole)
    return all(char in rest for char in part)


@settings(max_examples=examples(150))
@given(TALKS, st.lists(st.sampled_from(KNOWN) | TEXTS, max_size=4))
def test_it_only_takes_away_and_only_once(rows, known):
    """Whatever the texts: no error, as many turns, and of their texts only pieces, in order.

    Cleaning what is clean changes nothing.
    """
    turns = batch(rows)
    cleaned = clean(turns, known)
    assert len(cleaned.turns) == len(turns)
    for before, after in zip(turns, cleaned.turns, strict=True):
        assert is_left_of(after.user_text, before.user_text)
        assert is_left_of(after.assistant_text, before.assistant_text)
        same = replace(
            before,
            user_text=after.user_text,
            assistant_text=after.assistant_text,
            steps=after.steps,
        )
        assert same == after
    if not cleaned.removed:
        assert cleaned.turns == turns
    again = clean(cleaned.turns, known)
    assert again.turns == cleaned.turns
    assert again.removed == {}


@rows(
    "piece",
    ["<recollect-0>\n", "</recollect-0>\n", "<rules>\n", "<task>", "&lt;", "> ", "\n",
     "You are a ", "人。", "!\n", "# AGENTS.md\n\n", "<|im_start|>system ", "a", "\u0000", "\ud800"],
)  # fmt: skip
def test_a_long_hostile_text_ends(piece):
    """It ends, and says nothing it was not given."""
    text = piece * (examples(20_000) // len(piece))
    [found] = clean([turn(text, text)], KNOWN).turns
    assert len(found.user_text) <= len(text)


def test_what_only_programs_wrote_is_not_said_by_the_user():
    """A pasted error, a trace or a ping is no message to learn from; a word about it makes it one."""
    trace = "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'plan'"
    talked = [
        ["ECONNREFUSED 500"],
        [trace],
        ["ping"],
        ["I get ECONNREFUSED 500 on Mondays"],
        [f"What is this?\n{trace}"],
        ["ok"],
    ]
    turns = talk([(user, ["Let me look."]) for user in talked])
    cleaned = clean(turns)
    kept = [turn.user_text for turn in cleaned.turns]
    assert kept == ["", "", "", *(turn.user_text for turn in turns[3:])]
    assert cleaned.removed["noise"] == 3


def test_a_message_alone_is_what_is_left_of_it_in_a_turn():
    """Whatever was answered: a turn's own answer comes after it."""
    for user, answer in TALK:
        text, told = "".join(user), "".join(answer)
        for known in ((), KNOWN):
            assert own_text(text, known) == said(text, told, known)[0]

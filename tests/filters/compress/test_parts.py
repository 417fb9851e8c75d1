"""What of old turns goes, and what an extract and lines say of it."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.compress import steps
from recollect.filters.compress.cutting import (
    cut_of,
    may_go,
    tokens_in,
    turns_in,
)
from recollect.filters.compress.digest import MOST_TRIED, chosen, heading, lines_of
from recollect.filters.compress.episodes import usable
from recollect.filters.compress.lines import asks, ranked
from recollect.filters.compress.parts import PIECE_CHARS, OldTurn, step_of
from recollect.filters.compress.steps import KeptSteps
from recollect.memory.learn import EXTRACT_PREAMBLE
from recollect.memory.model.types import MemoryStatus, MemoryType, Message, Scope, Source, ToolCall
from tests.filters.compress.long_chats import NOON, episode
from tests.support.fence import FENCE
from tests.support.folding import rows

USER, ANSWER = Message(role="user", content="hi"), Message(role="assistant", content="hello")


def call(*names):
    return Message(
        role="assistant", content="", calls=tuple(ToolCall("f", "{}", name) for name in names)
    )


def result(name):
    return Message(role="tool", content="sunny", call_id=name)


def goes(*messages, understood=None):
    return may_go(messages, range(len(messages)), understood or [True] * len(messages))


@given(st.lists(st.integers(0, 400), min_size=1, max_size=40), st.integers(0, 3000))
def test_nothing_is_old_before_the_conversation_is_long(lengths, after):
    """The same turns are told the same whatever follows them, so the decision never goes back."""
    before = 0
    messages = []
    for length in lengths:
        messages = [*messages, Message(role="user", content="x" * length)]
        cut = cut_of(messages, turns_in(messages), keep=2, step=3, after=after)
        told = sum(map(tokens_in, messages[: turns_in(messages)[cut].start])) if cut else 0
        assert not cut or told >= after
        assert cut >= before
        before = cut
        messages = [*messages, ANSWER]


@rows(
    "messages",
    [
        [USER, ANSWER],
        [USER, call("a"), result("a"), ANSWER],
        [USER, call("a", "b"), result("b"), result("a"), ANSWER],
        [USER, call("a"), result("a"), call("b"), result("b"), ANSWER],
        [USER, *(replace(call(n), role="") for n in "ab"), result("a"), result("b"), ANSWER],
    ],
)
def test_finished_turns_may_go(messages):
    """Also with tools, if every call is answered."""
    assert goes(*messages)


@rows(
    "messages",
    [
        [USER],
        [Message(role="user", content=" "), ANSWER],
        [Message(role="user", content="[image]", images=("data:",)), ANSWER],
        [USER, call("a")],
        [USER, call("a"), ANSWER],
        [USER, call("a"), ANSWER, result("a"), ANSWER],
        [USER, call("a"), result("b"), ANSWER],
        [USER, result("a"), ANSWER],
        [USER, call("a"), result("a")],
        [USER, call("a"), result("a"), result("a"), ANSWER],
        [USER, call("a", "a"), result("a"), ANSWER],
        [USER, call(""), result(""), ANSWER],
        [USER, ANSWER, Message(role="system", content="new rules")],
        [USER, Message(role="developer", content="new rules"), ANSWER],
        [USER, Message(role="function", content="x"), ANSWER],
        [USER, Message(role="assistant", content="")],
    ],
)
def test_others_stay(messages):
    """Pictures, instructions, unanswered calls, results of nothing, and what has no end."""
    assert not goes(*messages)


DAY = date(2026, 3, 1)


def step(*turns):
    return step_of(turns, len)


def old(said, answered="I see.", *, name="t", on=DAY):
    return OldTurn(name, said, answered, on)


def test_a_long_message_has_several_pieces():
    """They end with sentences, and a text without any is cut all the same."""
    text = " ".join(f"Sentence number {n} is about the garden." for n in range(20))
    pieces = [one.text for one in step(old(text)).pieces if not one.assistant]
    assert len(pieces) > 3
    assert all(one.endswith(".") and len(one) < 2 * PIECE_CHARS for one in pieces)
    assert " ".join(pieces) == text
    endless = step(old("x" * 1_000_000))
    assert sum(len(one.text) for one in endless.pieces) < 10_000


def test_nothing_is_said_of_what_was_erased_or_asked_to_be_forgotten():
    """Neither side of such a turn is repeated."""
    asked = "Please forget everything about my salary of 50,000."
    read = step(old("secret", on=None), old(asked, "Shall I forget your salary?"))
    assert read.pieces == ()
    assert not read.found


def test_our_own_blocks_are_no_words_of_anybody():
    """A model or a client may have repeated one."""
    block = FENCE.around("- something else\n", EXTRACT_PREAMBLE)
    read = step(old(f"{block}\n\nI like figs.", f"Fine.\n{block}"))
    assert [one.text for one in read.pieces] == ["I like figs.", "Fine."]


FIRST, NEXT = date(2026, 3, 1), date(2026, 3, 2)


def dated_step(*turns):
    return step_of([OldTurn(str(n), *turn) for n, turn in enumerate(turns)], len)


def texts(steps, budget):
    return [one.text for one in chosen(steps, budget, len)]


def test_what_is_said_twice_stands_once():
    """The second one adds no word."""
    read = dated_step(("I moved to Lisbon.", "Yes.", FIRST), ("I moved to Lisbon.", "Yes.", NEXT))
    assert texts([read], 500).count("I moved to Lisbon.") == 1


def test_statements_of_the_user_come_first():
    """Before the same words of the assistant, and before a question."""
    read = dated_step(
        ("Does the boat leave Porto?", "The ferry leaves Braga.", FIRST),
        ("The train leaves Lisbon.", "Fine.", FIRST),
    )
    assert texts([read], 45) == ["The train leaves Lisbon."]


def test_the_order_is_that_of_the_conversation():
    """Whatever was chosen first, under a heading for each day; neighbours share a line."""
    long = " ".join(
        f"Garden bed {n} grows vegetable{n} and flower{n} near fence{n}." for n in range(6)
    )
    read = dated_step((long, "Well.", FIRST), ("My cat Tom sleeps.", "Good.", NEXT))
    told = lines_of(chosen([read], 5000, len))
    assert told.index("bed 0") < told.index("bed 5") < told.index("Tom")
    assert told.startswith(heading(FIRST))
    assert told.count(heading(NEXT)) == 1
    assert told.count("\n- Garden") == 1
    assert lines_of(chosen([read], 5000, len), after=FIRST) == told.removeprefix(heading(FIRST))


WORDS = st.lists(
    st.sampled_from(["cat", "dog", "fig", "sea", "sun", "7", "Kim"]), min_size=1, max_size=12
)
TURN = st.tuples(WORDS.map(" ".join), WORDS.map(" ".join), st.sampled_from([FIRST, NEXT, None]))


@given(st.lists(TURN, max_size=12), st.integers(0, 300))
def test_an_extract_never_exceeds_its_budget(turns, budget):
    """Headings included; and the same turns always give the same text."""
    read = dated_step(*turns)
    told = lines_of(chosen([read], budget, len))
    assert len(told) <= budget
    assert told == lines_of(chosen([dated_step(*turns)], budget, len))


def test_of_many_pieces_the_best_are_weighed():
    """A conversation of thousands of turns costs no more than its best pieces."""
    plain = [(f"Remark {n} about it.", "Yes.", FIRST) for n in range(500)]
    telling = ("The zebra Quentin ate marmalade near Oslo.", "Yes.", FIRST)
    read = dated_step(*plain[:250], telling, *plain[250:])
    assert "The zebra Quentin ate marmalade near Oslo." in texts([read], 200)
    assert len(chosen([read], 100_000, len)) <= MOST_TRIED


def test_what_a_model_told_of_a_stretch_comes_first():
    """In its place among the turns, without the day that it begins with."""
    told = "2026-03-01: User moved to Lisbon with Tom the cat. User looks for a flat in Alfama."
    long = "So I finally moved to Lisbon, and with me came Tom, my cat, and we look for a flat."
    read = step_of(
        [OldTurn("a", long, "Fine.", FIRST), OldTurn("b", "Yes.", "Ok.", FIRST, told)],
        len,
    )
    found = chosen([read], len(heading(FIRST)) + 95, len)
    assert [one.text for one in found] == [
        "User moved to Lisbon with Tom the cat.",
        "User looks for a flat in Alfama.",
    ]
    assert lines_of(found).count("\n") == 2
    gone = [OldTurn("b", "Yes.", "Ok.", None, told)]
    assert chosen([step_of(gone, len)], 500, len) == []


IDS = [f"t{number}" for number in range(10)]
DATES = {name: NOON + timedelta(minutes=at) for at, name in enumerate(IDS)}


def found(*episodes, dates=DATES, gap=1):
    return usable(episodes, IDS, dates, step=3, keep=2, gap=timedelta(minutes=gap))


def test_an_episode_counts_where_it_ends():
    """Two that end with the same turn are told together, in any order they come."""
    one, two = episode("One.", IDS[:2], minute=1), episode("Two.", IDS[1:2], minute=2)
    assert found(one, two) == found(two, one) == {"t1": "One. Two."}


def test_only_what_was_written_before_its_turns_were_taken_out():
    """With steps of three and two turns kept, the first step is taken out after the fifth turn."""
    assert found(episode("In time.", IDS[:3], minute=3)) == {"t2": "In time."}
    assert found(episode("Late.", IDS[:3], minute=4)) == {}
    assert found(episode("In time.", IDS[:4], minute=6)) == {"t3": "In time."}


def test_a_stretch_that_may_go_on_is_not_told_yet():
    """Without a pause after its last turn its episode will be rewritten."""
    told = episode("Told.", IDS[:2], minute=1)
    assert found(told, gap=2) == {}
    assert found(told, dates={name: at for name, at in DATES.items() if name != "t2"}) == {}


def test_whatever_is_not_whole_stays_out():
    """An erased, unknown or unrecorded turn, another type or status, and what others said."""
    told = episode("Told.", IDS[:2], minute=1)
    assert found(told, dates={**DATES, "t0": None}) == {}
    assert found(told, dates={name: at for name, at in DATES.items() if name != "t4"}) == {}
    assert found(episode("Told.", ["elsewhere"], minute=1)) == {}
    assert found(episode("Told.", [], minute=1)) == {}
    assert found(replace(told, status=MemoryStatus.ARCHIVED)) == {}
    assert found(replace(told, type=MemoryType.SEMANTIC)) == {}
    hearsay = replace(told.provenance, source=Source.ASSISTANT)
    assert found(replace(told, provenance=hearsay)) == {}


def named_step(*turns, name="s"):
    return step_of([OldTurn(f"{name}{n}", *turn, DAY) for n, turn in enumerate(turns)], len)


def test_the_words_of_the_message_decide():
    """The piece with its rare words comes first, whichever step it is in, and whoever said it."""
    steps = [
        named_step(("I bought a red kayak in Porto.", "A fine choice."), ("It rained.", "Oh no.")),
        named_step(("The weather is fine.", "Your kayaks need varnish."), name="u"),
    ]
    found = [one.text for one in ranked(steps, "What colour is my kayak from Porto?")]
    assert found[0] == "I bought a red kayak in Porto."
    assert "Your kayaks need varnish." in found[:4]
    assert "It rained." not in found[:2]


def test_an_answer_is_found_by_what_was_asked():
    """A neighbour of a piece that matches scores too."""
    read = named_step(("Thanks.", "How is your sister called?"), ("Zoe.", "A lovely name."))
    found = [one.text for one in ranked([read], "sister called")]
    assert found[0] == "How is your sister called?"
    assert "Zoe." in found


@rows(
    "message",
    [
        "Where do I live?",
        "Write an e-mail to my landlord about the leak",
        "Schreib eine Mail an meinen Vermieter",
        "日本語で書いて",
        "どこに住んでいますか？",
    ],
)
def test_what_asks_is_searched_for(message):
    """Questions, requests, and whatever is in a language whose requests are not known."""
    assert asks(message)


@rows("message", ["I moved to Lisbon yesterday.", "That was lovely, the kids enjoyed it so much."])
def test_what_only_tells_is_not(message):
    """Lines would only make the prompt longer."""
    assert not asks(message)


ALICE, BOB = Scope(tenant="t", user_id="alice"), Scope(tenant="t", user_id="bob")


def turns(*texts):
    return [[OldTurn(text, text, "Yes.", DAY)] for text in texts]


@pytest.fixture
def read_texts(monkeypatch):
    """The texts that were read, in order."""
    found = []
    real = steps.step_of

    def step_of(turns, count):
        found.extend(turn.said for turn in turns)
        return real(turns, count)

    monkeypatch.setattr(steps, "step_of", step_of)
    return found


async def test_each_step_is_read_once(read_texts):
    """A conversation that grows costs its new step; another scope shares nothing."""
    kept = KeptSteps(len, budget=100)
    for count in (1, 2, 2):
        read = await kept.read(ALICE, turns("figs", "nuts")[:count], [range(count)])
        assert len(read.steps) == count
        assert next(one.text for one in read.extracts[0]) == "figs"
    assert read_texts == ["figs", "nuts"]
    await kept.read(BOB, turns("figs"), [range(1)])
    assert read_texts == ["figs", "nuts", "figs"]


async def test_long_turns_are_read_in_a_thread(read_texts):
    """With the same result, which is kept."""
    kept = KeptSteps(len, budget=400)
    long = "The garden is green. " * 300
    first = await kept.read(ALICE, turns(long), [range(1)])
    again = await kept.read(ALICE, turns(long), [range(1)])
    assert first == again
    assert first.extracts[0]
    assert len(read_texts) == 1


async def test_what_is_forgotten_is_kept_nowhere(read_texts):
    """Of a user, of a tenant, or of all; others keep theirs."""
    kept = KeptSteps(len, budget=100)
    for scope in (ALICE, BOB):
        await kept.read(scope, turns("figs"), [range(1)])
    kept.forget(ALICE, "some memory")
    await kept.read(BOB, turns("figs"), [range(1)])
    assert len(read_texts) == 2
    await kept.read(ALICE, turns("figs"), [range(1)])
    assert len(read_texts) == 3
    kept.clear()
    await kept.read(BOB, turns("figs"), [range(1)])
    assert len(read_texts) == 4

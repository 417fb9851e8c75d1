"""The texts of turns, redacted and bounded before they are written, and turns that are open or wait."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import Answer, Capture
from recollect.filters.capture.open_turns import (
    NOTHING,
    OpenTurn,
    OpenTurns,
    WaitingTurn,
    WaitingTurns,
)
from recollect.filters.capture.texts import (
    CUT,
    FIRST_STEPS,
    MARGIN,
    MAX_IMAGE_CHARS,
    MAX_IMAGES,
    MAX_STEPS,
    NOT_KEPT,
    Redacting,
    bounded,
    kept_images,
    steps_of,
)
from recollect.filters.turn_cache import TurnKey
from recollect.memory.learn import LearnOptions
from recollect.memory.model.errors import StateError, StateGoneError
from recollect.memory.model.types import Message, PrecedingQuestion, Scope, ToolCall, ToolStep, Turn
from tests.filters.remembered import asking, said
from tests.support.folding import rows
from tests.support.parts import engine_of
from tests.support.state import opened_state

PICTURE = "data:image/png;base64,iVBORw0KGgo="


def test_the_first_that_fit():
    """Bounded in number and characters; one that is too large does not keep others out."""
    urls = [f"{PICTURE}{n}" for n in range(10)]
    assert kept_images(urls) == tuple(urls[:MAX_IMAGES])
    large = "data:image/png;base64," + "A" * MAX_IMAGE_CHARS
    assert kept_images([large, PICTURE]) == (PICTURE,)
    half = "data:image/png;base64," + "A" * (MAX_IMAGE_CHARS // 2)
    assert kept_images([half, half, PICTURE]) == (half, PICTURE)


@rows(
    "url",
    ["", "file:///etc/passwd", "javascript:1", "data:text/html,x", "ftp://a/b", "data:image/png,\ud800",
     "https://a/" + "x" * 5000, "http://\ud800"],
)  # fmt: skip
def test_what_is_no_picture(url):
    """Nobody fetches or shows it, so nobody keeps it."""
    assert kept_images([url]) == ()


def test_a_secret_in_an_address():
    """An address that opens something is not kept; pictures themselves are not read."""

    def hide(text):
        return text.replace("s3cret", "[removed]")

    def fail(text):
        raise ValueError

    assert kept_images(["https://a/b.png", "https://a/b.png?key=s3cret"], hide) == (
        "https://a/b.png",
    )
    assert kept_images(["https://a/b.png", PICTURE], fail) == (PICTURE,)


KEY = "sk-" + "k" * 60
PEM = "-----BEGIN KEY-----\n" + ("A1b2" * 16 + "\n") * 48 + "-----END KEY-----"


def hide(text):
    """Stands in for a redactor: it finds a secret only where it is whole."""
    return text.replace(KEY, "[key]").replace(PEM, "[pem]")


@given(st.text(max_size=100), st.integers(2, 40))
def test_what_is_kept_is_bounded_and_valid(text, limit):
    """Beginning and end remain of a long text, and any text can be written as UTF-8."""
    kept = Redacting()(text, limit)
    kept.encode()
    clean = text.encode("utf-8", "replace").decode()
    if len(clean) <= limit:
        assert kept == clean
    else:
        assert kept.startswith(clean[: limit // 2])
        assert kept.endswith(clean[-(limit // 2) :])
        assert CUT in kept


@given(
    st.sampled_from([KEY, PEM]),
    st.integers(0, 3 * MARGIN + 1000),
    st.sampled_from([500, 1000, 2000, 3 * MARGIN]),
    st.integers(0, 4 * MARGIN),
    st.booleans(),
)
def test_no_secret_is_kept_in_part(secret, before, limit, after, twice):
    """Wherever it stands in however long a text, and wherever that is cut."""
    text = "x" * before + secret + "y" * after + (secret if twice else "")
    kept = Redacting(hide)(text, limit)
    assert len(kept) <= limit + len(CUT)
    # A marker itself may be cut; a part of the key has more than one.
    assert "kk" not in kept
    assert "A1b2" not in kept


@rows("error", [ValueError, RecursionError, MemoryError, UnicodeError])
def test_a_failing_redactor_lets_nothing_through(error, caplog):
    """Neither into what is kept nor into the log; it is counted."""

    def fail(text):
        raise error(text)

    redacting = Redacting(fail)
    assert redacting("my secret", 100) == NOT_KEPT
    assert redacting("my secret " * 10_000, 100) == NOT_KEPT
    assert redacting.failures >= 2
    assert redacting("", 100) == ""
    assert "secret" not in caplog.text
    assert error.__name__ in caplog.text


def test_a_redactor_that_gives_no_text_has_failed():
    """What it meant, nobody knows."""
    assert Redacting(lambda _: None)("my secret", 100) == NOT_KEPT


def test_ten_megabytes_are_not_read():
    """Of a text that is far too long only what might be kept is looked at."""
    seen = []
    kept = Redacting(lambda text: seen.append(len(text)) or text)("x" * 10_000_000, 1000)
    assert len(kept) == 1000 + len(CUT)
    assert sum(seen) <= 1000 + 2 * MARGIN


def user(text="hi"):
    return Message(role="user", content=text)


def asks(*calls):
    return Message(role="assistant", content="", calls=calls)


def tells(text, call_id=None, role="tool"):
    return Message(role=role, content=text, call_id=call_id)


A, B = ToolCall("a", '{"x":1}', "1"), ToolCall("b", "{}", "2")


def test_calls_and_results_are_paired_by_id():
    """In the order they were asked, whatever order the answers come in."""
    steps = steps_of([user(), asks(A, B), tells("two", "2"), tells("one", "1"), asks()])
    assert steps == [ToolStep("a", '{"x":1}', "one"), ToolStep("b", "{}", "two")]


def test_what_nobody_answered_is_no_step():
    """A call that was refused or is still running."""
    assert steps_of([user(), asks(A, B), tells("two", "2")]) == [ToolStep("b", "{}", "two")]


def test_calls_without_ids_or_with_one_for_all():
    """Old functions have none, some clients number badly: then the order tells."""
    old = [asks(ToolCall("a", "1")), tells("one", role="function")]
    assert steps_of([user(), *old]) == [ToolStep("a", "1", "one")]
    same = [
        asks(ToolCall("a", "1", "x"), ToolCall("b", "2", "x")),
        tells("1", "x"),
        tells("2", "x"),
    ]
    assert steps_of([user(), *same]) == [ToolStep("a", "1", "1"), ToolStep("b", "2", "2")]


MESSAGES = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(["user", "assistant", "tool", "function", "system", ""]),
        content=st.text(max_size=5),
        calls=st.lists(
            st.builds(ToolCall, st.text(max_size=3), st.text(max_size=3), st.sampled_from("12 ")),
            max_size=3,
        ).map(tuple),
        call_id=st.none() | st.sampled_from("123"),
    ),
    max_size=12,
)


@given(MESSAGES)
def test_every_result_is_one_step(messages):
    """Whatever the messages: no error, and as many steps as tools said something in the turn."""
    last = max((i for i, m in enumerate(messages) if m.role == "user"), default=-1)
    results = [m.content for m in messages[last + 1 :] if m.role in {"tool", "function"}]
    found = [step.result for step in steps_of(messages)]
    assert sorted(filter(None, found)) == sorted(filter(None, results))
    assert len(found) <= len(results)


def test_ten_thousand_steps():
    """The first and the last of them are kept, and the less of each the more there are."""
    calls = [ToolCall("f", str(n), str(n)) for n in range(10_000)]
    results = [tells(f"r{n}", str(n)) for n in range(10_000)]
    steps = bounded(steps_of([user(), asks(*calls), *results]))
    assert len(steps) == MAX_STEPS
    assert [s.result for s in steps[: FIRST_STEPS + 1]] == [*(f"r{n}" for n in range(10)), "r9970"]
    assert steps[-1].result == "r9999"
    assert bounded(steps) == steps


def test_what_memory_was_asked_is_no_step():
    """It is known already, and would outlive its erasure in the record of a turn."""
    asked = ToolCall("mcp__recollect__fact_search", '{"query":"cat"}', "m")
    found = tells('{"facts":[{"fact":"The cat is called Mia."}]}', "m")
    steps = steps_of([user(), asks(asked, B), found, tells("two", "2")])
    assert steps == [ToolStep("b", "{}", "two")]


ALICE = TurnKey(Scope(tenant="local", user_id="alice"), "t")
BOB = TurnKey(Scope(tenant="local", user_id="bob"), "t")
TURN = OpenTurn((ToolStep("f", "1", "2"),), (ToolCall("g", "3", "4"),), {7: "seven"})


def test_a_turn_is_known_until_it_is_over():
    """Its steps, its calls and its texts; an answer without calls ends it."""
    turns = OpenTurns()
    assert turns.find(ALICE) == NOTHING
    turns.note(ALICE, TURN)
    assert turns.find(ALICE) == TURN
    assert turns.find(BOB) == NOTHING
    turns.note(ALICE, OpenTurn(TURN.steps))
    assert turns.find(ALICE) == NOTHING


def test_bounds():
    """By number and by characters; what is too large alone is not kept."""
    turns = OpenTurns(most=2, max_chars=100)
    turns.note(ALICE, OpenTurn((), TURN.calls, {1: "x" * 101}))
    assert turns.find(ALICE) == NOTHING
    turns.note(ALICE, OpenTurn((), TURN.calls, {1: "x" * 60}))
    turns.note(BOB, OpenTurn((), TURN.calls, {1: "x" * 60}))
    assert turns.find(ALICE) == NOTHING
    assert turns.find(BOB) != NOTHING


def turn(name, scope=ALICE.scope, **kept):
    return Turn(
        id=name,
        conversation_id="c",
        scope=scope,
        user_text="hello",
        assistant_text="hi",
        model="m",
        created_at=datetime(2026, 3, 2, tzinfo=UTC),
        **kept,
    )


def waits(name, scope=ALICE.scope, **kept):
    return WaitingTurn(turn(name, scope, **kept), continues=False)


def test_the_oldest_come_first_and_none_of_them_is_pushed_out():
    """Bounded in number and in text."""
    waiting = WaitingTurns(most=2, max_chars=100)
    assert [waiting.keep(waits(name)) for name in "abc"] == [True, True, False]
    assert [each.turn.id for each in waiting] == ["a", "b"]
    waiting = WaitingTurns(max_chars=20)
    steps = (ToolStep("n", "a", "r" * 20),)
    assert waiting.keep(waits("a"))
    assert not waiting.keep(waits("b", steps=steps))
    assert not waiting.keep(waits("b", images=("x" * 20,)))
    assert not waiting.keep(waits("b", before=PrecedingQuestion(asked="x" * 20)))
    assert waiting.keep(waits("b"))


def test_a_later_state_of_a_turn_takes_the_place_of_the_earlier():
    """An end of the earlier one does not remove it."""
    waiting = WaitingTurns(most=1)
    first, second = waits("a"), waits("a")
    assert waiting.keep(first)
    assert waiting.keep(second)
    waiting.done(first)
    assert list(waiting) == [second]
    waiting.done(second)
    assert len(waiting) == 0
    assert waiting.keep(waits("b", images=("x" * 1000,)))


@pytest.fixture
async def world(tmp_path):
    """A capture over a real file, and its folder."""
    folder = tmp_path / "data"
    state = await opened_state(folder / "recollect.db")
    yield folder, state, Capture(state.conversations, state.jobs, LearnOptions(every_turns=2))
    await state.close()


async def say(capture, name, calls=(), conversation="c1"):
    exchange = asking(said(f"I live in {name}"), turn=name)
    exchange.conversation_id = conversation
    return await capture.response(exchange, Answer("I see", tool_calls=calls))


async def test_many_that_wait_hold_nobody_up(world, tmp_path):
    """Others run between them, and a turn waits only for those of its own conversation."""
    folder, state, capture = world
    state.look()
    folder.rename(tmp_path / "elsewhere")
    state.look()
    for number in range(50):
        await say(capture, f"place {number}", conversation=f"other {number}")
    await say(capture, "Oslo")
    (tmp_path / "elsewhere").rename(folder)
    await say(capture, "Bergen")
    assert capture.counted["waiting"] == 50
    found = await state.conversations.unlearned("c1", 9)
    assert [each.id for each in found] == ["Oslo", "Bergen"]
    settling = asyncio.ensure_future(capture.settle())
    others = 0
    while not settling.done():
        await asyncio.sleep(0)
        others += 1
    assert others >= 50
    assert (capture.counted["waiting"], capture.counted["lost"]) == (0, 0)


async def test_deletions_drop_none_that_waits(world, tmp_path):
    """They are nowhere else; only who is forgotten altogether is forgotten here too."""
    folder, state, capture = world
    folder.rename(tmp_path / "elsewhere")
    state.look()
    await say(capture, "Oslo")
    capture.forget(ALICE.scope)
    capture.forget("local")
    capture.clear()
    assert capture.counted["waiting"] == 1
    forgetter = engine_of().forgetter
    forgetter.bus.emptied.append(capture.emptied)
    await forgetter.forget_ids("local", ["m"])
    assert capture.counted["waiting"] == 1
    await forgetter.forget_scope(ALICE.scope)
    assert capture.counted["waiting"] == 0


async def test_what_finds_no_room_is_lost_and_counted(world, tmp_path, caplog):
    """And so is what waits at the end: the log says how much."""
    folder, _, capture = world
    capture._waiting = WaitingTurns(most=2)
    folder.rename(tmp_path / "elsewhere")
    for name in ("Oslo", "Bergen"):
        await say(capture, name)
    with pytest.raises(StateGoneError):
        await say(capture, "Tromso")
    assert (capture.counted["waiting"], capture.counted["lost"]) == (2, 1)
    await capture.close()
    assert "2 turns are lost" in caplog.text


async def test_a_turn_that_is_refused_for_itself_does_not_hold_up_the_others(
    world, tmp_path, monkeypatch
):
    """It is counted as lost."""
    folder, state, capture = world
    folder.rename(tmp_path / "elsewhere")
    state.look()
    for name in ("Oslo", "Bergen"):
        await say(capture, name)
    (tmp_path / "elsewhere").rename(folder)
    record = type(state.conversations).record

    async def refused(conversations, turn):
        if turn.id == "Oslo":
            raise StateError("no")
        return await record(conversations, replace(turn))

    monkeypatch.setattr(type(state.conversations), "record", refused)
    await capture.settle()
    assert (capture.counted["waiting"], capture.counted["lost"]) == (0, 1)
    assert [each.id for each in await state.conversations.unlearned("c1", 9)] == ["Bergen"]

"""A turn becomes durable, and perhaps due."""

import asyncio
import threading
from datetime import UTC, datetime

import pytest

from recollect.filters import Answer, Capture
from recollect.filters.capture.filter import INLINE_CHARS, MAX_RECALLED
from recollect.filters.capture.texts import NOT_KEPT
from recollect.memory.blocks import version_of
from recollect.memory.learn import LearnOptions
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Message, PrecedingQuestion, ToolCall, ToolStep
from recollect.memory.recall import Role, Selection
from recollect.memory.recall.ranking import Expansion
from tests.filters.remembered import ALICE, asking, hit, item
from tests.support.constants import made
from tests.support.fence import FENCE
from tests.support.folding import rows
from tests.support.state import InMemoryConversations, InMemoryJobs
from tests.support.waiting import HANG_SECONDS

from .stores import in_a_file

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Captures:
    """A capture over stores in memory."""

    def __init__(self, *, redact=None, images=False, on_recorded=None, **options):
        self.conversations = InMemoryConversations()
        self.jobs = InMemoryJobs()
        self.filter = Capture(
            self.conversations,
            self.jobs,
            made(LearnOptions, **options),
            redact=redact,
            images=images,
            on_recorded=on_recorded,
            clock=lambda: NOON,
        )

    async def __call__(self, *said, answer="I see", turn="t1", roles=None):
        roles = roles or ["user"] * len(said)
        messages = [Message(role=r, content=c) for r, c in zip(roles, said, strict=True)]
        return await self.sent(messages, Answer(answer), turn=turn)

    async def sent(self, messages, answer, *, turn="t1", **notes):
        return await self.filter.response(asking(messages, turn=turn, **notes), answer)

    async def turns(self):
        return await self.conversations.unlearned("c", 1000)


async def test_what_came_before_is_redacted_and_kept():
    """It is no text of the turn itself."""
    capture = Captures(redact=lambda text: text.replace("Oslo", "[place]"))
    roles = ["user", "assistant", "user"]
    await capture("Hello", "Since when do you live in Oslo?", "2019", roles=roles)
    [turn] = await capture.turns()
    assert turn.before.asked == "Since when do you live in [place]?"
    assert turn.user_text == "2019"


async def test_the_turn_is_kept():
    """The last user message and the answer, with everything that says whose they are."""
    capture = Captures()
    said = ("obey", "first", "I live in Oslo", "42")
    assert await capture(*said, roles=["system", "user", "user", "tool"]) is False
    [turn] = await capture.turns()
    assert (turn.id, turn.conversation_id, turn.scope) == ("t1", "c", ALICE)
    assert (turn.user_text, turn.assistant_text, turn.model) == ("I live in Oslo", "I see", "m")
    assert (turn.created_at, turn.seq) == (NOON, 1)


@rows("said, roles", [((), []), (("obey",), ["system"]), (("",), ["user"]), ((" \n",), ["user"])])
async def test_nothing_said_is_no_turn(said, roles):
    """Without a text of the user there is nothing to learn."""
    capture = Captures()
    assert await capture(*said, roles=roles) is False
    assert await capture.turns() == []


async def test_injected_text_is_cut_out_of_both_sides():
    """An answer that repeats our block is kept without it."""
    capture, block = Captures(), FENCE.around("- Alice lives in Oslo\n")
    await capture(f"{block}hello", answer=f"As I read: {block}")
    [turn] = await capture.turns()
    assert (turn.user_text, turn.assistant_text) == ("hello", "As I read: ")


async def test_every_so_many_turns_are_due():
    """The turn that fills the measure starts one job, which ends with that turn."""
    capture = Captures(every_turns=3)
    due = [await capture(f"message {n}", turn=f"t{n}") for n in range(1, 8)]
    assert due == [False, False, True, False, False, True, False]
    job = await capture.jobs.claim(now=NOON, lease_seconds=60)
    assert (job.upto_seq, job.reason, job.scope) == (3, "turns", ALICE)


async def test_a_retry_counts_once():
    """The same turn told again replaces its answer and makes nothing due twice."""
    capture = Captures(every_turns=2)
    await capture("one", turn="t1")
    assert await capture("one", turn="t1", answer="better") is False
    [turn] = await capture.turns()
    assert turn.assistant_text == "better"
    assert await capture("two", turn="t2") is True
    assert await capture("two", turn="t2") is False


async def test_a_failing_store_is_told(monkeypatch):
    """Whoever called decides what a lost turn means."""
    capture = Captures()

    async def fail(_turn):
        raise StateError("disk full")

    await capture.filter.ping()
    record = capture.conversations.record
    monkeypatch.setattr(capture.conversations, "record", fail)
    with pytest.raises(StateError):
        await capture("one")
    # It is counted, and seen until a turn is kept again.
    assert capture.filter.counted["lost"] == 1
    with pytest.raises(StateError, match="disk full"):
        await capture.filter.ping()
    monkeypatch.setattr(capture.conversations, "record", record)
    await capture("one")
    await capture.filter.ping()
    assert capture.filter.counted["lost"] == 1


def user(text, *images):
    return Message(role="user", content=text, images=images)


def asks(*calls):
    return Message(role="assistant", content="", calls=calls)


def tells(text, call_id="1"):
    return Message(role="tool", content=text, call_id=call_id)


CALL = ToolCall("look", '{"q":"x"}', "1")
NEXT = ToolCall("read", '{"n":2}', "2")


async def test_enough_tokens_are_due():
    """A few long turns start a job as many short ones do, once for each crossing."""
    capture = Captures(every_tokens=1000)
    due = [await capture("x" * 1200, turn=f"t{n}") for n in range(8)]
    assert due == [False, False, False, True, False, False, True, False]
    [turn, *_] = await capture.turns()
    assert turn.tokens == 1200 // 4 + 1 + 2
    job = await capture.jobs.claim(now=NOON, lease_seconds=60)
    assert (job.upto_seq, job.reason) == (4, "tokens")


async def test_a_full_queue_takes_no_more_and_loses_nothing():
    """At its bound what is due is counted as overflow; the turns wait for the idle sweep."""
    capture = Captures(every_turns=1, max_queued=2)
    due = [await capture(f"message {n}", turn=f"t{n}") for n in range(5)]
    assert due == [True, True, False, False, False]
    assert capture.filter.counted["overflow"] == 3
    assert len(await capture.turns()) == 5
    [last] = await capture.conversations.pending(idle_since=NOON, scope=None)
    assert last.seq == 5
    for _ in range(2):
        await capture.jobs.ack(await capture.jobs.claim(now=NOON, lease_seconds=60))
    assert await capture("message 5", turn="t5") is True


async def test_who_listens_hears_of_turns_that_are_over():
    """With where they were recorded; a turn whose tools still run is not over."""
    heard = []
    capture = Captures(on_recorded=lambda turn, recorded: heard.append((turn.id, recorded.seq)))
    await capture.sent([user("hi")], Answer("", tool_calls=(CALL,)))
    assert heard == []
    await capture.sent([user("hi"), asks(CALL), tells("42")], Answer("42"))
    assert heard == [("t1", 1)]


async def test_tools_belong_to_their_turn():
    """What was run since the user spoke, kept with the turn once it is over as well."""
    capture = Captures()
    await capture.sent([user("hi")], Answer("", tool_calls=(CALL,)))
    more = [user("hi"), asks(CALL), tells("42")]
    await capture.sent(more, Answer("", tool_calls=(NEXT,)))
    await capture.sent([*more, asks(NEXT), tells("7", "2")], Answer("done"))
    [turn] = await capture.turns()
    assert turn.steps == (ToolStep("look", '{"q":"x"}', "42"), ToolStep("read", '{"n":2}', "7"))
    assert turn.assistant_text == "done"


async def test_tools_of_a_conversation_that_the_upstream_keeps():
    """Each request brings its results alone: what they answer is remembered until it is over."""
    capture = Captures()
    await capture.sent([user("hi")], Answer("", tool_calls=(CALL,)))
    await capture.sent([tells("42")], Answer("", tool_calls=(NEXT,)), asked="hi")
    await capture.sent([tells("7", "2")], Answer("done"), asked="hi")
    [turn] = await capture.turns()
    assert turn.steps == (ToolStep("look", '{"q":"x"}', "42"), ToolStep("read", '{"n":2}', "7"))


async def test_forgetting_reaches_what_is_remembered_of_open_turns():
    """After it the results of a call are those of nobody's."""
    capture = Captures()
    await capture.sent([user("hi")], Answer("", tool_calls=(CALL,)))
    capture.filter.forget(ALICE, "one memory")
    await capture.sent([tells("41")], Answer("", tool_calls=(CALL,)), asked="hi")
    [turn] = await capture.turns()
    assert turn.steps == (ToolStep("look", '{"q":"x"}', "41"),)
    capture.filter.forget(ALICE)
    await capture.sent([tells("42")], Answer("done"), asked="hi")
    [turn] = await capture.turns()
    assert turn.steps == (ToolStep("", "", "42"),)


async def test_what_the_model_was_shown_is_noted():
    """Ids alone, of this recall and of blocks of earlier turns, each once."""
    capture, (a, b, c) = Captures(), map(item, "abc")
    shown = {
        "injected": frozenset(map(version_of, (a, b))),
        "shown": frozenset(map(version_of, (b, c))),
    }
    await capture.sent([user("hi")], Answer("ok"), **shown)
    [turn] = await capture.turns()
    assert sorted(turn.recalled) == sorted({a.id, b.id, c.id})
    many = frozenset(f"{n} hash" for n in range(2 * MAX_RECALLED))
    await capture.sent([user("hi")], Answer("ok"), injected=frozenset({"odd id hash"}), shown=many)
    [turn] = await capture.turns()
    assert turn.recalled[0] == "odd id"
    assert len(turn.recalled) == MAX_RECALLED


async def test_pictures_are_kept_for_who_describes_them():
    """Of the message that begins the turn, and only if somebody does."""
    picture = "data:image/png;base64,iVBORw0KGgo="
    for images, kept in ((True, (picture,)), (False, ())):
        capture = Captures(images=images)
        await capture.sent([user("old", "https://a/b.png"), user("[image]", picture)], Answer("ok"))
        [turn] = await capture.turns()
        assert (turn.images, turn.user_text) == (kept, "[image]")


async def test_secrets_never_reach_the_store():
    """Of either side, of a call, its arguments and its result."""
    capture = Captures(redact=lambda text: text.replace("s3cret", "[removed]"))
    call = ToolCall("s3cret", "s3cret", "1")
    said = [user("my key s3cret"), asks(call), tells("it is s3cret")]
    await capture.sent(said, Answer("so s3cret it is"))
    [turn] = await capture.turns()
    assert "s3cret" not in repr(turn)
    assert turn.steps == (ToolStep("[removed]", "[removed]", "it is [removed]"),)


async def test_a_turn_is_redacted_once():
    """However often a client resends it while its tools are at work."""
    seen = []
    capture = Captures(redact=lambda text: seen.append(text) or text)
    await capture.sent([user("hi")], Answer("", tool_calls=(CALL,)))
    more = [user("hi"), asks(CALL), tells("42")]
    await capture.sent(more, Answer("", tool_calls=(NEXT,)))
    await capture.sent([*more, asks(NEXT), tells("7", "2")], Answer("done"))
    assert sorted(seen) == sorted(["hi", "look", '{"q":"x"}', "42", "read", '{"n":2}', "7", "done"])


async def test_much_to_redact_is_no_work_for_the_event_loop():
    """A long text goes to a thread, a short one does not need one."""
    threads = []
    capture = Captures(redact=lambda text: threads.append(threading.get_ident()) or text)
    await capture("short", answer="")
    await capture("x" * (INLINE_CHARS + 1), turn="t2", answer="")
    assert threads[0] == threading.get_ident() != threads[1]


async def test_what_is_not_redacted_in_time_is_not_kept(monkeypatch):
    """A mark stands for the turn's texts, and nothing of them is ever written; it is counted."""
    monkeypatch.setattr("recollect.filters.capture.filter.PREPARE_SECONDS", 0.01)
    go_on = threading.Event()

    def slow(text):
        assert go_on.wait(HANG_SECONDS)
        return text

    capture = Captures(redact=slow)
    await capture("x" * (INLINE_CHARS + 1), answer="y")
    [turn] = await capture.turns()
    assert (turn.user_text, turn.assistant_text) == (NOT_KEPT, NOT_KEPT)
    assert capture.filter.counted["not_kept"] == 1
    go_on.set()


async def test_tries_of_one_request_are_redacted_once():
    """Fifty that arrive together are kept, and the text is read once."""
    read = []
    capture = Captures(redact=lambda text: read.append(len(text)) or text)
    said = "x" * (INLINE_CHARS + 1)
    await asyncio.gather(*(capture(said, answer="y") for _ in range(50)))
    assert read.count(len(said)) == 1
    [turn] = await capture.turns()
    assert (turn.user_text, turn.assistant_text) == (said, "y")
    assert capture.filter.counted["not_kept"] == 0


async def test_a_failing_redactor_costs_the_text_and_not_the_turn():
    """The raw text is not kept; that a turn was there is."""

    def fail(text):
        raise ValueError(text)

    capture = Captures(redact=fail)
    await capture("my secret", answer="your secret")
    [turn] = await capture.turns()
    assert (turn.user_text, turn.assistant_text) == (NOT_KEPT, NOT_KEPT)
    assert capture.filter.counted["not_kept"] == 2


ODD = "a\ud800b\u0000c\udfff"


async def test_hostile_texts_are_kept_within_bounds():
    """A hundred thousand tokens, ten megabytes of output, ten thousand calls, odd characters.

    Everything is kept in a real store, bounded, and read back as it was kept.
    """
    endless = "{" * 50_000
    calls = [ToolCall(f"f{ODD}", endless, str(n)) for n in range(10_000)]
    results = [tells("x" * 10_000_000, "0"), *(tells(ODD, str(n)) for n in range(1, 10_000))]
    async with in_a_file(None) as (conversations, jobs):
        capture = Capture(conversations, jobs, LearnOptions(), redact=str, images=True)
        exchange = asking(
            [user("word " * 100_000 + ODD, ODD, "x" * 9_000_000), asks(*calls), *results]
        )
        assert await capture.response(exchange, Answer(ODD * 100_000)) is True
        [turn] = await conversations.unlearned("c", 10)
    assert len(turn.user_text) < 101_000
    assert len(turn.assistant_text) < 101_000
    assert len(turn.steps) == 40
    assert sum(len(s.name + s.arguments + s.result) for s in turn.steps) < 70_000
    assert turn.steps[-1].result == "a?b\u0000c?"
    assert turn.images == ()
    assert 0 < turn.tokens < 100_000


async def test_a_client_that_leaves_cancels_nothing_of_another():
    """A capture that is cancelled in the middle is done again, and the turn is there once."""
    capture = Captures(redact=str)
    long = "x" * 50_000
    leaving = asyncio.ensure_future(capture(long))
    await asyncio.sleep(0)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    await capture(long)
    assert len(await capture.turns()) == 1


async def test_what_a_message_asked_for_is_told_from_what_stood_beside():
    """No wishes, nothing that only a better line leads to, and nothing of an earlier block."""
    capture, asked, wish = Captures(), hit("a"), hit("b")._replace(role=Role.WISH.value)
    step = Expansion("a", "Porto", "", 0.9, alone=True)
    led, both = hit("d")._replace(step=step), hit("e")._replace(step=step._replace(alone=False))
    chosen = (asked, wish, led, both)
    shown = {
        "selection": Selection(chosen, ()),
        "injected": frozenset(version_of(one.item) for one in chosen),
        "shown": frozenset({version_of(item("c"))}),
    }
    await capture.sent([user("hi")], Answer("ok"), **shown)
    [turn] = await capture.turns()
    assert len(turn.recalled) == 5
    assert turn.asked == (asked.item.id, both.item.id)


async def test_what_is_said_in_a_role_is_marked():
    """With the whole conversation as it is known; the text is kept as it was said."""
    heard = []

    async def plays(messages):
        heard.append([one.content for one in messages])
        return "king" in messages[0].content

    capture = Captures()
    capture.filter.plays = plays
    await capture("You are the king", "I am Kael", turn="t1", roles=["system", "user"])
    await capture("You are polite", "I am Kim", turn="t2", roles=["system", "user"])
    played, person = await capture.turns()
    assert (played.user_text, played.before) == ("I am Kael", PrecedingQuestion(plays=True))
    assert person.before is None
    assert heard[0] == ["You are the king", "I am Kael"]

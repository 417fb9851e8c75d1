"""Blocks of memories in a request: one new one, those of earlier turns, and working blocks."""

import asyncio
import json

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import Exchange, Outcome, Position, Verdict
from recollect.filters.capture import conversation_id_of, turn_id_of
from recollect.filters.exchange import Injection, Place
from recollect.filters.inject.filter import Inject, Replay, injection, places
from recollect.filters.inject.working_blocks import (
    ONLY_BLOCKS,
    WorkingBlocks,
    together,
    with_blocks,
)
from recollect.filters.turn_cache import TurnCache
from recollect.memory.blocks import BlockPage, render
from recollect.memory.blocks.lines import versions_of
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Message
from recollect.memory.recall import Drop, Selection
from recollect.proxy.dialects.chat import parse_chat_body
from tests.filters.remembered import ALICE, asking, hit, item, selection
from tests.support.fence import FENCE
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


def messages(roles):
    return [Message(role=role.replace("calls", "assistant"), content=role) for role in roles]


async def injected(chosen, roles=("system", "user"), shown=(), place=Place.TAIL):
    exchange = asking(
        messages(roles),
        place=place,
        selection=chosen,
        shown=versions_of(shown),
        notes={"gate": "personal"},
    )
    await Inject(FENCE).request(exchange)
    return exchange


async def test_what_was_chosen_is_injected():
    """Best first, in one message, with the outcome and the gate's reason."""
    asked = await injected(selection("first", "second"))
    text = render([item("first"), item("second")], FENCE)
    assert [*asked.injections] == [Injection(1, text, Place.TAIL)]
    assert asked.injected == versions_of([item("first"), item("second")])
    assert (asked.verdict.outcome, asked.verdict.reason) == (Outcome.INJECTED, "personal")


@rows("place", Place)
async def test_what_the_model_sees_anyway_is_left_out(place):
    """Memories in blocks that the upstream keeps are not repeated, but count as seen."""
    shown = [item("old"), item("other")]
    asked = await injected(selection("old", "new"), shown=shown, place=place)
    index = 0 if place is Place.START else 1
    assert [*asked.injections] == [Injection(index, render([item("new")], FENCE), place)]
    assert asked.injected == versions_of([item("old"), item("new")])
    asked = await injected(selection("old"), shown=shown, place=place)
    assert (asked.injections, asked.injected) == ((), versions_of([item("old")]))
    assert (asked.verdict.outcome, asked.verdict.reason) == (Outcome.INJECTED, "replayed")


async def test_an_updated_memory_is_shown_again():
    """What stands in an earlier block is outdated."""
    asked = await injected(selection("home"), shown=[item("home", "lives in Oslo")])
    assert [each.text for each in asked.injections] == [render([item("home")], FENCE)]


@rows(
    "chosen, roles",
    [
        (None, ["user"]),
        (Selection((), ((hit("x"), Drop.BUDGET),)), ["user"]),
        *((selection("first"), roles) for roles in ([], ["system"], ["assistant", "tool"])),
    ],
)
async def test_nothing_is_injected_for_nothing(chosen, roles):
    """Neither without memories nor without anybody who asked."""
    for place in Place:
        asked = await injected(chosen, roles, place=place)
        assert (asked.injections, asked.injected, asked.verdict) == ((), frozenset(), None)


ANY_ROLES = st.lists(
    st.sampled_from(["system", "developer", "user", "assistant", "tool", "function", "", "odd"]),
    max_size=12,
)


@given(ANY_ROLES, st.sampled_from(Place))
def test_every_user_message_has_a_place_at_or_before_it(roles, where):
    """In the same order; between a result and the assistant that asked for it there is none."""
    users = [i for i, role in enumerate(roles) if role == "user"]
    found = places(messages(roles), where)
    assert found == sorted(found)
    assert all(0 <= place <= user for place, user in zip(found, users, strict=True))
    for place in places(messages(roles), Place.TAIL):
        for at, role in enumerate(roles):
            if role in {"tool", "function"}:
                caller = max((i for i in range(at) if roles[i] in {"assistant", ""}), default=None)
                assert caller is None or not caller < place <= at


@rows("roles, expected", ROWS["the places"])
def test_the_places(roles, expected):
    """Calls of the Responses API are items without a role, several in a row are made at once.

    A block stands at the last one: `tail` parts no call from its result, `user` is the message
    itself, `start` the first one.
    """
    asked = messages(roles)
    assert places(asked, Place.TAIL) == expected
    if "user" not in roles:
        assert injection(asked, "x", Place.TAIL) is None
        return
    user = max(at for at, role in enumerate(roles) if role == "user")
    for place, index in ((Place.TAIL, expected[-1]), (Place.USER, user), (Place.START, 0)):
        assert injection(asked, "x", place) == Injection(index, "x", place)


PAGE = "the page"


class Known:
    """Blocks of everybody."""

    known = True

    def __init__(self, text=PAGE):
        self.text = text

    def knows(self, _scope):
        return self.known

    async def page(self, _scope):
        if isinstance(self.text, Exception):
            raise self.text
        return BlockPage(self.text, complete=True)


async def passed(asked, pages=None, position=Position.AUTO):
    step = WorkingBlocks(pages or Known(), position)
    await step.request(asked)
    step.settle(asked)
    return asked.injections


@rows(
    "place, position, before, after",
    [
        # Where memories do, before what is recalled: it starts with the same bytes whatever that is.
        (Place.USER, Position.AUTO, [], [(2, PAGE, Place.USER)]),
        (Place.TAIL, Position.AUTO, [], [(2, PAGE, Place.TAIL)]),
        (Place.START, Position.AUTO, [], [(0, PAGE, Place.START)]),
        (Place.USER, Position.AUTO, [(2, "recalled", Place.USER)],
         [(2, f"{PAGE}\n\nrecalled", Place.USER)]),
        # Later turns of a replayed conversation add nothing before them.
        (Place.START, Position.REPLAY, [(2, "recalled", Place.USER)],
         [(0, PAGE, Place.USER), (2, "recalled", Place.USER)]),
    ],
)  # fmt: skip
async def test_where_working_blocks_stand(place, position, before, after):
    """In the message that the request is about, or at the start."""
    asked = asking(messages(["user", "assistant", "user"]), place=place)
    asked.injections = [Injection(*each) for each in before]
    assert await passed(asked, position=position) == [Injection(*each) for each in after]


def test_texts_in_other_places_stay_apart():
    """In the order of their places."""
    ours, other = Injection(2, "a", Place.USER), Injection(1, "b", Place.USER)
    assert together(ours, [other]) == [other, ours]
    elsewhere = Injection(2, "b", Place.TAIL)
    assert together(ours, [elsewhere]) == [ours, elsewhere]


async def test_a_request_without_blocks_is_left_alone():
    """So is one without a message to put them into, and one for which the state fails."""
    for roles, page in ((["user"], ""), (["system"], PAGE), (["user"], StateError("away"))):
        asked = asking(messages(roles))
        assert await passed(asked, Known(page)) == ()
        assert (asked.verdict, asked.working) == (None, "")
    pages = Known()
    step = WorkingBlocks(pages, Position.AUTO)
    assert not step.calls_out(asked)
    pages.known = False  # only where blocks are not known is a part asked
    assert step.calls_out(asked)


def test_the_outcome_says_that_something_was_injected():
    """And still says that a recall failed."""
    asked = asking(messages(["user"]))
    for outcome in (Outcome.SKIPPED, Outcome.EMPTY, Outcome.DEGRADED, Outcome.INJECTED):
        asked.working = ""
        assert with_blocks(Verdict(outcome, "x"), asked).reason == "x"
        asked.working = PAGE
        only = outcome in {Outcome.SKIPPED, Outcome.EMPTY}
        assert with_blocks(Verdict(outcome, "x"), asked).reason == (ONLY_BLOCKS if only else "x")


USER, ASSISTANT, CALL, RESULT = "user", "assistant", "assistant", "tool"
RECALLED = st.none() | st.lists(st.sampled_from("abcdef"), unique=True, max_size=4)
"""The ids that the turn's recall finds; none at all if it is skipped, empty or degraded."""
TURN = st.tuples(RECALLED, st.integers(0, 2), st.none() | RECALLED)
"""What it finds, how many tools run, and what a retry finds."""


class Client:
    """One conversation of a client that repeats it all with each request."""

    place = Place.TAIL

    def __init__(self, kept, scope=ALICE, *said):
        self.kept = kept
        self.scope = scope
        self.said = list(said)

    def say(self, role, text):
        self.said.append((role, text))
        return self

    async def ask(self, *recalled, skipped=False, shown=frozenset()):
        """What goes upstream, and the exchange, if recall finds these."""
        body = parse_chat_body(
            json.dumps({"messages": [{"role": r, "content": t} for r, t in self.said]}).encode()
        )
        conversation_id = conversation_id_of(self.scope, None, body.messages)
        exchange = Exchange(
            scope=self.scope,
            messages=body.messages,
            model="m",
            conversation_id=conversation_id,
            turn_id=turn_id_of(conversation_id, body.messages),
            place=self.place,
            notes={"gate": "personal"},
            shown=shown,
        )
        replay = Replay(self.kept, FENCE)
        if not skipped:
            exchange.selection = selection(*recalled)
            await replay.request(exchange)
        replay.settle(exchange)
        return body.inject(exchange.injections), exchange

    async def texts(self, *recalled, **options):
        """The messages that go upstream."""
        sent, _ = await self.ask(*recalled, **options)
        return [message["content"] for message in json.loads(sent)["messages"]]


def block(*ids):
    return render([item(name) for name in ids], FENCE)


def is_prefix(sent, later):
    """Whether what was sent, up to the end of its last message, is how the later one begins."""
    return later.startswith(sent.removesuffix(b"]}"))


async def turn_begins(client, before, recalled, retried):
    """Send the new message, perhaps twice; both requests begin with all of the turn before."""
    sent, exchange = await client.ask(*recalled or (), skipped=recalled is None)
    assert is_prefix(before, sent)
    if not recalled or retried is None:
        return sent
    again, _ = await client.ask(*retried)
    assert is_prefix(before, again)
    assert again == sent or exchange.verdict.reason == "replayed"
    return again


@given(st.lists(TURN, min_size=1, max_size=6), st.sampled_from(Place))
def test_every_request_begins_with_the_one_before(turns, place):
    """Whatever each recall finds, with tools and retries, wherever the server takes blocks."""

    async def talk():
        client, before = Client(TurnCache(), ALICE, ("system", "Be kind.")), b""
        client.place = place
        for number, (recalled, tools, retried) in enumerate(turns):
            client.say(USER, f"question {number}")
            sent = await turn_begins(client, before, recalled, retried)
            for tool in range(tools):
                client.say(CALL, f"call {tool}").say(RESULT, f"result {tool}")
                later, _ = await client.ask(*recalled or (), skipped=recalled is None)
                assert is_prefix(sent, later)
                sent = later
            before = sent
            client.say(ASSISTANT, f"answer {number}")

    asyncio.run(talk())


@given(st.lists(RECALLED, min_size=1, max_size=8))
def test_no_memory_is_shown_twice_and_none_is_missing(recalls):
    """In the last request every memory that was recalled so far stands exactly once."""

    async def talk():
        client = Client(TurnCache())
        for number, recalled in enumerate(recalls):
            client.say(USER, f"question {number}")
            sent, exchange = await client.ask(*recalled or (), skipped=recalled is None)
            assert exchange.injected == versions_of(map(item, recalled or ()))
            client.say(ASSISTANT, "answer")
        everything = sent.decode()
        wanted = {name for recalled in recalls for name in recalled or ()}
        assert {name: everything.count(f" {name}\\n") for name in "abcdef"} == {
            name: int(name in wanted) for name in "abcdef"
        }

    asyncio.run(talk())


async def test_edited_history_gets_only_what_is_the_same():
    """An edited message and all after it are other turns; those before keep their blocks."""
    kept = TurnCache()
    client = Client(kept, ALICE, (USER, "one"))
    await client.ask("a")
    client.say(ASSISTANT, "first").say(USER, "two")
    await client.ask("b")
    client.say(ASSISTANT, "second").say(USER, "three")
    await client.ask("c")
    edited = Client(
        kept, ALICE, (USER, "one"), (ASSISTANT, "first"), (USER, "TWO"), (ASSISTANT, "second"),
        (USER, "three"),
    )  # fmt: skip
    assert await edited.texts(skipped=True) == [
        block("a"), "one", "first", "TWO", "second", "three",
    ]  # fmt: skip


async def test_a_forgotten_memory_is_in_no_block_any_more():
    """Its blocks go, the others stay; what else stood in them may be recalled again."""
    kept = TurnCache()
    client = Client(kept, ALICE, (USER, "one"))
    await client.ask("a", "b")
    client.say(ASSISTANT, "first").say(USER, "two")
    await client.ask("c")
    client.say(ASSISTANT, "second").say(USER, "three")
    kept.forget("local", "a")
    assert await client.texts("b") == [
        "one", "first", block("c"), "two", "second", block("b"), "three",
    ]  # fmt: skip


async def test_a_conversation_the_upstream_keeps():
    """Only the last turn is known; what its earlier blocks show is not repeated."""
    kept = TurnCache()
    body = [Message(role=role, content=role) for role in (USER, ASSISTANT, USER)]
    exchange = Exchange(
        scope=ALICE,
        messages=body,
        model="m",
        conversation_id="c",
        turn_id=turn_id_of("c", body, after="the turn before"),
        selection=selection("a", "b"),
        shown=versions_of([item("a")]),
    )
    for _ in range(2):
        await Replay(kept, FENCE).request(exchange)
        Replay(kept, FENCE).settle(exchange)
        [injected] = exchange.injections
        assert (injected.index, injected.text) == (2, block("b"))
    assert exchange.injected == versions_of([item("a"), item("b")])

"""Each request begins with the bytes of the one before."""

import asyncio
import json

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import Exchange, Place
from recollect.filters.capture import conversation_id_of, turn_id_of
from recollect.filters.inject.filter import Replay
from recollect.filters.turn_cache import TurnCache
from recollect.memory.blocks import render, versions_of
from recollect.memory.model.types import Message, Scope
from recollect.proxy.dialects.chat import parse_chat_body
from tests.support.fence import FENCE

from ..remembered import ALICE, item, selection

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


async def test_a_retry_gets_the_turns_own_block():
    """Byte for byte, whatever its recall finds, and also if it finds nothing or never runs."""
    client = Client(TurnCache(), ALICE, (USER, "one"))
    first, _ = await client.ask("a")
    for again in (await client.ask("b", "a"), await client.ask(), await client.ask(skipped=True)):
        assert again[0] == first
        assert again[1].injected == versions_of([item("a")])


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


@given(st.sampled_from(["local", "other"]), st.sampled_from(["alice", "bob"]), st.booleans())
def test_nobody_elses_blocks(tenant, user, agent):
    """The same words said by another scope get nothing."""

    async def talk():
        kept = TurnCache()
        await Client(kept, ALICE, (USER, "one")).ask("a")
        scope = Scope(tenant=tenant, user_id=user, agent_id="x" if agent else None)
        other = Client(kept, scope, (USER, "one"), (ASSISTANT, "first"), (USER, "two"))
        found = await other.texts(skipped=True)
        assert (block("a") in found) == (scope == ALICE)

    asyncio.run(talk())


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

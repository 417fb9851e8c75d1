"""What a request becomes for memory. What goes upstream of it: test_memory_route.py."""

import json

import pytest

from recollect.filters.side_requests import SideRequests
from recollect.memory.model.errors import EmbeddingError
from recollect.proxy.dialects.messages import MESSAGES
from tests.support.folding import rows

from ..chatting import Chatting, inject, said
from ..wire import response


@pytest.fixture
def asked():
    """The exchanges that recall was asked for."""
    return []


@pytest.fixture
def note(asked):
    async def step(exchange):
        asked.append(exchange)

    return step


async def test_a_session_is_one_conversation(asked, note):
    """Requests that name one belong together, whatever they say; turns are told apart."""
    async with Chatting(step=note) as chatting:
        for text in ("one", "two"):
            body = json.dumps({"messages": [{"role": "user", "content": text}]}).encode()
            await chatting.ask(body, "x-recollect-session: s")
        await chatting.ask(body)
    first, second, other = asked
    assert first.conversation_id == second.conversation_id != other.conversation_id
    assert first.turn_id != second.turn_id


ASKED = "I keep bees behind the school, how do they get through the winter?"
TOLD = "They form a cluster and shiver to keep warm, living on their honey."
TITLE = (
    b' {"model":"m", "max_tokens" : 20,"messages":[{"role":"user","content":"Name: %s / %s"}]}'
    % (
        ASKED.encode(),
        TOLD.encode(),
    )
)


async def judge(exchange):
    """The first filter, and one that always injects."""
    await SideRequests().request(exchange)
    if exchange.verdict is None:
        await inject(exchange)


def answering_with(text):
    message = {"role": "assistant", "content": text}
    return response(json.dumps({"choices": [{"index": 0, "message": message}]}).encode())


def body_of(text):
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]}).encode()


@rows("recall", [True, False])
async def test_a_side_request_passes_as_it_is_and_is_not_stored(recall):
    """A title prompt after a turn: no memories, no turn, the client's own bytes and headers."""
    options = {"step": judge, "recall": {"enabled": recall}}
    async with Chatting(answering_with(TOLD), **options) as chatting:
        await chatting.ask(body_of(ASKED))
        seen = await chatting.ask(TITLE, "Accept-Encoding: br")
        assert (chatting.received.body, chatting.received.values("accept-encoding")) == (
            TITLE,
            ["br"],
        )
        [turn] = await chatting.turns()
    assert turn.user_text == ASKED
    assert said(seen) == (
        ("skipped", "side_request", "0") if recall else ("off", "off_by_configuration", "0")
    )


async def test_a_turn_that_is_not_learned_tells_nothing():
    """A client that keeps its chat out of memory leaves no trace of it here."""
    async with Chatting(answering_with(TOLD), step=judge) as chatting:
        await chatting.ask(body_of(ASKED), "x-recollect-memory: read")
        seen = await chatting.ask(TITLE)
    assert said(seen)[:2] == ("injected", "personal")


OWN = (
    b'{"model":"m" ,"max_tokens":512,"system":"Is it a new topic? Answer as JSON.","messages":['
    b'{"role":"user","content":"I like tea"},{"role":"assistant","content":"{"}]}'
)


@rows("like, kept", [(1.0, []), (-1.0, ["I like tea"])])
async def test_a_clients_own_request_passes_as_it_is_and_is_not_stored(like, kept):
    """Told by what it asks for, without any turn before it."""

    async def likeness(_text):
        return like

    answer = response(
        json.dumps({"type": "message", "content": [{"type": "text", "text": "1}"}]}).encode()
    )
    async with Chatting(answer, dialect=MESSAGES, step=judge, likeness=likeness) as chatting:
        seen = await chatting.ask(OWN)
        assert (chatting.received.body == OWN) is (not kept)
        assert [turn.user_text for turn in await chatting.turns()] == kept
    assert said(seen)[:2] == (("skipped", "side_request") if like > 0 else ("injected", "personal"))


async def test_a_request_that_cannot_be_judged_is_a_turn():
    """A dead embedder costs nothing but the telling."""

    async def likeness(_text):
        raise EmbeddingError("down")

    async with Chatting(answering_with("Yes"), step=judge, likeness=likeness) as chatting:
        await chatting.ask(OWN)
        [turn] = await chatting.turns()
    assert turn.user_text == "I like tea"


async def test_a_turn_keeps_the_zone_of_its_user():
    """The header is ours, and never sent upstream."""
    async with Chatting(answering_with("Yes")) as chatting:
        await chatting.ask(body_of("I move tomorrow"), "x-recollect-timezone: Asia/Tokyo")
        assert chatting.received.values("x-recollect-timezone") == []
        await chatting.ask(body_of("And the day after"), "x-recollect-timezone: Mars")
        zones = {turn.user_text: turn.zone for turn in await chatting.turns()}
    assert zones == {"I move tomorrow": "Asia/Tokyo", "And the day after": ""}

"""What a request becomes for memory. What goes upstream of it: test_memory_route.py."""

import json

import pytest

from ..chatting import BODY, Chatting, inject, said


@pytest.fixture
def asked():
    """The exchanges that recall was asked for."""
    return []


@pytest.fixture
def note(asked):
    async def step(exchange):
        asked.append(exchange)

    return step


async def test_an_exchange_is_what_the_client_says(asked, note):
    """Whose it is, by the headers; what is asked of which model, by the body."""
    async with Chatting(step=note) as chatting:
        await chatting.ask(BODY, "x-recollect-agent: helper")
    [exchange] = asked
    assert (exchange.scope.user_id, exchange.scope.agent_id) == ("alice", "helper")
    assert exchange.model == "m"
    assert [message.content for message in exchange.messages] == ["Hi \u00e9"]


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


@pytest.mark.parametrize("use", ["read", "write"])
async def test_a_switch_is_named_before_what_the_client_wants(use, asked, note):
    """Where recall is off nobody is told that their header turned it off; no filter runs."""
    async with Chatting(step=note, recall={"enabled": False}) as chatting:
        seen = await chatting.ask(BODY, f"x-recollect-memory: {use}")
    assert said(seen) == ("off", "off_by_configuration", "0")
    assert not asked


async def test_codings_are_ours_to_read_only_where_something_is_learned():
    """Nothing is learned by configuration: the client gets whatever it asked for."""
    options = {"step": inject, "learn": {"enabled": False}}
    async with Chatting(**options) as chatting:
        await chatting.ask(BODY, "Accept-Encoding: br")
        assert chatting.received.values("accept-encoding") == ["br"]

import pytest

from memory.errors import ExtractionError, ModelError
from memory.learn.extract import MAX_CALL_CHARS, MAX_MESSAGE_CHARS, extract
from memory.learn.prompts import FACTS_SCHEMA
from memory.types import Message
from tests.support.scripted import facts

from .doubles import NOON, Says, user

HELLO = [user("I am Bob"), Message(role="assistant", content="Hello Bob")]


async def found(model, conversation=HELLO, **options):
    return [c.text for c in await extract(model, conversation, at=NOON, **options)]


async def test_one_call():
    """A readable answer takes one call, which asks for the schema and the bound on tokens."""
    model = Says(facts("User is Bob"))
    assert await found(model, max_tokens=123) == ["User is Bob"]
    [request] = model.requests
    assert request.schema == FACTS_SCHEMA
    assert request.max_tokens == 123
    assert request.temperature == 0
    assert "user: I am Bob\nassistant: Hello Bob" in request.messages[1].content


async def test_one_repair():
    """An unreadable answer is shown to the model once, and its second answer counts."""
    model = Says("I think he is Bob.", facts("User is Bob"))
    assert await found(model) == ["User is Bob"]
    first, second = model.requests
    assert list(second.messages)[:2] == list(first.messages)
    assert second.messages[2].content == "I think he is Bob."
    assert "no JSON list of facts" in second.messages[3].content


async def test_no_second_repair():
    """Two unreadable answers are an ExtractionError, and there is no third call."""
    model = Says("first", "second", facts("too late"))
    with pytest.raises(ExtractionError):
        await found(model)
    assert len(model.requests) == 2


async def test_a_repair_is_no_flood():
    """Of an endless answer only the beginning is sent back."""
    model = Says("x" * 1_000_000, facts())
    assert await found(model) == []
    assert len(model.requests[1].messages[2].content) == MAX_MESSAGE_CHARS


async def test_no_facts_needs_no_repair():
    """An empty list is an answer."""
    model = Says(facts())
    assert await found(model) == []
    assert len(model.requests) == 1


async def test_the_models_failure_is_not_repaired():
    """A model that cannot be asked is a ModelError at once."""
    model = Says(ModelError("down"))
    with pytest.raises(ModelError):
        await found(model)
    assert len(model.requests) == 1


@pytest.mark.parametrize("role", ["system", "developer"])
async def test_instructions_to_the_assistant_are_not_shown(role):
    """What an operator told the assistant, and memories we injected, are never learned from."""
    model = Says(facts())
    await found(model, [Message(role=role, content="SECRET"), user("hi")])
    assert "SECRET" not in model.heard()


@pytest.mark.parametrize("conversation", [[], [Message(role="system", content="You are kind")]])
async def test_nothing_to_read_costs_no_call(conversation):
    """Without a message that can be learned from, no model is asked."""
    model = Says(facts("invented"))
    assert await found(model, conversation) == []
    assert model.requests == []


async def test_own_prompt():
    """A caller's prompt replaces the instructions and lifts the schema, as it may ask for another."""
    model = Says('["User has a cat"]')
    assert await found(model, prompt="Only pets.") == ["User has a cat"]
    [request] = model.requests
    assert request.messages[0].content == "Only pets."
    assert request.schema is None


async def test_long_conversations_take_several_calls():
    """No call is longer than its bound, each message is in exactly one, and repetitions count once."""
    size = MAX_MESSAGE_CHARS - 100
    conversation = [user(f"[{n}] " + "x" * size) for n in range(12)]
    model = Says(facts("User is Bob", "first"), facts("user is bob", "second"), facts("third"))
    assert await found(model, conversation) == ["User is Bob", "first", "second", "third"]
    assert len(model.requests) == 3
    sent = [request.messages[1].content for request in model.requests]
    assert all(len(text) < MAX_CALL_CHARS + 1000 for text in sent)
    assert [sum(f"[{n}]" in text for text in sent) for n in range(12)] == [1] * 12


async def test_long_messages_lose_their_middle():
    """Of a very long message the beginning and the end are read."""
    model = Says(facts())
    await found(model, [user("BEGIN" + "x" * 100_000 + "END")])
    [request] = model.requests
    content = request.messages[1].content
    assert "BEGIN" in content
    assert "END" in content
    assert len(content) < MAX_MESSAGE_CHARS + 500


async def test_a_part_that_fails_fails_all():
    """If a later part of a long conversation cannot be read, nothing is said to be learned."""
    model = Says(facts("first"), ModelError("down"))
    with pytest.raises(ModelError):
        await found(model, [user("x" * 12_000) for _ in range(6)])

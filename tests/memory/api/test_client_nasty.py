"""The library with texts and values that break programs: it raises its own errors and no others."""

from __future__ import annotations

import inspect
import json
import math
from datetime import UTC, datetime

import pytest

from recollect.memory import AsyncMemory, InvalidInputError, NotFoundError, RecollectError
from recollect.memory.model.messages import parse_messages
from recollect.memory.model.types import Message, ToolCall
from tests.memory.api.client_parts import build
from tests.memory.learn.doubles import Says
from tests.support.budget import paired
from tests.support.folding import rows
from tests.support.nasty import TEXTS, VALUES
from tests.support.scripted import facts

ODD = {
    name: json.loads(value) if isinstance(value, str) else value for name, value in VALUES.items()
} | {
    "bytes": b"tea",
    "a set": {"tea"},
    "not a number": math.nan,
    "a date without a zone": datetime(1, 1, 1),  # noqa: DTZ001 - that is what is tried
    "the end of time": datetime.max.replace(tzinfo=UTC),
    "a key that is no text": {1: "x"},
    "one further in": {"k": [{None: 1}]},
    "itself": (loop := {}),
    "a class": str,
}
loop["k"] = loop
PLAIN = {
    "messages": "I like tea",
    "query": "tea",
    "text": "I like tea",
    "memory_id": "no-such-id",
    "token": "a.b",
    "user_id": "alice",
}
"""What each call has besides the argument that is tried."""
METHODS = (
    "add",
    "search",
    "explain",
    "get",
    "get_all",
    "update",
    "validate",
    "restore",
    "delete",
    "delete_all",
    "forget",
    "forget_all",
    "propose_forget",
    "confirm_forget",
    "history",
)
NOT_DATA = {"self", "show"}


def arguments(name):
    """The parameters of a method that callers fill with data."""
    return inspect.signature(getattr(AsyncMemory, name)).parameters.keys() - NOT_DATA


def known(name):
    return {field: PLAIN[field] for field in arguments(name) if field in PLAIN}


async def ask(memory, name, **changes):
    """Call it; its answer, which JSON has to hold, or its own error."""
    try:
        answer = await getattr(memory, name)(**(known(name) | changes))
    except RecollectError:
        return None
    json.dumps(answer).encode()
    return answer


async def test_every_argument_of_every_method():
    """What is no text, no number, or no time is refused by an error that callers know.

    Each method gets each kind of argument with some of the values; all of them where tables are
    walked whole.
    """
    asked = [(name, field) for name in METHODS for field in sorted(arguments(name))]
    values = [*TEXTS.values(), *ODD.values()]
    async with build(Says(facts("User likes tea"))) as memory:
        await memory.add("I like tea", user_id="alice", infer=False)
        for (name, field), value in paired(asked, values, 12):
            await ask(memory, name, **{field: value})
        assert await ask(memory, "search") is not None


@rows(
    "message",
    [
        {"role": "\ud800", "content": "x"},
        {"role": "user", "content": "\ud800"},
        {"role": "user", "content": [{"type": "text", "text": "\ud800"}]},
        {"role": "user", "content": [{"type": "image_url", "image_url": "\ud800"}]},
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "\ud800"}}]},
        Message(role="user", content="\ud800"),
        Message(role="user", content="x", calls=(ToolCall("x", "\ud800"),)),
    ],
)
def test_no_message_has_half_a_character(message):
    """A model would be sent what it cannot read; the message is named."""
    with pytest.raises(InvalidInputError, match=r"^messages\[1\]"):
        parse_messages([{"role": "user", "content": "x"}, message])


@rows("memory_id", ["\ud800", "a\0b", "i" * 1000])
async def test_no_part_is_asked_for_an_id_that_no_memory_has(memory_id, monkeypatch):
    """Milvus and PostgreSQL would refuse the question: that is no failure of theirs."""

    async def refuses(*_args, **_options):
        raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")

    async with build() as memory:
        monkeypatch.setattr(memory._store, "get", refuses)
        monkeypatch.setattr(memory._engine.parts.history, "of", refuses)
        assert await memory.get(memory_id) is None
        assert await memory.history(memory_id) == []
        for change in (memory.validate, memory.restore, memory.delete):
            with pytest.raises(NotFoundError):
                await change(memory_id)

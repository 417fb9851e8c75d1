"""The tools that look at more than single facts."""

from __future__ import annotations

from typing import Any

from recollect.memory.api.client import AsyncMemory
from recollect.memory.model.types import ChatReply, ChatRequest
from tests.memory.tools.opened import called


class Grounded:
    """A model that answers from the first note."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        return ChatReply(text='{"grounds": [1], "answer": "On Friday."}', model="m")

    async def close(self) -> None:
        """Nothing to close."""


async def add(memory: AsyncMemory, text: str, **how: Any) -> str:
    stored = await memory.add(text, infer=False, user_id="ada", **how)
    return stored["results"][0]["id"]


async def test_episodes_are_found_by_words_and_time(memory: AsyncMemory) -> None:
    """Facts of other types are none."""
    await add(memory, "The team met in Lyon.", type="episodic")
    await add(memory, "The office is in Lyon.")
    tools = memory.tools(user_id="ada")
    found = await called(tools, "recall_episodes", query="Lyon")
    assert [each["fact"] for each in found.value["facts"]] == ["The team met in Lyon."]
    late = await called(tools, "recall_episodes", query="Lyon", until="2001-01-01")
    assert late.value["facts"] == []
    wrong = await tools.call("recall_episodes", {"query": "Lyon", "since": "yesterday"})
    assert "ISO 8601" in (wrong.error or "")


async def test_a_memory_without_a_model_offers_no_tool_that_asks_one(memory: AsyncMemory) -> None:
    """Of a library that was given no key, and of a program with a model of its own."""
    with_model = memory.for_tenant(memory.tenant, Grounded())
    asking = {"memory_answer", "deep_recall"}
    assert asking.isdisjoint(memory.tools(user_id="ada").names)
    assert asking <= set(with_model.tools(user_id="ada").names)

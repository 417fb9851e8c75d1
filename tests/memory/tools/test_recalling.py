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


class Judges(Grounded):
    """A model that always says the same."""

    def __init__(self, says: str) -> None:
        self.says = says

    async def complete(self, request: ChatRequest) -> ChatReply:
        return ChatReply(text=self.says, model="m")


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


async def test_the_profile_and_the_conflicts_are_read(memory: AsyncMemory) -> None:
    """Of nobody else."""
    await add(memory, "My name is Ada and I am allergic to nuts.")
    for user, lines in (("ada", 1), ("bob", 0)):
        tools = memory.tools(user_id=user)
        assert len((await called(tools, "profile_read")).value["profile"]) == lines
        assert (await called(tools, "conflicts_list")).value["conflicts"] == []


async def test_a_question_is_answered_from_memory(memory: AsyncMemory) -> None:
    """With the facts that the answer follows from; without any, the answer says so."""
    view = memory.for_tenant(memory.tenant, Grounded())
    await add(view, "The release is on Friday.")
    tools = view.tools(user_id="ada")
    told = await called(tools, "memory_answer", question="When is the release?")
    assert told.value["answer"] == "On Friday."
    assert [each["fact"] for each in told.value["facts"]] == ["The release is on Friday."]
    none = await called(view.tools(user_id="bob"), "memory_answer", question="When is the release?")
    assert (none.value["answer"], none.value["reason"]) == (None, "no_memories")


async def test_a_thorough_search_says_when_it_is_not_enough(memory: AsyncMemory) -> None:
    """The facts are those that an answer follows from; otherwise it abstains, and says why."""
    view = memory.for_tenant(memory.tenant, Judges('{"grounds": [1], "enough": true}'))
    await add(view, "The release is on Friday.")
    asked = "When is the release? And who tests it?"
    told = (await called(view.tools(user_id="ada"), "deep_recall", question=asked)).value
    assert ([each["fact"] for each in told["facts"]], told["abstained"]) == (
        ["The release is on Friday."],
        False,
    )
    partly = Judges('{"grounds": [1], "enough": false, "missing": "the tester", "queries": []}')
    tools = memory.for_tenant(memory.tenant, partly).tools(user_id="ada")
    told = (await called(tools, "deep_recall", question=asked)).value
    assert told["abstained"]
    assert (told["reason"], told["missing"]) == ("nothing_new", "the tester")


async def test_a_memory_without_a_model_offers_no_tool_that_asks_one(memory: AsyncMemory) -> None:
    """Of a library that was given no key, and of a program with a model of its own."""
    with_model = memory.for_tenant(memory.tenant, Grounded())
    asking = {"memory_answer", "deep_recall"}
    assert asking.isdisjoint(memory.tools(user_id="ada").names)
    assert asking <= set(with_model.tools(user_id="ada").names)

"""The tool of sessions."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.api.client import AsyncMemory
from tests.memory.state.samples import turn
from tests.memory.tools.opened import called


async def spoken(memory: AsyncMemory) -> None:
    """Two conversations of Alice."""
    turns = (
        ("a", "c1", "Which trail near Bergen is dry?", "I recommend the Stoltzekleiven trail."),
        ("b", "c2", "My trail shoes are red.", "Noted."),
    )
    for name, conversation, user, assistant in turns:
        one = replace(turn(name, conversation), user_text=user, assistant_text=assistant)
        await memory._engine.parts.state.conversations.record(one)


async def test_what_was_said_is_found_with_who_said_it(memory: AsyncMemory) -> None:
    """What only the assistant said is hearsay, and is left out where that is asked for."""
    await spoken(memory)
    tools = memory.tools(user_id="alice")
    found = (await called(tools, "conversation_search", query="trail recommend")).value["messages"]
    by_role = {each["role"]: each for each in found}
    assert by_role["assistant"]["text"] == "I recommend the Stoltzekleiven trail."
    assert by_role["assistant"]["hearsay"]
    assert not by_role["user"]["hearsay"]
    own = await called(tools, "conversation_search", query="trail", assistant=False)
    assert {each["role"] for each in own.value["messages"]} == {"user"}
    one = await called(tools, "conversation_search", query="trail", conversation_id="c2")
    assert {each["conversation_id"] for each in one.value["messages"]} == {"c2"}

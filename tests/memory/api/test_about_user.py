"""What is known about a user as a person."""

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.model.errors import ConfigError
from tests.support.folding import rows

LLM = {"base_url": "http://nobody.invalid/v1"}


@rows("agents, lines", [("shared", 1), ("separate", 0)])
async def test_the_profile_under_an_agent(agents, lines):
    """With what the user told no agent, unless the options keep agents separate."""
    options = {"embedder": {"backend": "fake"}, "llm": LLM, "identity": {"agents": agents}}
    async with await AsyncMemory.open(options) as memory:
        await memory.add("I am allergic to peanuts.", user_id="ada", infer=False)
        profile = await memory.profile(user_id="ada", agent_id="chef")
        assert len(profile["results"]) == lines
        assert (await memory.get_all(user_id="ada", agent_id="chef"))["results"] == []


async def test_an_unknown_way_of_agents_is_refused():
    """By the key's name, before anything is opened."""
    with pytest.raises(ConfigError, match=r"identity\.agents"):
        await AsyncMemory.open({"embedder": {"backend": "fake"}, "identity": {"agents": "some"}})

"""The routes of episodes."""

from __future__ import annotations

from recollect.memory.upkeep.episodes.episode_text import PROMPT
from tests.support.scripted import ScriptedModel, facts

from .calling import Calling


def answered(request):
    """A fact, or an episode if that is asked for."""
    about = request["messages"][0]["content"] == PROMPT
    return (
        "User plans a trip to Porto.\nImportance: 3"
        if about
        else facts("User plans a trip to Porto")
    )


async def test_a_chat_that_is_flushed_has_an_episode():
    """It leads to the conversation, and a chat is not told twice what it and a fact say."""
    async with (
        ScriptedModel(answered) as model,
        Calling(model.base_url, learn__every_turns=1, upkeep__kinds__episodes="true") as api,
    ):
        await api.say("I plan a trip to Porto")
        await api.post("flush", {})
        [episode] = (await api.get("episodes?user_id=alice"))["results"]
        assert (episode["importance"], len(episode["turn_ids"])) == (0.3, 1)
        [spoken] = (await api.get("conversations?user_id=alice"))["results"]
        assert spoken["id"] == episode["conversation_id"]
        await api.say("Which trip do I plan?")
        [day] = (await api.get("stats?days=1"))["days"]
        assert (day["injected_lines"], day["learned"]) == (1, 2)

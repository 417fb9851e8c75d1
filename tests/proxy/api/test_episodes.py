"""The routes of episodes."""

from __future__ import annotations

from recollect.memory.upkeep.episodes.writing import PROMPT
from tests.support.scripted import ScriptedModel, facts

from .calling import Calling
from .serving import detail


def answered(request):
    """A fact, or an episode if that is asked for."""
    about = request["messages"][0]["content"] == PROMPT
    return (
        "User plans a trip to Porto.\nImportance: 3"
        if about
        else facts("User plans a trip to Porto")
    )


PATH = "/v1/memories/episodes"


async def happened(client, text, **more):
    said = {"messages": text, "infer": False, "type": "episodic", "user_id": "alice", **more}
    answer = await client.post("/v1/memories/", json=said)
    assert answer.status == 200, await answer.text()


async def test_episodes_are_listed_and_searched(client):
    """Newest first with a cursor, and by a query with the signals of each."""
    for name, day in (("Lyon", "2026-01-01"), ("Oslo", "2026-02-01")):
        await happened(client, f"The team met in {name}.", timestamp=f"{day}T00:00:00Z")
    page = await (await client.get(PATH, params={"user_id": "alice", "limit": "1"})).json()
    assert [each["memory"] for each in page["results"]] == ["The team met in Oslo."]
    asked = {"user_id": "alice", "cursor": page["next"]}
    rest = await (await client.get(f"{PATH}/", params=asked)).json()
    assert [each["memory"] for each in rest["results"]] == ["The team met in Lyon."]
    asked = {"user_id": "alice", "query": "team in Lyon", "until": "2026-01-15"}
    found = await (await client.post(f"{PATH}/search", json=asked)).json()
    [episode] = found["results"]
    assert episode["memory"] == "The team met in Lyon."
    assert set(episode["signals"]) == {"recency", "relevance", "importance"}


async def test_what_is_wrong_is_named(client):
    """A time that is none, a missing query and a missing scope are refused by name."""
    said = {"user_id": "alice", "since": "yesterday"}
    status, told = await detail(await client.get(PATH, params=said))
    assert (status, "since" in str(told)) == (400, True) or status == 422
    assert (await client.post(f"{PATH}/search", json={"user_id": "alice"})).status in {400, 422}
    assert (await client.get(PATH)).status in {400, 422}


async def test_a_chat_that_is_flushed_has_an_episode():
    """It leads to the conversation, and a chat is not told twice what it and a fact say."""
    async with (
        ScriptedModel(answered) as model,
        Calling(model.base_url, learn__every_turns=1, upkeep__episodes__enabled="true") as api,
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

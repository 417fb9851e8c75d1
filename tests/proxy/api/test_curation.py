"""Invalidating and reverting over HTTP, and what chats are given afterwards."""

import asyncio

from tests.proxy.api.calling import Calling
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import HANG_SECONDS

HOME = "I live in Paris."
QUESTION = "Where do I live?"


async def given(api, question=QUESTION, user="alice"):
    """Whether a chat is told where the user lives."""
    await api.say(question, user)
    return b"Paris" in api.upstream.requests[-1].body


async def said(api, user="alice"):
    """What is listed as said and not learned."""
    return [each["said"] for each in (await api.get(f"said?user_id={user}"))["results"]]


async def shown_as_said(api, *texts):
    """Wait until just these are."""
    async with asyncio.timeout(HANG_SECONDS):
        while await said(api) != [*texts]:
            await asyncio.sleep(0.02)


async def test_what_is_not_true_leaves_every_surface_and_comes_back():
    """Chats, searches, the profile, tools and lists; `revert` brings it to all of them."""
    async with Calling() as api:
        [home] = await api.remember(HOME)
        looks = {
            "search": lambda: api.get(f"search/?q={QUESTION.replace(' ', '%20')}&user_id=alice"),
            "list": lambda: api.get("?user_id=alice"),
            "profile": lambda: api.get("profile?user_id=alice"),
            "as of now": lambda: api.get("?user_id=alice&as_of=2999-01-01"),
            "tool": lambda: api.post(
                "tools/fact_search", {"arguments": {"query": QUESTION}, "user_id": "alice"}
            ),
        }

        async def shows():
            return {name for name, look in looks.items() if "Paris" in str(await look())}

        before = await shows()
        assert {"search", "list", "as of now", "tool"} <= before
        assert await given(api)
        ended = await api.post(f"{home}/invalidate", {"reason": "never", "user_id": "alice"})
        assert (ended["status"], ended["provenance"]["ended"]) == ("superseded", "person: never")
        assert await shows() == set()
        assert not await given(api)
        assert not await given(api, "Where did I live before, and what changed?")
        assert await api.texts(status="superseded") == [HOME]
        back = await api.post(f"{home}/revert", {"user_id": "alice"})
        assert (back["status"], back["version"]) == ("active", 3)
        assert await shows() == before
        assert await given(api)
        events = [row["event"] for row in await api.get(f"{home}/history")]
        assert events == ["ADD", "DELETE", "RESTORE"]


async def test_what_was_said_does_not_tell_it_again():
    """The sentence of the chat is left aside, the rest of its message stays; a revert undoes it."""
    async with Calling() as api:
        await api.say(f"{HOME} My dog is called Rex.")
        await shown_as_said(api, f"{HOME} My dog is called Rex.")
        [home] = await api.remember(HOME)
        await api.post(f"{home}/invalidate", {})
        await shown_as_said(api, "My dog is called Rex.")
        assert not await given(api)
        await api.post(f"{home}/revert", {})
        await shown_as_said(api, f"{HOME} My dog is called Rex.")


async def test_an_old_turn_does_not_teach_it_again():
    """A model that reads what was said before learns nothing of it; what is said later it does."""
    async with (
        ScriptedModel(facts("User lives in Paris.")) as model,
        Calling(model.base_url, learn__every_turns="50") as api,
    ):
        await api.say(HOME)
        [home] = await api.remember("User lives in Paris.")
        await api.post(f"{home}/invalidate", {"reason": "a mistake"})
        learned = await api.post("flush", {"user_id": "alice"})
        assert learned["events"] == {"NONE": 1}
        assert await api.texts() == []
        last = (await api.get(f"{home}/history"))[-1]
        assert (last["event"], last["stage"]) == ("NONE", "person")
        await api.say(f"Hello again! {HOME}")
        await api.post("flush", {"user_id": "alice"})
        assert await api.texts() == ["User lives in Paris."]


async def test_the_turn_of_a_learned_fact_tells_nothing():
    """What a model learned from a chat and a person denied, that chat does not say either."""
    async with (
        ScriptedModel(facts("User lives in Paris.")) as model,
        Calling(model.base_url, learn__every_turns="50") as api,
    ):
        await api.say(HOME)
        await api.post("flush", {"user_id": "alice"})
        [memory] = (await api.get("?user_id=alice"))["results"]
        assert await given(api)
        await api.post(f"{memory['id']}/invalidate", {})
        assert not await given(api)
        assert HOME not in await said(api)

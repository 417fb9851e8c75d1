"""`/v1/memories/jobs` and `/v1/memories/usage`, through the whole product."""

import asyncio
import json

from tests.proxy.wire import SECONDS
from tests.support.folding import rows
from tests.support.scripted import ScriptedModel, facts

from .calling import Calling

ONE_TRY = {"learn__max_attempts": 1, "learn__every_turns": 1}
GATEWAY = {
    "identity__mode": "gateway",
    "identity__hash_key": "k" * 32,
    "identity__tenants": json.dumps({"acme": "key-a", "emca": "key-b"}),
    "api__token": "t",
}


async def until(api, state, *headers):
    """The first job, once it is in this state."""
    async with asyncio.timeout(SECONDS):
        while True:
            found = (await api.get(f"jobs?state={state}", *headers))["results"]
            if found:
                return found[0]
            await asyncio.sleep(0.01)


async def test_a_dead_job_is_shown_and_tried_again():
    """What the model had said is there to be looked at; a retry learns the turns after all."""
    async with (
        ScriptedModel("these are no facts") as model,
        Calling(model.base_url, **ONE_TRY) as api,
    ):
        await api.say("I like tea")
        dead = await until(api, "dead")
        assert (dead["user_id"], dead["reason"], dead["attempts"]) == ("alice", "turns", 1)
        assert "these are no facts" in dead["raw"]
        assert "tea" not in dead["error"]
        assert await api.texts() == []
        assert (await api.get("jobs?user_id=alice"))["results"] == [dead]
        assert (await api.get("jobs?user_id=bob"))["results"] == []
        model.replies = [facts("User likes tea")]
        assert await api.post(f"jobs/{dead['id']}/retry/", {}) == {"retried": dead["id"]}
        done = await until(api, "done")
        assert done["id"] == dead["id"]
        assert await api.texts() == ["User likes tea"]


@rows(
    "reply, seconds, word",
    [
        ("these are no facts", 60, "model_unreadable"),
        (401, 60, "model_unauthorized"),
        (404, 60, "model_not_found"),
        (lambda _: asyncio.Event().wait(), 0.1, "model_timeout"),
    ],
)
async def test_a_model_that_cannot_learn_ends_dead_and_is_seen(reply, seconds, word):
    """The same word in the job, in the flush and in /readyz, which is ok after a success.

    What died for want of a usable model is then learned too.
    """
    limits = {"learn__llm__timeout_seconds": seconds, "learn__retry_seconds": 0.01}
    async with (
        ScriptedModel(reply) as model,
        Calling(model.base_url, **limits, learn__max_attempts=2, learn__every_turns=1) as api,
    ):
        await api.say("I like tea")
        async with asyncio.timeout(SECONDS):
            while not (await api.get("jobs?state=dead"))["results"]:
                await api.post("flush", {})
        [dead] = (await api.get("jobs"))["results"]
        assert (dead["failure"], dead["attempts"], bool(dead["advice"])) == (word, 2, True)
        status, ready = await api.ask_for("GET", "/readyz")
        assert (status, ready["status"], ready["parts"]["learning"]) == (200, "degraded", word)
        assert "1 dead" in ready["advice"]["learning"]
        model.replies = [facts("User likes coffee")]
        await api.say("I like coffee")
        await api.post("flush", {})
        _, ready = await api.ask_for("GET", "/readyz")
        assert (ready["status"], ready["parts"]["learning"]) == ("ok", "ok")
        async with asyncio.timeout(SECONDS):
            while {job["state"] for job in (await api.get("jobs"))["results"]} != {"done"}:
                await api.post("flush", {})


async def test_what_learning_costs():
    """Calls and tokens of today, and the budget where there is one."""
    async with (
        ScriptedModel(facts("User likes tea")) as model,
        Calling(model.base_url, learn__daily_tokens=500) as api,
    ):
        nothing = await api.get("usage")
        assert (nothing["calls"], nothing["tokens"], nothing["daily_tokens"]) == (0, 0, 500)
        await api.say("I like tea")
        await api.post("flush", {})
        spent = await api.get("usage")
        # What extracts, and what verifies.
        assert spent["calls"] == len(model.requests) == 2
        assert (spent["prompt_tokens"], spent["completion_tokens"], spent["tokens"]) == (2, 2, 4)
        assert spent["day"] == nothing["day"]

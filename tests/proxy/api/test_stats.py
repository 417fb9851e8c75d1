"""`/v1/memories/stats`, through the whole product."""

import json

from tests.proxy.wire import answering, request, response
from tests.support.scripted import ScriptedModel, facts

from .calling import Calling
from .test_jobs import GATEWAY

USAGE = {"prompt_tokens": 80, "prompt_tokens_details": {"cached_tokens": 64}}
MESSAGE = {"role": "assistant", "content": "I see."}
REPORTING = response(
    json.dumps(
        {
            "id": "c",
            "object": "chat.completion",
            "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": MESSAGE}],
            "usage": USAGE,
        }
    ).encode(),
    "Content-Type: application/json",
)
REFUSED = response(b"{}", "Content-Type: application/json", status="401 Unauthorized")


async def test_what_chats_took_and_gave():
    """A chat that says something, one that is given it, and what was learned of both."""
    async with (
        ScriptedModel(facts("User likes tea")) as model,
        Calling(model.base_url, learn__every_turns=1) as api,
    ):
        await api.say("I like tea")
        await api.post("flush", {})
        api.upstream._script = answering(REPORTING)
        await api.say("Which drink do I like?")
        told = await api.get("stats?days=1")
        [day] = told["days"]
        assert day["tenant"] == "local"
        assert (day["chats"], day["recalled"], day["injected_lines"]) == (2, 1, 1)
        assert day["learned"] == 1
        assert day["injected_tokens"] > 0
        assert day["embedded_texts"] > 0
        assert day["extraction_tokens"] >= day["extraction_calls"] > 0
        assert (day["cached_answers"], day["cached_tokens"], day["prompt_tokens"]) == (1, 64, 80)
        assert told["totals"] == {name: day[name] for name in told["totals"]}


async def test_a_refused_chat_is_nobodys():
    """Who invents credentials adds no rows to the state."""
    async with Calling(**GATEWAY) as api:
        api.upstream._script = answering(REFUSED)
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "I like tea"}]})
        key = ("Authorization: Bearer key-a", "x-recollect-user: alice")
        seen = await api.ask(request("POST", "/v1/chat/completions", body.encode(), *key))
        assert seen.status == 401
        assert (await api.get("stats", "X-API-Key: key-a"))["days"] == []

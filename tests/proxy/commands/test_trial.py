"""`recollect check --extract`."""

import json

from aiohttp import web

from recollect.config import load_settings
from recollect.memory.llms import OpenAIChatOptions
from recollect.proxy.commands.trial import chosen_model, render_trial, run_trial
from tests.support.scripted import ScriptedModel

GOOD = {"type": "semantic", "text": "User moved to Lisbon", "quote": "I moved to Lisbon"}
INVENTED = {"type": "semantic", "text": "User owns Zorbo 9000", "quote": "Zorbo 9000"}


def settings(**environ):
    return load_settings(environ={f"RECOLLECT_{key}": value for key, value in environ.items()})


async def shown(*replies):
    """What is printed, and the trial."""
    async with ScriptedModel(*replies) as server:
        options = OpenAIChatOptions(base_url=server.base_url, model="m")
        trial = await run_trial(settings(), options)
    return trial, render_trial(trial, options)


async def test_what_came_out():
    """Facts with their quotes, rejected ones with their reasons, calls, seconds and tokens."""
    _, text = await shown(json.dumps({"facts": [GOOD, INVENTED]}))
    assert 'User moved to Lisbon   ("I moved to Lisbon")' in text
    assert "rejected  User owns Zorbo 9000" in text
    assert "1 facts, 1 rejected, 1 calls" in text
    assert "FAIL" not in text


async def test_a_model_that_only_talks():
    """The failure, what the model said, and what to do."""
    trial, text = await shown("I am happy to help!")
    assert not trial.facts
    assert "FAIL  model_unreadable: " in text
    assert "I am happy to help!" in text
    assert "larger model" in text


async def test_the_upstream_of_a_running_proxy_is_tried(aiohttp_server):
    """It may have been named by a flag; the call asks for no memory."""
    async with ScriptedModel(json.dumps({"facts": [GOOD]})) as server:

        async def ready(_request):
            return web.json_response({"status": "ok", "parts": {"database": "ok"}})

        async def chat(request):
            assert request.headers["x-recollect-memory"] == "off"
            return await server._complete(request)

        app = web.Application()
        app.router.add_get("/readyz", ready)
        app.router.add_post("/v1/chat/completions", chat)
        chosen = settings(LISTEN__PORT=str((await aiohttp_server(app)).port))
        model = await chosen_model(chosen, "m")
        trial = await run_trial(chosen, model)
    assert [fact.text for fact in trial.facts] == ["User moved to Lisbon"]

"""What an operator sees of the server, and what it can turn."""

import json

from recollect.config.server import IdentityOptions
from tests.proxy.api.calling import Calling
from tests.proxy.api.serving import detail

SETTINGS, SWITCHES = "/v1/memories/settings", "/v1/memories/switches"
GATEWAY = IdentityOptions(mode="gateway", hash_key="h", tenants={"acme": "key-a"})


async def test_the_settings_in_force(client):
    """Each with its value, where it comes from, and what it means; and the two switches."""
    told = await (await client.get(SETTINGS)).json()
    limit = next(each for each in told["settings"] if each["key"] == "recall.limit")
    assert (limit["value"], limit["default"], limit["source"]) == (7, 8, "flag")
    assert told["switches"] == {"recall": True, "learn": True}


async def test_what_is_no_switch_is_refused(client):
    """It names the field, and nothing is turned."""
    status, told = await detail(await client.post(SWITCHES, json={}))
    assert (status, told) == (400, "recall: expected true or false for recall or learn")
    for name, value in (("recall", "off"), ("learn", None), ("learn", 0)):
        status, told = await detail(await client.post(SWITCHES, json={name: value}))
        assert (status, told) == (400, f"{name}: expected true or false")
    status, told = await detail(await client.post(SWITCHES, json={"learning": False}))
    assert (status, "learn" in told) == (400, True)
    told = await (await client.get(SETTINGS)).json()
    assert told["switches"] == {"recall": True, "learn": True}


async def test_the_server_of_many_is_nobodys_who_has_one(serve):
    """An admin of one tenant neither reads the configuration nor turns anything."""
    client = await serve(identity=GATEWAY)
    headers = {"Authorization": "Bearer key-a"}
    for answer in (
        await client.get(SETTINGS, headers=headers),
        await client.post(SWITCHES, json={"learn": False}, headers=headers),
    ):
        status, told = await detail(answer)
        assert (status, "an admin token for every tenant" in told) == (403, True)


async def outcome(api, text="Which tea do I like?"):
    body = {"model": "m", "messages": [{"role": "user", "content": text}]}
    _, told = await api.ask_for("POST", "/v1/chat/completions", body)
    assert told["choices"]
    [chat, *_] = (await api.get("recent"))["exchanges"]
    return chat["outcome"], chat["reason"]


async def test_a_switch_counts_for_the_next_chat():
    """Nothing is recalled and nothing is captured while they are off; on again, all is as before."""
    async with Calling() as api:
        await api.remember("I like green tea.", user_id="default")
        assert (await outcome(api))[0] == "injected"
        await api.post("switches", {"recall": False, "learn": False})
        assert await outcome(api, "I like jazz, which tea do I like?") == ("off", "off_by_switch")
        assert (await api.get("said?user_id=default"))["results"] == []
        await api.post("switches", {"recall": True, "learn": True})
        assert (await outcome(api))[0] == "injected"


async def test_what_the_configuration_has_off_stays_off():
    """The refusal says where it can be turned on."""
    async with Calling(learn__enabled="false") as api:
        assert (await api.get("settings"))["switches"] == {"recall": True, "learn": False}
        status, told = await api.call("POST", "switches", {"learn": True})
        assert status == 400
        assert told["detail"].startswith("learn: is off in the configuration (learn.enabled)")
        assert json.dumps(await api.post("switches", {"recall": False})) == (
            '{"recall": false, "learn": false}'
        )

"""Several credentials in one request, and tokens of the server where they do not belong."""

from __future__ import annotations

import itertools

from multidict import CIMultiDict

from recollect.proxy.access.identity import hashed_tenant
from recollect.proxy.app import TASKS
from tests.support.budget import examples
from tests.support.folding import rows
from tests.support.waiting import until

from .credentials import HASHED, Kept
from .gateway import clients
from .presenting import REVOKED, VALID, Judging, Presenter
from .requesting import fill

WORLDS = itertools.count(800_001)
CHAT = {"model": "m", "user": "alice", "messages": [{"role": "user", "content": "My bicycle?"}]}


def judging(folder):
    people = clients(next(WORLDS), ("alice", "bob"))
    return Judging(people, **Kept(folder).flags("gateway"))


async def test_a_revoked_key_reaches_nothing_with_the_help_of_others(tmp_path):
    """Wherever they are, and whichever of them the model server judges."""
    async with judging(tmp_path) as gateway:
        await fill(gateway)
        presenter = Presenter(gateway, seed=7)
        for _ in range(examples(100)):
            await presenter.present()
        assert {200, 401} <= presenter.statuses.keys()


async def test_a_token_of_the_server_is_found_wherever_it_is(tmp_path):
    """As a name or a value, in any part of a request, encoded or not."""
    async with judging(tmp_path) as gateway:
        presenter = Presenter(gateway, seed=7)
        for _ in range(examples(200)):
            await presenter.misplace()
        assert gateway.got == []


@rows(
    "helper",
    ["api-key", "x-api-key", "authorization", "ocp-apim-subscription-key", "cf-aig-authorization"],
)
async def test_the_memory_api_is_closed_after_a_chat_with_two_keys(tmp_path, helper):
    """The issue's attack: the revoked key alone, the valid one alone, and both in other places."""
    async with judging(tmp_path) as gateway:
        await fill(gateway)
        gateway.judged = helper
        both = CIMultiDict([("authorization", f"Bearer {REVOKED}"), (helper, VALID[0])])
        status, said = await gateway.send("POST", "/v1/chat/completions", both, json=CHAT)
        assert status == 200
        assert not gateway.people.foreign(said, lambda scope: False)
        listing = "/v1/memories?user_id=alice"
        assert (await gateway.send("GET", listing, both))[0] == 200
        for one in [*both.items(), ("authorization", f"Bearer {VALID[0]}")]:
            assert (await gateway.send("GET", listing, CIMultiDict([one])))[0] == 401


async def test_one_key_at_two_places_is_the_tenant_that_it_always_was(tmp_path):
    """Clients that send their key twice keep their memories."""
    async with judging(tmp_path) as gateway:
        mine = gateway.view(hashed_tenant(VALID[0], "h"))
        await mine.add("My bicycle is green.", user_id="alice", infer=False)
        twice = CIMultiDict({"Authorization": f"Bearer {VALID[0]}", "api-key": VALID[0]})
        _, said = await gateway.send("POST", "/v1/chat/completions", twice, json=CHAT)
        assert "bicycle is green" in said
        status, said = await gateway.send("GET", "/v1/memories?user_id=alice", twice)
        assert (status, "bicycle is green" in said) == (200, True)


async def test_a_revoked_key_is_not_told_how_much_was_found(tmp_path):
    """Nor which memories: by questions one would learn what they are about."""
    async with judging(tmp_path) as gateway:
        await fill(gateway)
        asking = {"Authorization": f"Bearer {REVOKED}", "x-recollect-debug": "explain"}
        answer = await gateway._client.post("/v1/chat/completions", headers=asking, json=CHAT)
        told = {name: text for name, text in answer.headers.items() if "recollect" in name.lower()}
        assert answer.status == 401
        assert told.pop("x-recollect-explain") == (
            '{"memory":"off","reason":"no_credential","recall":"none"}'
        )
        assert told == {
            "x-recollect-memory": "off",
            "x-recollect-reason": "no_credential",
            "x-recollect-count": "0",
        }


FORGET = [{"role": "user", "content": "Please forget everything about me."}]
AGREED = [
    *FORGET,
    {"role": "assistant", "content": "Shall I forget everything about you?"},
    {"role": "user", "content": "yes, forget everything"},
]


async def spoken(gateway, key, messages):
    """The reason word and the status of a chat with this key."""
    body = {"model": "m", "user": "alice", "messages": messages}
    asking = {"Authorization": f"Bearer {key}", "x-recollect-session": "s"}
    answer = await gateway._client.post("/v1/chat/completions", headers=asking, json=body)
    return answer.headers["x-recollect-reason"], answer.status


async def kept(gateway, key):
    mine = gateway.view(hashed_tenant(key, "h"))
    return [one["memory"] for one in (await mine.get_all(user_id="alice"))["results"]]


@rows("known", [True, False])
async def test_a_revoked_key_erases_nothing_by_saying_so(tmp_path, known):
    """The model server refuses it after the request was read, also if it took the key before."""
    async with judging(tmp_path) as gateway:
        await gateway.view(HASHED).add("My bicycle is green.", user_id="alice", infer=False)
        if known:
            gateway.accept(HASHED)
        for messages in (FORGET, AGREED, AGREED):
            assert (await spoken(gateway, REVOKED, messages))[1] == 401
        await gateway.app[TASKS].join()
        assert await kept(gateway, REVOKED) == ["My bicycle is green."]


async def test_a_valid_key_erases_once_it_is_answered(tmp_path):
    """Its user is told that it is being forgotten, and it is."""
    async with judging(tmp_path) as gateway:
        mine = gateway.view(hashed_tenant(VALID[0], "h"))
        await mine.add("My bicycle is green.", user_id="alice", infer=False)
        assert await spoken(gateway, VALID[0], FORGET) == ("forget_proposed", 200)
        assert await spoken(gateway, VALID[0], AGREED) == ("forget_begun", 200)

        async def gone() -> bool:
            return await kept(gateway, VALID[0]) == []

        await until(gone, "the end of what was known")

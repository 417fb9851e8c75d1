"""`GET /v1/memories/explain`, through the whole product."""

import json
import logging
from urllib.parse import quote

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.stores.inmemory import InMemoryStore
from tests.hostile.facing import Facing
from tests.proxy.wire import request

PATH = "/v1/memories/explain"
WORD = "quokkazebra"


class Asking(Facing):
    """The whole product, asked for explanations."""

    def __init__(self, **options):
        super().__init__(listen__allowed_hosts='["proxy.test"]', **options)

    async def remember(self, text, *headers, **scope):
        body = {"messages": text, "infer": False, **(scope or {"user_id": "alice"})}
        seen = await self.ask(request("POST", "/v1/memories/", json.dumps(body).encode(), *headers))
        assert seen.status == 200

    async def explain(self, params, *headers, path=PATH, method="GET"):
        """Status and body of the answer."""
        seen = await self.ask(request(method, f"{path}?{params}", None, *headers))
        assert not self.upstream.requests
        return seen.status, json.loads(seen.body)


@pytest.mark.parametrize("path", [PATH, PATH + "/"])
@pytest.mark.parametrize("name", ["q", "query"])
async def test_it_says_what_a_chat_would_be_given(path, name):
    """With the gate's word and the query, under both spellings of the search route."""
    async with Asking() as facing:
        await facing.remember("Alice has green tea every morning")
        await facing.remember("Zebras sleep standing")
        status, said = await facing.explain(
            f"{name}=Which+green+tea+do+I+like%3F&user_id=alice", path=path
        )
    assert status == 200
    assert said["gate"] == {"recall": True, "reason": "personal"}
    assert said["chat"] == {"memory": "injected", "reason": "personal"}
    assert said["query"] == "Which green tea do I like?"
    assert (said["seen"], said["chosen"], said["left_out"]) == (2, 1, {"threshold": 1})
    tea, zebra = said["memories"]
    assert (tea["memory"], tea["reason"]) == ("Alice has green tea every morning", "chosen")
    assert (tea["role"], zebra["role"], zebra["reason"]) == ("answer", "", "threshold")
    assert tea["tokens"] < said["tokens"]


async def test_it_follows_the_configuration():
    """Budget, limit and gate are those of the chats."""
    options = {"recall__token_budget": 77, "recall__limit": 3, "recall__gate__enabled": "false"}
    async with Asking(**options) as facing:
        _, said = await facing.explain("q=hello&user_id=alice")
    assert (said["bounds"]["token_budget"], said["bounds"]["limit"]) == (77, 3)
    assert said["gate"] == {"recall": True, "reason": "default"}


async def test_it_is_about_the_scope_that_is_named():
    """An agent also knows what its user told no agent, a run narrows it."""
    async with Asking() as facing:
        await facing.remember("green tea", user_id="alice", agent_id="a", run_id="1")
        await facing.remember("green tea too", user_id="alice")
        await facing.remember("green tea as well", user_id="bob")
        seen = [
            (await facing.explain(f"q=green+tea&{ids}"))[1]["seen"]
            for ids in ("user_id=alice", "user_id=alice&agent_id=a", "user_id=alice&run_id=2")
        ]
    assert seen == [2, 2, 0]


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ("user_id=alice", "query: "),
        ("q=&user_id=alice", "query: "),
        ("q=%20%0A&user_id=alice", "query: "),
        ("q=tea", "user_id, agent_id, or run_id"),
        ("q=tea&user_id=", "user_id: "),
        ("q=tea&user_id=a%00b", "user_id: "),
        ("q=tea&user_id=" + "a" * 300, "user_id: "),
    ],
)
async def test_what_is_wrong_is_named(params, says):
    """400 with the field, as from the other routes."""
    async with Asking() as facing:
        status, said = await facing.explain(params)
    assert (status, list(said)) == (400, ["detail"])
    assert says in said["detail"]


@pytest.mark.parametrize(
    "text", ["\U0001f600\U0001f389", "\u0634\u0627\u064a", "a" * 30_000, "\\", "\x00\x1b[2J"]
)
async def test_odd_queries_are_answered(text):
    """Whatever somebody types."""
    async with Asking() as facing:
        await facing.remember("Alice has green tea every morning")
        status, said = await facing.explain(f"q={quote(text)}&user_id=alice")
    assert (status, said["seen"]) == (200, 1)


async def test_only_get():
    """It changes nothing, and no other method means anything."""
    async with Asking() as facing:
        for method in ("POST", "PUT", "DELETE"):
            status, said = await facing.explain("q=tea&user_id=alice", method=method)
            assert (status, list(said)) == (405, ["detail"])


async def test_it_is_the_owners():
    """Off loopback a token is needed, and a foreign page is refused everywhere."""
    async with Asking(listen__host="0.0.0.0", api__token="t") as facing:
        bare, _ = await facing.explain("q=tea&user_id=alice")
        owner, _ = await facing.explain("q=tea&user_id=alice", "Authorization: Bearer t")
    async with Asking() as facing:
        page, _ = await facing.explain("q=tea&user_id=alice", "Origin: https://evil.test")
    assert (bare, owner, page) == (401, 200, 403)


async def test_a_tenant_sees_its_own():
    """In gateway mode the credential tells whose memories are explained."""
    options = {
        "identity__mode": "gateway",
        "identity__hash_key": "h",
        "identity__tenants": '{"acme": "key-a", "emca": "key-b"}',
    }
    async with Asking(**options) as facing:
        await facing.remember("green tea", "Authorization: Bearer key-a")
        seen = [
            (await facing.explain("q=green+tea&user_id=alice", f"Authorization: Bearer {key}"))[1]
            for key in ("key-a", "key-b")
        ]
    assert [said["seen"] for said in seen] == [1, 0]


async def test_a_store_that_is_away_is_503(monkeypatch):
    """Memory is not there at the moment: not an empty explanation."""

    async def fail(*_, **__):
        raise StoreError("away")

    async with Asking() as facing:
        monkeypatch.setattr(InMemoryStore, "load", fail)
        status, said = await facing.explain("q=tea&user_id=alice")
    assert (status, said["detail"].split(":")[0]) == (503, "store_unavailable")


@pytest.mark.parametrize(
    ("failure", "status"),
    [(None, 200), (StoreError("away"), 503), (KeyError(WORD), 500)],
    ids=["found", "a part fails", "a mistake of ours"],
)
async def test_the_query_is_in_no_log(caplog, monkeypatch, failure, status):
    """The answer holds it, for the owner; no line of ours does, whatever happens."""
    caplog.set_level(logging.DEBUG)

    async def fail(*_, **__):
        raise failure

    async with Asking() as facing:
        if failure is not None:
            monkeypatch.setattr(InMemoryStore, "load", fail)
        seen = await facing.ask(request("GET", f"{PATH}?q={WORD}&user_id=alice"))
    assert seen.status == status
    assert WORD not in caplog.text
    assert not [record for record in caplog.records if WORD in repr(record.args)]

"""`GET /v1/memories/explain`, through the whole product."""

import json
import logging

import pytest

from recollect.memory.memories import SqlMemories
from recollect.memory.model.errors import StoreError
from tests.hostile.facing import Facing
from tests.proxy.wire import request
from tests.support.folding import rows

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


async def test_it_is_the_owners():
    """Off loopback a token is needed, and a foreign page is refused everywhere."""
    async with Asking(listen__host="0.0.0.0", api__token="t") as facing:
        bare, _ = await facing.explain("q=tea&user_id=alice")
        owner, _ = await facing.explain("q=tea&user_id=alice", "Authorization: Bearer t")
    async with Asking() as facing:
        page, _ = await facing.explain("q=tea&user_id=alice", "Origin: https://evil.test")
    assert (bare, owner, page) == (401, 200, 403)


@rows("failure, status", [(None, 200), (StoreError("away"), 503), (KeyError(WORD), 500)])
async def test_the_query_is_in_no_log(caplog, monkeypatch, failure, status):
    """The answer holds it, for the owner; no line of ours does, whatever happens."""
    caplog.set_level(logging.DEBUG)

    async def fail(*_, **__):
        raise failure

    async with Asking() as facing:
        if failure is not None:
            monkeypatch.setattr(SqlMemories, "load", fail)
        seen = await facing.ask(request("GET", f"{PATH}?q={WORD}&user_id=alice"))
    assert seen.status == status
    assert WORD not in caplog.text
    assert not [record for record in caplog.records if WORD in repr(record.args)]

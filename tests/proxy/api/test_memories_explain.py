"""`GET /v1/memories/explain`, through the whole product."""

import json
import logging

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

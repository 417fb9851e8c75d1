"""JSON that is small to send and large to read: it is refused unread, and nobody waits for it."""

import asyncio
import json
import time
import tracemalloc

from recollect.memory.util.untrusted_json import json_object
from tests.proxy.api.calling import Calling
from tests.proxy.wire import request
from tests.support.folding import rows

LISTS = "[" + "[]," * 340_000 + "0]"
LONGEST = 1.0
"""Seconds that the loop may stand still while a body comes in, on a machine that tests share."""


class Lag:
    """How long the loop stood still at most, while it is watched."""

    def __init__(self):
        self.longest = 0.0

    async def __aenter__(self):
        self._watching = asyncio.ensure_future(self._watch())
        await asyncio.sleep(0.01)
        return self

    async def __aexit__(self, *_):
        await asyncio.sleep(0.01)
        self._watching.cancel()

    async def _watch(self):
        while True:
            started = time.perf_counter()
            await asyncio.sleep(0.001)
            self.longest = max(self.longest, time.perf_counter() - started)


BODIES = {
    "search": ("POST", "search", '{"user_id": "a", "query": "q", "filters": {"a": %s}}'),
    "a list": ("POST", "search", '{"user_id": "a", "query": "q", "multi_query": %s}'),
    "add": ("POST", "", '{"user_id": "a", "messages": %s}'),
    "metadata": ("POST", "", '{"user_id": "a", "messages": "x", "metadata": {"a": %s}}'),
    "a deletion": ("POST", "delete", '{"user_id": "a", "filters": {"AND": %s}}'),
    "an update": ("PUT", "x", '{"text": "x", "metadata": {"a": %s}}'),
}


@rows("method, path, body", BODIES.values())
async def test_a_body_of_too_many_values_is_refused_unread(method, path, body):
    """A megabyte of empty lists, wherever it is; the refusal says how many there may be."""
    async with Calling() as api, Lag() as lag:
        data = (body % LISTS).encode()
        seen = await api.ask(request(method, f"/v1/memories/{path}", data))
        assert (seen.status, json.loads(seen.body)["detail"]) == (
            400,
            "body: expected at most 100000 values, lists and objects counted twice",
        )
    assert lag.longest < LONGEST


@rows("path", ["/v2/memories/search/", "/v3/memories/", "/v1/exports/"])
async def test_the_same_in_the_words_of_mem0(path):
    """They have the same reader."""
    async with Calling() as api, Lag() as lag:
        data = b'{"query": "q", "schema": {}, "filters": {"AND": %s}}' % LISTS.encode()
        seen = await api.ask(request("POST", path, data))
        assert seen.status == 400
        assert "100000 values" in json.loads(seen.body)["detail"]
    assert lag.longest < LONGEST


NUMBERS = [10**309, -(10**309), 1e308, 2**63, -(2**63), 0, True]
TIMES = [
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0001-01-01", "9999-12-31",
    10**309, -1e300, 2**63, True,
]  # fmt: skip


def test_bytes_of_no_encoding_are_read_once():
    """An answer of zeros looks like broken UTF-32: it took gigabytes, a copy for each try."""
    size = 2**18
    tracemalloc.start()
    assert json_object(bytes(size + 1)) is None
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * size
    assert json_object(b'{"a": "\xff"}') == {"a": "\ufffd"}


FIELDS = ["importance", "version", "created_at", "valid_to", "tag", "metadata.a.b"]


async def test_no_number_and_no_time_is_a_server_error():
    """As a value of a filter, with every operator; they are read or refused."""
    async with Calling() as api:
        await api.remember("likes tea", user_id="alice", metadata={"tag": 10**309})
        for field in FIELDS:
            for value in (*NUMBERS, *TIMES):
                for said in (value, {"gte": value}, {"in": [value]}, {"ne": value}):
                    body = {"user_id": "alice", "query": "tea", "filters": {field: said}}
                    status, told = await api.call("POST", "search", body)
                    assert status in (200, 400), (field, said, told)


@rows("name", ["as_of", "known_at", "created_from", "created_to", "valid_from"])
async def test_no_moment_of_a_query_is_a_server_error(name):
    """In an address and in a body; with an offset that leads out of the calendar they are refused."""
    async with Calling() as api:
        await api.remember("likes tea")
        for value in TIMES:
            said = str(value).replace("+", "%2B")
            status, told = await api.call("GET", f"?user_id=alice&{name}={said}")
            assert status in (200, 400), (value, told)
            body = {"user_id": "alice", "query": "tea", name: value}
            status, told = await api.call("POST", "search", body)
            assert status in (200, 400), (value, told)
            body = {"user_id": "alice", "messages": "x", "infer": False, "timestamp": value}
            status, told = await api.call("POST", "", body)
            assert status in (200, 400), (value, told)

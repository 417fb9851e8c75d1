"""Memories are shown with their use, and without it if the state does not answer."""

import asyncio

from recollect.memory.api.results import etag_of, memory_dict
from recollect.memory.api.usage_counts import with_usage
from recollect.memory.model.errors import StateError
from recollect.memory.model.usage import Usage
from tests.memory.forget.parts import NOON, memory


class Counters:
    """Some counters, or a failure."""

    def __init__(self, found):
        self.found = found

    async def of(self, tenant, ids):
        assert (tenant, ids[:2]) == ("local", ["a", "b"])
        if self.found is None:
            raise StateError("nobody there")
        return self.found


ITEMS = [memory("a", "tea"), memory("b", "coffee")]


async def test_they_carry_their_counters():
    """What was never recalled has none; an ETag does not change with them."""
    used = {"b": Usage(recalled=3, last_recalled=NOON)}
    one, two = await with_usage(Counters(used), ITEMS)
    assert one == memory_dict(ITEMS[0])
    assert (two["access_count"], two["last_accessed_at"]) == (3, "2026-03-02T12:00:00.000+00:00")
    assert etag_of(two) == etag_of(memory_dict(ITEMS[1]))


async def test_a_failure_changes_no_listing():
    """The memories are there, the counters are not."""
    assert await with_usage(Counters(None), ITEMS) == [memory_dict(item) for item in ITEMS]
    assert await with_usage(Counters(None), []) == []


async def test_others_get_a_turn_between_many():
    """Ten thousand memories of an answer are not written down at once."""
    ready = asyncio.ensure_future(with_usage(Counters({}), ITEMS * 1000))
    turns = 0
    while not ready.done():
        await asyncio.sleep(0)
        turns += 1
    assert len(await ready) == 2000
    assert turns >= 9

"""What an export reads, and how much of it at a time."""

import asyncio

import pytest

from recollect.memory.model.types import Scope
from tests.memory.transfer.moving import ALICE, BOB, Place, item
from tests.support.folding import rows

ELSEWHERE = Scope(tenant="elsewhere", user_id="alice")


@pytest.fixture
async def place():
    made = Place()
    for scope in (ALICE, BOB, ELSEWHERE):
        await made.keep(
            *(item(f"{scope.tenant}-{scope.user_id}-{n}", scope=scope) for n in range(7))
        )
    return made


def spied(place):
    """The rows that the store gave, read by read."""
    read, store = [], place.parts.store

    def spy(method):
        async def call(*given, **named):
            found = await method(*given, **named)
            read.append([getattr(one, "item", one) for one in found])
            return found

        return call

    store.scan, store.walk = spy(store.scan), spy(store.walk)
    return read


@rows("vectors", [True, False])
@rows("owner_ref, count", [(ALICE, 7), ("local", 14), ("elsewhere", 7)])
async def test_only_the_owners_rows_are_read(place, owner_ref, count, vectors):
    """Neither another tenant's nor another user's rows leave the store."""
    read = spied(place)
    data = await place.export(owner_ref, vectors=vectors)
    assert data.count(b'"memory"') == sum(map(len, read)) == count


async def test_one_page_is_made_at_a_time(place, monkeypatch):
    """However many read exports, the store works for one of them: the others wait."""
    monkeypatch.setattr("recollect.memory.transfer.exporting.PAGE", 2)
    reading, most, store = 0, 0, place.parts.store
    scan = store.scan

    async def slow(**named):
        nonlocal reading, most
        reading += 1
        most = max(most, reading)
        await asyncio.sleep(0)
        reading -= 1
        return await scan(**named)

    store.scan = slow
    whole = await asyncio.gather(*(place.export("local") for _ in range(8)))
    assert [data.count(b'"memory"') for data in whole] == [14] * 8
    assert most == 1

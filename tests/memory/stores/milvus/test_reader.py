"""Large answers are read in pages and decoded in slices."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import Scope
from recollect.memory.stores.milvus.columns import Columns
from recollect.memory.stores.milvus.dialect import dialect_of
from recollect.memory.stores.milvus.reader import CollectionReader
from recollect.memory.stores.shared.rows import to_row
from tests.memory.stores.contract import DIM, memory, vector
from tests.support.folding import rows

ALICE = Scope(tenant="t", user_id="alice")
LITE, SERVER = "milvus_lite-3.2.2", "v2.6.0"


class Rows:
    """A connection to rows in this process, whose pages a server may make short."""

    def __init__(self, number, shortest=10**9):
        stored = [memory(ALICE, str(n), vector(1.0, n), id=f"{n:06}") for n in range(number)]
        self.rows = [to_row(kept, DIM) for kept in stored]
        self.shortest = shortest
        self.asked = []

    async def columns(self, *, filter, output_fields, limit, **arguments):  # noqa: A002
        self.asked.append((filter, limit, arguments.get("consistency_level")))
        found = [row for row in self.rows if row["id"] > filter][:limit]
        if "iterator" in arguments:
            found = found[: self.shortest]
        else:
            found.reverse()
        return Columns({name: [row[name] for row in found] for name in output_fields})


def reader_of(rows, version, page=20):
    reader = CollectionReader(rows, dialect_of(version), DIM)
    reader._vector_rows = page
    return reader


def after(last):
    """The condition `Rows` understands: an id, and what comes after it."""
    return last or ""


def found(memories):
    return [int(one.item.id) for one in memories]


@rows("version", [LITE, SERVER])
@rows("number", [0, 1, 19, 20, 21, 40, 95])
@rows("limit", [1, 20, 39, 1_000])
async def test_first_ids_are_read_in_order(version, number, limit):
    """Whatever the limit, the pages and what there is: the first ids, once each, in order."""
    reader = reader_of(Rows(number), version)
    expected = list(range(number))[:limit]
    assert found(await reader.memories(after, limit=limit, fresh=False)) == expected
    assert found(await reader.first(after, limit=limit)) == expected


@rows("number", [5, 95])
async def test_short_pages_are_not_the_last(number):
    """A server may answer less than asked for and still have more."""
    reader = reader_of(Rows(number, shortest=7), SERVER)
    assert found(await reader.first(after, limit=1_000)) == list(range(number))


def test_pages_of_long_vectors_are_short():
    """A page is bounded in bytes: what is read in one go holds up everybody else."""
    lengths = [
        CollectionReader(Rows(0), dialect_of(LITE), dim)._vector_rows
        for dim in (8, 384, 3072, 10**7)
    ]
    assert lengths == [2_000, 1_365, 170, 1]


async def test_others_have_their_turn():
    """While many rows are decoded, what else waits on the event loop runs in between."""
    turns = 0

    async def other():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    reader = reader_of(Rows(2_000), LITE, page=2_000)
    waiting = asyncio.gather(other())
    await reader.memories(after, limit=2_000, fresh=False)
    waiting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await waiting
    assert turns >= 20


async def test_unreadable_row_is_named():
    """One row that somebody else wrote is an error that says which."""
    rows = Rows(30)
    rows.rows[25]["metadata"] = "not json"
    with pytest.raises(StoreError, match="000025"):
        await reader_of(rows, LITE).memories(after, limit=99, fresh=True)

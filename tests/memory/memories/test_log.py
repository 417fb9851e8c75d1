"""What the log of changes tells, and in which order."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.database.changes import ChangeKind, ChangeLine, SqlChanges
from recollect.memory.database.scripts import SqlStatement
from recollect.memory.index.port import IndexMark
from recollect.memory.memories import writing
from recollect.memory.memories.log import MemoryLog, prune_log
from recollect.memory.memories.marks import SqlIndexMarks
from recollect.memory.memories.store import open_memories
from recollect.memory.model.types import Scope, utc_now
from tests.support.waiting import HANG_SECONDS

from .databases import at, in_memory
from .memories import DIM, NOON, Tenancy, memory, vector


async def lines(scripts):
    """Kind, user and ids of each line."""
    rows = await scripts.statement("SELECT kind, user_id, ids FROM changes ORDER BY seq", {})
    return [(kind, user, [each for _, each in json.loads(found)]) for kind, user, found in rows]


class LogContract(Tenancy):
    """Subclasses provide the fixture `scripts`."""

    @pytest.fixture
    async def store(self, scripts):
        return await open_memories(scripts, embedder_id="test", dim=DIM)

    @pytest.fixture
    def log(self, scripts):
        return MemoryLog(scripts, embedder_id="test")

    async def test_each_write_has_a_line_for_each_scope(self, store, scripts, alice, monkeypatch):
        """What moves to another scope is told of both; a reset tells every memory, some at a time."""
        bob = replace(alice, user_id="bob")
        await store.put([memory(alice, id="a"), memory(bob, id="b"), memory(alice, id="c")])
        await store.put([memory(bob, id="a")])
        await store.delete(alice.tenant, ["c", "unknown"])
        await store.delete(alice.tenant, ["unknown"])
        monkeypatch.setattr(writing, "MOST_IDS", 1)
        await store.reset(alice.tenant)
        told = await lines(scripts)
        assert sorted(told[:2]) == [("put", "alice", ["a", "c"]), ("put", "bob", ["b"])]
        assert told[2:5] == [
            ("delete", "alice", ["a"]),
            ("put", "bob", ["a"]),
            ("delete", "alice", ["c"]),
        ]
        assert sorted(told[5:]) == [("reset", "", ["a"]), ("reset", "", ["b"])]

    async def test_a_write_that_fails_has_none(self, store, scripts, alice):
        """Rows and lines are kept together or not at all."""

        def broken():
            yield from writing.put([], "test")
            yield SqlStatement("INSERT INTO nowhere VALUES (1)")

        before = await lines(scripts)
        with pytest.raises(Exception, match="nowhere"):
            await scripts.change(broken, tenants={alice.tenant})
        assert await lines(scripts) == before

    async def test_a_replaced_memory_keeps_its_position(self, store, scripts, log, alice):
        """It is one row of an index, whatever becomes of it."""
        await store.put([memory(alice, id="a"), memory(alice, id="b")])
        await store.put([memory(replace(alice, user_id="bob"), "new", vector(0, 1), id="a")])
        [first, second] = await log.changed_since(0, limit=2)
        [left] = await log.changed_since(second.seq, limit=1)
        assert len(first.positions) == 2
        assert left.positions == second.positions
        assert set(left.positions) < set(first.positions)
        rows = await log.rows(first.positions)
        assert sorted(row.key for row in rows) == sorted(first.positions)

    async def test_an_index_is_filled_page_by_page(self, store, log, alice, tenant):
        """Every memory of every tenant once, in the order of their positions."""
        other = Scope(tenant=f"{tenant}-other", agent_id="x")
        await store.put([memory(scope, str(n)) for n in range(5) for scope in (alice, other)])
        seen: list[int] = []
        while page := await log.page(seen[-1] if seen else 0, limit=3):
            seen += [row.key for row in page]
        assert seen == sorted(set(seen))
        assert await log.count() == len(seen) == 10
        assert await log.count(seen[3]) == 4
        assert await log.rows([]) == []
        assert [row.key for row in await log.rows([seen[0], 10**9])] == [seen[0]]

    async def test_a_log_that_begins_later_says_so(self, store, scripts, log, alice):
        """Who has read up to its beginning goes on; who has not begins anew."""
        assert await log.last_seq() == 0
        assert await log.changed_since(0, limit=9) == []
        for n in range(3):
            await store.put([memory(alice, str(n))])
        last = await log.last_seq()
        assert [one.seq for one in await log.changed_since(0, limit=2)] < [last]
        assert await prune_log(scripts, before=NOON) == 0
        assert await prune_log(scripts, before=utc_now() + timedelta(days=1)) == 3
        assert await log.last_seq() == last
        assert await log.changed_since(last - 1, limit=9) is None
        assert await log.changed_since(last, limit=9) == []
        await store.put([memory(alice)])
        assert len(await log.changed_since(last, limit=9)) == 1

    async def test_other_lines_say_nothing_about_rows(self, store, scripts, log, alice):
        """An index that knows all rows knows all, whatever else was told, and removed, since."""
        changes = SqlChanges(scripts, "somebody")
        await store.put([memory(alice)])
        last = await log.last_seq()
        await changes.add([ChangeLine(ChangeKind.SAID, alice)])
        assert await log.last_seq() == last < await changes.last()
        assert await log.changed_since(last, limit=9) == []
        assert await prune_log(scripts, before=utc_now() + timedelta(days=1)) == 2
        assert await log.last_seq() == last
        assert await log.changed_since(last, limit=9) == []

    async def test_one_at_a_time_fills_an_index(self, scripts):
        """A turn ends with its time, or as its holder leaves; who has lost it notes nothing."""
        now = NOON
        marks = SqlIndexMarks(scripts, clock=lambda: now)
        assert await marks.mark("i") is None
        assert not await marks.set_mark("i", "one", IndexMark(1))
        assert await marks.lead("i", "one", seconds=10)
        assert await marks.mark("i") is None
        assert await marks.lead("i", "one", seconds=10)
        assert not await marks.lead("i", "two", seconds=10)
        assert await marks.lead("other", "two", seconds=10)
        assert await marks.set_mark("i", "one", IndexMark(4, 7))
        assert not await marks.set_mark("i", "two", IndexMark(9))
        assert await marks.mark("i") == IndexMark(4, 7)
        now += timedelta(seconds=11)
        assert await marks.lead("i", "two", seconds=10)
        assert not await marks.set_mark("i", "one", IndexMark(5))
        await marks.leave("i", "one")
        assert not await marks.lead("i", "one", seconds=10)
        await marks.leave("i", "two")
        assert await marks.lead("i", "one", seconds=10)
        assert await marks.mark("i") == IndexMark(4, 7)


class TestInSqlite(LogContract):
    @pytest.fixture
    async def scripts(self):
        scripts = in_memory()
        yield scripts
        await scripts.close()


class TestInPostgres(LogContract):
    @pytest.fixture
    async def scripts(self, url):
        scripts = await at(url)
        yield scripts
        await scripts.close()

    async def test_lines_appear_in_the_order_of_their_numbers(self, url, store, log, tenant):
        """Whoever reads while several write never misses a line that was numbered earlier."""
        others = [await at(url) for _ in range(3)]
        stores = [await open_memories(one, embedder_id="test", dim=DIM) for one in others]
        scopes = [Scope(tenant=f"{tenant}-{n}", user_id="u") for n in range(3)]
        done = False

        async def write(one, scope):
            for n in range(40):
                await one.put([memory(scope, str(n))])

        async def follow():
            seen: list[int] = []
            while True:
                last = done
                new = [one.seq for one in await log.changed_since(max(seen, default=0), limit=99)]
                seen += new
                if last and not new:
                    return seen

        following = asyncio.ensure_future(follow())
        await asyncio.gather(*map(write, stores, scopes))
        done = True
        seen = await asyncio.wait_for(following, HANG_SECONDS)
        assert len(seen) == len(set(seen)) == 120
        for one in others:
            await one.close()

"""The graph's file: restarts, damage, full disks, several processes, and what it forgets."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.scripts import SqlStatement, for_sqlite
from recollect.memory.database.sqlite import TABLES, SqliteScripts, open_sqlite
from recollect.memory.database.sqlite.copying import NOTED
from recollect.memory.database.sqlite.repair import repair
from recollect.memory.database.sqlite.scripts import _bound
from recollect.memory.database.switches import SqlSwitches
from recollect.memory.model.errors import StateError, StateUnwritableError
from recollect.memory.model.visible_scope import VisibleScope
from tests.memory.state.contracts.graph_samples import (
    NOTHING,
    fall,
    groups,
    joined,
    names,
    says,
    somebody,
    tell,
)
from tests.memory.state.samples import ALICE, ALICE_WORK
from tests.support.folding import rows
from tests.support.waiting import HANG_SECONDS

WRITER = """
import asyncio, sys
from pathlib import Path
from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.sqlite import open_sqlite
from tests.memory.state.contracts.graph_samples import fall, says, somebody

async def write() -> None:
    graph = SqlGraph(await open_sqlite(Path(sys.argv[1])))
    for number in range(60):
        await graph.link([says(f"{number % 7}", "Anna", f"P{number % 5}")],
                         [somebody("Anna"), somebody(f"P{number % 5}")])
        if number % 3 == 0:
            await fall(graph, [f"{(number + 3) % 7}"])
    await graph.scripts.close()

asyncio.run(write())
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "graph.db"


async def opened(path: Path) -> SqlGraph:
    return SqlGraph(await open_sqlite(path))


def scripts_of(graph: SqlGraph) -> SqliteScripts:
    assert isinstance(graph.scripts, SqliteScripts)
    return graph.scripts


async def test_everything_survives_a_restart(path):
    """What memories say, the ledger, who is to be linked again, and notes."""
    graph = await opened(path)
    await tell(graph, says("m", "A", "B", related=[("a", "likes", "b")]))
    await graph.merge(joined("a", "b"))
    await graph.keep_note("reader", "1")
    before = await graph.counts(), await graph.links_of("local", ["m"])
    await graph.scripts.close()
    again = await opened(path)
    assert (await again.counts(), await again.links_of("local", ["m"])) == before
    assert await groups(again) == {"a": None, "b": "a"}
    assert await again.disturbed(limit=9) == [ALICE]
    assert await again.note("reader") == "1"
    await again.scripts.close()
    with pytest.raises(StateError):
        await again.counts()


async def test_no_name_remains_in_the_file(path):
    """Neither there nor in its log, of what was forgotten."""
    graph = await opened(path)
    await tell(graph, says("m", "Xenophanes", related=[("xenophanes", "hides_from", "xenophanes")]))
    await tell(graph, says("n", "Anna"))
    await fall(graph, ["m"])
    files = [each.read_bytes() for each in path.parent.iterdir() if each.is_file()]
    for secret in (b"enophanes", b"hides_from"):
        assert not any(secret in content for content in files)
    await graph.scripts.close()


async def test_a_file_that_was_damaged_in_part(path):
    """What can be read is kept, the merges too; nothing hangs in the air, and it is read anew."""
    graph = await opened(path)
    memories = [says(f"{n:04}", "A", "B", f"P{n}", ("A", f"name {n} " * 20)) for n in range(300)]
    await tell(graph, *memories)
    await graph.merge(joined("a", "b"))
    await graph.keep_note("reader", "1")
    await graph.scripts.close()
    content = bytearray(path.read_bytes())
    for start in range(0, len(content), 4096):
        if b"name 150 " in content[start : start + 4096]:
            content[start : start + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    repair(path, TABLES, without=NOTED)
    again = await opened(path)
    await again.mend()
    counts = await again.counts()
    assert counts["orphans"] == 0
    assert 0 < counts["mentions"] < 1200
    assert counts["merges"] == 1
    assert await again.note("reader") is None
    await tell(again, *memories)
    assert (await again.counts())["mentions"] == 1200
    await again.scripts.close()


async def test_a_full_disk(path):
    """A write is refused as a whole, reading goes on, and so does writing when there is room."""
    graph = await opened(path)
    await tell(graph, says("m", "A", "B"))
    database = scripts_of(graph).database
    limit = "PRAGMA max_page_count={}"
    connections = [each for each in (database._connection, database._direct) if each is not None]
    for connection in connections:
        connection.execute(limit.format(1)).fetchall()  # no more than there are
    big = replace(says("m", "C"), relations=())
    long = replace(big.mentions[0], surface="x" * 400_000)
    with pytest.raises(StateUnwritableError):
        await graph.link([replace(big, mentions=(long,))], [somebody("C")])
    with pytest.raises(StateUnwritableError):
        await graph.scripts.ping()
    assert graph.scripts.refused == 1
    assert await names(graph) == ["A", "B"]
    assert [each.memory_id for each in await graph.connected(ALICE, ["m"], limit=9)] == []
    for connection in connections:
        connection.execute(limit.format(1_000_000)).fetchall()
    await graph.link([big], [somebody("C")])
    await graph.scripts.ping()
    assert await names(graph) == ["C"]
    await graph.scripts.close()


@pytest.mark.process
async def test_processes_share_the_file(path):
    """Each sees what the others write, and nothing hangs in the air."""
    graph = await opened(path)
    writers = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, str(path))
        for _ in range(2)
    ]
    people = [somebody("Anna"), somebody("P9")]
    for number in range(60):
        await graph.link([says(f"{number % 7}", "Anna", "P9")], people)
        await fall(graph, [f"{(number + 1) % 7}"])
    async with asyncio.timeout(HANG_SECONDS):
        assert [await each.wait() for each in writers] == [0, 0]
    assert (await graph.counts())["orphans"] == 0
    other = await opened(path)
    await fall(graph, [f"{number}" for number in range(7)])
    assert await other.counts() == NOTHING
    await other.scripts.close()
    await graph.scripts.close()


ALL_ROWS = re.compile(
    r"_whose|\(tenant=\?\)|(?<!linked )\(owner=\?\)|SCAN (?!r$|json_each|[a-z]+ed$|\()"
)
"""Steps of a plan that read all rows of a user, a tenant, an owner or a table; subqueries are named
so that they end in "ed"."""


class Recording(SqliteScripts):
    """Keeps the statements that it reads by."""

    def __init__(self, inner: SqliteScripts) -> None:
        super().__init__(inner.database)
        self.statements: list[SqlStatement] = []

    async def read(self, script):  # type: ignore[no-untyped-def]
        def noted():  # type: ignore[no-untyped-def]
            running = script()
            rows = None
            while True:
                try:
                    statement = next(running) if rows is None else running.send(rows)
                except StopIteration as end:
                    return end.value
                self.statements.append(statement)
                rows = yield statement

        return await super().read(noted)


READS: dict[str, Callable[[SqlGraph], Awaitable[object]]] = {
    "resolve": lambda graph: graph.resolve(ALICE, ["a", "b*", "c*"]),
    "by ids": lambda graph: graph.entities(ALICE_WORK, ids=["a"]),
    "by name": lambda graph: graph.entities(ALICE, name="a*"),
    "links": lambda graph: graph.links_of("local", ["m", "n"]),
    "memories": lambda graph: graph.memories_of(VisibleScope.of(ALICE_WORK), ["a"], limit=9),
    "relations": lambda graph: graph.relations(ALICE, ["a"], limit=9),
    "connected": lambda graph: graph.connected(VisibleScope.of(ALICE_WORK), ["m"], limit=9),
    "aliases": lambda graph: graph.aliases(ALICE, ["m"]),
    "latest": lambda graph: graph.latest(ALICE),
}


@rows("read", READS)
async def test_reads_are_led_by_what_is_asked_about(path, read):
    """Never by all rows of a table, a tenant or a user."""
    path = path.with_name(f"{read}.db")
    inner = await opened(path)
    await tell(inner, says("m", "A", "B", related=[("a", "likes", "b")]), says("n", "B"))
    recording = Recording(scripts_of(inner))
    await READS[read](SqlGraph(recording))
    assert recording.statements
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for statement in recording.statements:
            sql, lists = for_sqlite(statement.sql)
            values = _bound(statement.values, lists)
            plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall()
            steps = [row[3] for row in plan]
            assert not [step for step in steps if ALL_ROWS.search(step)], (statement.sql, steps)
    await inner.scripts.close()


async def test_a_graph_that_is_not_wanted_leaves_nothing(path):
    """Of whomever it was; what else is in the database stays."""
    graph = await opened(path)
    assert not await graph.clear()
    await tell(graph, says("m", "Xenophanes"), says("n", "Anna"))
    await graph.merge(joined("xenophanes", "anna"))
    await SqlSwitches(graph.scripts).write({"learn": False})
    assert await graph.clear()
    assert await graph.counts() == NOTHING
    assert await SqlSwitches(graph.scripts).read() == {"learn": False}
    assert not any(b"enophanes" in each.read_bytes() for each in path.parent.glob("graph.db*"))
    await graph.scripts.close()

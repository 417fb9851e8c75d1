"""The graph's file: restarts, damage, full disks, several processes, and what it forgets."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.scripts import SqlStatement, for_sqlite
from recollect.memory.database.sqlite import TABLES, SqliteScripts, open_sqlite
from recollect.memory.database.sqlite.copying import NOTED
from recollect.memory.database.sqlite.repair import repair
from recollect.memory.database.sqlite.scripts import _bound
from recollect.memory.database.switches import SqlSwitches
from recollect.memory.model.visible_scope import VisibleScope
from tests.memory.state.contracts.graph_samples import (
    NOTHING,
    joined,
    says,
    tell,
)
from tests.memory.state.samples import ALICE, ALICE_WORK
from tests.support.folding import rows


@pytest.fixture
def path(tmp_path):
    return tmp_path / "graph.db"


async def opened(path: Path) -> SqlGraph:
    return SqlGraph(await open_sqlite(path))


def scripts_of(graph: SqlGraph) -> SqliteScripts:
    assert isinstance(graph.scripts, SqliteScripts)
    return graph.scripts


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

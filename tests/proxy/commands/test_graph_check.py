"""What `recollect check` says of the graph."""

import contextlib
import sqlite3

from recollect.memory.engine.opening import closing, open_the_graph
from recollect.proxy.commands.graph_check import check_graph
from tests.memory.state.contracts.graph_samples import says, somebody
from tests.support.composing import settings


def chosen(folder, **flags):
    return settings(folder, **{"database__url": None, **flags})


async def test_a_damaged_file_is_named(tmp_path):
    """And left as it is, with what happens at the next start."""
    options = chosen(tmp_path)
    options.history.graph_file.parent.mkdir(parents=True)
    options.history.graph_file.write_bytes(b"no database" * 99)
    found = await check_graph(options)
    assert not found.ok
    assert "graph.db is damaged" in found.seen
    assert "reads the memories again" in found.mend
    assert options.history.graph_file.read_bytes() == b"no database" * 99


async def test_orphans_are_told(tmp_path):
    """There are none, unless somebody wrote into the file."""
    options = chosen(tmp_path)
    async with closing(await open_the_graph(options)) as graph:
        await graph.link([says("m", "A")], [somebody("A")])
        await graph.keep_note("reader", "1")
    with contextlib.closing(sqlite3.connect(options.history.graph_file)) as connection:
        connection.execute("DELETE FROM graph_entities")
        connection.commit()
    found = await check_graph(options)
    assert not found.ok
    assert "1 orphans" in found.seen
    assert "rebuild" in found.mend

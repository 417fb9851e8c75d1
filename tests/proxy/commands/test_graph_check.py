"""What `recollect check` says of the graph."""

import contextlib
import sqlite3

from recollect.memory.database.graph import SqlGraph
from recollect.proxy.commands.checks import check_graph
from recollect.proxy.commands.findings import found_by
from tests.memory.state.contracts.graph_samples import says, somebody
from tests.support.composing import settings
from tests.support.state import database_at


async def test_orphans_are_told(tmp_path):
    """There are none, unless somebody wrote into the file; one that is not there is not made."""
    options = settings(tmp_path, database__url=None)
    found = await found_by("graph", check_graph, options)
    assert (found.ok, found.seen) == (True, "nothing was linked yet")
    assert not options.data_dir.exists()
    graph = SqlGraph(await database_at(options.database.file))
    await graph.link([says("m", "A")], [somebody("A")])
    await graph.keep_note("reader", "1")
    await graph.scripts.close()
    with contextlib.closing(sqlite3.connect(options.database.file)) as connection:
        connection.execute("DELETE FROM graph_entities")
        connection.commit()
    found = await found_by("graph", check_graph, options)
    assert not found.ok
    assert "1 orphans" in found.seen
    assert "rebuild" in found.mend

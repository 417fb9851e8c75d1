"""Opening the graph: a part that nothing else waits for."""

from contextlib import AsyncExitStack

import pytest

from recollect.memory.engine.engine import Engine
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import StoredMemory
from recollect.memory.state import open_graph
from tests.memory.state.contracts.graph_samples import says, somebody
from tests.support.composing import memory, settings


@pytest.fixture
async def opened():
    """Opens engines, and closes them in the end."""
    async with AsyncExitStack() as stack:

        async def open_with(chosen):
            return await stack.enter_async_context(Engine.open(chosen, serving=True))

        yield open_with


async def test_a_damaged_graph_is_set_aside(opened, tmp_path, caplog):
    """A new one is there at once, and the damaged file is kept."""
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "graph.db"
    file.write_bytes(b"no database at all" * 99)
    engine = await opened(settings(tmp_path, history__backend="sqlite"))
    await engine.parts.pings["graph"]()
    assert (await engine.parts.graph.counts())["entities"] == 0
    [kept] = file.parent.glob("graph.db.corrupt-*")
    assert kept.read_bytes() == b"no database at all" * 99
    assert kept.name in caplog.text


async def test_without_a_graph_the_rest_goes_on(opened, tmp_path, caplog):
    """One that cannot be opened is named, says so at every call, and stops nothing."""
    (tmp_path / "data" / "graph.db").mkdir(parents=True)
    engine = await opened(settings(tmp_path, history__backend="sqlite"))
    for call in (engine.parts.graph.ping, engine.parts.graph.counts):
        with pytest.raises(StateError, match=r"graph\.db"):
            await call()
    assert "Recall goes on without the graph" in caplog.text
    [vector] = await engine.parts.embedder.embed(["I like green tea"])
    await engine.parts.store.put([StoredMemory(memory("I like green tea"), vector)])


async def test_no_graph_is_wanted(opened, tmp_path, caplog):
    """Then there is none, and no file of it: what was forgotten would stay in it."""
    chosen = settings(tmp_path, history__backend="sqlite", graph__enabled=False)
    graph = await open_graph(chosen.history)
    await graph.link([says("m", "Anna")], [somebody("Anna")])
    await graph.close()
    engine = await opened(chosen)
    assert engine.parts.graph is None
    assert "graph" not in engine.parts.pings
    assert not list(chosen.data_dir.glob("graph*"))
    assert "was removed" in caplog.text

"""The graph in a real PostgreSQL: restarts, and long ids."""

from __future__ import annotations

import asyncio

import pytest

from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.postgres import open_postgres
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Scope
from tests.memory.state.contracts.graph_samples import says, somebody, tell
from tests.memory.state.samples import ALICE
from tests.support.ports import free_port


async def opened(url: str, *, seconds: float = 10) -> SqlGraph:
    return SqlGraph(await open_postgres(url, max_connections=3, timeout_seconds=seconds))


async def test_a_server_that_is_away(own_url, own_postgres):
    """Opening does not fail; every call says so, and works when it is back."""
    away = await opened(own_url.replace(f":{own_postgres.port}/", f":{free_port()}/"))
    for call in (away.scripts.ping, away.counts, lambda: away.disturb(ALICE)):
        with pytest.raises(StateError, match="PostgreSQL at"):
            await call()
    await away.scripts.close()
    graph = await opened(own_url)
    await tell(graph, says("m", "Anna"))
    own_postgres.stop()
    try:
        with pytest.raises(StateError):
            await graph.link([says("n", "Anna")], [somebody("Anna")])
    finally:
        await asyncio.to_thread(own_postgres.start)
    await tell(graph, says("n", "Anna"))
    assert [each.memories for each in await graph.entities(ALICE)] == [2]
    await graph.scripts.ping()
    await graph.scripts.close()


async def test_the_longest_ids_and_names(url):
    """An index holds no long texts: what it leads by is short enough, whatever the script."""
    long = "\U0001f600" * 256
    scope = Scope(tenant=long, user_id=long, agent_id=long, run_id=long)
    graph = await opened(url)
    name = "\U00010348" * 5_000
    await tell(graph, says("m" * 200, ("e", name), scope=scope))
    [known] = await graph.entities(scope)
    assert known.entity.name == name
    assert len(await graph.resolve(known.entity.owner, [f"{name[:300]}*"])) == 1
    await graph.scripts.close()

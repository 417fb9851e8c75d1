"""The graph in a real PostgreSQL: replicas, restarts, refusals, and tables of its own."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from recollect.memory.model.errors import StateError, StateUnwritableError
from recollect.memory.model.types import EventKind, Scope
from recollect.memory.state import HistoryOptions, open_graph
from recollect.memory.state.graph import SqlGraph
from recollect.memory.state.postgres import open_postgres_graph, open_postgres_history
from tests.memory.state.contracts.graph_samples import NOTHING, names, says, somebody, tell
from tests.memory.state.samples import ALICE, record
from tests.support.ports import free_port
from tests.support.postgres_server import PostgresServer


async def opened(url: str, *, seconds: float = 10) -> SqlGraph:
    return await open_postgres_graph(url, max_connections=3, timeout_seconds=seconds)


async def test_it_is_beside_the_history(url: str) -> None:
    """In one database, and each has a version of its own; either may be opened first."""
    history = await open_postgres_history(url)
    await history.append([record("m", EventKind.ADD)])
    graph = await open_graph(HistoryOptions(backend="postgres", url=url))  # type: ignore[arg-type]
    await tell(graph, says("m", "Anna"))
    admin = await asyncpg.connect(url)
    await admin.execute("UPDATE recollect_graph_schema SET version = 99")
    with pytest.raises(StateError, match="newer version"):
        await opened(url)
    again = await open_postgres_history(url)
    assert len(await again.of("local", "m")) == 1
    await admin.close()
    for each in (history, graph, again):
        await each.close()


async def test_replicas_write_at_the_same_time(url: str) -> None:
    """The same memories and people, in any order: nothing hangs in the air, nothing fails."""
    graphs = await asyncio.gather(*(opened(url) for _ in range(3)))
    people = [somebody(each) for each in "ABCD"]

    async def write(number: int) -> None:
        graph = graphs[number % 3]
        spoken = "ABCD"[number % 3 : number % 3 + 2]
        await graph.link([says(f"{number % 5}", *spoken)], people)
        if number % 4 == 0:
            await graph.unlink("local", [f"{(number + 1) % 5}"])

    await asyncio.gather(*(write(number) for number in range(60)))
    counts = [await graph.counts() for graph in graphs]
    assert counts[0] == counts[1] == counts[2]
    assert counts[0]["orphans"] == 0
    await graphs[0].erase("local")
    assert await graphs[1].counts() == NOTHING
    await asyncio.gather(*(graph.close() for graph in graphs))


async def test_a_server_that_is_away(own_url: str, own_postgres: PostgresServer) -> None:
    """Opening does not fail; every call says so, and works when it is back."""
    away = await opened(own_url.replace(f":{own_postgres.port}/", f":{free_port()}/"))
    for call in (away.ping, away.counts, lambda: away.mark({"m": ALICE})):
        with pytest.raises(StateError, match="PostgreSQL at"):
            await call()
    await away.close()
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
    await graph.ping()
    await graph.close()


async def test_a_server_that_only_reads(url: str) -> None:
    """Reading goes on; writes are refused and counted until it takes them again."""
    graph = await opened(url)
    await tell(graph, says("m", "Anna"))
    admin = await asyncpg.connect(url)
    setting = f"ALTER DATABASE {url.rpartition('/')[2]} SET default_transaction_read_only"
    await admin.execute(f"{setting} = on")
    scripts = graph.scripts
    await scripts.database._pool.expire_connections()  # type: ignore[attr-defined]
    with pytest.raises(StateUnwritableError):
        await tell(graph, says("n", "Anna"))
    with pytest.raises(StateUnwritableError):
        await graph.ping()
    assert graph.refused == 1
    assert await names(graph) == ["Anna"]
    await admin.execute(f"SET transaction_read_only = off; {setting} = off")
    await scripts.database._pool.expire_connections()  # type: ignore[attr-defined]
    await graph.ping()
    await tell(graph, says("n", "Anna"))
    await admin.close()
    await graph.close()


async def test_the_longest_ids_and_names(url: str) -> None:
    """An index holds no long texts: what it leads by is short enough, whatever the script."""
    long = "\U0001f600" * 256
    scope = Scope(tenant=long, user_id=long, agent_id=long, run_id=long)
    graph = await opened(url)
    name = "\U00010348" * 5_000
    await tell(graph, says("m" * 200, ("e", name), scope=scope))
    [known] = await graph.entities(scope)
    assert known.entity.name == name
    assert len(await graph.resolve(known.entity.owner, [f"{name[:300]}*"])) == 1
    await graph.close()

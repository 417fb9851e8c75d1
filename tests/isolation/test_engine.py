"""Two users, agents and runs in two tenants: nobody is shown, given or robbed of another's."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.history import SqlHistory
from recollect.memory.language import stored_terms
from recollect.memory.model.scope import MAX_SCOPE_CHARS
from recollect.memory.state import RedisOptions, state_of
from recollect.memory.state.others import among_replicas
from tests.support.budget import examples
from tests.support.postgres_server import empty_database
from tests.support.qdrant_server import QdrantServer
from tests.support.state import database_at, opened_state

from .people import COMMON, pairs, people
from .steps import block_steps_only, graph_steps_only, rolled, steps, take
from .world import EMBEDDER, Parts, World

WORLDS = itertools.count(1)
FUZZED = settings(
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
PLANS = st.lists(steps, min_size=15, max_size=40)
FEW = st.lists(steps, min_size=7, max_size=9)
SHORT_PLANS = st.lists(steps, min_size=8, max_size=16)
POSITIONS = st.sampled_from(["tail", "replay", "start"])
LONGEST = ("\u65e5" * MAX_SCOPE_CHARS, "\u65e5" * (MAX_SCOPE_CHARS - 1))
INDEXED = st.sampled_from([25_000, 25_000, 1])


async def live(parts, users, tenants, position, most, plan):
    """Make a world and let its people do all that."""
    cast = people(next(WORLDS), users, tenants)
    async with World(cast, parts, position=position, max_memories=most) as world:
        await take(world, plan)


@settings(FUZZED, max_examples=examples(20))
@given(users=pairs, tenants=pairs, position=POSITIONS, most=INDEXED, plan=PLANS)
async def test_in_memory(users, tenants, position, most, plan):
    """Whatever is done in whatever order by people with whatever names."""
    await live(Parts(), users, tenants, position, most, plan)


@settings(FUZZED, max_examples=examples(3))
@example(users=LONGEST, tenants=LONGEST, position="replay", plan=rolled(1, 20))
@given(users=pairs, tenants=pairs, position=POSITIONS, plan=PLANS)
async def test_with_sqlite(tmp_path_factory, users, tenants, position, plan):
    """Turns, jobs, tombstones, costs and history in files."""
    folder = tmp_path_factory.mktemp("state")
    state = await opened_state(folder / "recollect.db")
    try:
        parts = Parts(state=state, history=SqlHistory(state.scripts))
        await live(parts, users, tenants, position, 25_000, plan)
    finally:
        await state.close()


@settings(FUZZED, max_examples=examples(3))
@example(users=LONGEST, tenants=LONGEST, position="replay", plan=rolled(1, 20))
@given(users=pairs, tenants=pairs, position=POSITIONS, plan=PLANS)
async def test_with_postgres(redis_server, postgres, users, tenants, position, plan):
    """Everything but the memories in a real PostgreSQL, with versions of indexes, and a Redis."""
    async with kept_by_servers(redis_server, postgres) as kept:
        await live(Parts(**kept, remote=True), users, tenants, position, 25_000, plan)


@pytest.mark.parametrize(
    "backend", ["inmemory", pytest.param("postgres", marks=pytest.mark.process)]
)
@settings(FUZZED, max_examples=examples(4))
@given(users=pairs, position=POSITIONS, plan=st.lists(block_steps_only, min_size=30, max_size=50))
async def test_with_blocks(request, backend, users, position, plan):
    """Of those who define, read, compile and forget blocks, and try to write other people's."""
    if backend == "inmemory":
        await live(Parts(), users, ("acme", "emca"), position, 25_000, plan)
        return
    servers = (request.getfixturevalue(name) for name in ("redis_server", "postgres"))
    async with kept_by_servers(*servers) as kept:
        await live(Parts(**kept, remote=True), users, ("acme", "emca"), position, 25_000, plan)


@settings(FUZZED, max_examples=examples(5))
@given(users=pairs, position=POSITIONS, plan=st.lists(graph_steps_only, min_size=20, max_size=40))
async def test_with_a_graph(users, position, plan):
    """Of those who ask whom others speak of, join and part, and reach for what is another's."""
    await live(Parts(), users, ("acme", "emca"), position, 25_000, plan)


async def on_milvus(open_at, address, **others):
    """Memories in the one collection of all examples."""
    store = await open_at(
        address, "people", embedder_id=EMBEDDER.id, dim=EMBEDDER.dim, terms=stored_terms
    )
    return Parts(store=store, own_store=False, remote=True, **others)


@settings(FUZZED, max_examples=examples(2))
@example(users=LONGEST, tenants=LONGEST, position="replay", most=1, plan=rolled(1, 20))
@given(users=pairs, tenants=pairs, position=POSITIONS, most=INDEXED, plan=SHORT_PLANS)
async def test_on_milvus_lite(open_at, lite_address, users, tenants, position, most, plan):
    """Memories in the embedded Milvus, beside those of all examples before."""
    parts = await on_milvus(open_at, lite_address)
    await live(parts, users, tenants, position, most, plan)


@contextlib.asynccontextmanager
async def kept_by_servers(redis, postgres):
    """State, history and graph in PostgreSQL, empty, and messages in Redis."""
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(empty_database(postgres))
        scripts = await database_at(url)
        stack.push_async_callback(scripts.close)
        messages = RedisOptions.model_validate({"url": redis.url, "prefix": f"s{next(WORLDS)}"})
        yield {
            "state": await among_replicas(state_of(scripts), messages, stack),
            "history": SqlHistory(scripts),
            "graph": SqlGraph(scripts),
        }


@pytest.mark.server
@settings(FUZZED, max_examples=examples(2))
@given(users=pairs, tenants=pairs, position=POSITIONS, most=INDEXED, plan=FEW)
async def test_on_a_milvus_server(
    open_at, server_address, redis_server, postgres, users, tenants, position, most, plan
):
    """Memories in a real Milvus, beside those of all examples before; the rest in real servers too."""
    async with kept_by_servers(redis_server, postgres) as kept:
        parts = await on_milvus(open_at, server_address, **kept)
        await live(parts, users, tenants, position, most, plan)


@pytest.mark.parametrize("infer", [True, False])
async def test_the_same_words_of_two_are_two_memories(infer):
    """Everybody says the same and has it once; what one forgets or changes the others still know."""
    cast = people(next(WORLDS), ("alice", "Alice"))
    users = [scope for scope in cast.scopes if scope.user_id and len(scope.ids()) == 1]
    async with World(cast, Parts()) as world:
        ids = {}
        for world.speaker in users:
            api, said = world.api(world.speaker), [{"role": "user", "content": COMMON}]
            for _ in range(1 + infer):
                await api.add(said, **world.speaker.ids(), infer=infer)
            [ids[world.speaker]] = (await api.get_all(**world.speaker.ids()))["results"]
        assert len({memory["id"] for memory in ids.values()}) == len(users) == 3
        first, second, third = users
        world.witness.reach = lambda item: item.scope == first
        await world.api(first).forget(ids[first]["id"])
        await world.api(second).update(ids[second]["id"], "I live in Bergen")
        kept = [(await world.api(u).get_all(**u.ids()))["results"] for u in users]
        assert [[m["memory"] for m in found] for found in kept] == [
            [],
            ["I live in Bergen"],
            [ids[third]["memory"]],
        ]


@pytest.fixture
async def other_store(request, tmp_path, postgres):
    """Opens the store that the parameter names."""
    async with contextlib.AsyncExitStack() as stack:
        match request.param:
            case "pgvector":
                url = await stack.enter_async_context(empty_database(postgres))
                options = PgvectorStoreOptions.model_validate({"uri": url, "timeout_seconds": 60})
            case "qdrant":
                server = await stack.enter_async_context(QdrantServer().serving())
                options = QdrantStoreOptions(uri=server.url, timeout_seconds=60)
            case _:
                options = ChromaStoreOptions(uri=str(tmp_path / "memories.chroma"))
        store = await open_store(
            options, embedder_id=EMBEDDER.id, dim=EMBEDDER.dim, terms=stored_terms
        )
        stack.push_async_callback(store.close)
        yield store


@pytest.mark.process
@pytest.mark.parametrize("other_store", ["pgvector", "qdrant", "chroma"], indirect=True)
@settings(FUZZED, max_examples=examples(2))
@example(users=LONGEST, tenants=LONGEST, position="replay", plan=rolled(1, 20))
@given(users=pairs, tenants=pairs, position=POSITIONS, plan=SHORT_PLANS)
async def test_in_other_stores(other_store, users, tenants, position, plan):
    """Memories in each of the other stores; earlier examples are in it too."""
    parts = Parts(store=other_store, own_store=False, remote=True)
    await live(parts, users, tenants, position, 25_000, plan)

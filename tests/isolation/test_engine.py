"""Two users, agents and runs in two tenants: nobody is shown, given or robbed of another's."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from recollect.memory.language import stored_terms
from recollect.memory.memories import NamedIndex, SqlIndexMarks, open_memories, searching
from recollect.memory.model.scope import MAX_SCOPE_CHARS
from recollect.memory.state import (
    HistoryOptions,
    StateOptions,
    open_graph,
    open_history,
    open_state,
)
from tests.memory.memories.databases import at, in_memory
from tests.memory.memories.indexes import NAME, Followed, PlainIndex
from tests.support.budget import examples
from tests.support.postgres_server import empty_database

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
    state = await open_state(StateOptions(url=str(folder / "state.db")))
    history = await open_history(HistoryOptions(url=str(folder / "history.db")))
    try:
        parts = Parts(state=state, history=history)
        await live(parts, users, tenants, position, 25_000, plan)
    finally:
        await history.close()
        await state.close()


@settings(FUZZED, max_examples=examples(3))
@example(users=LONGEST, tenants=LONGEST, position="replay", plan=rolled(1, 20))
@given(users=pairs, tenants=pairs, position=POSITIONS, plan=PLANS)
async def test_with_redis(redis_server, users, tenants, position, plan):
    """Turns, jobs, tombstones, costs and versions of indexes in a real Redis."""
    prefix = f"w{next(WORLDS)}"
    options = StateOptions(backend="redis", url=redis_server.url, prefix=prefix)
    state = await open_state(options)
    try:
        await live(Parts(state=state), users, tenants, position, 25_000, plan)
    finally:
        await state.close()


@pytest.mark.parametrize("backend", ["inmemory", pytest.param("redis", marks=pytest.mark.process)])
@settings(FUZZED, max_examples=examples(4))
@given(users=pairs, position=POSITIONS, plan=st.lists(block_steps_only, min_size=30, max_size=50))
async def test_with_blocks(request, backend, users, position, plan):
    """Of those who define, read, compile and forget blocks, and try to write other people's."""
    if backend == "inmemory":
        await live(Parts(), users, ("acme", "emca"), position, 25_000, plan)
        return
    url = request.getfixturevalue("redis_server").url
    options = StateOptions(backend="redis", url=url, prefix=f"b{next(WORLDS)}")
    state = await open_state(options)
    try:
        await live(Parts(state=state), users, ("acme", "emca"), position, 25_000, plan)
    finally:
        await state.close()


@settings(FUZZED, max_examples=examples(5))
@given(users=pairs, position=POSITIONS, plan=st.lists(graph_steps_only, min_size=20, max_size=40))
async def test_with_a_graph(users, position, plan):
    """Of those who ask whom others speak of, join and part, and reach for what is another's."""
    await live(Parts(), users, ("acme", "emca"), position, 25_000, plan)


async def indexed(scripts, **others):
    """Memories with an index that is asked in every scope, beside those of all examples before."""
    told = {"embedder_id": EMBEDDER.id, "dim": EMBEDDER.dim}
    await open_memories(scripts, **told)
    index, marks = PlainIndex(), SqlIndexMarks(scripts)
    store = Followed(scripts, index=NamedIndex(index, NAME, marks), terms=stored_terms, **told)
    return Parts(store=store, own_store=False, **others)


@pytest.fixture
def always_asked(monkeypatch):
    """An index is asked for the smallest scope too."""
    monkeypatch.setattr(searching, "FEW", 0)


@pytest.mark.usefixtures("always_asked")
@settings(FUZZED, max_examples=examples(4))
@example(users=LONGEST, tenants=LONGEST, position="replay", most=1, plan=rolled(1, 20))
@given(users=pairs, tenants=pairs, position=POSITIONS, most=INDEXED, plan=SHORT_PLANS)
async def test_with_an_index(shared_scripts, users, tenants, position, most, plan):
    """One index has the vectors of everybody, and knows nobody's name."""
    await live(await indexed(shared_scripts), users, tenants, position, most, plan)


@pytest.fixture
async def shared_scripts():
    """A database of all examples of a test."""
    scripts = in_memory()
    yield scripts
    await scripts.close()


@contextlib.asynccontextmanager
async def kept_by_servers(redis, postgres):
    """State in Redis, history and graph in PostgreSQL, all empty."""
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(empty_database(postgres))
        prefix = f"s{next(WORLDS)}"
        keeping = HistoryOptions.model_validate({"backend": "postgres", "url": url})
        kept = {
            "state": await open_state(StateOptions(backend="redis", url=redis.url, prefix=prefix)),
            "history": await open_history(keeping),
            "graph": await open_graph(keeping),
        }
        for part in kept.values():
            stack.push_async_callback(part.close)
        yield kept


@pytest.fixture
async def server_scripts(postgres):
    """A database of PostgreSQL for the memories of all examples of a test."""
    async with empty_database(postgres) as url:
        scripts = await at(url)
        yield scripts
        await scripts.close()


@pytest.mark.process
@pytest.mark.usefixtures("always_asked")
@settings(FUZZED, max_examples=examples(2))
@example(users=LONGEST, tenants=LONGEST, position="replay", most=1, plan=rolled(1, 20))
@given(users=pairs, tenants=pairs, position=POSITIONS, most=INDEXED, plan=FEW)
async def test_on_servers(
    server_scripts, redis_server, postgres, users, tenants, position, most, plan
):
    """Memories in a real PostgreSQL, beside those of all examples before; the rest in servers too."""
    async with kept_by_servers(redis_server, postgres) as kept:
        parts = await indexed(server_scripts, **kept)
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

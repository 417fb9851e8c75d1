"""Two users, agents and runs in two tenants: nobody is shown, given or robbed of another's."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from recollect.memory.language import stored_terms
from recollect.memory.memories import NamedIndex, SqlIndexMarks, SqlMemories, searching
from recollect.memory.model.scope import MAX_SCOPE_CHARS
from recollect.memory.state import RedisOptions, state_of
from recollect.memory.state.log_readers import among_replicas
from recollect.memory.util.registry import Registry
from tests.memory.memories.indexes import NAME, PlainIndex, filled
from tests.support.budget import examples
from tests.support.postgres_server import empty_database
from tests.support.state import database_at, in_memory_state, opened_state

from .people import COMMON, pairs, people
from .steps import rolled, steps, take
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
    """Everything in a file."""
    folder = tmp_path_factory.mktemp("state")
    state = await opened_state(folder / "recollect.db")
    try:
        await live(Parts(state=state), users, tenants, position, 25_000, plan)
    finally:
        await state.close()


@settings(FUZZED, max_examples=examples(3))
@example(users=LONGEST, tenants=LONGEST, position="replay", plan=rolled(1, 20))
@given(users=pairs, tenants=pairs, position=POSITIONS, plan=PLANS)
async def test_with_postgres(redis_server, postgres, users, tenants, position, plan):
    """Everything in a real PostgreSQL, with versions of indexes, and a Redis."""
    async with kept_by_servers(redis_server, postgres) as state:
        await live(Parts(state=state), users, tenants, position, 25_000, plan)


class Filling:
    """Fills an index with each change at once."""

    def __init__(self, scripts, index):
        self._scripts, self._index = scripts, index

    async def committed(self, change):
        await filled(self._scripts, self._index, embedder_id=EMBEDDER.id)

    async def uncertain(self, tenants):
        pass


def indexed(state):
    """Memories with an index that is asked in every scope."""
    scripts, index = state.scripts, PlainIndex()
    store = SqlMemories(
        scripts,
        embedder_id=EMBEDDER.id,
        dim=EMBEDDER.dim,
        index=NamedIndex(index, NAME, SqlIndexMarks(scripts)),
        terms=stored_terms,
    )
    return Parts(state=state, read=store, followers=[Filling(scripts, index)])


@pytest.fixture
def always_asked(monkeypatch):
    """An index is asked for the smallest scope too."""
    monkeypatch.setattr(searching, "FEW", 0)


@pytest.mark.usefixtures("always_asked")
@settings(FUZZED, max_examples=examples(4))
@example(users=LONGEST, tenants=LONGEST, position="replay", most=1, plan=rolled(1, 20))
@given(users=pairs, tenants=pairs, position=POSITIONS, most=INDEXED, plan=SHORT_PLANS)
async def test_with_an_index(users, tenants, position, most, plan):
    """One index has the vectors of everybody, and knows nobody's name."""
    await live(indexed(in_memory_state()), users, tenants, position, most, plan)


@contextlib.asynccontextmanager
async def kept_by_servers(redis, postgres):
    """A state whose database is an empty one of PostgreSQL, and messages in Redis."""
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(empty_database(postgres))
        scripts = await database_at(url)
        stack.push_async_callback(scripts.close)
        messages = RedisOptions.model_validate({"url": redis.url, "prefix": f"s{next(WORLDS)}"})
        registry = await stack.enter_async_context(Registry())
        yield await among_replicas(state_of(scripts), messages, registry)


@pytest.mark.process
@pytest.mark.usefixtures("always_asked")
@settings(FUZZED, max_examples=examples(2))
@example(users=LONGEST, tenants=LONGEST, position="replay", most=1, plan=rolled(1, 20))
@given(users=pairs, tenants=pairs, position=POSITIONS, most=INDEXED, plan=FEW)
async def test_on_servers(redis_server, postgres, users, tenants, position, most, plan):
    """The same in a real PostgreSQL with a Redis."""
    async with kept_by_servers(redis_server, postgres) as state:
        await live(indexed(state), users, tenants, position, most, plan)


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

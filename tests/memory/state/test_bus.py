"""What processes on several machines tell each other, over Redis and over PostgreSQL alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import asyncpg
import pytest

from recollect.memory.database.postgres import open_postgres
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import OwnerRef, Scope
from recollect.memory.state import RedisOptions, State, state_of
from recollect.memory.state.others import among_replicas
from recollect.memory.util.registry import Registry
from tests.memory.state.samples import ALICE, ALICE_WORK
from tests.support.postgres_server import empty_database
from tests.support.waiting import HANG_SECONDS, until

LISTENERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN%'
"""


@dataclass
class Place:
    """Where processes meet."""

    join: Callable[[], Awaitable[State]]
    say: Callable[[str], Awaitable[None]]
    """Puts any text on the channel of all."""
    cut: Callable[[], Awaitable[None]]
    """Ends every connection that listens."""
    tasks: list[asyncio.Future[None]] = field(default_factory=list)

    async def heard(self, count: int) -> list[State]:
        """So many processes that hear each other."""
        states = [await self.join() for _ in range(count)]
        self.tasks += [asyncio.ensure_future(each.replicas.listen()) for each in states]
        await all_hear(states)
        return states


@pytest.fixture(params=["redis", "postgres"])
async def place(request, own_redis, postgres) -> AsyncIterator[Place]:
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(empty_database(postgres))
        redis = RedisOptions()
        if request.param == "redis":
            own_redis.command("FLUSHALL")
            redis = RedisOptions.model_validate({"url": own_redis.url, "prefix": "test"})

        registry = await stack.enter_async_context(Registry())

        async def join() -> State:
            scripts = await open_postgres(url)
            stack.push_async_callback(scripts.close)
            return await among_replicas(state_of(scripts), redis, registry)

        async def ask(sql: str, *values: object) -> None:
            connection = await asyncpg.connect(url)
            await connection.fetch(sql, *values)
            await connection.close()

        async def say(text: str) -> None:
            if request.param == "redis":
                own_redis.command("PUBLISH", "testreplicas", text)
            else:
                await ask("SELECT pg_notify('recollect_replicas', $1)", text)

        async def cut() -> None:
            if request.param == "redis":
                own_redis.command("CLIENT", "KILL", "TYPE", "pubsub")
            else:
                await ask(LISTENERS)

        made = Place(join, say, cut)
        yield made
        for task in made.tasks:
            task.cancel()
        await asyncio.gather(*made.tasks, return_exceptions=True)


async def all_hear(states: list[State]) -> None:
    heard: list[set[str]] = [set() for _ in states]
    for mine, state in zip(heard, states, strict=True):

        async def hear(values: Mapping[str, Any], mine: set[str] = mine) -> None:
            mine.add(values["of"])

        state.replicas.on("ready", hear)
    names = {state.replicas.name for state in states}

    async def all_there() -> bool:
        for state in states:
            await state.replicas.tell("ready", of=state.replicas.name)
        found = await states[0].replicas.ask_all("anything")
        return all(names <= mine for mine in heard) and len(found) == len(states) - 1

    await until(all_there)


async def test_all_hear_everything_in_one_order(place):
    """What several tell at once, each hears once and as the others hear it, its own too."""
    states = await place.heard(3)
    heard: list[list[str]] = [[] for _ in states]
    for mine, state in zip(heard, states, strict=True):

        async def hear(values: Mapping[str, Any], mine: list[str] = mine) -> None:
            mine.append(values["text"])

        state.replicas.on("order", hear)
    # Some are too long for a notification of PostgreSQL.
    await asyncio.gather(
        *(
            state.replicas.tell("order", text=f"{n}/{i}" + "é" * (9_000 * (i % 5 == 0)))
            for n, state in enumerate(states)
            for i in range(20)
        )
    )

    async def everything() -> bool:
        return all(len(mine) == 60 for mine in heard)

    await until(everything)
    assert heard[0] == heard[1] == heard[2]
    assert len(set(heard[0])) == 60


async def test_each_of_the_others_answers(place, monkeypatch):
    """By its name, with what its handler says; one that fails or hangs is left out."""
    monkeypatch.setattr("recollect.memory.state.replicas.ANSWER_SECONDS", 1.0)
    one, two, other, last = [each.replicas for each in await place.heard(4)]

    async def add(values: Mapping[str, Any]) -> int:
        return int(values["number"]) + 1

    async def fail(_: Mapping[str, Any]) -> None:
        raise StateError("no room")

    async def never(_: Mapping[str, Any]) -> None:
        await asyncio.sleep(HANG_SECONDS)

    two.on("sum", add)
    other.on("sum", fail)
    last.on("sum", never)
    assert await one.ask_all("sum", number=1) == {two.name: 2}


async def test_what_was_missed_is_told(place):
    """When the connection is back after it was lost; nonsense on the channel is no loss."""
    states = await place.heard(2)
    gaps: list[int] = []
    states[0].replicas.gaps.append(lambda: gaps.append(1))
    for text in ("nonsense", "@nobody", "[]", '{"v": 1}', json.dumps({"v": 2, "from": "later"})):
        await place.say(text)
    await all_hear(states)
    assert not gaps
    await place.cut()
    await all_hear(states)
    await until(lambda: asyncio.sleep(0, result=gaps == [1]))


async def test_what_is_forgotten_is_heard(place):
    """A memory, a scope, a tenant: as they were said, by another process and by oneself."""
    speaker, listener = await place.heard(2)
    heard: list[tuple[OwnerRef, str | None]] = []
    gaps: list[int] = []
    place.tasks.append(
        asyncio.ensure_future(
            listener.peers.listen(lambda *said: heard.append(said), lambda: gaps.append(1))
        )
    )
    await until(lambda: asyncio.sleep(0, result=gaps == [1]))
    long = "\U0001f600" * 256
    widest = Scope(tenant=long, user_id=long, agent_id=long, run_id=long)
    said = [(ALICE, "m1"), (ALICE_WORK, None), ("ten{}ant", None), (widest, "m"), ("local", "m2")]
    for owner_ref, memory_id in said:
        await speaker.peers.publish(owner_ref, memory_id)
    await listener.peers.publish(ALICE, "own")
    await until(lambda: asyncio.sleep(0, result=len(heard) == 6))
    assert heard == [*said, (ALICE, "own")]
    assert gaps == [1]
    await place.cut()
    await until(lambda: asyncio.sleep(0, result=gaps == [1, 1]))


async def test_no_write_is_lost(place):
    """Writes at once are all counted, each with a number of its own; unknown keys stand at 0."""
    one, two = [(await place.join()).peers for _ in range(2)]
    assert await one.current(["a", "{b}"]) == (0, 0)
    assert await one.current([]) == ()
    first = await one.bump("a/=u")
    assert await two.bump("a/=u") == first + 1
    assert await one.current(["a/=u", "a"]) == (first + 1, 0)
    seen = await asyncio.gather(*(each.bump("k") for each in (one, two) for _ in range(50)))
    assert sorted(seen) == list(range(1, 101))

"""What processes on several machines tell each other, over Redis and over PostgreSQL alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import asyncpg
import pytest

from recollect.memory.database.changes import ChangeKind, ChangeLine, SqlChanges
from recollect.memory.database.postgres import open_postgres
from recollect.memory.database.postgres.notify import PostgresBus
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import OwnerRef, Scope
from recollect.memory.state import RedisOptions, State, state_of
from recollect.memory.state.log_readers import among_replicas
from recollect.memory.state.redis.listener import RedisBus
from recollect.memory.util.registry import Registry
from tests.memory.state.samples import ALICE, ALICE_WORK
from tests.support.postgres_server import empty_database
from tests.support.waiting import until

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
        self.tasks += [asyncio.ensure_future(each.listen()) for each in states]
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


def hears(state: State) -> list[ChangeLine]:
    """What it hears of others from now on."""
    heard: list[ChangeLine] = []
    state.log.elsewhere.append(heard.append)
    return heard


def line(name: str, owner_ref: OwnerRef = ALICE) -> ChangeLine:
    return ChangeLine(ChangeKind.GONE, owner_ref, [name])


async def all_hear(states: list[State]) -> None:
    """Wait until each reads when any other one says a word: nobody looks by itself."""
    names = {state.log.name for state in states}
    heard = [hears(state) for state in states]

    async def all_there() -> bool:
        for state in states:
            await state.log.tell([line(state.log.name)])
        return all(
            names - {state.log.name} <= {each.ids[0] for each in mine if each.ids}
            for state, mine in zip(states, heard, strict=True)
        )

    await until(all_there)


async def test_all_hear_everything_in_one_order(place):
    """What several write at once, each hears once and as the others hear it, its own too."""
    states = await place.heard(3)
    heard: list[list[ChangeLine]] = [[] for _ in states]
    for mine, state in zip(heard, states, strict=True):
        await state.log.read()
        state.log.everywhere.append(mine.append)
    await asyncio.gather(
        *(state.log.tell([line(f"{n}/{i}")]) for n, state in enumerate(states) for i in range(20))
    )
    for state in states:
        await state.log.read()
    assert heard[0] == heard[1] == heard[2]
    assert len({each.ids[0] for each in heard[0]}) == len(heard[0]) == 60


async def test_what_is_told_was_heard_by_all_who_answer(place, monkeypatch):
    """One that hangs is not waited for; it hears it when it reads again."""
    monkeypatch.setattr("recollect.memory.state.replicas.ANSWER_SECONDS", 1.0)
    one, two, hangs = await place.heard(3)
    heard, late = hears(two), hears(hangs)
    async with hangs.log._turn:
        await one.log.tell([line("m")])
        assert (heard, late) == ([line("m")], [])
    await hangs.log.read()
    assert late == [line("m")]


async def test_what_was_missed_is_read(place):
    """When the connection is back after it was lost; nonsense on the channel changes nothing."""
    one, two = await place.heard(2)
    heard = hears(two)
    for text in ("nonsense", "@nobody", "[]", '{"v": 2}', json.dumps({"v": 3, "from": "later"})):
        await place.say(text)
    await one.log.tell([line("m")])
    assert heard == [line("m")]
    await SqlChanges(one.scripts, one.log.name).add([line("n")])  # and no word
    await place.cut()
    await until(lambda: heard == [line("m"), line("n")])


async def test_without_a_word_nothing_is_missed(place, monkeypatch, caplog):
    """While what carries it is away, a write is no error; whoever asks or looks hears it."""
    one, two = await place.heard(2)
    heard = hears(two)

    async def away(*_said: str) -> None:
        raise StateError("nobody there")

    for bus in (RedisBus, PostgresBus):
        monkeypatch.setattr(bus, "publish", away)
    await one.log.tell([line("m")])
    one.log.wrote()
    assert "are not woken" in caplog.text
    assert heard == []
    await two.log.fresh()
    assert heard == [line("m")]
    place.tasks.append(asyncio.ensure_future(two.log.run()))
    await one.log.tell([line("n")])
    await until(lambda: heard == [line("m"), line("n")])


async def test_whatever_ids_a_line_names(place):
    """A memory, a scope, a tenant: as they were told."""
    speaker, listener = await place.heard(2)
    heard = hears(listener)
    long = "\U0001f600" * 256
    widest = Scope(tenant=long, user_id=long, agent_id=long, run_id=long)
    said = [line("m1"), line("m", ALICE_WORK), line("m", "ten{}ant"), line("m\x00", widest)]
    await speaker.log.tell(said)
    assert heard == said

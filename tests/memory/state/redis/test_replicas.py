"""What processes of a Redis tell and ask each other."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.state.redis import RedisReplicas, RedisState, open_redis_state
from tests.support.waiting import HANG_SECONDS, until


@pytest.fixture
async def three(own_redis):
    """Three that hear each other."""
    own_redis.command("FLUSHALL")
    states: list[RedisState] = [
        await open_redis_state(own_redis.url, prefix="test:", turn_ttl_days=1) for _ in range(3)
    ]
    replicas = [state.replicas for state in states]
    listening = [asyncio.ensure_future(each.listen()) for each in replicas]
    await _all_hear(replicas)
    yield replicas
    for each in listening:
        each.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    for state in states:
        await state.close()


async def _all_hear(replicas: list[RedisReplicas]) -> None:
    heard: list[set[str]] = [set() for _ in replicas]
    for mine, replica in zip(heard, replicas, strict=True):

        async def hear(values: Mapping[str, Any], mine: set[str] = mine) -> None:
            mine.add(values["of"])

        replica.on("ready", hear)
    names = {replica.name for replica in replicas}

    async def all_there() -> bool:
        for replica in replicas:
            await replica.tell("ready", of=replica.name)
        found = await replicas[0].ask_all("anything")
        return all(names <= mine for mine in heard) and len(found) == len(replicas) - 1

    await until(all_there)


async def test_all_hear_everything_in_one_order(three):
    """What several tell at once, each hears once and as the others hear it, its own too."""
    heard: list[list[str]] = [[], [], []]
    for mine, replica in zip(heard, three, strict=True):

        async def hear(values: Mapping[str, Any], mine: list[str] = mine) -> None:
            mine.append(values["text"])

        replica.on("order", hear)
    await asyncio.gather(
        *(
            replica.tell("order", text=f"{n}/{i}")
            for n, replica in enumerate(three)
            for i in range(20)
        )
    )

    async def everything() -> bool:
        return all(len(mine) == 60 for mine in heard)

    await until(everything)
    assert heard[0] == heard[1] == heard[2]
    assert len(set(heard[0])) == 60


async def test_each_of_the_others_answers(three):
    """By its name, with what its handler says; one that fails is left out."""

    async def add(values: Mapping[str, Any]) -> int:
        return int(values["number"]) + 1

    async def fail(_: Mapping[str, Any]) -> None:
        raise StateError("no room")

    one, two, other = three
    two.on("sum", add)
    other.on("sum", fail)
    assert await one.ask_all("sum", number=1) == {two.name: 2}


async def test_one_that_hangs_is_not_waited_for_long(three, monkeypatch):
    """The answers of the others are there after a while."""
    monkeypatch.setattr("recollect.memory.state.redis.replicas.ANSWER_SECONDS", 0.1)

    async def at_once(_: Mapping[str, Any]) -> str:
        return "here"

    async def never(_: Mapping[str, Any]) -> None:
        await asyncio.sleep(HANG_SECONDS)

    one, two, other = three
    two.on("where", at_once)
    other.on("where", never)
    assert await one.ask_all("where") == {two.name: "here"}


async def test_what_was_missed_is_told(three, own_redis):
    """When the connection is back after it was lost; nonsense on the channel is no loss."""
    gaps: list[int] = []
    three[0].on_gap = lambda: gaps.append(1)
    for text in ("nonsense", "[]", '{"v": 1}', '{"v": 2, "from": "later"}'):
        own_redis.command("PUBLISH", "test:replicas", text)
    await _all_hear(three)
    assert not gaps
    own_redis.command("CLIENT", "KILL", "TYPE", "pubsub")
    await _all_hear(three)
    assert gaps == [1]

"""What one process forgets or writes, the others hear, and they know when they missed something."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import date

import pytest

from recollect.memory.model.types import OwnerRef, Spent
from recollect.memory.state.redis import RedisState, open_redis_state
from tests.memory.state.redis.lossy import LossyLink
from tests.memory.state.samples import ALICE, ALICE_WORK
from tests.support.redis_server import RedisServer
from tests.support.waiting import HANG_SECONDS


class Heard:
    """Listens while its context lasts."""

    def __init__(self, state: RedisState) -> None:
        self._state = state
        self.forgotten: list[tuple[OwnerRef, str | None]] = []
        self.gaps = 0

    def forget(self, owner_ref: OwnerRef, memory_id: str | None) -> None:
        self.forgotten.append((owner_ref, memory_id))

    def gap(self) -> None:
        self.gaps += 1

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            listener = group.create_task(self._state.peers.listen(self.forget, self.gap))
            yield
            listener.cancel()

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(HANG_SECONDS):
            while not done():
                await asyncio.sleep(0.01)

    async def until_heard(self, publisher: RedisState) -> None:
        """Publish until it arrives: only then somebody listens."""
        async with asyncio.timeout(HANG_SECONDS):
            while ("here", None) not in self.forgotten:
                await publisher.peers.publish("here")
                await asyncio.sleep(0.01)
        self.forgotten.clear()
        self.gaps = 0  # of the beginning


async def test_what_is_said_is_heard(redis_server, state, prefix):
    """A memory, a scope, a tenant: as they were said, by another process and by oneself."""
    speaker = await open_redis_state(redis_server.url, prefix=prefix, turn_ttl_days=1)
    heard = Heard(state)
    async with heard.listening():
        await heard.until_heard(speaker)
        said = [(ALICE, "m1"), (ALICE_WORK, None), ("ten{}ant", None), ("local", "m2")]
        for owner_ref, memory_id in said:
            await speaker.peers.publish(owner_ref, memory_id)
        await state.peers.publish(ALICE, "own")
        await heard.until(lambda: (ALICE, "own") in heard.forgotten)
    assert [one for one in heard.forgotten if one[0] != "here"] == [*said, (ALICE, "own")]
    assert heard.gaps == 0
    await speaker.close()


async def test_another_installation_is_not_heard(redis_server, state, prefix):
    """Two prefixes on one server are two worlds."""
    stranger = await open_redis_state(redis_server.url, prefix="other:" + prefix, turn_ttl_days=1)
    heard = Heard(state)
    async with heard.listening():
        await heard.until_heard(state)
        await stranger.peers.publish("theirs")
        await state.peers.publish("ours")
        await heard.until(lambda: ("ours", None) in heard.forgotten)
    assert ("theirs", None) not in heard.forgotten
    await stranger.close()


async def test_a_broken_connection_is_a_gap(own_redis, alone):
    """The client must not mend it silently: `on_gap` is called, then it listens again."""
    heard = Heard(alone)
    async with heard.listening():
        await heard.until_heard(alone)
        for _ in range(2):
            own_redis.command("CLIENT", "KILL", "TYPE", "pubsub")
            await heard.until(lambda: heard.gaps == 1)
            await heard.until_heard(alone)


@pytest.mark.process
async def test_a_restart_is_a_gap(tmp_path):
    """It tries until the server is back, and says then that something may have been missed."""
    with RedisServer(tmp_path) as server:
        state = await open_redis_state(server.url, prefix="t:", turn_ttl_days=1)
        heard = Heard(state)
        async with heard.listening():
            await heard.until_heard(state)
            server.kill()
            await asyncio.sleep(0.3)
            assert heard.gaps == 0
            server.start()
            await heard.until(lambda: heard.gaps == 1)
            await heard.until_heard(state)
        await state.close()


async def test_a_connection_that_died_silently_is_a_gap(redis_server, prefix, monkeypatch):
    """Where no error ever comes, silence is asked after."""
    monkeypatch.setattr("recollect.memory.state.redis.peers.SILENCE_SECONDS", 0.1)
    monkeypatch.setattr("recollect.memory.state.redis.peers.SOCKET_SECONDS", 2.0)
    async with LossyLink(redis_server.port) as link:
        state = await open_redis_state(link.url, prefix=prefix, turn_ttl_days=1)
        heard = Heard(state)
        async with heard.listening():
            await heard.until_heard(state)
            await asyncio.sleep(0.5)
            assert heard.gaps == 0
            link.hold = True
            await asyncio.sleep(2.5)  # longer than it waits for an answer
            link.hold = False
            await heard.until(lambda: heard.gaps == 1)
            await heard.until_heard(state)
        await state.close()


async def test_listening_goes_on_after_a_foreign_message(redis_server, state, prefix):
    """Nobody can stop it by writing nonsense."""
    heard = Heard(state)
    async with heard.listening():
        await heard.until_heard(state)
        redis_server.command("PUBLISH", f"{prefix}forgotten", "nonsense")
        await state.peers.publish("after")
        await heard.until(lambda: ("after", None) in heard.forgotten)
    assert heard.gaps == 0


async def test_no_write_is_lost(state):
    """Writes at once are all counted, each with a number of its own; unknown keys stand at 0."""
    assert await state.peers.current(["a", "{b}"]) == (0, 0)
    assert await state.peers.current([]) == ()
    first = await state.peers.bump("a/=u")
    assert await state.peers.bump("a/=u") == first + 1
    assert await state.peers.current(["a/=u", "a"]) == (first + 1, 0)
    seen = await asyncio.gather(*(state.peers.bump("k") for _ in range(100)))
    assert len(set(seen)) == 100
    assert max(seen) - min(seen) == 99


async def test_a_lost_counter_does_not_come_back_to_a_known_number(own_redis, alone):
    """After expiry or loss of all data, a number somebody remembers is not given again."""
    remembered = set()
    for _ in range(20):
        remembered |= {await alone.peers.bump("k") for _ in range(3)}
        own_redis.command("FLUSHALL")
    assert len(remembered) == 60


async def test_counters_expire(redis_server, state, prefix):
    """A user who does not come back leaves nothing; each write puts the end off."""
    await state.peers.bump("k")
    key = f"{prefix}{{versions}}:k"
    redis_server.command("EXPIRE", key, "100")
    await state.peers.bump("k")
    assert int(redis_server.command("TTL", key)[1:]) > 86_400


async def test_the_ledger_of_a_day_expires(redis_server, state, prefix):
    """Two months after the last spending, and what marks a call as counted in minutes."""
    await state.ledger.spend("t", date(2026, 3, 2), Spent(1, 2, 3))
    keys = sorted(redis_server.command("KEYS", f"{prefix}*ledger*").split(b"\r\n")[2::2])
    ends = [int(redis_server.command("TTL", key.decode())[1:]) for key in keys]
    assert sorted(0 < end <= limit for end, limit in zip(ends, (62 * 86_400, 600), strict=True))
    assert min(ends) > 0

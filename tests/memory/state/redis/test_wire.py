"""What a failing, restarted or silent server looks like from above: a StateError, or nothing."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Job, Spent
from recollect.memory.state.redis import RedisState, open_redis_state
from recollect.memory.state.redis.connect import POOL_SIZE
from recollect.memory.state.redis.wire import Script, ScriptRun, Wire
from tests.memory.state.redis.lossy import LossyLink
from tests.memory.state.samples import ALICE, NOON, job, turn
from tests.support.ports import free_port
from tests.support.redis_server import RedisServer

DAY = NOON.date()


@pytest.fixture
async def link(redis_server: RedisServer) -> AsyncIterator[LossyLink]:
    redis_server.command("FLUSHALL")
    async with LossyLink(redis_server.port) as relay:
        yield relay


@pytest.fixture
async def far(link: LossyLink) -> AsyncIterator[RedisState]:
    """The state behind the lossy link."""
    opened = await open_redis_state(link.url, prefix="test:", turn_ttl_days=30)
    yield opened
    await opened.close()


async def claimed(state: RedisState, seconds: float = 0) -> Job:
    found = await state.jobs.claim(now=NOON + timedelta(seconds=seconds), lease_seconds=60)
    assert found is not None
    return found


class TestLostAnswers:
    """The server did it, the answer got lost, the client asks again."""

    async def test_a_turn_is_recorded_once(self, link: LossyLink, far: RedisState) -> None:
        """Position and counts are those of one turn."""
        await far.conversations.record(turn("a", tokens=3))
        link.lose = 1
        again = await far.conversations.record(turn("b", tokens=4))
        assert link.lost == 1
        assert (again.seq, again.pending, again.pending_tokens) == (2, 2, 7)

    async def test_a_job_is_put_once_and_it_is_known_that_it_is_new(
        self, link: LossyLink, far: RedisState
    ) -> None:
        """Who put it is told so; who puts it next is told that it is there."""
        await far.jobs.counts()
        link.lose = 1
        assert await far.jobs.put(job("j"))
        assert link.lost == 1
        assert not await far.jobs.put(job("j"))
        assert await far.jobs.counts() == {"ready": 1, "leased": 0, "done": 0, "dead": 0}

    async def test_a_claim_counts_one_attempt(self, link: LossyLink, far: RedisState) -> None:
        """The same job comes again under the same lease, not the next one."""
        await far.jobs.put(job("j1"))
        await far.jobs.put(job("j2", scope=replace(ALICE, user_id="bob")))
        await far.jobs.save_checkpoint(await claimed(far), "decisions")
        link.lose = 1
        held = await claimed(far, 60)
        assert link.lost == 1
        assert (held.id, held.attempts, held.checkpoint) == ("j1", 2, "decisions")
        assert (await far.jobs.counts())["leased"] == 1
        assert await far.jobs.ack(held)

    @pytest.mark.parametrize(
        "end", ["ack", "retry", "uncount", "dead_letter", "extend", "checkpoint"]
    )
    async def test_a_change_is_done_once_and_answered_as_at_first(
        self, link: LossyLink, far: RedisState, end: str
    ) -> None:
        """The holder is not told that the lease was lost, and a second call is another call."""
        await far.jobs.put(job("j"))
        held = await claimed(far)
        at = NOON + timedelta(seconds=5)
        calls = {
            "ack": lambda: far.jobs.ack(held),
            "retry": lambda: far.jobs.retry(held, at=at, error="no"),
            "uncount": lambda: far.jobs.retry(held, at=at, error="no", count=False),
            "dead_letter": lambda: far.jobs.dead_letter(held, error="no", raw="said"),
            "extend": lambda: far.jobs.extend(held, until=at),
            "checkpoint": lambda: far.jobs.save_checkpoint(held, "text"),
        }
        link.lose = 1
        assert await calls[end]()
        assert link.lost == 1
        assert await calls[end]() == (end in {"extend", "checkpoint"})
        [report] = await far.jobs.reports()
        assert report.job.attempts == (0 if end == "uncount" else 1)

    async def test_reviving_and_spending_happen_once(
        self, link: LossyLink, far: RedisState
    ) -> None:
        """A dead job is told to be revived, and a cost is counted once."""
        await far.jobs.put(job("j"))
        await far.jobs.dead_letter(await claimed(far), error="no")
        link.lose = 1
        assert await far.jobs.revive("j")
        await far.ledger.spend("local", DAY, Spent(1, 10, 5))
        link.lose = 1
        assert await far.ledger.spend("local", DAY, Spent(1, 10, 5)) == Spent(2, 20, 10)
        assert link.lost == 2

    async def test_several_in_a_row(self, link: LossyLink, far: RedisState) -> None:
        """A burst of broken connections is bridged too."""
        await far.conversations.record(turn("a"))
        link.lose = 2
        assert (await far.conversations.record(turn("b"))).pending == 2


class TestFailures:
    async def test_no_server(self) -> None:
        """It can be opened before Redis is there; calls raise ours and name what is wrong."""
        state = await open_redis_state(
            f"redis://:secret@127.0.0.1:{free_port()}/0", prefix="t:", turn_ttl_days=1
        )
        with pytest.raises(StateError, match="redis failed") as caught:
            await state.conversations.record(turn("a"))
        assert "secret" not in str(caught.value)
        await state.close()

    @pytest.mark.process
    async def test_it_works_once_the_server_is_there(self, tmp_path: Path) -> None:
        """Nobody has to restart us for it."""
        server = RedisServer(tmp_path)
        state = await open_redis_state(server.url, prefix="t:", turn_ttl_days=1)
        with server:
            assert (await state.conversations.record(turn("a"))).seq == 1
            await state.close()

    async def test_a_silent_server(self, link: LossyLink, far: RedisState) -> None:
        """A call ends in time and leaves no answer for the next one to take for its own."""
        await far.conversations.record(turn("a"))
        link.hold = True
        with pytest.raises((StateError, TimeoutError)):
            async with asyncio.timeout(0.3):
                await far.jobs.depth()
        link.hold = False
        await far.jobs.put(job("j"))
        assert await asyncio.gather(far.jobs.depth(), far.jobs.depth()) == [1, 1]

    async def test_a_silent_server_is_given_up_on(self, link: LossyLink, far: RedisState) -> None:
        """Without any deadline of the caller's a call still ends, with a StateError."""
        await far.jobs.depth()
        link.hold = True
        with pytest.raises(StateError):
            await far.jobs.depth()

    async def test_cancelled_calls_do_not_mix_up_answers(self, state: RedisState) -> None:
        """Whoever is cancelled while waiting takes the connection with it."""
        await state.ledger.spend("t", DAY, Spent(1, 1, 1))
        for _ in range(30):
            calls = asyncio.gather(*(state.jobs.depth() for _ in range(5)))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(calls, 0.0001)
            assert await state.ledger.spent("t", DAY) == Spent(1, 1, 1)

    async def test_a_replica_refuses_and_later_leads(
        self, redis_server: RedisServer, state: RedisState
    ) -> None:
        """A demoted server is a StateError; when it leads again nothing has to be restarted."""
        redis_server.command("REPLICAOF", "127.0.0.1", str(free_port()))
        try:
            with pytest.raises(StateError, match="only reads"):
                await state.conversations.record(turn("a"))
            with pytest.raises(StateError):
                await state.jobs.put(job("j"))
        finally:
            redis_server.command("REPLICAOF", "NO", "ONE")
        assert await state.jobs.put(job("j"))

    async def test_full_memory(self, redis_server: RedisServer, state: RedisState) -> None:
        """A refused turn is an error, never half a turn, and work that is done can still end."""
        await state.conversations.record(turn("a"))
        await state.jobs.put(job("j"))
        held = await claimed(state)
        redis_server.command("CONFIG", "SET", "maxmemory", "1")
        try:
            with pytest.raises(StateError, match="maxmemory"):
                await state.conversations.record(turn("b"))
            await state.conversations.mark_learned("c1", 1)
            assert await state.jobs.ack(held)
        finally:
            redis_server.command("CONFIG", "SET", "maxmemory", "0")
        again = await state.conversations.record(turn("b"))
        assert (again.seq, again.pending) == (2, 1)

    async def test_more_calls_than_connections(
        self, redis_server: RedisServer, state: RedisState
    ) -> None:
        """A burst waits for connections; their number stays bounded."""
        names = [f"t{n}" for n in range(20 * POOL_SIZE)]
        kept = await asyncio.gather(*(state.conversations.record(turn(n)) for n in names))
        assert sorted(recorded.seq for recorded in kept) == list(range(1, len(names) + 1))
        clients = redis_server.command("INFO", "clients").decode()
        count = int(clients.split("connected_clients:")[1].split("\r")[0])
        assert count <= POOL_SIZE + 2


class TestScripts:
    async def test_scripts_survive_a_flush(
        self, redis_server: RedisServer, state: RedisState
    ) -> None:
        """A server that forgot them is told again, in the middle of a batch too."""
        await state.conversations.record(turn("a"))
        await state.jobs.put(job("j1"))
        redis_server.command("SCRIPT", "FLUSH")
        assert (await state.conversations.record(turn("b"))).pending == 2
        redis_server.command("SCRIPT", "FLUSH")
        assert (await claimed(state)).id == "j1"

    async def test_a_batch_keeps_its_order_without_scripts(self, state: RedisState) -> None:
        """What comes after a script that is not known yet sees what the script did."""
        script = Script("return redis.call('APPEND', KEYS[1], ARGV[1]) -- order")
        commands = [("APPEND", "{o}k", "1"), ScriptRun(script, ["{o}k"], ["2"]), ("GET", "{o}k")]
        answers = await state.wire.send_in_order(commands)
        assert answers[0] == 1
        assert answers[2] in {"12", "122"}
        assert answers[2][0] == "1"

    async def test_a_failing_script_is_an_error_of_ours(self, state: RedisState) -> None:
        """Also alone and in a batch."""
        broken = ScriptRun(Script("return redis.call('INCR', KEYS[1], 'x')"), ["{o}k"])
        with pytest.raises(StateError):
            await state.wire.send(broken)
        with pytest.raises(StateError):
            await state.wire.send_all([("PING",), broken])


@pytest.mark.parametrize("url", ["http://localhost", "localhost:6379", "redis://host:port"])
async def test_an_address_that_is_none(url: str) -> None:
    """It is said at the start."""
    with pytest.raises(StateError, match=r"state\.url"):
        await open_redis_state(url, prefix="t:", turn_ttl_days=1)


@pytest.mark.process
async def test_a_socket_file(tmp_path: Path) -> None:
    """`unix://` works as `redis://` does."""
    path = tmp_path / "r.sock"
    with RedisServer(tmp_path / "data", unixsocket=str(path)):
        state = await open_redis_state(f"unix://{path}", prefix="t:", turn_ttl_days=1)
        assert (await state.conversations.record(turn("a"))).seq == 1
        await state.close()


@pytest.mark.process
async def test_a_password(tmp_path: Path) -> None:
    """The credentials in the address are used, and wrong ones are a StateError."""
    with RedisServer(tmp_path, requirepass="p@ss:word") as server:
        address = f"127.0.0.1:{server.port}/0"
        state = await open_redis_state(
            f"redis://:p%40ss%3Aword@{address}", prefix="t:", turn_ttl_days=1
        )
        await state.jobs.depth()
        await state.close()
        refused = Wire(f"redis://:wrong@{address}")
        with pytest.raises(StateError):
            await refused.send(("PING",))
        await refused.close()


@pytest.mark.process
def test_the_client_is_imported_when_it_is_needed() -> None:
    """Who has no Redis does not pay for its client."""
    code = "import recollect.memory.state.redis, sys; assert 'redis' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)

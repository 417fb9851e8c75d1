"""What a failing, restarted or silent server looks like from above: a StateError, or nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

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
async def link(redis_server):
    async with LossyLink(redis_server.port) as relay:
        yield relay


@pytest.fixture
async def far(link, prefix):
    """The state behind the lossy link."""
    opened = await open_redis_state(link.url, prefix=prefix, turn_ttl_days=30)
    yield opened
    await opened.close()


async def claimed(state: RedisState, seconds: float = 0) -> Job:
    found = await state.jobs.claim(now=NOON + timedelta(seconds=seconds), lease_seconds=60)
    assert found is not None
    return found


class TestLostAnswers:
    """The server did it, the answer got lost, the client asks again."""

    async def test_a_turn_is_recorded_once(self, link, far):
        """Position and counts are those of one turn."""
        await far.conversations.record(turn("a", tokens=3))
        link.lose = 1
        again = await far.conversations.record(turn("b", tokens=4))
        assert link.lost == 1
        assert (again.seq, again.pending, again.pending_tokens) == (2, 2, 7)

    async def test_a_job_is_put_once_and_it_is_known_that_it_is_new(self, link, far):
        """Who put it is told so; who puts it next is told that it is there."""
        await far.jobs.counts()
        link.lose = 1
        assert await far.jobs.put(job("j"))
        assert link.lost == 1
        assert not await far.jobs.put(job("j"))
        assert await far.jobs.counts() == {"ready": 1, "leased": 0, "done": 0, "dead": 0}

    async def test_a_claim_counts_one_attempt(self, link, far):
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

    async def test_a_change_is_done_once_and_answered_as_at_first(self, link, far):
        """The holder is not told that the lease was lost, and a second call is another call."""
        at = NOON + timedelta(seconds=5)
        changes: dict[str, Callable[[Job], Awaitable[bool]]] = {
            "ack": far.jobs.ack,
            "retry": lambda held: far.jobs.retry(held, at=at, error="no"),
            "uncount": lambda held: far.jobs.retry(held, at=at, error="no", count=False),
            "dead_letter": lambda held: far.jobs.dead_letter(held, error="no", raw="said"),
            "extend": lambda held: far.jobs.extend(held, until=at),
            "checkpoint": lambda held: far.jobs.save_checkpoint(held, "text"),
        }
        for number, (end, change) in enumerate(changes.items(), 1):
            await far.jobs.put(job(end, scope=replace(ALICE, user_id=end)))
            held = await claimed(far)
            assert held.id == end
            link.lose = 1
            assert await change(held), end
            assert link.lost == number
            assert await change(held) == (end in {"extend", "checkpoint"}), end
            [report, *_] = await far.jobs.reports()
            assert report.job.attempts == (0 if end == "uncount" else 1), end

    async def test_reviving_and_spending_happen_once(self, link, far):
        """A dead job is told to be revived, and a cost is counted once."""
        await far.jobs.put(job("j"))
        await far.jobs.dead_letter(await claimed(far), error="no")
        link.lose = 1
        assert await far.jobs.revive("j")
        await far.ledger.spend("local", DAY, Spent(1, 10, 5))
        link.lose = 2
        assert await far.ledger.spend("local", DAY, Spent(1, 10, 5)) == Spent(2, 20, 10)
        assert link.lost == 3


class TestFailures:
    async def test_no_server(self):
        """It can be opened before Redis is there; calls raise ours and name what is wrong."""
        state = await open_redis_state(
            f"redis://:secret@127.0.0.1:{free_port()}/0", prefix="t:", turn_ttl_days=1
        )
        with pytest.raises(StateError, match="redis failed") as caught:
            await state.conversations.record(turn("a"))
        assert "secret" not in str(caught.value)
        await state.close()

    @pytest.mark.process
    async def test_it_works_once_the_server_is_there(self, tmp_path):
        """Nobody has to restart us for it."""
        server = RedisServer(tmp_path)
        state = await open_redis_state(server.url, prefix="t:", turn_ttl_days=1)
        with server:
            assert (await state.conversations.record(turn("a"))).seq == 1
            await state.close()

    async def test_a_silent_server(self, link, far):
        """A call ends in time and leaves no answer for the next one to take for its own."""
        await far.conversations.record(turn("a"))
        link.hold = True
        with pytest.raises((StateError, TimeoutError)):
            async with asyncio.timeout(0.3):
                await far.jobs.depth()
        # Without a deadline of the caller's it ends, too.
        with pytest.raises(StateError):
            await far.jobs.depth()
        link.hold = False
        await far.jobs.put(job("j"))
        assert await asyncio.gather(far.jobs.depth(), far.jobs.depth()) == [1, 1]

    async def test_cancelled_calls_do_not_mix_up_answers(self, state):
        """Whoever is cancelled while waiting takes the connection with it."""
        await state.ledger.spend("t", DAY, Spent(1, 1, 1))
        for _ in range(30):
            calls = asyncio.gather(*(state.jobs.depth() for _ in range(5)))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(calls, 0.0001)
            assert await state.ledger.spent("t", DAY) == Spent(1, 1, 1)

    async def test_more_calls_than_connections(self, own_redis, alone):
        """A burst waits for connections; their number stays bounded."""
        names = [f"t{n}" for n in range(20 * POOL_SIZE)]
        kept = await asyncio.gather(*(alone.conversations.record(turn(n)) for n in names))
        assert sorted(recorded.seq for recorded in kept) == list(range(1, len(names) + 1))
        clients = own_redis.command("INFO", "clients").decode()
        count = int(clients.split("connected_clients:")[1].split("\r")[0])
        assert count <= POOL_SIZE + 2


class TestScripts:
    async def test_scripts_survive_a_flush(self, own_redis, alone):
        """A server that forgot them is told again, in the middle of a batch too."""
        await alone.conversations.record(turn("a"))
        await alone.jobs.put(job("j1"))
        own_redis.command("SCRIPT", "FLUSH")
        assert (await alone.conversations.record(turn("b"))).pending == 2
        own_redis.command("SCRIPT", "FLUSH")
        assert (await claimed(alone)).id == "j1"

    async def test_a_batch_keeps_its_order_without_scripts(self, state):
        """What comes after a script that is not known yet sees what the script did."""
        script = Script("return redis.call('APPEND', KEYS[1], ARGV[1]) -- order")
        commands = [("APPEND", "{o}k", "1"), ScriptRun(script, ["{o}k"], ["2"]), ("GET", "{o}k")]
        answers = await state.wire.send_in_order(commands)
        assert answers[0] == 1
        assert answers[2] in {"12", "122"}
        assert answers[2][0] == "1"


@pytest.mark.parametrize("url", ["http://localhost", "localhost:6379", "redis://host:port"])
async def test_an_address_that_is_none(url):
    """It is said at the start."""
    with pytest.raises(StateError, match=r"state\.url"):
        await open_redis_state(url, prefix="t:", turn_ttl_days=1)


@pytest.mark.process
async def test_a_socket_file(tmp_path):
    """`unix://` works as `redis://` does."""
    path = tmp_path / "r.sock"
    with RedisServer(tmp_path / "data", unixsocket=str(path)):
        state = await open_redis_state(f"unix://{path}", prefix="t:", turn_ttl_days=1)
        assert (await state.conversations.record(turn("a"))).seq == 1
        await state.close()


@pytest.mark.process
async def test_a_password(tmp_path):
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

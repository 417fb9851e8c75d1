"""Several replicas on one PostgreSQL: no job runs twice, no turn is lost, no clock is trusted."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.jobs import SqlJobs
from recollect.memory.database.postgres import open_postgres
from recollect.memory.database.scripts import SqlStatement
from recollect.memory.database.transactions import INSIDE, transacted
from recollect.memory.model.daily_sums import Summed
from recollect.memory.model.graph import graph_owner
from recollect.memory.model.shares import ShareKind
from recollect.memory.model.types import PrecedingQuestion, Scope, utc_now
from recollect.memory.model.usage import UseKind
from recollect.memory.state import state_of
from tests.memory.state.contracts.attachments import shared
from tests.memory.state.contracts.blocks import block
from tests.memory.state.contracts.counting import MONDAY
from tests.memory.state.contracts.graph_samples import says, tell
from tests.memory.state.samples import ALICE, BOB, NOON, job, turn
from tests.support.folding import rows
from tests.support.waiting import until

_off: ContextVar[float] = ContextVar("off", default=0.0)
_right = time.time


@pytest.fixture
async def replicas(url):
    opened = [state_of(await open_postgres(url)) for _ in range(3)]
    yield opened
    for each in opened:
        await each.close()


def _theirs() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=_off.get())


async def test_no_two_workers_share_a_user(replicas):
    """Nine workers of three replicas: each job runs once, a user's one at a time and in order."""
    chance = random.Random(7)
    jobs = [
        job(f"{user}-{number}", scope=Scope(tenant="t", user_id=f"u{user}"))
        for number in range(12)
        for user in range(5)
    ]
    for each in range(5):  # a user's in order, several users at once
        await asyncio.gather(
            *(replicas[n % 3].jobs.put(one) for n, one in enumerate(jobs[each:60:5]))
        )
    order = [report.job.id for report in await replicas[0].jobs.reports()][::-1]
    running: Counter[str] = Counter()
    done: list[str] = []

    async def work(queue) -> None:
        while len(done) < len(jobs):
            held = await queue.jobs.claim(now=utc_now(), lease_seconds=600)
            if held is None:
                await asyncio.sleep(0.002)
                continue
            running[held.scope.partition] += 1
            assert running[held.scope.partition] == 1
            await asyncio.sleep(chance.random() / 200)
            running[held.scope.partition] -= 1
            done.append(held.id)
            assert await queue.jobs.ack(held)

    await asyncio.gather(*(work(queue) for queue in replicas * 3))
    for user in range(5):
        mine = [[name for name in some if name.startswith(f"{user}-")] for some in (order, done)]
        assert mine[0] == mine[1]
        assert len(mine[0]) == 12


async def test_who_enters_the_line_within_a_transaction_is_waited_for(replicas):
    """Places are taken in the order of commits, by itself or with other changes."""
    one, other = replicas[0].scripts, replicas[1].jobs
    entered, commits = asyncio.Event(), asyncio.Event()
    transact = one.database.transact

    async def held(work):
        async def whole(connection):
            result = await work(connection)
            entered.set()
            await commits.wait()
            return result

        return await transact(whole)

    one.database.transact = held
    within = SqlJobs(INSIDE).put(job("first"), at=NOON)
    first = asyncio.ensure_future(one.change(lambda: transacted(within), tenants={"local"}))
    await entered.wait()
    second = asyncio.ensure_future(other.put(job("second", scope=BOB)))
    waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    await until(lambda: replicas[2].scripts.statement(waits, {}))
    assert not second.done()
    commits.set()
    assert (await first, await second) == (True, True)
    assert [each.job.id for each in await other.reports()] == ["second", "first"]


async def test_many_that_claim_at_once_get_one_each(replicas):
    """Nobody is told that the queue is empty while there is a job for everybody."""
    for number in range(9):
        await replicas[0].jobs.put(job(f"j{number}", scope=Scope(tenant="t", user_id=f"u{number}")))
    claims = (each.jobs.claim(now=utc_now(), lease_seconds=60) for each in replicas * 3)
    held = await asyncio.gather(*claims)
    assert sorted(one.id for one in held) == [f"j{number}" for number in range(9)]


async def test_what_is_erased_while_it_is_claimed_is_cancelled_or_gone(replicas):
    """Whoever is faster: no job goes on as if nothing had been forgotten."""
    for number in range(30):
        await replicas[0].jobs.put(job(f"j{number}"))
        held, gone = await asyncio.gather(
            replicas[1].jobs.claim(now=utc_now(), lease_seconds=0), replicas[2].jobs.erase(ALICE)
        )
        assert gone == 1
        if held is not None:
            assert not await replicas[1].jobs.ack(held)
            again = await replicas[1].jobs.claim(now=utc_now(), lease_seconds=60)
            assert again is None or (again.cancelled and await replicas[1].jobs.ack(again))
        assert await replicas[0].jobs.depth() == 0


async def test_turns_that_are_recorded_at_once(replicas):
    """Each has a position of its own in its conversation, and none is refused."""
    recorded = await asyncio.gather(
        *(replicas[number % 3].conversations.record(turn(str(number % 20))) for number in range(60))
    )
    assert {each.seq for each in recorded} == set(range(1, 21))
    assert len(await replicas[0].conversations.unlearned("c1", 99)) == 20


async def test_what_repeats_an_erased_turn(replicas):
    """Recorded while that one is erased, it says nothing of it."""
    for number in range(20):
        first, later = (
            turn(f"a{number}"),
            turn(f"b{number}", before=PrecedingQuestion((f"c1/a{number}",), "?")),
        )
        await replicas[0].conversations.record(first)
        await asyncio.gather(
            replicas[1].conversations.record(later),
            replicas[2].conversations.erase_turns("local", [first.id]),
        )
    kept = await replicas[0].conversations.recent(ALICE, limit=99)
    assert [each.turn.before for each in kept] == [None] * 20


async def test_uses_are_counted_once_and_never_of_what_is_forgotten(replicas):
    """Replicas that count the same turns, while one of the memories is forgotten."""
    for number in range(30):
        told = turn(str(number), scope=(ALICE, BOB)[number % 2], recalled=("m", "gone"))
        await replicas[0].conversations.record(told)

    async def forget() -> None:
        await replicas[2].tombstones.add("local", ["gone"])
        await replicas[2].usage.erase("local", ["gone"])

    settling = [each.usage.settle(limit=4) for each in replicas for _ in range(8)]
    await asyncio.gather(*settling, forget())
    while await replicas[0].usage.settle():
        pass
    used = await replicas[0].usage.of("local", ["m", "gone"])
    assert {name: one.recalled for name, one in used.items()} == {"m": 30}


async def test_a_script_reads_one_moment(replicas, url):
    """What is written between its statements it does not see."""
    count = SqlStatement("SELECT count(*) FROM switches")

    async def write() -> None:
        other = state_of(await open_postgres(url))
        await other.switches.write({"a": True})
        await other.close()

    def script():
        first = yield count
        with ThreadPoolExecutor(1) as elsewhere:
            elsewhere.submit(asyncio.run, write()).result()
        return first, (yield count)

    assert await replicas[0].scripts.read(script) == ([(0,)], [(0,)])
    assert await replicas[1].switches.read() == {"a": True}


@rows("seconds", [3600.0, -3600.0])
async def test_a_wrong_clock_is_corrected(url, monkeypatch, seconds):
    """An hour off, a replica takes over no lease, gives no endless one, and begins no new hour."""
    monkeypatch.setattr("recollect.memory.database.clock.time.time", lambda: _right() + _off.get())
    monkeypatch.setattr("recollect.memory.database.jobs.utc_now", _theirs)
    monkeypatch.setattr("recollect.memory.database.costs.utc_now", _theirs)
    right, wrong = state_of(await open_postgres(url)), state_of(await open_postgres(url))

    async def as_wrong(call):
        token = _off.set(seconds)
        try:
            return await call()
        finally:
            _off.reset(token)

    tenant = str(seconds)
    scope = Scope(tenant=tenant, user_id="alice")
    await as_wrong(lambda: wrong.jobs.put(job(tenant, scope=scope)))
    held = await right.jobs.claim(now=_theirs(), lease_seconds=60)
    assert held is not None
    claim = lambda: wrong.jobs.claim(now=_theirs(), lease_seconds=60)  # noqa: E731
    assert await as_wrong(claim) is None
    until = lambda: _theirs() + timedelta(seconds=60)  # noqa: E731
    assert await as_wrong(lambda: wrong.jobs.extend(held, until=until()))
    assert await right.jobs.claim(now=_theirs() + timedelta(seconds=90), lease_seconds=60)
    [report] = await right.jobs.reports(tenant)
    assert abs(report.queued_at - _theirs()) < timedelta(seconds=60)

    def call(state):
        hour = _theirs().replace(minute=0, second=0, microsecond=0)
        return state.ledger.call(tenant, hour, most=4)

    counts = [
        await (call(right) if number % 2 else as_wrong(lambda: call(wrong))) for number in range(12)
    ]
    # A full hour may pass in between.
    assert sum(count is not None for count in counts) in (4, 8)
    await right.close()
    await wrong.close()


async def test_what_failed_twice_is_added_once(replicas, monkeypatch):
    """A server that goes away at the commit, and again: whoever adds it later adds it once."""
    sums, database = replicas[0].sums, replicas[0].scripts.database
    transact = database._transact

    async def lost(work, **how):
        await transact(work, **how)
        raise ConnectionResetError

    monkeypatch.setattr(database, "_transact", lost)
    with pytest.raises(Exception, match="PostgreSQL at"):
        await sums.add("t", MONDAY, {Summed.CHATS: 2}, batch="b1")
    monkeypatch.undo()
    await replicas[1].sums.add("t", MONDAY, {Summed.CHATS: 5}, batch="b10")
    await sums.add("t", MONDAY, {Summed.CHATS: 2}, batch="b1")
    assert (await sums.between("t", MONDAY, MONDAY))[MONDAY][Summed.CHATS] == 7


async def test_the_longest_ids(replicas):
    """Every key is short enough for an index, whatever the script of the ids and names."""
    state, long = replicas[0], "".join(chr(0x20000 + 37 * n) for n in range(256))
    scope = Scope(tenant=long, user_id=long, agent_id=long[::-1], run_id=long)
    name = long[:128]
    said = turn("a", scope=scope, recalled=(name,), response_id=long * 40, upstream_id=long * 40)
    await state.conversations.record(said)
    assert [each.id for each in await state.conversations.thread(scope, long * 40, limit=1)]
    assert len(await state.conversations.conversations(scope, limit=9)) == 1
    assert await state.jobs.put(job("j", scope=scope))
    assert await state.jobs.counts(scope) == {"ready": 1, "leased": 0, "done": 0, "dead": 0}
    await state.tombstones.add(long, [name[::-1]])
    epoch = await state.tombstones.epoch(scope)
    await state.tombstones.close_scope(scope)
    assert await state.tombstones.epoch(scope) != epoch
    assert await state.usage.settle() == 1
    await state.usage.count(long, UseKind.POSITIVE, [name], occasion=long[:64], at=NOON)
    assert set(await state.usage.of(long, [name])) == {name}
    assert await state.blocks.create(replace(block(scope=scope), label=long[:64]))
    assert len(await state.blocks.for_scope(scope)) == 1
    graph = SqlGraph(state.scripts)
    await tell(graph, says("m" * 200, ("e", name * 40), scope=scope))
    assert [each.entity.name for each in await graph.entities(scope)] == [name * 40]
    assert len(await graph.resolve(graph_owner(scope), [f"{name * 2}*"])) == 1
    given = shared(name, scope, owner=replace(ALICE, tenant=long))
    await state.attachments.attach(given)
    assert await state.attachments.for_scope(scope, ShareKind.MEMORY) == [given]
    assert await state.attachments.detach(ShareKind.MEMORY, name, scope)

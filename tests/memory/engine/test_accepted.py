"""What other processes and the next start know of credentials."""

from __future__ import annotations

import pytest

from recollect.memory.database.accepted import SqlAcceptedTenants
from recollect.memory.engine.accepted import RETRY_SECONDS, AcceptedTenants
from recollect.memory.model.errors import StateError
from recollect.memory.util.tasks import Tasks
from tests.support.clock import Stepped
from tests.support.sharing import log_over
from tests.support.state import in_memory_scripts
from tests.support.waiting import until


class Kept(SqlAcceptedTenants):
    """Which can be down."""

    down = False

    async def read(self):
        if self.down:
            raise StateError("down")
        return await super().read()

    async def judge(self, tenant, *, accepted, writer=""):
        if self.down:
            raise StateError("down")
        await super().judge(tenant, accepted=accepted, writer=writer)


@pytest.fixture
def kept():
    return Kept(in_memory_scripts())


async def test_the_next_start_knows_them(kept):
    """Also what was judged a moment before the end; what was taken back is not known again."""
    tenants = AcceptedTenants(kept)
    for name, accepted in (("a", True), ("b", True), ("a", False)):
        tenants.judge(name, accepted=accepted)
    await tenants.close()
    later = AcceptedTenants(kept)
    await later.settle()
    assert ("a" in later, "b" in later, 1 in later) == (False, True, False)


async def test_every_process_knows_and_forgets_them(kept):
    """With the next lines of the log that it reads, without a word of Redis."""
    logs = [log_over(kept.scripts) for _ in range(2)]
    here, there = (AcceptedTenants(kept, log) for log in logs)
    await logs[1].read()
    for known in (True, False):
        here.judge("t", accepted=known)
        await here.settle()
        await logs[1].read()
        assert ("t" in there) is known
        assert ("t" in here) is known


async def test_whoever_missed_lines_reads_all_again(kept):
    """What was refused meanwhile is not known any more."""
    tenants = AcceptedTenants(kept, log := log_over(kept.scripts))
    tenants.judge("a", accepted=True)
    await tenants.settle()
    await kept.judge("a", accepted=False)
    await kept.judge("b", accepted=True)
    assert "a" in tenants
    for missed in log.missed:
        missed()
    await tenants.settle()
    assert ("a" in tenants, "b" in tenants) == (False, True)


async def test_what_could_not_be_written_is_written_later(kept):
    """A database that is down loses no refusal, and meanwhile nothing older is taken over."""
    await kept.judge("a", accepted=True)
    await kept.judge("b", accepted=True)
    clock, tasks = Stepped(), Tasks()
    tenants = AcceptedTenants(kept, clock=clock)
    kept.down = True
    tenants.judge("a", accepted=True)
    tenants.judge("a", accepted=False)
    tasks.start(tenants.run(), name="accepted")
    await until(lambda: clock.asleep, "the first try waits")
    await clock.step(RETRY_SECONDS)
    await until(lambda: clock.asleep, "the second one waits")
    assert ("a" in tenants, "b" in tenants) == (False, False)
    kept.down = False
    await clock.step(RETRY_SECONDS)
    await until(lambda: "b" in tenants, "what was written before")
    assert "a" not in tenants
    assert await kept.read() == ["b"]
    tenants.judge("b", accepted=False)
    await until(lambda: not tenants._unwritten, "the refusal")
    assert await kept.read() == []
    await tasks.drain(0)

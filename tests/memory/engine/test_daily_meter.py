"""What is counted between two writes."""

from datetime import UTC, date, datetime, timedelta

import pytest

from recollect.memory.engine.daily_meter import MOST_HELD, DailyMeter
from recollect.memory.jobs.runs import Run, RunOutcome
from recollect.memory.model.daily_sums import PAYER, Payer, Summed
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import EventKind
from tests.memory.state.samples import ALICE, job
from tests.support.parts import engine_of

NIGHT = datetime(2026, 3, 2, 23, 59, tzinfo=UTC)
MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)


class Sums:
    """Notes what is added; fails as often as it is told to."""

    def __init__(self, failures=0):
        self.failures = failures
        self.tried = []
        self.added = []

    async def add(self, tenant, day, amounts, *, batch):
        self.tried.append((tenant, batch))
        if self.failures:
            self.failures -= 1
            raise StateError("down")
        self.added.append((tenant, day, dict(amounts)))


async def test_it_is_written_once_by_tenant_and_day():
    """One write for each tenant and day (UTC) of the counting, and none if nothing was counted."""
    sums, now = Sums(), [NIGHT]
    meter = DailyMeter(sums, clock=lambda: now[0])
    for tenant in ("a", "a", "b"):
        meter.count(tenant, {Summed.CHATS: 1, Summed.LEARNED: 2})
    now[0] += timedelta(minutes=1)
    meter.count("a", {Summed.CHATS: 1})
    await meter.flush()
    await meter.flush()
    assert sorted(sums.added) == [
        ("a", MONDAY, {Summed.CHATS: 2, Summed.LEARNED: 4}),
        ("a", TUESDAY, {Summed.CHATS: 1}),
        ("b", MONDAY, {Summed.CHATS: 1, Summed.LEARNED: 2}),
    ]


async def test_a_failed_write_is_made_again():
    """As the same batch, so that a state which took it after all adds it once; nothing is lost."""
    sums = Sums(failures=1)
    meter = DailyMeter(sums, clock=lambda: NIGHT)
    meter.count("a", {Summed.CHATS: 1})
    with pytest.raises(StateError):
        await meter.flush()
    meter.count("a", {Summed.CHATS: 5})
    await meter.flush()
    assert sums.added == [("a", MONDAY, {Summed.CHATS: n}) for n in (5, 1)]
    assert len(sums.tried) == 3
    assert sums.tried[0] == sums.tried[2]


async def test_what_is_held_is_bounded():
    """While the state is down further tenants are not counted: memory does not grow."""
    sums = Sums()
    meter = DailyMeter(sums)
    for number in range(MOST_HELD + 5):
        meter.count(str(number), {Summed.CHATS: 1})
    meter.count("0", {Summed.CHATS: 1})
    await meter.flush()
    assert len(sums.added) == MOST_HELD
    assert {tenant: n for tenant, _, n in sums.added}["0"] == {Summed.CHATS: 2}


async def test_embedding_is_of_whom_the_task_works_for():
    """Without a tenant it is nobody's; what a cache knows is not counted."""
    engine = engine_of()
    await engine.parts.embedder.embed(["one"])
    PAYER.set(Payer("acme"))
    await engine.parts.embedder.embed(["one", "two", "three"])
    await engine.meter.flush()
    today = datetime.now(UTC).date()
    found = await engine.parts.state.sums.between("acme", today, today)
    assert found[today][Summed.EMBEDDED_TEXTS] == 2


async def test_whoever_is_not_proven_pays_later():
    """What an invented credential makes the product embed adds nothing to the state."""
    sums = Sums()
    meter = DailyMeter(sums)
    PAYER.set(payer := Payer("acme", proven=False))
    meter.embedded(3)
    await meter.flush()
    assert (sums.added, payer.texts) == ([], 3)


async def test_what_learning_wrote_is_counted():
    """New memories and new versions; the run is told on as it is."""
    sums, runs = Sums(), []
    meter = DailyMeter(sums, clock=lambda: NIGHT)
    note = meter.noting(lambda *run: runs.append(run))
    events = (EventKind.ADD, EventKind.UPDATE, EventKind.NONE, EventKind.DELETE)
    for each in (Run(job("1"), RunOutcome.LEARNED, events), Run(job("2"), RunOutcome.NOTHING)):
        note(each, 7)
        assert runs[-1] == (each, 7)
    await meter.flush()
    assert sums.added == [(ALICE.tenant, MONDAY, {Summed.LEARNED: 2})]


async def test_closing_writes_the_rest():
    """What a program counted is written when its engine is closed."""
    engine = engine_of()
    engine.meter.count("acme", {Summed.CHATS: 1})
    await engine.close()
    today = datetime.now(UTC).date()
    assert (await engine.parts.state.sums.between("acme", today, today))[today][Summed.CHATS] == 1

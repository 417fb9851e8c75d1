"""What went to models is written a moment later, also after the database was away."""

import asyncio
import contextlib

from recollect.memory.engine import injection_log
from recollect.memory.engine.injection_log import InjectionLog
from recollect.memory.model.deeds import Deed, DeedKind, DeedLine, Link
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Scope, utc_now
from tests.support.waiting import until


class Chains:
    """Keeps deeds, unless it is down."""

    def __init__(self):
        self.kept, self.calls, self.down = [], 0, False

    async def add(self, deeds, *, late):
        assert late
        self.calls += 1
        if self.down:
            raise StateError("down")
        self.kept += [deed.request for deed in deeds]
        return [Link("o", len(self.kept), "{}", "h") for _ in deeds]


def deed(request, tenant="t"):
    return Deed(
        kind=DeedKind.INJECT, scope=Scope(tenant=tenant, user_id="a"), at=utc_now(),
        lines=(DeedLine("m"),), request=request,
    )  # fmt: skip


async def test_what_comes_together_is_written_together():
    """One transaction for each tenant; who listens is told what was written."""
    chains, told = Chains(), []
    log = InjectionLog(chains, [told.extend])
    for number in range(5):
        log.note(deed(str(number), tenant=f"t{number % 2}"))
    await log.flush()
    assert chains.kept == ["0", "2", "4", "1", "3"]
    assert (chains.calls, len(told)) == (2, 5)
    await log.flush()
    assert chains.calls == 2


async def test_nothing_is_lost_while_the_database_is_away(monkeypatch):
    """It is written once the database is back, in its order; too many are counted as lost."""
    monkeypatch.setattr(injection_log, "LINGER_SECONDS", 0)
    monkeypatch.setattr(injection_log, "REST_SECONDS", 0)
    monkeypatch.setattr(injection_log, "MOST_WAITING", 3)
    chains = Chains()
    log = InjectionLog(chains, [])
    running = asyncio.ensure_future(log.run())
    chains.down = True
    for number in range(5):
        log.note(deed(str(number)))
    await until(lambda: chains.calls > 2, "some tries")
    chains.down = False
    await until(lambda: len(chains.kept) == 3, "the writes")
    assert (chains.kept, log.lost) == (["0", "1", "2"], 2)
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running

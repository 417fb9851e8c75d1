"""Leases go by one clock, whatever the workers' clocks show."""

from __future__ import annotations

import pytest

from recollect.memory.database.clock import ServerClock


class Times:
    """This process's clocks and the server's, in seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = self.server = 1_770_000_000.0
        self.steady = 50.0
        self.asked = 0
        monkeypatch.setattr("recollect.memory.database.clock.time.time", lambda: self.wall)
        monkeypatch.setattr("recollect.memory.database.clock.time.monotonic", lambda: self.steady)

    async def ask(self) -> tuple[int, int]:
        self.asked += 1
        return int(self.server), 0

    def pass_by(self, seconds: float) -> None:
        self.wall += seconds
        self.server += seconds
        self.steady += seconds


@pytest.fixture
def times(monkeypatch):
    return Times(monkeypatch)


async def test_it_is_asked_seldom(times):
    """Once in half a minute, not at every call."""
    clock = ServerClock(times.ask)
    for _ in range(20):
        await clock.shift_ms()
        times.pass_by(1)
    assert times.asked == 1
    times.pass_by(11)
    await clock.shift_ms()
    assert times.asked == 2


async def test_a_step_is_noticed_at_once(times):
    """Somebody sets the clock: the next moment is already corrected."""
    clock = ServerClock(times.ask)
    assert await clock.shift_ms() == 0
    for total in (-86_400, -86_460, -86_400, 0):
        times.wall = times.server + total
        assert await clock.shift_ms() == -total * 1000

"""Databases that refuse writes, and a stand-in for one that cannot be used."""

from __future__ import annotations

import pytest

from recollect.memory.database import unopened
from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.history import SqlHistory
from recollect.memory.database.writes import Writes
from recollect.memory.model.errors import StateDamagedError, StateError, StateUnwritableError
from recollect.memory.model.types import utc_now
from recollect.memory.state import state_of
from tests.memory.state.samples import turn


def test_refusals_are_counted_until_a_probe_is_written():
    """Probes do not count, other failures of a probe change nothing."""
    writes = Writes()
    assert (writes.refused, writes.why) == (0, None)
    full = StateUnwritableError("full", "make room")
    for _ in range(2):
        writes.refuse(full)

    def probe(error: StateError) -> None:
        with writes.probing():
            if error is full:
                writes.refuse(full)
            raise error

    for error in (full, StateError("away")):
        with pytest.raises(StateError):
            probe(error)
    assert (writes.refused, writes.why) == (2, full)
    with writes.probing():
        pass
    assert (writes.refused, writes.why) == (2, None)


@pytest.mark.parametrize("kind", [StateDamagedError, StateUnwritableError])
async def test_every_call_says_why(kind):
    """Whatever port is asked, with the advice; closing is no error."""
    why = kind("/data/recollect.db: no", "run this")
    scripts = unopened(why)
    state = state_of(scripts)
    calls = (
        lambda: state.conversations.record(turn("a")),
        lambda: state.jobs.claim(now=utc_now(), lease_seconds=1),
        lambda: state.tombstones.add("t", ["m"]),
        lambda: state.ledger.spent("t", utc_now().date()),
        lambda: SqlHistory(scripts).of("t", "m"),
        SqlGraph(scripts).counts,
        state.ping,
    )
    for call in calls:
        with pytest.raises(kind, match=r"recollect\.db") as raised:
            await call()
        assert raised.value.advice == "run this"
    assert (state.refused, state.missing) == (0, why)
    state.look()
    await state.close()

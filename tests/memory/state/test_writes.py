"""Databases that refuse writes, and a stand-in for one that cannot be used."""

from __future__ import annotations

import pytest

from recollect.memory.database import unopened
from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.history import SqlHistory
from recollect.memory.model.errors import StateDamagedError, StateUnwritableError
from recollect.memory.model.types import utc_now
from recollect.memory.state import state_of
from tests.memory.state.samples import turn


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

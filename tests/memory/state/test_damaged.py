"""What stands for a part that cannot be used."""

import copy

import pytest

from recollect.memory.model.errors import StateDamagedError, StateUnwritableError
from recollect.memory.model.ports import Watched
from recollect.memory.model.types import utc_now
from recollect.memory.state import without_history, without_state
from tests.memory.state.samples import turn


@pytest.mark.parametrize("kind", [StateDamagedError, StateUnwritableError])
async def test_every_call_says_why(kind):
    """Whatever port is asked, with the advice; closing is no error."""
    why = kind("/data/state.db: no", "run this")
    state, history = without_state(why), without_history(why)
    calls = (
        lambda: state.conversations.record(turn("a")),
        lambda: state.jobs.claim(now=utc_now(), lease_seconds=1),
        lambda: state.tombstones.bury("t", ["m"]),
        lambda: state.ledger.spent("t", utc_now().date()),
        lambda: history.append([]),
        state.ping,
    )
    for call in calls:
        with pytest.raises(kind, match=r"state\.db") as raised:
            await call()
        assert raised.value.advice == "run this"
    assert isinstance(history, Watched)
    with pytest.raises(kind):
        await history.ping()
    assert (state.refused, history.refused, state.missing) == (0, 0, why)
    await state.close()
    await history.close()


def test_python_finds_no_method_of_its_own():
    """What Python looks for on any object is not taken for a call."""
    part = without_history(StateDamagedError("no"))
    assert copy.copy(part) is not part

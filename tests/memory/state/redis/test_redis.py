"""The Redis state keeps the contracts, on a real server."""

from datetime import date

from recollect.memory.model.sums import Summed
from tests.memory.state.contract import StateContract


class TestRedisState(StateContract):
    """The fixture `state` is that of the folder."""


async def test_a_batch_is_added_once(state):
    """A write whose answer was lost is sent again, and counts once for each tenant and day."""
    day = date(2026, 3, 2)
    for tenant in ("t", "t", "other"):
        await state.sums.add(tenant, day, {Summed.CHATS: 2}, batch="same")
    for tenant in ("t", "other"):
        assert (await state.sums.between(tenant, day, day))[day][Summed.CHATS] == 2

"""Locks within one process."""

from __future__ import annotations

import asyncio

import pytest

from recollect.memory.state.local_locks import LocalLocks
from tests.memory.state.contract import LockContract


class TestLocalLocks(LockContract):
    @pytest.fixture
    def locks(self):
        return LocalLocks()


async def test_they_are_first_come_first_served_and_leave_nothing():
    """In the order of asking; locks that nobody uses are gone."""
    locks = LocalLocks()
    order: list[int] = []

    async def work(number: int) -> None:
        async with locks.hold("local", ["m"]):
            await asyncio.sleep(0)
            order.append(number)

    await asyncio.gather(*map(work, range(5)))
    assert order == [*range(5)]
    assert not locks._locks
    assert not locks._users

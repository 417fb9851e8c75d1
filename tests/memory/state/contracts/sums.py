"""What all daily sums must do."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta

from recollect.memory.model.jobs import JobKind, Spent
from recollect.memory.model.sums import Summed

MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)
NEXT_WEEK = MONDAY + timedelta(days=7)
CHATS, LEARNED = Summed.CHATS, Summed.LEARNED


class DailySumsContract:
    """Subclasses provide the fixtures `sums` and `ledger`."""

    async def test_amounts_add_up(self, sums):
        """Each name by itself; what was never counted is 0; large numbers are exact."""
        await sums.add("t", MONDAY, {CHATS: 2, LEARNED: 2**52}, batch="1")
        await sums.add("t", MONDAY, {CHATS: 3, LEARNED: 2**52 + 1}, batch="2")
        found = (await sums.between("t", MONDAY, MONDAY))[MONDAY]
        assert found == dict.fromkeys(Summed, 0) | {CHATS: 5, LEARNED: 2**53 + 1}

    async def test_days_and_tenants_are_apart(self, sums):
        """Only the days that are asked for, inclusive and oldest first, of one tenant."""
        for number, day in enumerate((TUESDAY, MONDAY, NEXT_WEEK), start=1):
            await sums.add("t {1}\u00e9", day, {CHATS: number}, batch=f"b{number}")
        await sums.add("t", MONDAY, {CHATS: 9}, batch="b1")
        found = await sums.between("t {1}\u00e9", MONDAY, TUESDAY)
        assert [(day, each[CHATS]) for day, each in found.items()] == [(MONDAY, 2), (TUESDAY, 1)]
        assert await sums.between("t {1}\u00e9", TUESDAY + timedelta(days=1), MONDAY) == {}

    async def test_nothing_is_lost_among_many(self, sums):
        """Many processes add to one day at once."""
        await asyncio.gather(
            *(sums.add("m", MONDAY, {CHATS: 1}, batch=f"n{number}") for number in range(30))
        )
        assert (await sums.between("m", MONDAY, MONDAY))[MONDAY][CHATS] == 30

    async def test_the_ledger_of_several_days(self, ledger):
        """The totals of the days that cost something, of one tenant."""
        await ledger.spend("t", TUESDAY, Spent(1, 2, 3))
        await ledger.spend("t", MONDAY, Spent(4, 5, 6))
        await ledger.spend("other", MONDAY, Spent(7, 7, 7))
        await ledger.spend("t", NEXT_WEEK, Spent(8, 8, 8))
        found = await ledger.between("t", MONDAY, TUESDAY)
        learn = JobKind.LEARN
        assert list(found.items()) == [
            (MONDAY, {learn: Spent(4, 5, 6)}),
            (TUESDAY, {learn: Spent(1, 2, 3)}),
        ]

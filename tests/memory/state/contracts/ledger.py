"""What every ledger must do."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta

import hypothesis.strategies as st
from hypothesis import given, settings

from recollect.memory.model.costs import UPKEEP
from recollect.memory.model.jobs import JobKind, Spent
from tests.memory.state.samples import ANY_BACKEND
from tests.support.budget import examples

MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ONE = NOON + timedelta(hours=1)


class LedgerContract:
    """Subclasses provide the fixture `ledger`."""

    async def test_kinds_are_apart(self, ledger):
        """Each kind has a total of its own, which its spending answers; days without are left out.

        What is not told of kinds is what learning has spent, judging included.
        """
        await ledger.spend("kinds", MONDAY, Spent(1, 100, 10))
        await ledger.spend("kinds", MONDAY, Spent(1, 1, 1), kind=JobKind.JUDGE)
        first = await ledger.spend("kinds", MONDAY, Spent(1, 7, 0), kind=JobKind.EPISODE)
        second = await ledger.spend("kinds", MONDAY, Spent(1, 3, 2), kind=JobKind.EPISODE)
        await ledger.spend("kinds", TUESDAY, Spent(1, 5, 5), kind=JobKind.CONSOLIDATE)
        assert (first, second) == (Spent(1, 7, 0), Spent(2, 10, 2))
        assert await ledger.spent("kinds", MONDAY) == Spent(2, 101, 11)
        assert await ledger.spent("kinds", MONDAY, UPKEEP) == second
        assert await ledger.spent("kinds", MONDAY, {JobKind.REFLECT}) == Spent()
        assert await ledger.spent("kinds:x", MONDAY) == Spent()
        assert await ledger.between("kinds", MONDAY, TUESDAY) == {
            MONDAY: {
                JobKind.LEARN: Spent(1, 100, 10),
                JobKind.JUDGE: Spent(1, 1, 1),
                JobKind.EPISODE: second,
            },
            TUESDAY: {JobKind.CONSOLIDATE: Spent(1, 5, 5)},
        }

    async def test_no_spending_is_lost(self, ledger):
        """Many who spend at once all count, and no two see the same total."""
        totals = await asyncio.gather(
            *(ledger.spend("local", MONDAY, Spent(1, 10, 1)) for _ in range(50))
        )
        assert {total.calls for total in totals} == set(range(1, 51))
        assert await ledger.spent("local", MONDAY) == Spent(50, 500, 50)

    @settings(ANY_BACKEND, max_examples=examples(20))
    @given(
        added=st.lists(st.builds(Spent, *[st.integers(0, 2**40)] * 3), min_size=1, max_size=10),
        day=st.dates(),
    )
    async def test_any_amounts_add_up(self, ledger, added, day):
        """Totals are exact sums, of large numbers too."""
        before = await ledger.spent("hypothesis", day)
        for spent in added:
            total = await ledger.spend("hypothesis", day, spent)
        assert total == Spent(
            before.calls + sum(spent.calls for spent in added),
            before.prompt_tokens + sum(spent.prompt_tokens for spent in added),
            before.completion_tokens + sum(spent.completion_tokens for spent in added),
        )

    async def test_calls_of_an_hour_are_bounded(self, ledger):
        """So many are counted and no more, for each tenant; the next hour begins anew."""
        counts = [await ledger.call("hours", NOON, most=2) for _ in range(4)]
        assert counts == [1, 2, None, None]
        assert await ledger.called("hours", NOON) == 2
        assert await ledger.called("hours:x", NOON) == 0
        assert await ledger.call("hours:x", NOON, most=2) == 1
        assert await ledger.call("hours", ONE, most=0) is None
        assert await ledger.call("hours", ONE, most=2) == 1
        assert await ledger.called("hours", ONE) == 1
        assert await ledger.called("hours", NOON) == 0
        assert await ledger.call("hours:x", NOON, most=None) == 2

    async def test_the_bound_holds_for_many_at_once(self, ledger):
        """Of many that call at the same time as many are counted as the bound says."""
        counts = await asyncio.gather(*(ledger.call("many", NOON, most=7) for _ in range(30)))
        assert sorted(count for count in counts if count is not None) == list(range(1, 8))

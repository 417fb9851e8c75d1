"""What ledgers, sums, standings, offers and switches must do."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta

import hypothesis.strategies as st
from hypothesis import given, settings

from recollect.memory.model.costs import UPKEEP
from recollect.memory.model.daily_sums import Summed
from recollect.memory.model.jobs import JobKind, Spent
from tests.memory.state.samples import ANY_BACKEND, NOON
from tests.support.budget import examples

MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)
ONE = NOON + timedelta(hours=1)
NEXT_WEEK = MONDAY + timedelta(days=7)
CHATS, LEARNED = Summed.CHATS, Summed.LEARNED
SOON = NOON + timedelta(minutes=15)


class CountingContract:
    """Subclasses provide the fixtures `ledger`, `sums`, `standings`, `offers` and `switches`."""

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
        assert await ledger.uncall("hours", NOON) == 1
        assert await ledger.uncall("hours", ONE) == 0
        assert await ledger.call("hours", NOON, most=2) == 2
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

    async def test_what_was_written_is_read(self, standings):
        """Each model of each tenant has its own text, of any characters."""
        assert await standings.change("a", "m {1} \u00e9", None, "x")
        assert await standings.change("a", "n", None, "")
        assert await standings.change("a:b", "n", None, "z")
        assert await standings.of("a") == {"m {1} \u00e9": "x", "n": ""}
        assert await standings.of("a:b") == {"n": "z"}
        assert await standings.change("a", "n", "", "y")
        assert (await standings.of("a"))["n"] == "y"

    async def test_only_what_was_read_is_changed(self, standings):
        """Who read another text changes nothing."""
        assert await standings.change("c", "m", None, "1")
        assert not await standings.change("c", "m", None, "2")
        assert not await standings.change("c", "m", "0", "2")
        assert not await standings.change("c", "other", "1", "2")
        assert await standings.of("c") == {"m": "1"}

    async def test_one_of_many_wins(self, standings):
        """Of many that change the same text at once one does."""
        won = await asyncio.gather(
            *(standings.change("d", "m", None, str(number)) for number in range(20))
        )
        assert sum(won) == 1
        assert (await standings.of("d"))["m"] == str(won.index(True))

    async def test_an_offer_is_taken_once(self, offers):
        """Whoever takes it removes it; of any characters, by its tenant and name."""
        await offers.put("a", "c {1} é", "ids", now=NOON, until=SOON)
        assert await offers.take("b", "c {1} é", now=NOON) is None
        assert await offers.take("a", "c", now=NOON) is None
        assert await offers.take("a", "c {1} é", now=NOON) == "ids"
        assert await offers.take("a", "c {1} é", now=NOON) is None

    async def test_a_later_offer_takes_the_place(self, offers):
        """A message that is sent again proposes again."""
        await offers.put("a", "n", "one", now=NOON, until=SOON)
        await offers.put("a", "n", "two", now=NOON, until=SOON)
        assert await offers.take("a", "n", now=NOON) == "two"

    async def test_it_ends(self, offers):
        """After its time nobody gets it, and others do not end with it."""
        await offers.put("a", "late", "x", now=NOON, until=SOON)
        await offers.put("a", "later", "y", now=NOON, until=SOON + timedelta(hours=1))
        assert await offers.take("a", "late", now=SOON) is None
        assert await offers.take("a", "later", now=SOON) == "y"

    async def test_one_of_many_gets_it(self, offers):
        """Two answers at once erase once."""
        await offers.put("a", "n", "x", now=NOON, until=SOON)
        taken = await asyncio.gather(*(offers.take("a", "n", now=NOON) for _ in range(10)))
        assert [text for text in taken if text] == ["x"]

    async def test_what_was_turned_is_kept(self, switches):
        """Each by its name; others stay as they are, and what nobody turned is not there."""
        assert await switches.read() == {}
        await switches.write({"a": False, "b \u00e9": True})
        await switches.write({"a": True})
        await switches.write({})
        assert await switches.read() == {"a": True, "b \u00e9": True}
        await switches.write({"a": False})
        assert (await switches.read())["a"] is False

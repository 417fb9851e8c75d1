"""What all offers must do."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from tests.memory.state.samples import NOON

SOON = NOON + timedelta(minutes=15)


class OffersContract:
    """Subclasses provide the fixture `offers`."""

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

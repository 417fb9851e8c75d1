"""What a transaction over several ports must do."""

from __future__ import annotations

import asyncio

import pytest

from recollect.memory.database.forgetting import SqlTombstones
from recollect.memory.database.switches import SqlSwitches
from recollect.memory.database.transactions import INSIDE, transacted
from recollect.memory.model.errors import StateError


class TransactionContract:
    """Subclasses provide `scripts`: an open database with the tables of state."""

    async def test_several_ports_change_together(self, scripts):
        """What each of them did is there afterwards, and the work's result is returned."""

        async def work() -> set[str]:
            await SqlTombstones(INSIDE).add("local", ["a", "b"])
            await SqlSwitches(INSIDE).write({"learn": False})
            await asyncio.sleep(0)
            return await SqlTombstones(INSIDE).among("local", ["a", "c"])

        assert await scripts.change(lambda: transacted(work()), tenants={"local"}) == {"a"}
        assert await SqlTombstones(scripts).among("local", ["a", "b"]) == {"a", "b"}
        assert await SqlSwitches(scripts).read() == {"learn": False}

    async def test_nothing_is_kept_of_work_that_fails(self, scripts):
        """What it had done before the error is undone, and the error is the caller's."""

        async def work() -> None:
            await SqlTombstones(INSIDE).add("local", ["a"])
            raise ValueError("changed its mind")

        with pytest.raises(ValueError, match="changed its mind"):
            await scripts.change(lambda: transacted(work()), tenants={"local"})
        assert await SqlTombstones(scripts).among("local", ["a"]) == set()

    async def test_a_transaction_awaits_only_the_database(self, scripts):
        """Anything else would hold it open: it is refused, and nothing is kept."""

        async def work() -> None:
            await SqlTombstones(INSIDE).add("local", ["a"])
            await asyncio.sleep(60)

        with pytest.raises((StateError, RuntimeError)):
            await scripts.change(lambda: transacted(work()), tenants={"local"})
        assert await SqlTombstones(scripts).among("local", ["a"]) == set()

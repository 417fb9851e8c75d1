"""What all locks on memories must do."""

from __future__ import annotations

import asyncio

import pytest

ODD = ["a", "{b}", "\u00fc:/ '", "a"]


class LockContract:
    """Subclasses provide the fixture `locks`."""

    async def test_one_at_a_time(self, locks):
        """Of many that want a lock nobody sees another one inside."""
        inside = most = done = 0

        async def work() -> None:
            nonlocal inside, most, done
            async with locks.hold("local", ["m"]) as confirm:
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0.001)
                await confirm()
                inside -= 1
                done += 1

        await asyncio.gather(*(work() for _ in range(8)))
        assert (most, done) == (1, 8)

    async def test_other_memories_do_not_wait(self, locks):
        """Nor the same id of another tenant."""
        async with (
            locks.hold("local", ["m"]),
            locks.hold("local", ["n"]),
            locks.hold("other", ["m"]),
        ):
            pass

    async def test_many_in_any_order_do_not_block_each_other(self, locks):
        """Each takes several, in another order, some of them twice."""

        async def work(number: int) -> None:
            turned = ODD[number % 4 :] + ODD[: number % 4]
            async with locks.hold("local", turned) as confirm:
                await confirm()

        async with asyncio.timeout(60):
            await asyncio.gather(*(work(number) for number in range(12)))

    async def test_a_lock_is_free_after_an_error(self, locks):
        """Whatever ended the work, also if it was cancelled while it waited or worked."""
        with pytest.raises(ValueError, match="x"):
            async with locks.hold("local", ["m"]):
                raise ValueError("x")

        async def forever() -> None:
            async with locks.hold("local", ["m"]):
                await asyncio.Event().wait()

        tasks = [asyncio.ensure_future(forever()) for _ in range(2)]
        await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with asyncio.timeout(60), locks.hold("local", ["m"]):
            pass

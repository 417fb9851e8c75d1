"""Which of several processes one is, and what they do one after the other."""

from __future__ import annotations

import asyncio
from pathlib import Path

from recollect.memory.util.siblings import Sibling, one_at_a_time


def test_one_of_them_leads(tmp_path: Path) -> None:
    """The first; each knows the numbers of the others."""
    siblings = [Sibling(tmp_path, number, 3) for number in range(3)]
    assert [each.leads for each in siblings] == [True, False, False]
    assert siblings[1].others == (0, 2)


async def test_one_at_a_time(tmp_path: Path) -> None:
    """Nobody is inside with another; whoever is alone waits for nobody."""
    inside = most = 0

    async def work(sibling: Sibling | None) -> None:
        nonlocal inside, most
        async with one_at_a_time(sibling):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.01)
            inside -= 1

    async with asyncio.timeout(60):
        await asyncio.gather(*(work(Sibling(tmp_path, number, 3)) for number in range(3)))
    assert most == 1
    await asyncio.gather(work(None), work(None))
    assert most == 2

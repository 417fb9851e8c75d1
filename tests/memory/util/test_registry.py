"""What is registered once is opened, pinged, run and closed as it was registered."""

from __future__ import annotations

import asyncio

import pytest

from recollect.memory.model.errors import InvalidInputError, StateError, StoreError
from recollect.memory.util.registry import Registry
from tests.support.clock import Stepped
from tests.support.folding import rows
from tests.support.waiting import until


class Part:
    """One that notes when it is closed."""

    def __init__(self, name: str, closed: list[str], error: Exception | None = None) -> None:
        self._name, self._closed, self._error = name, closed, error

    async def close(self) -> None:
        self._closed.append(self._name)
        if self._error is not None:
            raise self._error


async def opened(part: Part, error: Exception | None = None) -> Part:
    if error is not None:
        raise error
    return part


async def test_the_last_is_closed_first() -> None:
    """Those too that follow one which does not close: its error is raised in the end."""
    closed: list[str] = []
    registry = Registry()
    for name, error in (("a", None), ("b", StoreError("stuck")), ("c", None)):
        await registry.open(name, name, opened(Part(name, closed, error)))
    with pytest.raises(StoreError, match="stuck"):
        await registry.close()
    assert closed == ["c", "b", "a"]
    await registry.close()
    assert len(closed) == 3


async def test_a_part_that_fails_to_open_closes_those_before() -> None:
    """It is named with its setting; a setting that names itself is not named twice."""
    closed: list[str] = []

    async def open_two(error: Exception) -> None:
        async with Registry() as registry:
            await registry.open("a", "a.url", opened(Part("a", closed)))
            await registry.open("b", "b.url", opened(Part("b", closed), error))

    with pytest.raises(StateError, match=r"^b \(b\.url\): torn$"):
        await open_two(StateError("torn"))
    with pytest.raises(InvalidInputError, match=r"^b\.uri: wrong$"):
        await open_two(InvalidInputError("b.uri", "wrong"))
    assert closed == ["a", "a"]


@rows("every", [None, 5.0])
async def test_what_runs_ends_with_the_block(every: float | None) -> None:
    """Once, or again and again, after failures too; not before it is begun."""
    registry, clock, rounds = Registry(), Stepped(), []

    async def work() -> None:
        rounds.append(1)
        raise StateError("it goes on")

    registry.register("work", run=work, every=every, clock=clock)
    await asyncio.sleep(0)
    assert rounds == []
    async with registry.running():
        if every is None:
            await until(lambda: rounds == [1])
        else:
            for number in (1, 2):
                await until(lambda: clock.asleep)
                await clock.step(every)
                await until(lambda number=number: len(rounds) == number)
    before = len(rounds)
    await clock.step(60)
    assert len(rounds) == before

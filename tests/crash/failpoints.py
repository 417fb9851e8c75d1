"""Where a run can be made to fail: ports whose calls die, or fail, before or after they took effect."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Point:
    """The `nth` call (from 1) of a method of a part, before it is made or after it returned."""

    part: str
    method: str
    after: bool
    nth: int = 1

    @property
    def name(self) -> str:
        return f"{'after' if self.after else 'before'} {self.part}.{self.method} #{self.nth}"


STEPS = (
    ("conversations", "record"),
    ("jobs", "put"),
    ("jobs", "claim"),
    ("tombstones", "epoch"),
    ("conversations", "unlearned"),
    ("model", "complete"),
    ("store", "search"),
    ("jobs", "save_checkpoint"),
    ("tombstones", "among"),
    ("history", "append"),
    ("store", "put"),
    ("usage", "count"),
    ("conversations", "mark_remembered"),
    ("conversations", "mark_learned"),
    ("jobs", "ack"),
)
"""capture -> job -> extract -> reconcile -> apply -> ack, by the call that ends each step."""


def every_point() -> list[Point]:
    """Each step, before and after, at its first call and at a later one."""
    return points_of(STEPS, 2)


def points_of(steps: Sequence[tuple[str, str]], deepest: int) -> list[Point]:
    """Each step, before and after, at each of its first calls."""
    return [
        Point(part, method, after, nth)
        for nth in range(1, deepest + 1)
        for part, method in steps
        for after in (False, True)
    ]


def kill() -> None:
    """What an out-of-memory killer does."""
    os.kill(os.getpid(), signal.SIGKILL)


class Failing:
    """A part of which one call fails; `fail` kills, raises, or does something to the world."""

    def __init__(
        self, inner: Any, part: str, point: Point, fail: Callable[[], Awaitable[None] | None]
    ) -> None:
        self._inner, self._part, self._point, self._fail = inner, part, point, fail
        self._calls = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if self._part != self._point.part or name != self._point.method:
            return found

        async def failing(*args: Any, **kwargs: Any) -> Any:
            self._calls += 1
            mine = self._calls == self._point.nth
            if mine and not self._point.after:
                await self._now()
            result = await found(*args, **kwargs)
            # A claim that found nothing is not yet the step.
            if result is None and name == "claim":
                self._calls -= 1
                return result
            if mine and self._point.after:
                await self._now()
            return result

        return failing

    async def _now(self) -> None:
        done = self._fail()
        if done is not None:
            await done

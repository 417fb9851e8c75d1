"""Turns by owner: whoever asks for much waits behind himself, not in front of everybody else.

All of it happens on the event loop.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from itertools import chain
from typing import Generic, TypeVar

T = TypeVar("T")

REST = 2.0
"""How long an owner rests after a step, as a multiple of the step, if others are there."""
MOST_REST = 0.05
"""Seconds of the longest rest."""
OTHERS_SECONDS = 1.0
"""So long ago another owner counts as there: nobody rests for those who have gone."""


class FairLine(Generic[T]):
    """Waiting items by owner: each owner's oldest in turn."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[Hashable, deque[T]] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self._waiting.values())

    def put(self, owner: Hashable, item: T) -> None:
        """Add an item behind the others of its owner."""
        self._waiting.setdefault(owner, deque()).append(item)
        self._size += 1

    def pop(self) -> tuple[Hashable, T]:
        """The next owner and item, which is no longer in the line. Raises KeyError if empty."""
        owner, items = self._waiting.popitem(last=False)
        item = items.popleft()
        self._size -= 1
        if items:
            self._waiting[owner] = items
        return owner, item


class FairQueue(asyncio.Queue[T]):
    """A queue that gives the owners' items in turn."""

    _queue: FairLine[T]

    def __init__(self, maxsize: int, owner_of: Callable[[T], Hashable]) -> None:
        super().__init__(maxsize)
        self._owner_of = owner_of

    def __iter__(self) -> Iterator[T]:
        """What waits."""
        return iter(self._queue)

    def _init(self, maxsize: int) -> None:
        del maxsize
        self._queue = FairLine()

    def _put(self, item: T) -> None:
        self._queue.put(self._owner_of(item), item)

    def _get(self) -> T:
        return self._queue.pop()[1]


Waiter = asyncio.Future[None]


def _next_of(line: FairLine[Waiter]) -> tuple[Hashable, Waiter] | None:
    """The next owner and waiter, of those that have not left."""
    while line:
        owner, waiter = line.pop()
        if not waiter.done():
            return owner, waiter
    return None


def _waiter_in(line: FairLine[Waiter], owner: Hashable) -> Waiter:
    waiter = asyncio.get_running_loop().create_future()
    line.put(owner, waiter)
    return waiter


class FairPlaces:
    """A number of places; a free one goes to the owners who wait in turn."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting = FairLine[Waiter]()

    def take_free(self) -> bool:
        """Take a place if one is free; then nobody waits for it."""
        if not self._free:
            return False
        self._free -= 1
        return True

    async def take(self, owner: Hashable) -> None:
        """Take a place, or wait for one."""
        if self.take_free():
            return
        handed = _waiter_in(self._waiting, owner)
        try:
            await handed
        except asyncio.CancelledError:
            if handed.done() and not handed.cancelled():
                self.give_back()
            raise

    def give_back(self) -> None:
        """Free a place, for the next one who waits."""
        if (following := _next_of(self._waiting)) is None:
            self._free += 1
        else:
            following[1].set_result(None)


class FairTurns:
    """Long steps of the event loop: one begins in each of its rounds, by owner in turn.

    Fifty requests that arrive at once would else all be begun in one round, and whoever comes next
    would wait for all of them. An owner for whom many wait leaves most of the loop to others, as
    long as there are any.
    """

    def __init__(self, clock: Callable[[], float] = time.thread_time) -> None:
        """`clock` gives the seconds that the loop's thread has computed."""
        self._clock = clock
        self._waiting = FairLine[Waiter]()
        self._taken = self._rests = False
        self._resting: Hashable = None
        self._owner: Hashable = None
        self._begun = self._other = -math.inf
        """When a step began last, and when one of another owner did, in the loop's time."""
        self._computed = 0.0

    async def __call__(self, owner: Hashable) -> None:
        """Wait for a turn, which lasts until the caller waits for something else."""
        loop = asyncio.get_running_loop()
        if not self._taken:
            self._taken = True
            loop.call_soon(self._over)
        elif not self._rests or owner == self._resting:
            await _waiter_in(self._waiting, owner)
        if owner != self._owner:
            self._owner, self._other = owner, self._begun
        self._begun, self._computed = loop.time(), self._clock()

    def _over(self) -> None:
        """The step that began last is over."""
        following = _next_of(self._waiting)
        if following is None:
            self._taken = False
            return
        owner, waiter = following
        loop = asyncio.get_running_loop()
        if owner == self._owner and loop.time() - self._other < OTHERS_SECONDS:
            self._rests, self._resting = True, owner
            rest = min(MOST_REST, REST * (self._clock() - self._computed))
            loop.call_later(rest, self._begin, waiter)
        else:
            self._begin(waiter)

    def _begin(self, waiter: Waiter) -> None:
        self._rests = False
        if not waiter.done():
            waiter.set_result(None)
        asyncio.get_running_loop().call_soon(self._over)

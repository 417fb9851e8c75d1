"""Keeps an index like the database: fills it, follows the log of changes, and begins anew."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import NoReturn
from uuid import uuid4

from ..model.errors import RecollectError, StateError, StoreError
from ..model.types import Vector
from ..util.clock import CLOCK, Clock
from .port import (
    ChangeLog,
    IndexDownError,
    IndexFilter,
    IndexMark,
    IndexMarks,
    IndexMissingError,
    VectorIndex,
)
from .progress import IndexProgress, IndexState

PAGE_ROWS = 512
"""Rows of one step of filling: with long vectors two megabytes."""
_LINES = 256
"""Lines of the log of one step of following."""
_MOST_BEHIND = 100_000
"""Lines of the log after which filling anew is quicker than following."""
_TURN_SECONDS = 30.0
"""How long nobody else fills it after a step; a step takes less."""
_LOOK_SECONDS = 2.0
"""How often it looks for changes of other processes, and whether it is needed by now; of its own
changes `wake` tells."""
_PING_SECONDS = 10.0
_LONGEST_PAUSE = 30.0


class IndexFollower:
    """Fills one index from the database, if it is this process's turn, and searches in it."""

    def __init__(
        self,
        log_of_changes: ChangeLog,
        marks: IndexMarks,
        opens: Callable[[], Awaitable[VectorIndex]],
        *,
        name: str,
        least: int = 0,
        alone: bool = False,
        clock: Clock = CLOCK,
    ) -> None:
        """`name` is that of the index in `marks`.

        `opens` is called when the index is needed, and again after it has failed. An index that
        was never filled is not even opened for fewer memories than `least`. `alone`: no other
        process changes memories.
        """
        self._log = log_of_changes
        self._marks = marks
        self._opens = opens
        self._name = name
        self._least = least
        self._alone = alone
        self._clock = clock
        self._holder = uuid4().hex
        self._index: VectorIndex | None = None
        self._changed = asyncio.Event()
        self._pinged: float | None = None
        """When the index was last seen to be there; None: it is not known."""
        self._progress = IndexProgress(clock)

    @property
    def state(self) -> IndexState:
        """For `/readyz`."""
        return self._progress.state

    async def ping(self) -> None:
        """Return unless the index is down. Raises IndexDownError."""
        if self.state.word == "down":
            raise IndexDownError(str(self.state))

    async def search(
        self, vector: Vector, asked: IndexFilter, *, limit: int
    ) -> list[tuple[int, float]]:
        """As `VectorIndex.search`. Raises StoreError at once while the index does not answer.

        Whether it is complete says its mark.
        """
        index = self._index
        if index is None or self._pinged is None:
            raise StoreError(f"the vector index is {self.state}")
        try:
            return await index.search(vector, asked, limit=limit)
        except StoreError:
            self._pinged = None
            self.wake()
            raise

    async def committed(self, _change: object) -> None:
        """This process changed something, or may have."""
        self.wake()

    uncertain = committed

    def heard(self, _line: object) -> None:
        """Another process changed something."""
        self.wake()

    def wake(self) -> None:
        """Say that something was changed: the index follows at once."""
        self._changed.set()

    async def run(self) -> NoReturn:
        """Until cancelled."""
        pause = 0.0
        while True:
            self._changed.clear()
            try:
                more = await self.step()
                pause = 0.0
            except (StoreError, StateError) as error:
                await self._failed(error)
                pause = min(max(1.0, 2 * pause), _LONGEST_PAUSE)
            if pause:
                await self._clock.sleep(pause)
            elif not more:
                await self._rest()

    async def _rest(self) -> None:
        """Wait for a change, or until it is time to look."""
        seconds = self._clock.together(_PING_SECONDS if self._alone else _LOOK_SECONDS)
        told = await self._clock.within(seconds, self._changed.wait())
        if told and self._index is None:
            # Each look at one that is not needed yet counts memories.
            await self._clock.sleep(_LOOK_SECONDS)

    async def step(self) -> bool:
        """Do a part of what there is to do; whether there is more.

        Raises StoreError, StateError.
        """
        mark, last = await self._marks.mark(self._name), await self._log.last_seq()
        if self._index is None and mark is None and await self._log.count() < self._least:
            self._progress.rest()
            return False
        index = await self._opened()
        there = await self._is_there(index)
        if there and mark is not None and mark.position is None and mark.seq == last:
            self._progress.ready()
            return False
        if not await self._marks.lead(self._name, self._holder, seconds=_TURN_SECONDS):
            self._progress.watch(complete=there and mark is not None and mark.position is None)
            return False
        # Whoever had the turn before may have moved it.
        mark = await self._marks.mark(self._name) if there else None
        if mark is None or mark.position == 0:
            return await self._begin(index)
        if mark.position is not None:
            return await self._fill(index, mark.seq, mark.position)
        return await self._follow(index, mark.seq, last)

    async def close(self) -> None:
        """Release the index, and the turn. `run` was cancelled before."""
        index, self._index = self._index, None
        with contextlib.suppress(StateError):
            await self._marks.leave(self._name, self._holder)
        if index is not None:
            await index.close()

    async def _opened(self) -> VectorIndex:
        if self._index is None:
            self._index = await self._opens()
        return self._index

    async def _is_there(self, index: VectorIndex) -> bool:
        """Whether the collection is there; asked now and then, and after a failure."""
        now = self._clock.monotonic()
        if self._pinged is None or now >= self._pinged + _PING_SECONDS:
            try:
                await index.ping()
            except IndexMissingError:
                self._pinged = None
                return False
            self._pinged = now
        return True

    async def _begin(self, index: VectorIndex) -> bool:
        """Note that it is empty before it is: a crash between the two begins again."""
        last = await self._log.last_seq()
        if not await self._noted(IndexMark(last, 0)):
            return False
        self._progress.begin(await self._log.count())
        await index.drop()
        self._pinged = self._clock.monotonic()
        return await self._fill(index, last, 0)

    async def _fill(self, index: VectorIndex, seq: int, position: int) -> bool:
        """One page more. What is changed meanwhile is followed afterwards."""
        if self._progress.is_new:
            total = await self._log.count()
            self._progress.begin(total, await self._log.count(position))
        rows = await self._log.page(position, limit=PAGE_ROWS)
        if rows:
            await index.put(rows)
            self._progress.filled(len(rows))
            return await self._noted(IndexMark(seq, rows[-1].key))
        self._progress.end()
        return await self._noted(IndexMark(seq))

    async def _follow(self, index: VectorIndex, seq: int, last: int) -> bool:
        lines = None
        if 0 <= last - seq <= _MOST_BEHIND:
            lines = await self._log.changed_since(seq, limit=_LINES)
        if lines is None:
            return await self._begin(index)
        changed = list(dict.fromkeys(key for line in lines for key in line.positions))
        for start in range(0, len(changed), PAGE_ROWS):
            await self._apply(index, changed[start : start + PAGE_ROWS])
        self._progress.ready()
        return bool(lines) and await self._noted(IndexMark(lines[-1].seq))

    async def _apply(self, index: VectorIndex, keys: Sequence[int]) -> None:
        """What is there now replaces what was: so a line may be read twice."""
        rows = await self._log.rows(keys)
        gone = set(keys).difference(row.key for row in rows)
        if gone:
            await index.delete(sorted(gone))
        if rows:
            await index.put(rows)

    async def _noted(self, mark: IndexMark) -> bool:
        """Whether the turn is still this one's."""
        return await self._marks.set_mark(self._name, self._holder, mark)

    async def _failed(self, error: RecollectError) -> None:
        self._progress.fail(error)
        self._pinged = None
        if isinstance(error, StateError):
            return
        index, self._index = self._index, None
        if index is not None:
            with contextlib.suppress(StoreError):
                await index.close()

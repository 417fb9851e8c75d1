"""The log of changes, as one of several processes reads it: what others wrote is heard here.

Processes tell each other only that there is something new. Whoever was not told, because it was
not there, or because what carries the word was away, reads the same lines a moment later: nothing
is missed, and nothing is heard twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Protocol

from ..database.changes import ChangeLine, SqlChanges
from ..database.scripts import ScriptRunner
from ..util.clock import CLOCK, Clock
from ..util.loops import guarded

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
"""How often it looks without having been told."""
MOST_LINES = 500
"""Of one reading; for more it reads again."""
LONGEST_AWAY = timedelta(days=1)
"""Whoever has read nothing for longer (its machine slept) may miss lines that are not kept."""

Read = Callable[[], Awaitable[None]]
Listener = Callable[[ChangeLine], None]


class OtherReaders(Protocol):
    """The other processes that read the same log. No method fails."""

    name: str
    """Of this process."""

    def on_wake(self, read: Read) -> None:
        """Call this when another one says that there is something new. It raises StateError."""

    def count(self) -> None:
        """This process wrote something, and it is there."""

    def counted(self) -> int | None:
        """Another number whenever somebody wrote; None: only the database knows."""

    async def wake(self) -> None:
        """Tell them that there is something new."""

    async def wait(self) -> None:
        """The same; returns when all who are there have read it, or do not answer in time."""


class SharedLog:
    """One process' place in the log. For one event loop."""

    def __init__(
        self, scripts: ScriptRunner, others: OtherReaders, *, clock: Clock = CLOCK
    ) -> None:
        self.name = others.name
        self.elsewhere: list[Listener] = []
        """Told of each line that another process wrote, in their order."""
        self.everywhere: list[Listener] = []
        """Told of each line, those of this process too. Listeners are quick, and never fail."""
        self.missed: list[Callable[[], None]] = []
        """Told that lines may never be heard."""
        self._lines = SqlChanges(scripts, others.name)
        self._others = others
        self._clock = clock
        self._seq: int | None = None
        """The last line that was heard; None: nothing that they could tell of is kept yet."""
        self._counted: int | None = None
        self._read_at = clock.now()
        self._asked = self._answered = 0
        self._turn = asyncio.Lock()
        self._new = asyncio.Event()
        others.on_wake(self.read)

    async def fresh(self) -> None:
        """Return when all is heard that was there before the call. Raises StateError."""
        counted = self._others.counted()
        if counted is None or counted != self._counted:
            await self.read()

    async def read(self) -> None:
        """Hear what is new. Calls that wait share one reading. Raises StateError."""
        self._asked += 1
        asked = self._asked
        async with self._turn:
            if asked <= self._answered:
                return
            upto, counted = self._asked, self._others.counted()
            await self._read()
            self._answered, self._counted = upto, counted

    async def add(self, lines: Sequence[ChangeLine]) -> None:
        """Write lines; the others hear them before they answer anybody. Raises StateError."""
        await self._lines.add(lines)
        self.wrote()

    async def tell(self, lines: Sequence[ChangeLine]) -> None:
        """Write lines, and wait until the others have heard them. Raises StateError."""
        await self._lines.add(lines)
        await self.wait()

    async def wait(self) -> None:
        """Wait until the others have heard what this process wrote."""
        self.wrote()
        await self._others.wait()

    def wrote(self) -> None:
        """This process wrote something, and it is there: `run` tells the others."""
        self._others.count()
        self._new.set()

    async def run(self) -> None:
        """Tell others what is new, and hear them, until cancelled."""
        while True:
            await guarded(self.read)
            if await self._clock.within(self._clock.together(LOOK_SECONDS), self._new.wait()):
                self._new.clear()
                await self._others.wake()

    async def _read(self) -> None:
        now = self._clock.now()
        if self._seq is None or now - self._read_at > LONGEST_AWAY:
            self._seq, self._read_at = await self._lines.last(), now
            for missed in self.missed:
                missed()
            return
        more = True
        while more:
            lines = await self._lines.after(self._seq, limit=MOST_LINES)
            more = len(lines) == MOST_LINES
            for self._seq, writer, line in lines:
                for heard in self.everywhere:
                    heard(line)
                for heard in self.elsewhere if writer != self.name else ():
                    heard(line)
        self._read_at = now

"""The parts of a program: each is registered once, with what closes it, pings it and runs it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import Any, Protocol, Self, TypeVar

from ..model.errors import InvalidInputError, RecollectError
from .clock import CLOCK, Clock
from .loops import repeat
from .tasks import Tasks

log = logging.getLogger(__name__)

SLOW_SECONDS = 2.0
"""A part that takes longer to open is named in the log."""

Ping = Callable[[], Awaitable[object]]
"""Raises RecollectError if the part does not answer, is damaged, or refuses."""


class _Closes(Protocol):
    async def close(self) -> None: ...


C = TypeVar("C", bound=_Closes)


class Registry:
    """Parts in the order in which they came; they are closed in the reverse one.

    async with Registry() as registry:
        database = await registry.open("database", "database.url", open_database(options))
        registry.register("index", close=index.close, ping=index.ping, run=index.run)
        async with registry.running():
            ...  # what was registered to run runs
    """

    def __init__(self) -> None:
        self.pings: dict[str, Ping] = {}
        """How each part is, by the name that people are told."""
        self._runs: list[tuple[str, Callable[[], Coroutine[Any, Any, object]]]] = []
        self.stack = AsyncExitStack()
        """What ends with the parts, if it is no part itself."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def register(
        self,
        name: str,
        *,
        close: Callable[[], Awaitable[object]] | None = None,
        ping: Ping | None = None,
        run: Callable[[], Coroutine[Any, Any, object]] | None = None,
        every: float | None = None,
        clock: Clock = CLOCK,
    ) -> None:
        """Remember how a part is closed and pinged, and what it does in the background.

        With `every` it does that again and again, so many seconds after the last time.
        """
        if close is not None:
            self.stack.push_async_callback(close)
        if ping is not None:
            self.pings[name] = ping
        if run is not None:
            again = partial(repeat, every, run, clock) if every is not None else run
            self._runs.append((name, again))

    async def open(self, name: str, setting: str, part: Awaitable[C]) -> C:
        """Open a part, and close it with the others.

        Raises:
            RecollectError: it cannot be opened; names the part and its setting.
        """
        with opening(name, setting):
            opened = await part
        self.register(name, close=opened.close)
        return opened

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run what was registered to run, until the block ends."""
        loops = Tasks()
        for name, run in self._runs:
            loops.start(run(), name=name)
        try:
            yield
        finally:
            await loops.drain(0)

    async def close(self) -> None:
        """Close every part, those too that follow one whose closing fails."""
        await self.stack.aclose()


@contextmanager
def opening(name: str, setting: str) -> Iterator[None]:
    """Add the part that is opened within and its setting to errors.

    A part that takes long is logged, so that a person knows what is waited for.
    """
    loop = asyncio.get_running_loop()
    told = loop.call_later(SLOW_SECONDS, log.info, "waiting for the %s (%s)", name, setting)
    try:
        yield
    except InvalidInputError:  # it names the setting
        raise
    except RecollectError as error:
        error.part = f"{name} ({setting})"
        raise
    finally:
        told.cancel()

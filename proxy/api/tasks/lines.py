"""The lines of an export that is kept: on the disk of this process, or at another replica."""

from __future__ import annotations

import logging
from asyncio import to_thread
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from recollect.memory.model.errors import StateError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenedLines:
    """A file that is being read."""

    size: int
    read: Callable[[int, int], Awaitable[bytes]]
    """So many bytes from a place on; none if there are none any more. Raises OSError."""


class TaskLines(Protocol):
    """A file of lines, which may be gone."""

    async def there(self) -> bool:
        """Whether it can be read. Raises StateError."""

    def opened(self) -> AbstractAsyncContextManager[OpenedLines]:
        """Read it for the time of the block. Raises FileNotFoundError, OSError, StateError."""


class DiskLines:
    """In a folder of this machine. One that is removed while it is read is read to its end."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def there(self) -> bool:
        """See `TaskLines`."""
        return await to_thread(self._path.exists)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[OpenedLines]:
        """See `TaskLines`."""
        with await to_thread(self._path.open, "rb") as file:
            size = (await to_thread(self._path.stat)).st_size

            def read(at: int, length: int) -> bytes:
                file.seek(at)
                return file.read(length)

            yield OpenedLines(size, lambda at, length: to_thread(read, at, length))


class RemoteLines:
    """At another replica, which is asked for each piece. One that is removed breaks off."""

    def __init__(self, ask: Callable[..., Awaitable[Any]]) -> None:
        """`ask(at=, length=)` gives what `piece_of` gives there. Raises StateError."""
        self._ask = ask

    async def there(self) -> bool:
        """See `TaskLines`."""
        return bool(await self._ask(at=0, length=0))

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[OpenedLines]:
        """See `TaskLines`."""
        told = await self._ask(at=0, length=0)
        if not told:
            raise FileNotFoundError
        yield OpenedLines(int(told["size"]), self._read)

    async def _read(self, at: int, length: int) -> bytes:
        try:
            told = await self._ask(at=at, length=length)
        except StateError as error:
            log.warning("the file of an export broke off: %s", error)
            return b""
        return b64decode(told["data"]) if told else b""


def piece_of(path: Path, at: int, length: int) -> dict[str, Any] | None:
    """A piece of a file for another replica, with its whole size; None if it is gone. Blocks.

    Raises OSError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            file.seek(at)
            data = file.read(length)
            return {"size": path.stat().st_size, "data": b64encode(data).decode()}
    except FileNotFoundError:
        return None

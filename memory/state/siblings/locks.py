"""Locks on memories between the tasks of sibling processes.

A lock is a byte of one file, of a place that the memory's name decides. The operating system frees
the bytes of a process that dies.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

from ...model.errors import ConflictError
from ...model.ports import Confirm
from ..local_locks import LocalLocks

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no such locks
    fcntl = None  # type: ignore[assignment]

WAIT_SECONDS = 30.0
"""Longest wait for another process."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.05
_PLACES = 2**62
_FILE = "locks"


class SiblingLocks:
    """`MemoryLocks` of all siblings. Within one process they are first come, first served."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / _FILE
        self._within = LocalLocks()
        self._descriptor: int | None = None

    @asynccontextmanager
    async def hold(self, tenant: str, memory_ids: Collection[str]) -> AsyncIterator[Confirm]:
        places = sorted({_place_of(tenant, memory_id) for memory_id in memory_ids})
        # A process has each byte once, whichever of its tasks asks: so its tasks take turns first.
        # Everybody takes bytes in the same order, so that nobody waits in a circle.
        async with self._within.hold("", [f"{place:016x}" for place in places]) as confirm:
            held: list[int] = []
            try:
                for place in places:
                    await self._take(place)
                    held.append(place)
                yield confirm
            finally:
                for place in held:
                    fcntl.lockf(self._opened(), fcntl.LOCK_UN, 1, place)

    async def _take(self, place: int) -> None:
        end, pause = time.monotonic() + WAIT_SECONDS, _FIRST_PAUSE
        while True:
            try:
                fcntl.lockf(self._opened(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except (BlockingIOError, PermissionError):
                if time.monotonic() > end:
                    raise ConflictError("another process changes this memory: try again") from None
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                return

    def _opened(self) -> int:
        """The file, opened once: closing any of its descriptors would free all bytes."""
        if self._descriptor is None:
            self._descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._descriptor


def _place_of(tenant: str, memory_id: str) -> int:
    name = f"{len(tenant)} {tenant} {memory_id}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(name, digest_size=8).digest()) % _PLACES

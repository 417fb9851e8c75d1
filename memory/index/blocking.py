"""What indexes have in common whose client library blocks: it is called in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from ..model.errors import InvalidInputError, StoreError
from ..model.types import Vector
from .folders import IndexFolder
from .options import FolderOrServer, OnServer
from .port import IndexFilter, IndexMissingError, IndexRow, not_of

T = TypeVar("T")
Options = TypeVar("Options", bound=FolderOrServer | OnServer)

_LONGEST_REASON = 300
_LOCAL_SECONDS = 600.0
"""Of a call to a folder, which writes to the disk."""
_AT_ONCE = 8
"""Calls of one process to a server."""


class CallingThread:
    """Calls one client in threads: as many at once as it takes."""

    def __init__(
        self, shown: str, *, errors: tuple[type[Exception], ...], seconds: float, at_once: int
    ) -> None:
        """`errors` are what the client raises; every call raises StoreError instead."""
        self._shown = shown
        self._errors: tuple[type[Exception], ...] = (*errors, OSError, TimeoutError)
        self._seconds = seconds
        self._turns = asyncio.Semaphore(at_once)

    async def call(self, action: str, work: Callable[[], T]) -> T:
        """What `work` returns.

        After the time limit, or if nobody waits any more, it goes on and keeps its turn.
        """
        await self._turns.acquire()
        done = asyncio.get_running_loop().run_in_executor(None, work)
        done.add_done_callback(self._ended)
        with self.translated(action):
            async with asyncio.timeout(self._seconds):
                return await asyncio.shield(done)

    @contextmanager
    def translated(self, action: str) -> Iterator[None]:
        """Turn what the client raises into a StoreError, in one line of bounded length."""
        try:
            yield
        except self._errors as error:
            told = getattr(error, "message", None)
            reason = " ".join((told if isinstance(told, str) else str(error)).split())
            reason = reason[:_LONGEST_REASON] or type(error).__name__
            raise StoreError(f"{self._shown}: {action} failed: {reason}") from error

    def _ended(self, done: asyncio.Future[T]) -> None:
        self._turns.release()
        if not done.cancelled():
            done.exception()  # whoever waited has it


class BlockingIndex(Generic[Options]):
    """`VectorIndex` in one collection of a server, or of a folder that is this process's."""

    product: ClassVar[str]
    errors: ClassVar[tuple[type[Exception], ...]]
    """What the client raises."""
    batch: ClassVar[int]
    """Rows of one call."""
    layout: ClassVar[str] = ""
    """Of the folder; another one is emptied."""
    server_seconds: ClassVar[float | None] = None
    """Time limit of a call to a server, if it is not that of the options."""

    def __init__(
        self, client: Any, calls: CallingThread, options: Options, collection: str, dim: int
    ) -> None:
        self._client = client
        self._calls = calls
        self._options = options
        self._collection = collection
        self._dim = dim
        self._folder: IndexFolder | None = None

    @classmethod
    async def open(cls, options: Options, *, name: str, dim: int) -> Self:
        """Raises StoreError, InvalidInputError: it has no place."""
        remote, folder = options.remote, None
        calls = CallingThread(
            f"{cls.product} at {options.shown}",
            errors=cls.errors,
            seconds=cls.server_seconds or options.call_seconds if remote else _LOCAL_SECONDS,
            at_once=_AT_ONCE if remote else 1,
        )
        if options.folder is not None:
            folder = IndexFolder(options.folder, cls.layout)
            client = await asyncio.to_thread(cls._local, folder, options)
        elif remote:
            client = await calls.call("open", lambda: cls.connected(options))
        else:
            raise InvalidInputError(
                "index.uri", f"expected the address of {cls.product}, or a folder if it has one"
            )
        index = cls(client, calls, options, f"{options.collection}_{name}", dim)
        index._folder = folder
        return index

    async def put(self, rows: Sequence[IndexRow]) -> None:
        latest = list({row.key: row for row in rows}.values())
        for start in range(0, len(latest), self.batch):
            some = latest[start : start + self.batch]
            await self._call("put", partial(self._put, some))
        await self._settle([row.key for row in latest[-1:]])

    async def search(
        self, vector: Vector, asked: IndexFilter, *, limit: int
    ) -> list[tuple[int, float]]:
        if limit <= 0:
            return []
        found = await self._call(
            "search", lambda: self._nearest(np.asarray(vector, np.float32), asked, limit)
        )
        return [(int(key), min(max(float(score), -1.0), 1.0)) for key, score in found]

    async def delete(self, keys: Sequence[int]) -> None:
        for start in range(0, len(keys), self.batch):
            some = keys[start : start + self.batch]
            await self._call("delete", partial(self._remove, some))
        await self._settle(keys[-1:])

    async def drop(self) -> None:
        await self._call("drop", self._make)

    async def ping(self) -> None:
        found = await self._call("ping", self._size)
        if found != self._dim:
            told = f"{self.product}: the collection {self._collection} {not_of(found)}"
            raise IndexMissingError(told)

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with self._calls.translated("close"):
                await asyncio.to_thread(self._shut, client)
        if self._folder is not None:
            self._folder.release()

    async def _call(self, action: str, work: Callable[[], T]) -> T:
        if self._client is None:
            raise StoreError(f"{self.product}: the index is closed")
        return await self._calls.call(action, work)

    @classmethod
    def _local(cls, folder: IndexFolder, options: Options) -> Any:
        """Open it, emptied if it is damaged."""
        folder.take()
        try:
            try:
                return cls.opened(folder, options)
            except Exception:  # noqa: BLE001 - whatever reading of damaged files raises
                folder.empty()
                return cls.opened(folder, options)
        except Exception as error:
            folder.hand_over()
            raise StoreError(f"{cls.product} cannot open {folder.data}: {error}") from error

    @classmethod
    def opened(cls, folder: IndexFolder, options: Options) -> Any:
        """A client of the folder."""
        raise NotImplementedError

    @classmethod
    def connected(cls, options: Options) -> Any:
        """A client of the server."""
        raise NotImplementedError

    async def _settle(self, keys: Sequence[int]) -> None:
        """Wait until searches see what was written, if calls do not."""

    def _put(self, rows: Sequence[IndexRow]) -> None:
        """Insert, or replace by key; up to `batch`, each key once."""
        raise NotImplementedError

    def _nearest(
        self, vector: Vector, asked: IndexFilter, limit: int
    ) -> Iterable[tuple[int | str, float]]:
        """Keys and cosines, best first."""
        raise NotImplementedError

    def _remove(self, keys: Sequence[int]) -> None:
        """Remove up to `batch`."""
        raise NotImplementedError

    def _make(self) -> None:
        """Make the collection anew, empty."""
        raise NotImplementedError

    def _size(self) -> int | None:
        """The dimensions of the collection; None if there is none."""
        raise NotImplementedError

    def _shut(self, client: Any) -> None:
        client.close()

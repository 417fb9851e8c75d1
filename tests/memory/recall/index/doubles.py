"""Stores that are slow or behind, and a clock that is turned by hand."""

from __future__ import annotations

import asyncio
from typing import Any

from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.recall.index import HotIndexes
from recollect.memory.recall.index.hot_indexes import MAX_MEMORIES
from recollect.memory.state.shared_log import SharedLog
from tests.memory.learn.doubles import ALICE
from tests.memory.recall.memories import stored
from tests.support.following import indexed
from tests.support.memories import InMemoryMemories


class Clock:
    """Seconds, when they are told to pass."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Watched:
    """Any store; counts its loads, and with `hold` keeps what they found back until `release`."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.loads = 0
        self.lists = 0
        self.loading = asyncio.Event()
        self._open = asyncio.Event()
        self._open.set()

    def hold(self) -> None:
        self.loading.clear()
        self._open.clear()

    def release(self) -> None:
        self._open.set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def list(self, *args: Any, **kwargs: Any) -> Any:
        self.lists += 1
        return await self._inner.list(*args, **kwargs)

    async def load(self, *args: Any, **kwargs: Any) -> Any:
        self.loads += 1
        try:
            return await self._inner.load(*args, **kwargs)
        finally:
            self.loading.set()
            await self._open.wait()


class Process:
    """One process with its hot indexes, around a store that others may share."""

    def __init__(self, inner: Any = None, **options: Any) -> None:
        dim = options.pop("dim", 2)
        most = options.pop("max_memories", MAX_MEMORIES)
        log: SharedLog | None = options.pop("log", None)
        self.store = Watched(InMemoryMemories(dim=dim) if inner is None else inner)
        self.clock = Clock()
        self.hot = HotIndexes(self.store, dim=dim, clock=self.clock, elsewhere=log, **options)
        if log is not None:
            log.elsewhere.append(self.hot.heard)
        self.hot.max_memories = most
        self.indexed = indexed(self.store, self.hot)

    async def put(self, *texts: str, scope: Scope = ALICE, **fields: Any) -> None:
        await self.indexed.put([stored(text, scope, **fields) for text in texts])

    async def texts(self, scope: Scope = ALICE) -> list[str] | None:
        """What the index of a scope holds that the scope admits, in the order of the alphabet."""
        index = await self.hot.get(scope)
        if index is None:
            return None
        admitted = index.admitted(scope)
        return sorted(
            entry.item.text
            for entry, seen in zip(index.entries, admitted, strict=True)
            if seen and entry is not None
        )


class Spawner:
    """Runs what is begun beside those who wait for it."""

    def __init__(self) -> None:
        self.tasks: list[asyncio.Future[None]] = []

    def __call__(self, work: Any) -> None:
        self.tasks.append(asyncio.ensure_future(work))

    async def done(self) -> None:
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def change(process: Process, what: str) -> list[str]:
    """Change the memory "tea" in one way; whether it is still to be found, and as what."""
    if what == "put":
        await process.put("more")
        return ["more", "tea"]
    if what == "delete":
        await process.indexed.delete(ALICE.tenant, ["tea"])
        return []
    if what == "reset":
        await process.indexed.reset(ALICE.tenant)
        return []
    if what == "update":
        await process.put("green tea", id="tea")
        return ["green tea"]
    await process.put("tea", status=MemoryStatus(what))
    return []


CHANGES = ["put", "update", "delete", "quarantined", "superseded"]

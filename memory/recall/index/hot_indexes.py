"""Indexes of active users: built from the store on first use, updated on write, bounded by bytes.

All methods run on one event loop. A write is in the index before it returns, so a client reads its
own writes. A build in progress collects all writes.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...database.changes import ROW_KINDS, ChangeLine
from ...database.usage import SqlUsage
from ...memories import SqlMemories
from ...model.errors import StateError
from ...model.types import MemoryItem, MemoryStatus, Scope, StoredMemory
from ...model.usage import Usage
from ...state.shared_log import SharedLog
from ...util.lru import Lru
from .facts import Judge
from .key import IndexKey
from .user_index import UserIndex, as_written
from .writes import CommittedChange, Write

log = logging.getLogger(__name__)

MAX_BYTES = 128 * 2**20
"""Size of all users' indexes together; the least recently used are dropped. A memory takes 3 to 4
KB: some three hundred users with a hundred memories each stay warm, beside 250 MB of models."""
MAX_INDEXES = 100_000
EMPTY_BYTES = 4096
"""Size of an empty index."""
LARGE_AGAIN_SECONDS = 60.0
"""After this time a user with too many memories is counted again."""
MAX_MEMORIES = 25_000
"""About 75 MB; ranking them takes 11 ms of CPU, and a store that searches 26,000 takes 98."""
USAGE_SECONDS = 60.0
"""After this time the counters of an index in use are read again."""
FIRST_PAGE = 2000
"""Memories that are loaded before they are counted."""
INLINE = 50
"""Up to this many memories (about 30 microseconds each) are indexed without a thread."""
SUPERSEDED = frozenset({MemoryStatus.SUPERSEDED})
FEW_SUPERSEDED = 50
"""Up to this many superseded memories are kept with an index; they are not counted in its bytes."""
AT_A_TIME = 20
"""Writes that are applied before other tasks may run."""

Spawn = Callable[[Coroutine[Any, Any, None]], object]
"""Starts a task that outlives the call that starts it."""


@dataclass(frozen=True, slots=True)
class _Kept:
    index: UserIndex | None
    """None if there are too many memories."""
    built_at: float
    nbytes: int


@dataclass(slots=True)
class _Build:
    done: asyncio.Future[UserIndex | None]
    writes: list[Write] = field(default_factory=list)
    void: bool = False
    """The loaded memories may be outdated, and `writes` may not contain the changes."""


class HotIndexes:
    """Indexes by user; the least recently used is dropped first."""

    def __init__(
        self,
        store: SqlMemories,
        *,
        dim: int,
        max_bytes: int | None = None,
        elsewhere: SharedLog | None = None,
        spawn: Spawn | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`elsewhere` hears the writes of other processes, and tells them to `heard`.

        Without `spawn`, a build runs in the call that needs it and is cancelled with that call.
        """
        self._store = store
        self._dim = dim
        self._elsewhere = elsewhere
        self._spawn = spawn
        self._clock = clock
        self._kept: Lru[IndexKey, _Kept] = Lru(
            MAX_INDEXES,
            max_size=MAX_BYTES if max_bytes is None else max_bytes,
            size=lambda kept: kept.nbytes,
        )
        self._building: dict[IndexKey, _Build] = {}
        self._noted = 0
        """The number of writes so far."""
        self._in_turn = asyncio.Lock()
        self.max_memories = MAX_MEMORIES
        """For users with more memories the store is searched, which is slower."""
        self.judge: Judge | None = None
        """Tells the traits of what is written; None: they are told when they are read."""
        self.on_written: list[Callable[[Collection[str]], None]] = []
        """Told the ids of what was written or deleted."""
        self.counters: SqlUsage | None = None
        """How memories were used, which ranking considers; None: it does not."""

    async def fresh(self) -> None:
        """Return when all writes are followed that were there before. Raises StateError."""
        if self._elsewhere is not None:
            await self._elsewhere.fresh()

    def heard(self, line: ChangeLine) -> None:
        """Follow what another process wrote: it is read again."""
        if line.kind not in ROW_KINDS:
            return
        for told in self.on_written:
            told(line.ids)
        if isinstance(line.owner_ref, str):
            self._forget({line.owner_ref})
        else:
            self._forget_keys(IndexKey.holding(line.owner_ref))

    @property
    def store(self) -> SqlMemories:
        return self._store

    @property
    def dim(self) -> int:
        """The length of the vectors."""
        return self._dim

    @property
    def nbytes(self) -> int:
        """Approximate size of all indexes in memory."""
        return int(self._kept.size)

    def __len__(self) -> int:
        return len(self._kept)

    def sizes(self) -> dict[IndexKey, tuple[int, int]]:
        """The memories and the bytes of each index that is in memory."""
        return {key: (len(one.index or ()), one.nbytes) for key, one in self._kept.items()}

    def is_warm(self, scope: Scope) -> bool:
        """Whether an index is in memory, so that `get` most likely returns at once."""
        return self._kept.get(IndexKey.of(scope)) is not None

    def items(self, scope: Scope, ids: Iterable[str]) -> list[MemoryItem]:
        """Those of these memories that are in memory now, maybe not in their latest state."""
        kept = self._kept.get(IndexKey.of(scope))
        if kept is None or kept.index is None:
            return []
        with kept.index.lock:
            return kept.index.items(ids)

    async def derived(self, scope: Scope) -> list[MemoryItem] | None:
        """The active memories of a user that were made of others; None if no index is in memory.

        Raises as `get`.
        """
        index = await self.get(scope) if self.is_warm(scope) else None
        if index is None:
            return None
        with index.lock:
            return [one.item for one in index.entries if one and one.item.provenance.cites]

    async def get(self, scope: Scope) -> UserIndex | None:
        """The index for this scope; None if it would be too large.

        Raises:
            StoreError: the memories cannot be loaded.
            StateError: it is not known what other processes wrote.
        """
        key = IndexKey.of(scope)
        await self.fresh()
        kept = self._kept.get(key)
        if kept is None or self._is_old(kept):
            return await self._built(key)
        self._refresh_usage(kept.index, key.tenant)
        return kept.index

    async def superseded(self, scope: Scope, *, most: int) -> list[MemoryItem]:
        """The newest superseded memories of a scope. Raises StoreError.

        A few are kept with a warm index, because every question about the past asks for them.
        """
        key = IndexKey.of(scope)
        kept = self._kept.get(key)
        index = None if kept is None else kept.index
        if kept is None or index is None:
            return await self._store.list(scope, limit=most, statuses=SUPERSEDED)
        found = index.superseded
        if found is None:
            noted = self._noted
            found = await self._store.list(key.scope, limit=most, statuses=SUPERSEDED)
            if len(found) == most:
                return await self._store.list(scope, limit=most, statuses=SUPERSEDED)
            if len(found) <= FEW_SUPERSEDED and noted == self._noted:
                index.superseded = found
        return [item for item in found if scope.admits(item.scope)]

    async def committed(self, change: CommittedChange) -> None:
        """Follow a change of memories."""
        put, removed = change.put, change.removed
        await self._note([Write.put(memory) for memory in put])
        await self._note([Write.erased(item.id, item.scope.tenant) for item in removed])
        self._forget(change.emptied)

    async def uncertain(self, tenants: Collection[str]) -> None:
        """A change of these may be in the database: all is read again."""
        self._forget(tenants)

    def clear(self) -> None:
        """Read everything again."""
        self._forget(
            {key.tenant for key in (*self._building, *(key for key, _ in self._kept.items()))}
        )

    def _forget(self, tenants: Collection[str]) -> None:
        self._kept.drop(lambda key: key.tenant in tenants)
        self._void([key for key in self._building if key.tenant in tenants])

    def _forget_keys(self, keys: Collection[IndexKey]) -> None:
        for key in keys:
            self._kept.remove(key)
        self._void([key for key in keys if key in self._building])

    def _void(self, keys: Iterable[IndexKey]) -> None:
        for key in keys:
            # Callers that already wait get this build; new callers start another one.
            self._building.pop(key).void = True

    async def _built(self, key: IndexKey) -> UserIndex | None:
        while True:
            build, run = self._begin(key)
            if run is not None:
                await run
            try:
                # A cancelled caller does not cancel the build, which others may wait for.
                return await asyncio.shield(build.done)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if not build.done.cancelled() or (task is not None and task.cancelling()):
                    raise
                # The call that ran the build was cancelled, not this one: try again.

    def _begin(self, key: IndexKey) -> tuple[_Build, Coroutine[Any, Any, None] | None]:
        """The build in progress, or a new one with the coroutine that the caller must run."""
        if (build := self._building.get(key)) is not None:
            return build, None
        build = self._building[key] = _Build(asyncio.get_running_loop().create_future())
        # Retrieve the exception even if no caller is left to do so.
        build.done.add_done_callback(lambda done: done.cancelled() or done.exception())
        run = self._run(key, build)
        if self._spawn is None:
            return build, run
        self._spawn(run)
        return build, None

    async def _run(self, key: IndexKey, build: _Build) -> None:
        try:
            index = await self._build(key, build)
        except Exception as error:  # noqa: BLE001 - raised in the waiting callers
            build.done.set_exception(error)
        except BaseException:
            build.done.cancel()
            raise
        else:
            build.done.set_result(index)
        finally:
            if self._building.get(key) is build:
                del self._building[key]

    async def _build(self, key: IndexKey, build: _Build) -> UserIndex | None:
        began = self._clock()
        memories = await self._load(key.scope)
        index = None if memories is None else await _indexed(self._dim, memories)
        if index is not None:
            # Before the writes: those that come while it waits are applied too.
            await self.read_usage(index, key.tenant)
            for write in build.writes:
                write.carry_out(key, index)
        if not build.void:
            self._keep(key, _Kept(index, began, 0))
        return index

    def _refresh_usage(self, index: UserIndex | None, tenant: str) -> None:
        """Read the counters again if that was long ago, beside the request."""
        if index is None or self._spawn is None or self.counters is None:
            return
        if self._clock() - index.usage_noted_at > USAGE_SECONDS:
            index.usage_noted_at = self._clock()
            self._spawn(self.read_usage(index, tenant))

    def note_usage(self, scope: Scope, used: Mapping[str, Usage]) -> None:
        """Rank by these new counters from now on; another process does when it reads them."""
        for key in IndexKey.holding(scope):
            kept = self._kept.get(key)
            if kept is not None and kept.index is not None:
                with kept.index.lock:
                    kept.index.note_usage(used)

    async def read_usage(self, index: UserIndex, tenant: str) -> None:
        """Rank the memories of an index by their counters; without them if they cannot be read."""
        if self.counters is None:
            return
        index.usage_noted_at = self._clock()
        try:
            used = await self.counters.of(tenant, index.ids)
        except StateError as error:
            log.info("ranking without new counters of usage: %s", error)
        else:
            with index.lock:
                index.note_usage(used)

    async def _load(self, scope: Scope) -> list[StoredMemory] | None:
        """All of the scope's active memories; None if there are too many."""
        most = self.max_memories
        first = await self._store.load(scope, limit=min(FIRST_PAGE, most + 1))
        if len(first) < min(FIRST_PAGE, most + 1):
            return first
        if len(first) > most or await self._store.count(scope) > most:
            return None
        return await self._store.load(scope, limit=most)

    def _keep(self, key: IndexKey, kept: _Kept) -> None:
        nbytes = EMPTY_BYTES + (kept.index.nbytes if kept.index is not None else 0)
        self._kept.put(key, replace(kept, nbytes=nbytes))

    async def _note(self, writes: Sequence[Write]) -> set[IndexKey]:
        """Apply writes to every index; returns the keys of those that changed.

        Writes are applied in batches, so that other tasks run in between. Calls run one after
        another, so that the later of two writes to a memory wins.
        """
        changed: set[IndexKey] = set()
        try:
            async with self._in_turn:
                touched = self._touched(writes)
                for at in range(0, len(writes), AT_A_TIME):
                    if at:
                        await asyncio.sleep(0)
                    some = writes[at : at + AT_A_TIME]
                    changed |= {key for key in touched if self._change(key, some)}
        except asyncio.CancelledError:
            # Only some writes were applied.
            self._forget({write.tenant for write in writes})
            raise
        return changed

    def _touched(self, writes: Sequence[Write]) -> set[IndexKey]:
        """Record the writes for all builds; returns the indexes that they may change."""
        self._noted += len(writes)
        for build in self._building.values():
            build.writes += writes
        holders = {key for write in writes for key in write.holders if self._kept.get(key)}
        # Of what is not active any more the scope is not known here.
        tenants = {write.tenant for write in writes if write.memory is None}
        for key, kept in self._kept.items():
            if kept.index and (key in holders or key.tenant in tenants):
                kept.index.superseded = None
        # An erased or moved memory is in indexes that do not hold its new scope.
        ids = {write.memory_id for write in writes}
        for told in self.on_written:
            told(ids)
        return holders | {
            key for key, kept in self._kept.items() if kept.index and kept.index.holds(ids)
        }

    def _change(self, key: IndexKey, writes: Sequence[Write]) -> bool:
        kept = self._kept.get(key)
        if kept is None or kept.index is None:
            return False
        with kept.index.lock:
            changed = [write.carry_out(key, kept.index) for write in writes]
        if any(changed):
            self._keep(key, kept)
        return any(changed)

    def _is_old(self, kept: _Kept) -> bool:
        return kept.index is None and self._clock() - kept.built_at > LARGE_AGAIN_SECONDS


async def _indexed(dim: int, memories: Sequence[StoredMemory]) -> UserIndex:
    if len(memories) <= INLINE:
        return UserIndex.of(dim, as_written(memories))
    return await asyncio.to_thread(lambda: UserIndex.of(dim, as_written(memories)))

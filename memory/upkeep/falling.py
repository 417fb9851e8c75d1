"""Follows every write of memories, and looks after what stands on them.

What was forgotten is the forgetter's (`forget.falling`), which erases what stands on it in the same
run. Everything else is here: a memory that ends, or says something else, takes along what was
concluded from it; a memory that comes back brings it back; and what a summary stood for is shown
again if the summary is gone. A row that cites a deleted memory is erased.

The looks come after the writes, one at a time, and decide by what is stored then, so they may be
repeated. If a process dies in between, the first look of the next one is at the whole scope.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ..forget import ForgetKind, Forgetter
from ..learn.apply import Applier
from ..learn.records import Batch
from ..model.errors import RecollectError
from ..model.ports import VectorStore
from ..model.types import (
    Decision,
    MemoryItem,
    MemoryStatus,
    Scope,
    StoredMemory,
    text_hash,
    utc_now,
)
from ..records.parts import Parts
from ..stores.forwarding import ForwardingStore
from ..util.lru import Lru
from ..util.tasks import Tasks
from . import standing

log = logging.getLogger(__name__)

ENDED = frozenset({MemoryStatus.SUPERSEDED})
PUT_AWAY = frozenset({MemoryStatus.ARCHIVED})
MOST_GROUNDS = 500
"""Rows that are read at a time."""

MOST_LOOKED = 10_000
"""Scopes that are known to have been looked at as a whole. One that is evicted is again."""
PAUSES = (0.2, 1.0)
"""Seconds before a look that failed is tried again."""

Told = Callable[[Sequence[MemoryItem]], None]
Warm = Callable[[Scope], Awaitable[Sequence[MemoryItem] | None]]
"""The derived memories of a scope that an index in memory has; None if there is none."""


class CitedStore(ForwardingStore):
    """Wraps another `VectorStore`. Everything is passed on, and writes are told of."""

    def __init__(self, inner: VectorStore) -> None:
        self._inner = inner
        self.wrote: list[Told] = []
        """Told of rows that were put."""
        self.removed: list[Told] = []
        """Told of rows that were deleted."""

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        await self._inner.put(memories)
        items = [memory.item for memory in memories]
        for told in self.wrote:
            told(items)

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        items = await self._inner.get(tenant, ids) if self.removed and ids else []
        await self._inner.delete(tenant, ids)
        for told in self.removed if items else ():
            told(items)

    @property
    def _store(self) -> VectorStore:
        return self._inner


class CitedRows:
    """Reads what derived memories stand on. Raises StoreError and StateError."""

    def __init__(self, parts: Parts) -> None:
        self._store = parts.store
        self._history = parts.history

    async def get(self, scope: Scope, ids: Collection[str]) -> list[MemoryItem]:
        """Those of these rows that are of exactly this scope."""
        names, found = sorted(ids), list[MemoryItem]()
        for at in range(0, len(names), MOST_GROUNDS):
            found += await self._store.get(scope.tenant, names[at : at + MOST_GROUNDS])
        return [item for item in found if item.scope == scope]

    async def of(self, derived: MemoryItem) -> dict[str, MemoryItem]:
        """What a memory cites, as far as it is there, by id."""
        return {item.id: item for item in await self.get(derived.scope, derived.provenance.cites)}

    async def stand(self, derived: MemoryItem, grounds: Mapping[str, MemoryItem]) -> bool:
        """Whether those of them that are there hold, and say what they said then."""
        if not all(map(standing.holds, grounds.values())):
            return False
        tenant, names = derived.scope.tenant, [derived.id, *derived.provenance.cites]
        return standing.stands(derived, grounds, await self._history.of_many(tenant, names))

    async def support(self, derived: MemoryItem) -> bool:
        """The same, and all of them are there."""
        grounds = await self.of(derived)
        complete = grounds.keys() == set(derived.provenance.cites)
        return complete and await self.stand(derived, grounds)


@dataclass(slots=True)
class _Due:
    """What is to be looked at in a scope."""

    ids: set[str] = field(default_factory=set)
    """Memories that changed, and derived ones."""
    gone: dict[str, MemoryItem] = field(default_factory=dict)
    """Derived memories that were erased."""
    rising: bool = False
    """Whether something may have come back."""


class Falling:
    """Withdraws what does not stand any more, and brings back what does."""

    def __init__(
        self,
        parts: Parts,
        forgetter: Forgetter,
        writes: CitedStore,
        *,
        warm: Warm | None = None,
        clock: Callable[[], datetime] = utc_now,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`writes` is where all writes go through. `warm` saves reading the store."""
        self._store = parts.store
        self._grounds = CitedRows(parts)
        self._tombstones = parts.state.tombstones
        self._forgetter = forgetter
        self._applier = Applier(
            parts.store, parts.embedder, parts.history, parts.state.locks, clock=clock
        )
        self._warm = warm
        self._clock = clock
        self._pause = pause
        self._due: dict[Scope, _Due] = defaultdict(_Due)
        self._tasks = Tasks()
        self._runs = False
        self._looked: Lru[Scope, bool] = Lru(MOST_LOOKED)
        writes.wrote.append(self.wrote)
        writes.removed.append(self.removed)

    def wrote(self, items: Sequence[MemoryItem]) -> None:
        """Look, soon, at what may stand on these rows."""
        for item in items:
            if item.provenance.superseded_by is None and (item.provenance.cites or _changed(item)):
                due = self._due[item.scope]
                due.ids.add(item.id)
                due.rising |= item.status is MemoryStatus.ACTIVE
        self._begin()

    def removed(self, items: Sequence[MemoryItem]) -> None:
        """Look, soon, at what may have stood on these rows, and at what they stood for."""
        for item in items:
            if item.provenance.superseded_by is None:
                due = self._due[item.scope]
                due.ids.add(item.id)
                if item.provenance.cites:
                    due.gone[item.id] = item
        self._begin()

    async def settled(self) -> None:
        """Wait until everything that was written so far was looked at."""
        await self._tasks.join()

    async def close(self, seconds: float) -> None:
        """Wait so long for what is due, then leave it."""
        await self._tasks.drain(seconds)

    def _begin(self) -> None:
        if self._due and not self._runs:
            self._runs = True
            self._tasks.start(self._run(), name="what stands on changed memories")

    async def _run(self) -> None:
        try:
            while self._due:
                scope = next(iter(self._due))
                await self._tried(scope, self._due.pop(scope))
        finally:
            self._runs = False

    async def _first(self, scope: Scope, due: _Due) -> None:
        """Look; the first time at everything, because a process before may have died too early."""
        await self._look(scope, due)
        if self._looked.get(scope) is None:
            await self.look(scope)
            self._looked.put(scope, value=True)

    async def _tried(self, scope: Scope, due: _Due) -> None:
        for seconds in (*PAUSES, None):
            try:
                await self._first(scope, due)
            except RecollectError as error:
                log.warning("what stands on changed memories was not looked at: %s", error)
            else:
                return
            if seconds is not None:
                await self._pause(seconds)

    async def look(self, scope: Scope) -> list[Decision]:
        """Look at all derived memories of exactly this scope; returns what was decided.

        Reads the whole scope: for upkeep. Raises StoreError, StateError, EmbeddingError and
        ConflictError; call it again.
        """
        statuses = frozenset(MemoryStatus)
        items = await self._store.list(scope, limit=None, statuses=statuses)
        own = [item for item in items if item.scope == scope]
        derived = [item for item in own if item.provenance.cites]
        held = {item.id for item in derived if standing.is_live(item)}
        lost = {
            name
            for item in own
            if item.status is MemoryStatus.ARCHIVED
            and (name := item.provenance.archived_for) is not None
            and name not in held
        }
        ended = {item.id for item in derived if not standing.lets_go(item)}
        decisions = await self._judged([item for item in derived if standing.is_live(item)], own)
        decisions += await self._rising([item for item in derived if standing.fell(item)])
        for name in sorted(lost - ended):
            decisions += standing.returned(name, own)
        return await self._apply(scope, decisions)

    async def _look(self, scope: Scope, due: _Due) -> list[Decision]:
        named = {item.id: item for item in await self._grounds.get(scope, due.ids)}
        active = await self._active(scope)
        lost = [item for item in named.values() if standing.lets_go(item)]
        chosen = {item.id: item for item in standing.citing(active, due.ids)}
        chosen |= {name: item for name, item in named.items() if standing.is_live(item)}
        decisions = await self._judged(list(chosen.values()))
        for one in (*due.gone.values(), *lost):
            sources = await self._grounds.get(scope, one.provenance.cites)
            decisions += standing.returned(one.id, sources)
        if due.rising:
            ended = await self._store.list(scope, limit=None, statuses=ENDED)
            decisions += await self._rising(
                [item for item in standing.citing(ended, due.ids) if standing.fell(item)]
            )
        return await self._apply(scope, decisions)

    async def _active(self, scope: Scope) -> Sequence[MemoryItem]:
        """The derived memories of exactly this scope that are recalled."""
        found = None if self._warm is None else await self._warm(scope)
        if found is None:
            found = await self._store.list(scope, limit=None)
        return [item for item in found if item.scope == scope and standing.is_live(item)]

    async def _judged(
        self, derived: Sequence[MemoryItem], items: Iterable[MemoryItem] = ()
    ) -> list[Decision]:
        """What becomes of derived memories that are recalled; `items` are rows of their scope."""
        decisions: list[Decision] = []
        known = {item.id: item for item in items}
        for one in derived:
            grounds = _among(one, known) if known else await self._grounds.of(one)
            if await self._is_erased(one, grounds):
                continue
            if not await self._grounds.stand(one, grounds):
                decisions += standing.withdrawn(one, grounds.values())
        return decisions

    async def _rising(self, derived: Sequence[MemoryItem]) -> list[Decision]:
        return [
            standing.risen(one)
            for one in derived
            if await self._grounds.stand(one, await self._grounds.of(one))
        ]

    async def _is_erased(self, derived: MemoryItem, grounds: Mapping[str, MemoryItem]) -> bool:
        """Erase it if something that it cites was deleted for good: it may hold the words."""
        missing = [name for name in derived.provenance.cites if name not in grounds]
        tenant = derived.scope.tenant
        if not missing or not await self._tombstones.among(tenant, missing):
            return False
        await self._forgetter.forget_ids(
            derived.scope, [derived.id], kind=ForgetKind.RETENTION, fell=True
        )
        return True

    async def _apply(self, scope: Scope, decisions: Sequence[Decision]) -> list[Decision]:
        once = list({each.memory_id: each for each in decisions}.values())
        if not once:
            return []
        now = self._clock()
        told = "|".join(f"{each.memory_id}:{each.event}" for each in once)
        name = f"{standing.STAGE}:{text_hash(f'{told}|{now.isoformat()}')}"
        guard = await self._forgetter.guard(scope, name)
        await self._applier.apply(once, Batch(id=name, scope=scope, at=now), guard)
        return once


def _among(derived: MemoryItem, known: Mapping[str, MemoryItem]) -> dict[str, MemoryItem]:
    return {name: known[name] for name in derived.provenance.cites if name in known}


def _changed(item: MemoryItem) -> bool:
    """Whether something that was there before may not hold, or not say the same, any more."""
    return item.version > 1 and item.status is not MemoryStatus.ARCHIVED

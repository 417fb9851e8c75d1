"""Follows every write of memories, and looks after what stands on them.

What was forgotten is the forgetter's (`forget.cascade`), which erases what stands on it in the same
run. Everything else is here: a memory that ends, or says something else, takes along what was
concluded from it; a memory that comes back brings it back; and what a summary stood for is shown
again if the summary is gone. A row that cites a deleted memory is erased.

The looks come after the writes, one at a time, and decide by what is stored then, so they may be
repeated. If a process dies in between, the first look of the next one is at the whole scope. Who
changes a memory by its id waits for the look (`looked`), so that the next chat is not told the
same by a summary.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from ..forget import ForgetKind, Forgetter
from ..learn.apply import Applier
from ..learn.records import Batch
from ..model.errors import RecollectError
from ..model.types import (
    Decision,
    MemoryItem,
    MemoryStatus,
    Scope,
    text_hash,
    utc_now,
)
from ..records.parts import Parts
from ..records.writing import WrittenChange
from ..util.lru import Lru
from ..util.tasks import Tasks
from . import derived_validity
from .citations import Citations

log = logging.getLogger(__name__)

ENDED = frozenset({MemoryStatus.SUPERSEDED})

MOST_LOOKED = 10_000
"""Scopes that are known to have been looked at as a whole. One that is evicted is again."""
MOST_WAITED = 5.0
"""Seconds that a change waits for the look at what stands on it, which goes on then."""
PAUSES = (0.2, 1.0)
"""Seconds before a look that failed is tried again."""

Warm = Callable[[Scope], Awaitable[Sequence[MemoryItem] | None]]
"""The derived memories of a scope that an index in memory has; None if there is none."""


@dataclass(slots=True)
class _Due:
    """Memories of a scope that are to be looked at."""

    scope: Scope
    ids: set[str] = field(default_factory=set)
    """Memories that changed, and derived ones."""
    gone: dict[str, MemoryItem] = field(default_factory=dict)
    """Derived memories that were erased."""
    rising: bool = False
    """Whether something may have come back."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when they were looked at, or cannot be."""


class DerivedUpkeep:
    """Withdraws what does not stand any more, and brings back what does."""

    def __init__(
        self,
        parts: Parts,
        forgetter: Forgetter,
        *,
        warm: Warm | None = None,
        clock: Callable[[], datetime] = utc_now,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`warm` saves reading the store."""
        self._store = parts.store
        self._rows = Citations(parts)
        self._tombstones = parts.state.tombstones
        self._forgetter = forgetter
        self._applier = Applier(parts.store, parts.writer, parts.embedder, clock=clock)
        self._warm = warm
        self._clock = clock
        self._pause = pause
        self._due: OrderedDict[Scope, _Due] = OrderedDict()
        self._looking: _Due | None = None
        self._tasks = Tasks()
        self._runs = False
        self._looked: Lru[Scope, bool] = Lru(MOST_LOOKED)

    async def committed(self, change: WrittenChange) -> None:
        """Follow a change of memories."""
        self.wrote([memory.item for memory in change.put])
        self.removed(change.removed)

    async def uncertain(self, tenants: Collection[str]) -> None:
        """The next look is at all of a scope again."""
        self._looked.drop(lambda scope: scope.tenant in tenants)

    def wrote(self, items: Sequence[MemoryItem]) -> None:
        """Look, soon, at what may stand on these rows."""
        for item in items:
            if item.provenance.superseded_by is None and (item.provenance.cites or _changed(item)):
                due = self._due_of(item.scope)
                due.ids.add(item.id)
                due.rising |= item.status is not MemoryStatus.SUPERSEDED
        self._begin()

    def removed(self, items: Sequence[MemoryItem]) -> None:
        """Look, soon, at what may have stood on these rows, and at what they stood for."""
        for item in items:
            if item.provenance.superseded_by is None:
                due = self._due_of(item.scope)
                due.ids.add(item.id)
                if item.provenance.cites:
                    due.gone[item.id] = item
        self._begin()

    async def looked(self, scope: Scope) -> None:
        """Wait until what stands on the changed memories of a scope was looked at; 5 s at most.

        Other scopes wait meanwhile.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(MOST_WAITED):
                while (due := self._waited_for(scope)) is not None:
                    await due.over.wait()

    def _waited_for(self, scope: Scope) -> _Due | None:
        if self._looking is not None and self._looking.scope == scope:
            return self._looking
        if scope in self._due:
            self._due.move_to_end(scope, last=False)
        return self._due.get(scope)

    async def settled(self) -> None:
        """Wait until everything that was written so far was looked at."""
        await self._tasks.join()

    async def close(self, seconds: float) -> None:
        """Wait so long for what is due, then leave it."""
        await self._tasks.drain(seconds)

    def _due_of(self, scope: Scope) -> _Due:
        return self._due.setdefault(scope, _Due(scope))

    def _begin(self) -> None:
        if self._due and not self._runs:
            self._runs = True
            self._tasks.start(self._run(), name="what stands on changed memories")

    async def _run(self) -> None:
        try:
            while self._due:
                _, self._looking = self._due.popitem(last=False)
                await self._tried(self._looking)
                self._over()
        finally:
            self._runs = False
            self._over()
            while self._due:
                self._due.popitem()[1].over.set()

    def _over(self) -> None:
        """Nobody waits for this look any more."""
        if self._looking is not None:
            self._looking.over.set()
            self._looking = None

    async def _first(self, due: _Due) -> None:
        """Look; the first time at everything, because a process before may have died too early."""
        scope = due.scope
        await self._look(scope, due)
        self._over()
        if self._looked.get(scope) is None:
            await self.look(scope)
            self._looked.put(scope, value=True)

    async def _tried(self, due: _Due) -> None:
        for seconds in (*PAUSES, None):
            try:
                await self._first(due)
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
        held = {item.id for item in derived if derived_validity.is_live(item)}
        lost = {
            name
            for item in own
            if item.status is MemoryStatus.ARCHIVED
            and (name := item.provenance.archived_for) is not None
            and name not in held
        }
        ended = {item.id for item in derived if not derived_validity.releases_archive(item)}
        decisions = await self._judged(
            scope, [item for item in derived if derived_validity.is_live(item)]
        )
        decisions += await self._rising(
            scope, [item for item in derived if derived_validity.lost_support(item)]
        )
        for name in sorted(lost - ended):
            decisions += derived_validity.returned(name, own)
        return await self._apply(scope, decisions)

    async def _look(self, scope: Scope, due: _Due) -> list[Decision]:
        decisions = await self._judged(scope, await self._active(scope))
        for one in due.gone.values():
            decisions += await self._left(one)
        if due.rising:
            fallen = await self._store.list(scope, limit=None, statuses=ENDED)
            own = [
                one for one in fallen if one.scope == scope and derived_validity.lost_support(one)
            ]
            decisions += await self._rising(scope, own)
        decisions += await self._alone(scope, due, {each.memory_id for each in decisions})
        return await self._apply(scope, decisions)

    async def _alone(self, scope: Scope, due: _Due, busy: Collection[str]) -> list[Decision]:
        """What comes back from the archive because what stands for it has ended.

        Also what a person took back into the archive meanwhile.
        """
        named = await self._rows.get(scope, due.ids)
        instead = {one.provenance.archived_for for one in named} - {None}
        rows = [*named, *await self._rows.get(scope, {str(one) for one in instead})]
        decisions: list[Decision] = []
        for one in {
            item.id: item for item in rows if derived_validity.releases_archive(item)
        }.values():
            if one.id not in busy:
                sources = await self._rows.get(scope, one.provenance.cites)
                decisions += derived_validity.returned(one.id, sources)
        return decisions

    async def _left(self, gone: MemoryItem) -> list[Decision]:
        """What comes back of an erased summary: the rest of its sources, if one was erased.

        Who deletes the summary itself does not want to read its words again.
        """
        sources = await self._rows.get(gone.scope, gone.provenance.cites)
        missing = set(gone.provenance.cites) - {item.id for item in sources}
        tenant = gone.scope.tenant
        if not missing or not await self._tombstones.among(tenant, sorted(missing)):
            return []
        return derived_validity.returned(gone.id, sources)

    async def _active(self, scope: Scope) -> Sequence[MemoryItem]:
        """The derived memories of exactly this scope that are recalled."""
        found = None if self._warm is None else await self._warm(scope)
        if found is None:
            found = await self._store.list(scope, limit=None)
        return [item for item in found if item.scope == scope and derived_validity.is_live(item)]

    async def _judged(self, scope: Scope, derived: Sequence[MemoryItem]) -> list[Decision]:
        """What becomes of derived memories that are recalled."""
        decisions: list[Decision] = []
        grounds = await self._rows.of(scope, derived) if derived else {}
        for one in derived:
            if await self._is_erased(one, grounds):
                continue
            if not await self._rows.stand(one, grounds):
                decisions += derived_validity.withdrawn(one, derived_validity.among(one, grounds))
        return decisions

    async def _rising(self, scope: Scope, fallen: Sequence[MemoryItem]) -> list[Decision]:
        grounds = await self._rows.of(scope, fallen) if fallen else {}
        return [
            derived_validity.restored(one) for one in fallen if await self._rows.stand(one, grounds)
        ]

    async def _is_erased(self, derived: MemoryItem, grounds: Mapping[str, MemoryItem]) -> bool:
        """Erase it if something that it cites was deleted for good: it may hold the words."""
        missing = [name for name in derived.provenance.cites if name not in grounds]
        tenant = derived.scope.tenant
        if not missing or not await self._tombstones.among(tenant, missing):
            return False
        await self._forgetter.forget_ids(
            derived.scope, [derived.id], kind=ForgetKind.RETENTION, derived=True
        )
        return True

    async def _apply(self, scope: Scope, decisions: Sequence[Decision]) -> list[Decision]:
        once = list({each.memory_id: each for each in decisions}.values())
        if not once:
            return []
        now = self._clock()
        told = "|".join(f"{each.memory_id}:{each.event}" for each in once)
        name = f"{derived_validity.STAGE}:{text_hash(f'{told}|{now.isoformat()}')}"
        guard = await self._forgetter.guard(scope)
        await self._applier.apply(once, Batch(id=name, scope=scope, at=now), guard)
        return once


def _changed(item: MemoryItem) -> bool:
    """Whether something that was there before may not hold, or not say the same, any more."""
    away = item.status is MemoryStatus.ARCHIVED and item.provenance.archived_for is None
    return item.version > 1 and not away

"""Walking the store for what has had its time, a bounded piece at a time.

What dies with the process is only how far the walk came and how many memories it has counted: the
next one begins again and finds less to do. Two processes may walk at once. To erase twice is to
erase once. Which memories make room follows from the memories and the day (`retention.surplus`), so
both choose the same; each is read again just before it is put aside, and one that was is left.

Putting a memory aside is a write like any other and keeps to `guard.py`: it cannot bring back what
was forgotten meanwhile. Between the last look and the write nothing else is read, but no store can
compare and set: somebody who changes just this memory in that moment, which only one of the least
needed can be, would see it archived as it was before.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..gone import TOLD_SINGLY
from ..ports import HistoryLog, Tombstones, VectorStore
from ..types import MemoryItem, Scope, StoredMemory, utc_now
from .buried import buried_among
from .forgetter import Forgetter
from .options import RetentionOptions
from .receipt import Kind
from .retention import KEPT, archive_record, archived, expired, owner_of, surplus
from .targets import ANY_STATUS

PAGE = 200
"""Rows of one read of the walk."""
PUT = 48
"""Memories put aside at a time, right after they were read again."""


@dataclass(frozen=True, slots=True)
class Retained:
    """What one run did."""

    looked_at: int = 0
    archived: int = 0
    erased: int = 0
    """For their age, earlier versions included."""
    healed: int = 0
    """Rows of forgotten or deleted memories that somebody left behind who died."""
    complete: bool = True
    """Whether the walk has come to its end; if not, the next run goes on."""

    def __add__(self, other: Retained) -> Retained:
        return Retained(
            self.looked_at + other.looked_at,
            self.archived + other.archived,
            self.erased + other.erased,
            self.healed + other.healed,
            self.complete and other.complete,
        )


class Retention:
    """Erases what is too old, and archives what is too much."""

    def __init__(
        self,
        store: VectorStore,
        history: HistoryLog,
        tombstones: Tombstones,
        forgetter: Forgetter,
        options: RetentionOptions,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`store` is the one that tells its indexes of writes, as for `forgetter`."""
        self._store = store
        self._history = history
        self._tombstones = tombstones
        self._forgetter = forgetter
        self._options = options
        self._clock = clock
        self._after: str | None = None
        self._counted: Counter[Scope] = Counter()
        self._full: deque[Scope] = deque()

    async def run(self, scope: Scope | None = None) -> Retained:
        """Look at the next `rows_per_run` memories of everybody, or at all of a scope.

        A walk over everybody first looks at every memory for its age, and then makes room for
        those users who have too many.

        Raises:
            NotForgottenError, StoreError, StateError: the same again goes on behind what failed,
                which the next walk comes to again.
        """
        if scope is not None:
            items = await self._store.list(scope, limit=None, statuses=ANY_STATUS)
            owners = [o for o in {owner_of(i.scope) for i in items} if scope.admits(o)]
            done = await self._age(items)
            for owner in owners:
                done += await self._make_room(owner)
            return done
        return await self._walk()

    async def _walk(self) -> Retained:
        done = Retained()
        while done.looked_at < self._options.rows_per_run:
            if self._full:
                # Off the list first: what fails for one must not hold up the others.
                done += await self._make_room(self._full.popleft())
                if not self._full:
                    return done
                continue
            page = await self._store.scan(after=self._after, limit=PAGE)
            self._advance(page)
            done += await self._age([memory.item for memory in page])
            if not page and not self._full:
                return done
        return replace(done, complete=False)

    def _advance(self, page: Sequence[StoredMemory]) -> None:
        """Note a page; at the end, who has too many, and begin again."""
        most = self._options.max_memories
        if page:
            self._after = page[-1].item.id
            kept = (m.item.scope for m in page if m.item.status in KEPT)
            self._counted.update(map(owner_of, kept) if most is not None else ())
            return
        self._full.extend(o for o, count in self._counted.items() if most and count > most)
        self._after, self._counted = None, Counter()

    async def _age(self, items: Sequence[MemoryItem]) -> Retained:
        """Erase what is too old, and what should not be there any more."""
        forgotten = await buried_among(self._tombstones, items)
        ids = {item.id for item in forgotten}
        old = [i for i in expired(items, self._options, self._clock()) if i.id not in ids]
        await self._heal(forgotten)
        return Retained(len(items), erased=await self._forget(old), healed=len(forgotten))

    async def _heal(self, rows: Sequence[MemoryItem]) -> None:
        """Remove rows that should not be there: with all that says them, as a forget does.

        Versions whose memory is gone go alone: it may have been deleted only, which buries it as
        well, and then its history stays.
        """
        for owner in {owner_of(item.scope) for item in rows}:
            own = [item for item in rows if owner_of(item.scope) == owner]
            lives = sorted({item.provenance.superseded_by or item.id for item in own})
            there = {item.id for item in await self._store.get(owner.tenant, lives)}
            if there:
                await self._forgetter.forget_ids(owner.tenant, list(there), kind=Kind.RETENTION)
            await self._store.delete(owner.tenant, [item.id for item in own])
            await self._forgetter.gone.tell_of(owner, {item.id for item in own})

    async def _forget(self, items: Sequence[MemoryItem]) -> int:
        by_owner: dict[Scope, list[str]] = defaultdict(list)
        for item in items:
            by_owner[owner_of(item.scope)].append(item.id)
        erased = 0
        for owner, ids in by_owner.items():
            for at in range(0, len(ids), TOLD_SINGLY):
                receipt = await self._forgetter.forget_ids(
                    owner.tenant, ids[at : at + TOLD_SINGLY], kind=Kind.RETENTION
                )
                erased += receipt.memories + receipt.versions
        return erased

    async def _make_room(self, owner: Scope) -> Retained:
        """Archive what is too much of one user."""
        most = self._options.max_memories
        held = await self._store.count(owner, statuses=KEPT, fresh=True)
        if most is None or held <= most:
            return Retained()
        loaded = await self._store.load(owner, limit=held, statuses=KEPT, fresh=True)
        # Of an agent without users the listing shows its users' memories too.
        own = {m.item.id: m for m in loaded if owner_of(m.item.scope) == owner}
        chosen = surplus([m.item for m in own.values()], most, self._clock())
        count = 0
        for at in range(0, len(chosen), PUT):
            count += await self._archive(owner, [own[i.id] for i in chosen[at : at + PUT]])
        return Retained(len(loaded), archived=count)

    async def _archive(self, owner: Scope, memories: Sequence[StoredMemory]) -> int:
        guard = await self._forgetter.guard(owner)
        refused = await guard.refused([memory.item.id for memory in memories])
        now = self._clock()
        wanted = await self._unchanged([m for m in memories if m.item.id not in refused])
        await self._history.append([archive_record(memory.item, now) for memory in wanted])
        aside = [
            StoredMemory(archived(memory.item, now), memory.vector)
            for memory in await self._unchanged(wanted)
        ]
        if aside:
            await self._store.put(aside)
        gone = await guard.settle([memory.item for memory in wanted])
        return len({memory.item.id for memory in aside} - gone)

    async def _unchanged(self, memories: Sequence[StoredMemory]) -> list[StoredMemory]:
        """Those that a fresh read still finds as they were loaded."""
        if not memories:
            return []
        tenant = memories[0].item.scope.tenant
        read = await self._store.get(tenant, [memory.item.id for memory in memories])
        now = {item.id: item for item in read}
        return [memory for memory in memories if now.get(memory.item.id) == memory.item]

"""Walks the store in bounded steps, erases expired memories and archives surplus ones.

The position and the counts are kept in memory only: after a restart the walk begins again. Two
processes may walk at the same time. Erasing is idempotent, and both choose the same memories to
archive, because the choice depends only on the memories, their counters and the day
(`retention.surplus`). If a memory is recalled between the two, they may choose differently. Each is
read again in the transaction that archives it, and skipped if it has changed.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..model.types import MemoryItem, Scope, StoredMemory
from ..model.usage import UNUSED, Usage
from ..records.invalidation import ANNOUNCED_SINGLY
from ..records.parts import Parts
from ..records.writing import InsidePorts
from ..util.clock import CLOCK, Clock
from .forgetter import Forgetter
from .options import RetentionOptions
from .receipt import ForgetKind
from .retention import KEPT, archive_record, archived, expired, owner_of, surplus
from .targets import ANY_STATUS

PAGE = 200
"""Rows per read of the walk."""
MOST_COUNTED = 1_000
"""Owners whose memories are counted beside a walk."""
PUT = 48
"""Memories archived at a time, right after they are read again."""


@dataclass(frozen=True, slots=True)
class Retained:
    """The result of a run."""

    looked_at: int = 0
    archived: int = 0
    erased: int = 0
    """Memories erased for their age, earlier versions included."""
    complete: bool = True
    """Whether the walk is finished; if not, the next run continues it."""

    def __add__(self, other: Retained) -> Retained:
        return Retained(
            self.looked_at + other.looked_at,
            self.archived + other.archived,
            self.erased + other.erased,
            self.complete and other.complete,
        )


class Retention:
    """Erases expired memories and archives surplus ones."""

    def __init__(
        self,
        parts: Parts,
        forgetter: Forgetter,
        options: RetentionOptions,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        self._store = parts.store
        self._writer = parts.writer
        self._usage = parts.state.usage
        self._forgetter = forgetter
        self._options = options
        self._clock = clock
        self._after: str | None = None
        self._counted: Counter[Scope] = Counter()
        self._full: deque[Scope] = deque()
        self._held: dict[Scope, int] = {}
        """At most so many memories count, of owners that were written to without a walk."""

    async def run(self, scope: Scope | None = None) -> Retained:
        """Check the next `rows_per_run` memories of all tenants, or all memories of a scope.

        A walk over all tenants first checks the age of every memory, then archives the surplus of
        users with too many.

        Raises:
            NotForgottenError, StoreError, StateError: the next call continues after the failed
                memories, and the next walk tries them again.
        """
        if scope is not None:
            items = await self._store.list(scope, limit=None, statuses=ANY_STATUS)
            owners = [o for o in {owner_of(i.scope) for i in items} if scope.admits(o)]
            done = await self._age(items)
            for owner in owners:
                done += await self._make_room(owner)
            return done
        return await self._walk()

    async def keep_room(self, scope: Scope, added: int) -> int:
        """Archive the surplus of a scope's owner after so many were added; returns how many.

        For programs in which no walk comes by. Counts once, and again when the limit is reached.
        """
        owner, most = owner_of(scope), self._options.max_memories
        if most is None or not added:
            return 0
        held = self._held.pop(owner, None)
        if held is None:
            held = await self._store.count(owner, statuses=KEPT)
        else:
            held += added
        if held > most:
            return (await self._make_room(owner)).archived
        while len(self._held) >= MOST_COUNTED:
            self._held.pop(next(iter(self._held)))
        self._held[owner] = held
        return 0

    async def _walk(self) -> Retained:
        done = Retained()
        while done.looked_at < self._options.rows_per_run:
            if self._full:
                # Remove the user first: a failure must not block the other users.
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
        """Count a page. At the end of the walk list the users over the limit and start over."""
        most = self._options.max_memories
        if page:
            self._after = page[-1].item.id
            kept = (m.item.scope for m in page if m.item.status in KEPT)
            self._counted.update(map(owner_of, kept) if most is not None else ())
            return
        self._full.extend(o for o, count in self._counted.items() if most and count > most)
        self._after, self._counted = None, Counter()

    async def _age(self, items: Sequence[MemoryItem]) -> Retained:
        """Erase expired memories."""
        old = expired(items, self._options, self._clock.now())
        return Retained(len(items), erased=await self._forget(old))

    async def _forget(self, items: Sequence[MemoryItem]) -> int:
        by_owner: dict[Scope, list[str]] = defaultdict(list)
        for item in items:
            by_owner[owner_of(item.scope)].append(item.id)
        erased = 0
        for owner, ids in by_owner.items():
            for at in range(0, len(ids), ANNOUNCED_SINGLY):
                receipt = await self._forgetter.forget_ids(
                    owner.tenant, ids[at : at + ANNOUNCED_SINGLY], kind=ForgetKind.RETENTION
                )
                erased += receipt.memories + receipt.versions
        return erased

    async def _make_room(self, owner: Scope) -> Retained:
        """Archive the surplus of one user."""
        most = self._options.max_memories
        held = await self._store.count(owner, statuses=KEPT)
        if most is None or held <= most:
            return Retained()
        loaded = await self._store.load(owner, limit=held, statuses=KEPT)
        # The listing of an agent's scope includes the memories of its users.
        own = {m.item.id: m for m in loaded if owner_of(m.item.scope) == owner}
        used = await self._usage.of(owner.tenant, list(own))
        chosen = surplus([m.item for m in own.values()], most, self._clock.now(), used)
        count = 0
        for at in range(0, len(chosen), PUT):
            count += await self._archive(owner, [own[i.id] for i in chosen[at : at + PUT]], used)
        return Retained(len(loaded), archived=count)

    async def _archive(
        self, owner: Scope, memories: Sequence[StoredMemory], used: Mapping[str, Usage]
    ) -> int:
        read = {memory.item.id: memory for memory in memories}
        now = self._clock.now()

        async def work(ports: InsidePorts) -> int:
            # Somebody may have changed one since it was chosen.
            aside = [
                item
                for item in await ports.memories.get(owner.tenant, list(read))
                if read[item.id].item == item
            ]
            await ports.history.append(
                [archive_record(item, now, used.get(item.id, UNUSED)) for item in aside]
            )
            await ports.memories.put(
                [StoredMemory(archived(item, now), read[item.id].vector) for item in aside]
            )
            return len(aside)

        return await self._writer.change(work, tenants={owner.tenant})

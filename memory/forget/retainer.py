"""Erases expired memories and archives surplus ones.

Ages are looked at in bounded steps, if any are set. The position is kept in memory only: after a
restart the walk begins again. Two processes may walk at the same time. Erasing is idempotent, and
both choose the same memories to archive, because the choice depends only on the memories, their
counters and the day (`retention.surplus`). If a memory is recalled between the two, they may choose
differently. Each is read again in the transaction that archives it, and skipped if it has changed.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ..model.errors import StateError, StoreError
from ..model.owner import user_of
from ..model.types import MemoryItem, Scope, StoredMemory
from ..model.usage import UNUSED, Usage
from ..records.invalidation import ANNOUNCED_SINGLY
from ..records.parts import Parts
from ..records.writing import InsidePorts
from ..trust.review import is_overdue, left_out
from ..util.clock import CLOCK, Clock
from .forgetter import Forgetter
from .options import RetentionOptions
from .receipt import ForgetKind
from .retention import (
    KEPT,
    archive_record,
    archived,
    expired,
    left_out_record,
    surplus,
)

log = logging.getLogger(__name__)

PAGE = 200
"""Rows per read of the walk."""
MOST_COUNTED = 1_000
"""Owners whose memories are counted beside a walk."""
PUT = 48
"""Memories archived at a time, right after they are read again."""


@dataclass(slots=True)
class Retained:
    """The result of a run."""

    looked_at: int = 0
    """Memories whose age was looked at."""
    archived: int = 0
    erased: int = 0
    """Memories erased for their age, earlier versions included."""
    left_out: int = 0
    """Memories that waited for a person too long."""


class Retention:
    """Erases expired memories and archives surplus ones."""

    def __init__(
        self,
        parts: Parts,
        forgetter: Forgetter,
        options: RetentionOptions,
        *,
        waits: Mapping[str, float] = MappingProxyType({}),
        clock: Clock = CLOCK,
    ) -> None:
        """`waits` are the days after which what waits for a person is left out, by kind."""
        self._waits = waits
        self._store = parts.store
        self._writer = parts.writer
        self._usage = parts.state.usage
        self._forgetter = forgetter
        self._options = options
        self._clock = clock
        ages = (options.ttl_days, options.erase_days)
        self._ages = any(any(each.model_dump(exclude={"turns"}).values()) for each in ages)
        self._after: str | None = None
        self._held: dict[Scope, int] = {}
        """At most so many memories count, of owners that were written to without a walk."""

    async def run(self) -> Retained:
        """Check the ages of the next `rows_per_run` memories, and archive whatever is surplus.

        Raises:
            NotForgottenError, StoreError, StateError: the next call continues after the failed
                memories, and a later one tries them again.
        """
        done = await self._age()
        failed: Exception | None = None
        for owner in await self._full():
            try:
                done.archived += await self._make_room(owner)
            except (StoreError, StateError) as error:  # must not block the other users
                failed = error
        if failed is not None:
            raise failed
        return done

    async def keep_room(self, scope: Scope, added: int) -> int:
        """Archive the surplus of a scope's owner after so many were added; returns how many.

        For programs in which no walk comes by. Counts once, and again when the limit is reached.
        """
        owner, most = user_of(scope), self._options.max_memories
        if most is None or not added:
            return 0
        held = self._held.pop(owner, None)
        if held is None:
            held = await self._store.count(owner, statuses=KEPT)
        else:
            held += added
        if held > most:
            return await self._make_room(owner)
        while len(self._held) >= MOST_COUNTED:
            self._held.pop(next(iter(self._held)))
        self._held[owner] = held
        return 0

    async def _full(self) -> list[Scope]:
        """Owners that may have too many: what is in the archive is still among these."""
        most, held = self._options.max_memories, Counter[Scope]()
        if most is None:
            return []
        for scope, counted in (await self._store.tally(None)).scopes.items():
            held[user_of(scope)] += counted.rows
        return [owner for owner, count in held.items() if count > most]

    async def _age(self) -> Retained:
        """Erase expired memories among the next ones."""
        done = Retained()
        while (self._ages or self._waits) and done.looked_at < self._options.rows_per_run:
            page = await self._store.scan(after=self._after, limit=PAGE)
            self._after = page[-1].item.id if page else None
            if not page:
                break
            now = self._clock.now()
            old = expired([each.item for each in page], self._options, now)
            done.looked_at += len(page)
            done.erased += await self._forget(old)
            late = [each for each in page if is_overdue(each.item, self._waits, now)]
            done.left_out += await self._leave_out(late)
        if done.left_out:
            log.info("%d memories waited for a person too long, and are left out", done.left_out)
        return done

    async def _leave_out(self, late: Sequence[StoredMemory]) -> int:
        """Say of these that nobody judged them in time; they stay quarantined."""
        now, count = self._clock.now(), 0
        by_tenant: dict[str, dict[str, StoredMemory]] = defaultdict(dict)
        for each in late:
            by_tenant[each.item.scope.tenant][each.item.id] = each
        for tenant, read in by_tenant.items():

            async def work(
                ports: InsidePorts, tenant: str = tenant, read: Mapping[str, StoredMemory] = read
            ) -> int:
                there = await ports.memories.get(tenant, list(read))
                same = [item for item in there if read[item.id].item == item]
                out = [left_out(item, now) for item in same]
                await ports.history.append([left_out_record(item, now) for item in out])
                await ports.memories.put([StoredMemory(i, read[i.id].vector) for i in out])
                return len(out)

            count += await self._writer.change(work, tenants={tenant})
        return count

    async def _forget(self, items: Sequence[MemoryItem]) -> int:
        by_owner: dict[Scope, list[str]] = defaultdict(list)
        for item in items:
            by_owner[user_of(item.scope)].append(item.id)
        erased = 0
        for owner, ids in by_owner.items():
            for at in range(0, len(ids), ANNOUNCED_SINGLY):
                receipt = await self._forgetter.forget_ids(
                    owner.tenant, ids[at : at + ANNOUNCED_SINGLY], kind=ForgetKind.RETENTION
                )
                erased += receipt.memories + receipt.versions
        return erased

    async def _make_room(self, owner: Scope) -> int:
        """Archive the surplus of one user; returns how many."""
        most = self._options.max_memories
        held = await self._store.count(owner, statuses=KEPT)
        if most is None or held <= most:
            return 0
        loaded = await self._store.load(owner, limit=held, statuses=KEPT)
        # The listing of an agent's scope includes the memories of its users.
        own = {m.item.id: m for m in loaded if user_of(m.item.scope) == owner}
        used = await self._usage.of(owner.tenant, list(own))
        chosen = surplus([m.item for m in own.values()], most, self._clock.now(), used)
        count = 0
        for at in range(0, len(chosen), PUT):
            count += await self._archive(owner, [own[i.id] for i in chosen[at : at + PUT]], used)
        return count

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

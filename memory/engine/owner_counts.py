"""Counts an owner's memories: the figures of `GET /v1/memories/state`.

Counting reads the scopes and kinds of all rows of the owner. The figures of a large owner are
therefore kept for a while, so that whoever asks again and again costs a bounded share of a core.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from ..model.across_scopes import Counted, Kind, TurnCounts
from ..model.owner import owning_tenant
from ..model.types import MemoryStatus, OwnerRef, Scope, utc_now
from ..records.parts import Parts
from ..util.lru import Lru
from .warm_indexes import WarmIndexes, Warmth

AT_ONCE = 2000
"""Up to so many rows are counted each time."""
ROWS_A_SECOND = 2000
"""Of a larger owner, the figures are kept for a second for each so many rows: counting 20,000 takes
about 0.1 s, and 10 s pass before they are counted again."""
LONGEST_SECONDS = 60.0
MOST_KEPT = 1000
"""Owners whose figures are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerFigures:
    """What was counted of an owner at one time."""

    at: datetime
    users: int
    """Users with memories, or who said something that is kept."""
    turns: TurnCounts
    kinds: Mapping[Kind, int]
    """Rows of the store by type and status, without those that do not occur."""
    learned_today: int
    """Memories that were made on this day (UTC) and hold, wait, or are archived."""
    jobs: Mapping[str, int]
    oldest: datetime | None
    """When the oldest job was enqueued that waits or runs."""
    warm: Warmth

    @property
    def rows(self) -> int:
        """Rows of the store, of every status."""
        return sum(self.kinds.values())

    def of_status(self, status: MemoryStatus) -> int:
        """Rows of one status."""
        return sum(count for (_, each), count in self.kinds.items() if each is status)


class OwnerCounts:
    """Counts owners. For one event loop."""

    def __init__(
        self, parts: Parts, warm: WarmIndexes, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._parts = parts
        self._warm = warm
        self._clock = clock
        self._kept: Lru[OwnerRef, tuple[OwnerFigures, float]] = Lru(MOST_KEPT)
        """OwnerFigures, and until when they count."""
        self._counting = asyncio.Lock()
        """Who comes while an owner is counted gets what is found; owners are counted in turn."""

    async def of(self, owner_ref: OwnerRef) -> OwnerFigures:
        """The figures of an owner, of this moment or a few seconds old.

        Raises StoreError, StateError.
        """
        if (known := self._known(owner_ref)) is not None:
            return known
        async with self._counting:
            if (known := self._known(owner_ref)) is not None:
                return known
            figures = await self._counted(owner_ref)
            self._keep(owner_ref, figures)
            return figures

    def _known(self, owner_ref: OwnerRef) -> OwnerFigures | None:
        kept = self._kept.get(owner_ref)
        return kept[0] if kept is not None and self._clock() < kept[1] else None

    def _keep(self, owner_ref: OwnerRef, figures: OwnerFigures) -> None:
        read = figures.rows + figures.turns.said + sum(figures.jobs.values())
        if read > AT_ONCE:
            seconds = min(read / ROWS_A_SECOND, LONGEST_SECONDS)
            self._kept.put(owner_ref, (figures, self._clock() + seconds))

    async def _counted(self, owner_ref: OwnerRef) -> OwnerFigures:
        state, now = self._parts.state, utc_now()
        stored = await self._parts.store.tally(owner_ref)
        return OwnerFigures(
            at=now,
            users=len(_users(stored) | await self._speakers(owner_ref)),
            turns=await state.conversations.counts(owner_ref),
            kinds=Counter(stored.kinds),
            learned_today=stored.days[now.date()],
            jobs=await state.jobs.counts(owner_ref),
            oldest=await state.jobs.oldest(owner_ref),
            warm=await self._warm.of(owner_ref),
        )

    async def _speakers(self, owner_ref: OwnerRef) -> set[str]:
        return _named(await self._parts.state.conversations.scopes(owner_ref), owner_ref)


def _users(stored: Counted) -> set[str]:
    return {scope.user_id for scope in stored.scopes if scope.user_id is not None}


def _named(scopes: list[Scope], owner_ref: OwnerRef) -> set[str]:
    tenant = owning_tenant(owner_ref)
    return {one.user_id for one in scopes if one.tenant == tenant and one.user_id is not None}

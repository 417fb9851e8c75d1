"""What there is of somebody's memories, in figures."""

from __future__ import annotations

from typing_extensions import TypedDict

from ..engine.owner_counts import OwnerCounts, OwnerFigures
from ..model.times import iso
from ..model.types import MemoryStatus, OwnerRef, utc_now


class QueueFigures(TypedDict):
    """Jobs of learning."""

    ready: int
    leased: int
    dead: int
    oldest_seconds: float
    """Since when the oldest one waits or runs; 0 if there is none."""


class IndexFigures(TypedDict):
    """The indexes that are in memory."""

    memories: int
    bytes: int
    """Of all workers of this machine together."""


class TierFigures(TypedDict):
    """The tiers as views of the same memories; see docs/dashboard.md."""

    l0: int
    """Turns of open conversations: captured, and not learned yet."""
    l1: int
    """Memories in the indexes of users."""
    l2: int
    """Memories in the store, of every status."""


class StateDict(TypedDict):
    """A tenant, or a scope, in figures."""

    users: int
    """Users with memories, or who said something that is kept."""
    said: int
    """Turns whose texts are kept and that no memory took the place of."""
    memories: dict[str, dict[str, int]]
    """How many there are by type and status; what does not occur is left out."""
    archived: int
    hot: int
    """Users with an index in memory."""
    connected: int
    """Superseded memories: earlier versions, which lead to the one that took their place, and what
    has ended."""
    queue: QueueFigures
    index: IndexFigures
    learned_today: int
    """Memories that were made today (UTC)."""
    tiers: TierFigures
    counted_at: str
    """When: the figures of many thousand memories are up to a minute old."""


async def state_of(owner_counts: OwnerCounts, owner_ref: OwnerRef) -> StateDict:
    """The figures of an owner. Raises StoreError, StateError."""
    return _state_dict(await owner_counts.of(owner_ref))


def _state_dict(figures: OwnerFigures) -> StateDict:
    memories: dict[str, dict[str, int]] = {}
    for (kind, status), count in sorted(figures.kinds.items()):
        memories.setdefault(kind.value, {})[status.value] = count
    warm, turns = figures.warm, figures.turns
    return StateDict(
        users=figures.users,
        said=turns.said,
        memories=memories,
        archived=figures.of_status(MemoryStatus.ARCHIVED),
        hot=warm.users,
        connected=figures.of_status(MemoryStatus.SUPERSEDED),
        queue=_queue(figures),
        index=IndexFigures(memories=warm.memories, bytes=warm.nbytes),
        learned_today=figures.learned_today,
        tiers=TierFigures(l0=turns.unlearned, l1=warm.memories, l2=figures.rows),
        counted_at=iso(figures.at),
    )


def _queue(figures: OwnerFigures) -> QueueFigures:
    oldest = figures.oldest
    waits = 0.0 if oldest is None else max(0.0, (utc_now() - oldest).total_seconds())
    ready, leased, dead = (figures.jobs.get(name, 0) for name in ("ready", "leased", "dead"))
    return QueueFigures(ready=ready, leased=leased, dead=dead, oldest_seconds=round(waits, 1))

"""Collects what a forget by ids erases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import Enum

from ..database.history import SqlHistory
from ..memories import SqlMemories
from ..model.owner import covers, owning_tenant
from ..model.types import MemoryItem, MemoryStatus, OwnerRef, Scope
from ..records.lookup import check_id
from .cascade import archived_for, cascade_of, is_derived, is_episode, tells_of
from .passages import NO_TURNS, Turns

ANY_STATUS = frozenset(MemoryStatus)


class TargetReason(Enum):
    """Why memories are to be forgotten by their ids."""

    MEANT = "meant"
    """Somebody names them: what they stand for in the archive goes too."""
    FOUND = "found"
    """They are too old, or a write left them."""
    DERIVED = "derived"
    """They only cite something that was forgotten: the turns that they tell of are kept."""


@dataclass(slots=True)
class Erasure:
    """Memories that go together, by id."""

    said: Turns
    meant: bool
    scopes: set[Scope]
    """Rows of others are not looked at, whatever they claim to stand on."""
    ids: set[str] = field(default_factory=set)
    """Those that were named, if they are the owner's; of some there is no row any more."""
    rows: dict[str, MemoryItem] = field(default_factory=dict)
    derived: set[str] = field(default_factory=set)
    """Those that only stand on what was forgotten: their turns are kept."""

    @property
    def told(self) -> list[str]:
        """The turns that the rows tell of."""
        return evidence(self.rows[each] for each in self.rows.keys() - self.derived)

    @property
    def turns(self) -> AbstractSet[str]:
        """The turns that are meant."""
        return self.said.turns.union(self.told) if self.meant else self.said.turns

    def add(self, listed: Mapping[str, MemoryItem]) -> None:
        """Add what of these goes with it. Pure but for itself."""
        items, rows = list(listed.values()), self.rows
        if self.meant:
            rows |= _by_id(
                archived_for([row for row in rows.values() if row.id in self.ids], items)
            )
        told = (i for i in items if not self.said.turns.isdisjoint(i.provenance.turn_ids))
        rows |= _by_id(item for item in told if not is_episode(item))
        live = self.ids.union(rows)
        rows |= _by_id(item for item in items if item.provenance.superseded_by in live)
        if self.meant:
            facts = evidence(item for item in rows.values() if not is_episode(item))
            # Named or not, who forgets a fact does not mean all of the conversation around it.
            self.derived |= {item.id for item in rows.values() if tells_of(item, facts)}
        # A fact that is only too old does not take its episode along, which has an age of its own.
        fallen = cascade_of(self.ids.union(rows), self.turns, items)
        self.derived |= fallen.keys()
        rows |= fallen


async def erasure_of(
    memories: SqlMemories,
    history: SqlHistory,
    owner_ref: OwnerRef,
    ids: Collection[str],
    *,
    said: Turns = NO_TURNS,
    why: TargetReason = TargetReason.FOUND,
) -> Erasure:
    """These memories of an owner with their earlier versions, and their cascade.

    A memory's row tells whose it is, or else its history: a forget erases both at once. To a tenant
    all ids are its own, whether anything tells or not: other tenants have other ids.
    """
    erasure = Erasure(said, why is TargetReason.MEANT, set(said.scopes))
    await _find(erasure, memories, history, owner_ref, ids)
    if why is TargetReason.DERIVED:
        erasure.derived = set(erasure.ids)
    listed, seen, told = dict(erasure.rows), set[str](), set[str]()
    while True:
        new, turns = erasure.ids.union(erasure.rows) - seen, erasure.turns - told
        if not new and not turns:
            return erasure
        found = await memories.resting_on(owning_tenant(owner_ref), new, turns)
        listed |= _by_id(i for i in found if any(scope.admits(i.scope) for scope in erasure.scopes))
        seen, told = seen | new, told | turns
        if len(listed) > 1 or not erasure.rows:  # else nothing stands on it
            erasure.add(listed)


async def _find(
    erasure: Erasure,
    memories: SqlMemories,
    history: SqlHistory,
    owner_ref: OwnerRef,
    ids: Collection[str],
) -> None:
    """The rows of these ids, or whose they were."""
    tenant, unknown = owning_tenant(owner_ref), set(ids)
    for item in await memories.get(tenant, sorted(unknown)):
        unknown.discard(item.id)
        if covers(owner_ref, item.scope):
            erasure.ids.add(item.id)
            erasure.scopes.add(item.scope)
            erasure.rows[item.id] = item
    if not unknown:
        return
    if isinstance(owner_ref, Scope):
        for memory_id in unknown:
            check_id(memory_id)
    else:
        erasure.ids |= unknown
    for memory_id, records in (await history.of_many(tenant, sorted(unknown))).items():
        if any(covers(owner_ref, each.scope) for each in records):
            erasure.ids.add(memory_id)
            erasure.scopes.update(each.scope for each in records)


def _by_id(items: Iterable[MemoryItem]) -> dict[str, MemoryItem]:
    return {item.id: item for item in items}


def is_version(item: MemoryItem) -> bool:
    """Whether the row is an earlier version of another. Pure."""
    return item.provenance.superseded_by is not None


def evidence(items: Iterable[MemoryItem]) -> list[str]:
    """The turns the memories were learned from, each once. Pure.

    What was made of other memories was learned from no turn.
    """
    found: dict[str, None] = {}
    for item in items:
        if not is_derived(item):
            found |= dict.fromkeys(item.provenance.turn_ids)
    return list(found)

"""What waits to be linked, of which owner. No IO.

Only ids wait. If they are too many, all memories of their owner are looked at instead; if those
are too many, all of their tenant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...model.graph import graph_owner
from ...model.owner import covers
from ...model.scope import Scope
from ...model.types import OwnerRef

MOST_IDS = 50_000
MOST_OWNERS = 10_000


@dataclass(slots=True)
class ChangedMemories:
    """Memories of one owner that were written."""

    owner: Scope
    marks: dict[str, set[int]] = field(default_factory=dict)
    """By memory: the numbers of the marks that its writes made; empty: all that it has."""

    def part(self, ids: Iterable[str]) -> ChangedMemories:
        """Some of them."""
        chosen = {each: self.marks[each] for each in ids if each in self.marks}
        return ChangedMemories(self.owner, chosen)


class Due:
    """Waits for whoever links. For one event loop."""

    def __init__(self, *, most_ids: int = MOST_IDS, most_owners: int = MOST_OWNERS) -> None:
        self._most_ids, self._most_owners = most_ids, most_owners
        self._changed: dict[Scope, ChangedMemories] = {}
        self._ids = 0
        self.owners: dict[Scope, float] = {}
        """Owners of whom everything is linked again, and when it is time for it."""
        self.tenants: set[str] = set()
        """Tenants of whom it is to be seen what is not linked as it is stored."""

    def __len__(self) -> int:
        return self._ids + len(self.owners) + len(self.tenants)

    @property
    def waits(self) -> bool:
        """Whether there is something that needs no other time."""
        return bool(self._changed or self.tenants)

    def note(self, memories: Mapping[str, Scope], mark: int | None = None) -> None:
        """These were written under this mark; None: whatever marks they have are settled."""
        for memory_id, scope in memories.items():
            owner = graph_owner(scope)
            if self._ids >= self._most_ids and owner in self.owners:
                continue
            changed = self._changed.setdefault(owner, ChangedMemories(owner))
            self._ids += memory_id not in changed.marks
            marks = changed.marks.setdefault(memory_id, set())
            if mark is not None:
                marks.add(mark)
            if self._ids > self._most_ids:
                self._widen(owner)

    def whole(self, owner: Scope, at: float = 0.0) -> None:
        """All of an owner is to be linked again, not before this time."""
        self.owners[owner] = max(at, self.owners.get(owner, 0.0))
        if len(self.owners) > self._most_owners:
            for each in list(self.owners):
                self.tenants.add(each.tenant)
            self.owners.clear()

    def take(self, most: int) -> ChangedMemories | None:
        """Up to so many memories of the owner that waits longest."""
        if not self._changed:
            return None
        changed = self._changed.pop(next(iter(self._changed)))
        ids = list(changed.marks)
        if ids[most:]:
            self._changed[changed.owner] = changed.part(ids[most:])
        self._ids -= len(ids[:most])
        return changed.part(ids[:most])

    def put_back(self, changed: ChangedMemories) -> None:
        """They were taken, and are still to be linked."""
        for memory_id, marks in changed.marks.items():
            self.note({memory_id: changed.owner})
            if (waits := self._changed.get(changed.owner)) and memory_id in waits.marks:
                waits.marks[memory_id] |= marks

    def forget(self, owner_ref: OwnerRef) -> None:
        """Nothing of an owner waits any more."""
        for owner in [each for each in self._changed if covers(owner_ref, each)]:
            self._ids -= len(self._changed.pop(owner).marks)
        for owner in [each for each in self.owners if covers(owner_ref, each)]:
            del self.owners[owner]

    def _widen(self, owner: Scope) -> None:
        self._ids -= len(self._changed.pop(owner).marks)
        self.whole(owner)

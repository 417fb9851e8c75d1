"""What a forget by ids erases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum

from ..database.history import SqlHistory
from ..model.ports import VectorStore
from ..model.scope import CHECK_USER
from ..model.types import MemoryItem, MemoryStatus
from .falling import covered, falling_with, is_derived, is_episode, tells_of
from .passages import NO_TURNS, Turns

ANY_STATUS = frozenset(MemoryStatus)
EARLIER = ANY_STATUS - {MemoryStatus.ACTIVE}
"""Statuses of versions: superseded and, later, archived."""


def is_fleeting(item: MemoryItem) -> bool:
    """Whether a check of the product made it: no chat is given it, nothing was learned for it."""
    of_check = item.scope.user_id == CHECK_USER
    return of_check and not is_version(item) and not evidence([item])


class Named(Enum):
    """Why memories are to be forgotten by their ids."""

    MEANT = "meant"
    """Somebody names them: what they stand for in the archive goes too."""
    FOUND = "found"
    """They are too old, or a write left them."""
    FELL = "fell"
    """They only stand on something that was forgotten: the turns that they tell of are kept."""


class Ids:
    """Memories of a tenant by id, each with its earlier versions, and passages with their turns.

    What was made of their words falls with them (`falling.py`).

    Only rows of the scopes that the memories' rows or their history tell are looked at.
    """

    def __init__(
        self,
        store: VectorStore,
        tenant: str,
        ids: Sequence[str],
        *,
        history: SqlHistory,
        said: Turns = NO_TURNS,
        why: Named = Named.FOUND,
    ) -> None:
        """The scopes of what was `said` are always searched for versions."""
        self._store = store
        self._history = history
        self.tenant = tenant
        self.ids = frozenset(ids)
        self.fell: set[str] = set(self.ids) if why is Named.FELL else set()
        """Those among them that only stand on what was forgotten: their turns are kept."""
        self.said = said
        self.meant = why is Named.MEANT
        self.scopes = frozenset(said.scopes)
        self._unknown = set(self.ids)
        """Ids whose scope is not known yet."""

    async def rows(self) -> list[MemoryItem]:
        named = await self._store.get(self.tenant, sorted(self.ids))
        self.scopes |= frozenset(item.scope for item in named)
        await self._ask_history({item.id for item in named})
        rows, listed = _by_id(named), _by_id(named)
        ids: set[str] = set()
        turns: set[str] = set()
        while True:
            new_ids = self.ids.union(rows) - ids
            new_turns = self.said.turns.union(self._told(rows.values())) - turns
            if not new_ids and not new_turns:
                return list(rows.values())
            found = await self._store.resting_on(self.tenant, new_ids, new_turns)
            listed |= _by_id(item for item in found if self._is_within(item))
            rows = self._going(rows, list(listed.values()))
            ids, turns = ids | new_ids, turns | new_turns

    def _told(self, rows: Iterable[MemoryItem]) -> list[str]:
        """The turns that go with these rows."""
        return evidence(one for one in rows if one.id not in self.fell) if self.meant else []

    def _is_within(self, item: MemoryItem) -> bool:
        return any(scope.admits(item.scope) for scope in self.scopes)

    def _going(
        self, rows: Mapping[str, MemoryItem], listed: Sequence[MemoryItem]
    ) -> dict[str, MemoryItem]:
        """What of a scope goes with these rows."""
        going = dict(rows)
        if self.meant:
            going |= _by_id(
                covered([item for item in rows.values() if item.id in self.ids], listed)
            )
        told = learned_from(self.said.turns, listed)
        going |= _by_id(item for item in told if not is_episode(item))
        going |= _by_id(versions_of(self.ids.union(going), listed))
        turns = set(self.said.turns)
        if self.meant:
            facts = evidence(item for item in going.values() if not is_episode(item))
            # Named or not, who forgets a fact does not mean all of the conversation around it.
            self.fell |= {item.id for item in going.values() if tells_of(item, facts)}
            turns.update(evidence(i for i in going.values() if i.id not in self.fell))
        # A fact that is only too old does not take its episode along, which has an age of its own.
        fallen = falling_with(self.ids.union(going), turns, listed)
        self.fell |= fallen.fell
        return going | _by_id(fallen.rows)

    async def _ask_history(self, there: Collection[str]) -> None:
        self._unknown -= set(there)
        for memory_id in sorted(self._unknown):
            records = await self._history.of(self.tenant, memory_id)
            self.scopes |= frozenset(record.scope for record in records)
        self._unknown.clear()


def _by_id(items: Iterable[MemoryItem]) -> dict[str, MemoryItem]:
    return {item.id: item for item in items}


def versions_of(ids: Collection[str], items: Iterable[MemoryItem]) -> list[MemoryItem]:
    """The items that are earlier versions of these memories. Pure."""
    return [item for item in items if item.provenance.superseded_by in ids]


def learned_from(turns: AbstractSet[str], items: Iterable[MemoryItem]) -> list[MemoryItem]:
    """The items that name one of these turns. Pure."""
    return [item for item in items if not turns.isdisjoint(item.provenance.turn_ids)]


def is_version(item: MemoryItem) -> bool:
    """Whether the row is an earlier version of another. Pure."""
    return item.provenance.superseded_by is not None


def evidence(items: Iterable[MemoryItem]) -> list[str]:
    """The turns the memories were learned from, each once. Pure.

    What was made of other memories was learned from no turn.
    """
    origins = (item.provenance for item in items if not is_derived(item))
    return list(dict.fromkeys(turn for origin in origins for turn in origin.turn_ids))

"""Answers queries from the store: pages, counts, searches, also of another time."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Protocol

import numpy as np

from ..memories import SqlMemories
from ..model.errors import GRAPH_OFF, GraphError
from ..model.filters import EVERYTHING
from ..model.row_kinds import EVERY_KIND, MemoryKind, kind_of
from ..model.times import from_ms
from ..model.types import ACTIVE, MemoryItem, MemoryStatus, Scope, StoredMemory
from ..query.arguments import ONCE_TRUE, MemorySelector
from ..query.cursor import (
    ListMark,
    is_after,
    mark_of,
    place_of,
    read,
    read_marks,
    written,
    written_marks,
)
from ..query.entities import entities_in, with_memories
from ..query.evaluate import Predicate, passing, predicate
from .at_a_time import at_a_time, held
from .candidates import Candidates
from .finder import QueryAmong
from .index.entry import SaidPassage
from .index.statement_reader import StatementReader, not_of, turns_of_active
from .index.user_index import UserIndex
from .lines import LineBounds, QueryHit, ReaderLines
from .query import Query
from .ranking import Ranked
from .recaller import Recaller

_ALL = 10_000_000


@dataclass(frozen=True, slots=True)
class Page:
    """Some memories of a listing, newest first."""

    items: list[MemoryItem]
    next: str | None
    """The cursor of the next page; None if there is none."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """Some results of a search, best first."""

    hits: list[QueryHit]
    next: str | None
    """The cursor of the next page; None if there is none."""


def _learned_in(index: UserIndex) -> set[str]:
    """The turns that the active memories of an index were learned from."""
    items = (entry.item for entry in index.entries if entry is not None)
    return turns_of_active(item for item in items if kind_of(item) is MemoryKind.MEMORY)


class EntityMemories(Protocol):
    """Knows who and what memories speak of."""

    async def memories_of(
        self, scope: Scope, names: Collection[str]
    ) -> Mapping[str, frozenset[str]]:
        """Ids of the scope's memories, by the name or id of an entity. Raises GraphError."""


class Queries:
    """Lists, counts and searches what is stored and what was said, as one.

    The only place where the two are merged. The scope is added last, so a filter cannot widen it.

    All methods raise StoreError and StateError, and GraphError for a filter by entity; searches
    also what `Recaller.recall` raises.
    """

    def __init__(
        self,
        store: SqlMemories,
        recaller: Recaller,
        heard: StatementReader,
        spoken_of: EntityMemories | None = None,
    ) -> None:
        """`heard` finds what was said, `spoken_of` the memories that speak of an entity."""
        self._store = store
        self._recaller = recaller
        self._heard = heard
        self.spoken_of = spoken_of
        """None if nothing knows whom memories speak of."""

    async def resolved(self, scope: Scope, wanted: MemorySelector) -> MemorySelector:
        """The same query with ids of memories in place of the entities that they speak of.

        Raises GraphError if it names any, and nothing knows.
        """
        names = entities_in(wanted.where)
        if not names:
            return wanted
        if self.spoken_of is None:
            raise GraphError(GRAPH_OFF)
        memories = await self.spoken_of.memories_of(scope, names)
        return replace(wanted, where=with_memories(wanted.where, memories))

    async def list(
        self, scope: Scope, wanted: MemorySelector, *, limit: int | None = None
    ) -> builtins.list[MemoryItem]:
        """All memories of the scope that are meant, newest first; at most `limit`."""
        wanted = await self.resolved(scope, wanted)
        said = [one.item for one in await self._said(scope, wanted, most=limit)]
        return await self._merged(scope, wanted, said, limit)

    async def _shared(self, scope: Scope, wanted: MemorySelector) -> builtins.list[StoredMemory]:
        """Those that are meant of what is attached to the scope: what is active, and held then."""
        shared_memories = self._recaller.extra_sources.shared_memories
        active = MemoryStatus.ACTIVE in wanted.statuses
        if shared_memories is None or not active or MemoryKind.MEMORY not in wanted.kinds:
            return []
        there = (await shared_memories.get(scope)).memories
        passes, moment = predicate(wanted.where), wanted.as_of
        held_then = [each for each in there if moment is None or held(each.item, moment)]
        return await passing(held_then, lambda each: passes(each.item))

    async def _merged(
        self,
        scope: Scope,
        wanted: MemorySelector,
        extras: Sequence[MemoryItem],
        limit: int | None,
        after: ListMark | None = None,
    ) -> builtins.list[MemoryItem]:
        """The memories `after` a place and the `extras`, newest first."""
        if MemoryKind.MEMORY not in wanted.kinds:
            stored: builtins.list[MemoryItem] = []
        elif wanted.in_the_past:
            rows = await self._store.list(scope, limit=None, statuses=ONCE_TRUE)
            stored = _following(after, await self._then(rows, wanted))
        else:
            stored = await self._store.list(
                scope, limit=limit, statuses=wanted.statuses, where=wanted.where, after=after
            )
        if not extras:
            return stored[:limit]
        return sorted((*stored, *extras), key=_newest_first)[:limit]

    async def _said(
        self,
        scope: Scope,
        wanted: MemorySelector,
        *,
        recalled: bool = False,
        after: ListMark | None = None,
        most: int | None = None,
    ) -> builtins.list[SaidPassage]:
        """What was said of what is meant, without what an active memory tells.

        At least the first `most` of a listing `after` a place. `recalled`: only what can be
        recalled, without a look at the rest.
        """
        if not _means_said(wanted):
            return []
        passes = predicate(wanted.where)
        moments = (wanted.until, None if after is None else from_ms(after.created))
        until = min((each for each in moments if each is not None), default=None)
        # What was only asked or handed over is in the conversations.
        heard = self._heard
        told = heard.recalled_in(scope) if recalled else heard.told_in(scope, until=until)
        learned: Collection[str] | None = None
        found: builtins.list[SaidPassage] = []
        async for some in told:
            meant = await passing(some, lambda one: passes(one.item))
            if meant and learned is None:
                learned = await self._learned(scope)
            left = not_of(learned or (), meant)
            found += left if after is None else [one for one in left if is_after(one.item, after)]
            if most is not None and some and _are_first(found, most, some[-1]):
                break
        return found

    async def _learned(self, scope: Scope) -> Collection[str]:
        """The turns that active memories were learned from."""
        # The index is in memory, or will be as soon as they chat.
        index = await self._recaller.indexes.get(scope)
        if index is None:
            return ()
        with index.lock:
            return index.once("learned", partial(_learned_in, index), of_told=True)

    async def page(
        self, scope: Scope, wanted: MemorySelector, *, limit: int, cursor: str | None = None
    ) -> Page:
        """One page of the same. Raises InvalidInputError for a cursor of another query."""
        digest = f"{wanted.given}{scope.partition}{sorted(scope.ids().items())}"
        after = None if cursor is None else read(cursor, digest)
        wanted = await self.resolved(scope, wanted)
        found = await self._after(scope, wanted, after, limit + 1)
        items, more = found[:limit], len(found) > limit
        return Page(items, written(place_of(items[-1]), digest) if more else None)

    async def _after(
        self, scope: Scope, wanted: MemorySelector, after: ListMark | None, limit: int
    ) -> builtins.list[MemoryItem]:
        said = await self._said(scope, wanted, after=after, most=limit)
        shared = _following(after, [one.item for one in await self._shared(scope, wanted)])
        extras = [*(one.item for one in said), *shared]
        return await self._merged(scope, wanted, extras, limit, after)

    async def count(self, scope: Scope, wanted: MemorySelector) -> int:
        """How many there are."""
        wanted = await self.resolved(scope, wanted)
        number = await self._count_said(scope, wanted) + len(await self._shared(scope, wanted))
        if wanted.in_the_past or MemoryKind.MEMORY not in wanted.kinds:
            return number + len(await self._merged(scope, wanted, [], None))
        return number + await self._store.count(scope, statuses=wanted.statuses, where=wanted.where)

    async def _count_said(self, scope: Scope, wanted: MemorySelector) -> int:
        if not _means_said(wanted):
            return 0
        if wanted.where != EVERYTHING:
            return len(await self._said(scope, wanted))
        return await self._heard.count_told(scope, await self._learned(scope), until=wanted.until)

    async def search_page(
        self,
        scope: Scope,
        query: Query,
        wanted: MemorySelector,
        *,
        limit: int,
        threshold: float | None = None,
        cursor: str | None = None,
    ) -> FoundPage:
        """One page of a search. Raises InvalidInputError for a cursor of another query."""
        owner = scope.partition, sorted(scope.ids().items())
        digest = repr((owner, query, wanted.given, threshold))
        before = frozenset() if cursor is None else read_marks(cursor, digest)
        hits = await self.search(
            scope,
            query,
            wanted,
            limit=len(before) + limit + 1,
            threshold=threshold,
        )
        others = [hit for hit in hits if not before or mark_of(hit.item.id) not in before]
        page = others[:limit]
        if len(others) <= limit:
            return FoundPage(page, None)
        marks = before.union(mark_of(hit.item.id) for hit in page)
        return FoundPage(page, written_marks(marks, digest))

    async def search(
        self,
        scope: Scope,
        query: Query,
        wanted: MemorySelector,
        *,
        limit: int,
        threshold: float | None = None,
    ) -> builtins.list[QueryHit]:
        """The memories that answer a question, best first, with a score of at least `threshold`.

        Of what was said, what can be recalled (`MOST_TOKENS` of the newest) is searched.
        """
        wanted = await self.resolved(scope, wanted)
        said = await self._said(scope, wanted, recalled=_is_of_now(wanted))
        ranked = await self._ranked(scope, query, wanted, said, limit)
        shared = {one.item.id: one.item for one in await self._shared(scope, wanted)}
        return QueryHit.least(ranked, shared, threshold)

    async def lines(
        self, scope: Scope, query: Query, wanted: MemorySelector, bounds: LineBounds
    ) -> ReaderLines:
        """The lines of a question, of what is meant: those that a chat is given, but its wishes."""
        wanted = await self.resolved(scope, wanted)
        seen = self._recaller.visible_scope(scope)
        meant = QueryAmong(
            where=wanted.where, admits=_admits(wanted), among=await self._among(seen, wanted)
        )
        found = await self._recaller.lines(scope, query, bounds, meant=meant)
        shared = {one.item.id: one.item for one in await self._shared(scope, wanted)}
        return found.showing(shared) if shared else found

    async def _among(
        self, seen: Scope, wanted: MemorySelector
    ) -> Candidates | Sequence[StoredMemory] | None:
        """The candidates, if others are meant than the active memories and what was said."""
        if wanted.in_the_past:
            return await self._of_then(seen, wanted)
        if wanted.statuses == ACTIVE:
            return None
        extras = MemoryStatus.ACTIVE in wanted.statuses
        return Candidates(statuses=wanted.statuses, where=wanted.where, extras=extras)

    async def _of_then(self, scope: Scope, wanted: MemorySelector) -> builtins.list[StoredMemory]:
        """What there was at another time."""
        said = self._as_stored(await self._said(scope, wanted))
        if MemoryKind.MEMORY not in wanted.kinds:
            return said
        rows = await self._store.load(scope, limit=_ALL, statuses=ONCE_TRUE)
        vectors = {row.item.id: row.vector for row in rows}
        then = await self._then([row.item for row in rows], wanted)
        stored = [StoredMemory(item, vectors[item.id]) for item in then]
        return [*stored, *await self._shared(scope, wanted), *said]

    async def _ranked(
        self,
        scope: Scope,
        query: Query,
        wanted: MemorySelector,
        said: Sequence[SaidPassage],
        limit: int,
    ) -> Sequence[Ranked]:
        rank_among = partial(self._recaller.rank_among, scope, query, most=limit)
        if MemoryKind.MEMORY not in wanted.kinds:
            return (await rank_among(self._as_stored(said))).ranked if said else []
        if wanted.in_the_past:
            return (await rank_among(await self._of_then(scope, wanted))).ranked
        if _is_of_now(wanted):
            ranking = await self._recaller.rank(
                scope,
                query,
                most=limit,
                where=wanted.where,
                said={one.item.id for one in said},
            )
            return ranking.ranked
        asked = Candidates(statuses=wanted.statuses, where=wanted.where, most=limit)
        ranked = (await rank_among(asked)).ranked
        if not said:
            return ranked
        extras = (await rank_among(self._as_stored(said))).ranked
        return sorted((*ranked, *extras), key=lambda hit: -hit.right)[:limit]

    def _as_stored(self, said: Sequence[SaidPassage]) -> builtins.list[StoredMemory]:
        """The passages with their vectors; those without are found by their words."""
        dim = self._recaller.indexes.dim
        none = np.zeros(dim, np.float32)
        return [
            StoredMemory(one.item, none if one.vector is None else one.vector.astype(np.float32))
            for one in said
        ]

    async def _then(
        self, rows: builtins.list[MemoryItem], wanted: MemorySelector
    ) -> builtins.list[MemoryItem]:
        """The memories of another time that pass the filter, in the order of a listing."""
        assert wanted.as_of is not None  # noqa: S101 - `read_arguments` sets it with `known_at`
        passes = predicate(wanted.where)
        found = at_a_time(rows, as_of=wanted.as_of, known_at=wanted.known_at)
        of_status = [item for item in found if item.status in wanted.statuses]
        return sorted(await passing(of_status, passes), key=_newest_first)


def _means_said(wanted: MemorySelector) -> bool:
    return MemoryKind.SAID in wanted.kinds and MemoryStatus.ACTIVE in wanted.statuses


def _following(after: ListMark | None, items: Sequence[MemoryItem]) -> list[MemoryItem]:
    return [item for item in items if after is None or is_after(item, after)]


def _are_first(found: Sequence[SaidPassage], most: int, last: SaidPassage) -> bool:
    """Whether so many come before all that is not read yet: `last` is the oldest that was read."""
    later = (one for one in found if one.item.created_at > last.item.created_at)
    return sum(1 for _ in islice(later, most)) == most


def _admits(wanted: MemorySelector) -> Predicate | None:
    """What a memory, or what was said, must pass to be meant; None: all is."""
    if wanted.where == EVERYTHING and wanted.kinds == EVERY_KIND:
        return None
    passes = predicate(wanted.where)
    return lambda item: kind_of(item) in wanted.kinds and passes(item)


def _is_of_now(wanted: MemorySelector) -> bool:
    """Whether the active memories are ranked, with what can be recalled of what was said."""
    of_memories = MemoryKind.MEMORY in wanted.kinds
    return of_memories and not wanted.in_the_past and wanted.statuses == ACTIVE


def _newest_first(item: MemoryItem) -> tuple[int, str]:
    return (-place_of(item).created, item.id)

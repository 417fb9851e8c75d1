"""Recall: what a message is given, chosen of what is found for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from operator import attrgetter

import numpy as np

from ..embedders import in_background
from ..language import language_of
from ..model.types import MemoryItem, MemoryType, Scope, Source, StoredMemory
from ..query import EVERYTHING, Filter
from .candidates import Candidates, stored_candidates
from .explanation import Explanation, explain
from .explanation_lookup import held_back, used
from .finder import ALL, Finder, QueryAmong, lacks
from .index.user_index import UserIndex, as_written
from .lines import RANKED, LineBounds, ReaderLines, admitting, lines_of, selected
from .options import RecallOptions
from .profile import Line, holding, pinned_wishes, profile_of
from .query import Query
from .ranking import Ranked, Ranking, is_expanded, rank
from .related_lines import MOST_SUPERSEDED, with_earlier_versions
from .retrieval import RetrievedLines
from .selection import Selection, Shown, as_it_is, is_visible, select
from .signals import analysed
from .trait_flags import FIRM
from .traits import traits_of
from .wording import vectors_of, worded

LEAST_RANKED = 20
"""Memories that are ranked beyond the limit: some replace those that do not fit the budget."""


class Recaller(Finder):
    """Finds the memories of a scope that matter for a query."""

    async def recall(
        self,
        scope: Scope,
        query: str | Query,
        *,
        reserve_tokens: int = 0,
        show: Callable[[MemoryItem], Shown] | None = None,
        only: MemoryType | None = None,
        now: datetime | None = None,
    ) -> Selection:
        """Select the memories to inject.

        `show` returns the text of a memory in the prompt, for its token count. `reserve_tokens` of
        the budget are kept for the text around the memories. `now` is the time of the query. With
        `only`, memories of that type are compared, and must be near in meaning.

        Raises:
            EmbeddingError, StoreError, StateError: a part failed.
        """
        if only is not None and await self._surely_lacks(scope, only):
            return Selection((), ())  # as most users: not even the question is analysed
        if await self.has_nothing(self.visible_scope(scope)):
            return Selection((), ())  # as new users: nor is it embedded
        _, selection = await self._recall(scope, query, reserve_tokens, show, only, now)
        return selection

    async def explain(
        self,
        scope: Scope,
        query: str | Query,
        *,
        reserve_tokens: int = 0,
        show: Callable[[MemoryItem], Shown] | None = None,
        only: MemoryType | None = None,
        now: datetime | None = None,
    ) -> Explanation:
        """The same recall with all its reasons. Raises what `recall` raises.

        It also finds the quarantined memories that would have matched.
        """
        ranking, selection = await self._recall(scope, query, reserve_tokens, show, only, now)
        text, visible_scope = (
            query if isinstance(query, str) else query.text,
            self.visible_scope(scope),
        )
        least = self.calibration.recall
        held = await held_back(
            self.indexes, self._embedder, visible_scope, text, least=least, only=only
        )
        return explain(
            ranking,
            selection,
            self._options,
            self.calibration,
            self._embedder.id,
            held,
            await used(self.indexes, scope.tenant, ranking.ranked),
            now=now or self._clock(),
        )

    async def lines(
        self, scope: Scope, query: str | Query, bounds: LineBounds, *, meant: QueryAmong = ALL
    ) -> ReaderLines:
        """The lines of a question for a reader that is no chat: those of a chat, but its wishes.

        Of the memories that are `meant`. Raises what `recall` raises.
        """
        visible_scope, options = self.visible_scope(scope), bounds.options(self._options)
        if meant.among is None and await self.has_nothing(visible_scope):
            return ReaderLines()
        most = max(RANKED, bounds.limit)
        found = await self._found(
            visible_scope, query, most, meant=meant, options=options, sought=True
        )
        return lines_of(found, options)

    async def rank(
        self,
        scope: Scope,
        query: str | Query,
        *,
        most: int,
        only: MemoryType | None = None,
        now: datetime | None = None,
        where: Filter = EVERYTHING,
        said: Collection[str] = (),
    ) -> Ranking:
        """The `most` best memories of a scope, relevant or not.

        Nothing that was only said is among them but passages with the ids in `said`. With `where`
        of those that pass the filter. Raises what `recall` raises.
        """
        heard = (await self.extra_sources.statements(scope)).ranked
        others = [one for name, one in heard.items() if name not in said]
        there = most + sum([not one.entry.untold for one in others])
        meant = QueryAmong(where=where)
        found = await self._rank(
            scope, query, most=there, only=only, now=now, meant=meant, stands=False, sought=True
        )
        ranking = found.ranking
        memories = [
            hit
            for hit in ranking.ranked
            if hit.item.provenance.source is not Source.SAID or hit.item.id in said
        ]
        memories = await self._readable(memories)
        if [hit for hit in memories if hit.step is not None and is_expanded(hit)]:
            memories.sort(key=attrgetter("right"), reverse=True)
        return replace(ranking, ranked=tuple(memories[:most]))

    async def rank_among(
        self,
        scope: Scope,
        query: str | Query,
        among: Candidates | Sequence[StoredMemory],
        *,
        most: int,
    ) -> Ranking:
        """The same of memories that no index holds: of the store, or these.

        Raises what `recall` raises.
        """
        asked, wordings = worded(query)
        vectors = await vectors_of(self._embedder, wordings, asked.passages)
        if isinstance(among, Candidates):
            store = self.indexes.store
            index, vectors = await stored_candidates(store, scope, wordings, vectors, asked=among)
            await self.indexes.read_usage(index, scope.tenant)
        else:
            index = await asyncio.to_thread(UserIndex.of, self._embedder.dim, as_written(among))

        def work() -> Ranking:
            when = self._clock()
            return rank(
                index,
                scope,
                analysed(wordings, vectors, index.languages, when),
                options=self._options,
                calibration=self.calibration,
                now=when,
                most=most,
                whole=not isinstance(among, Candidates),
                background=None if self._prototypes is None else self._prototypes.background,
                sought=True,
                tuning=asked.tuning,
            )

        ranking = await asyncio.to_thread(work)
        return replace(ranking, ranked=tuple(await self._readable(ranking.ranked)))

    async def wishes(
        self,
        scope: Scope,
        *,
        reserve_tokens: int = 0,
        show: Callable[[MemoryItem], Shown] | None = None,
        visible: frozenset[str] = frozenset(),
        conversation: str = "",
        message: str = "",
    ) -> Selection:
        """How the user wants to be answered, for a message that needs no other memory.

        Nothing is embedded, but a `message` beside wishes that somebody did not want for some; the
        ids are as in `Query`. Raises StoreError, StateError, EmbeddingError.
        """
        await self._ready()
        options, scope = self._options.profile, self.visible_scope(scope)
        index = await self.indexes.get(scope) if options.enabled and options.wishes else None
        if index is None:
            return Selection((), ())
        said, shared = (
            await self.extra_sources.statements(scope),
            await self.extra_sources.shared(scope),
        )
        with index.lock:
            index.add_extras(said, shared)
            lines = profile_of(index, scope, self._prototypes)
            found = pinned_wishes(index, holding(lines, self._clock(), conversation), options)
        gone = {*said.contradicted(scope), *await self._not_wanted(index, found.chosen, message)}
        left = self._options.token_budget - reserve_tokens
        gone |= (await self.withholding.unread([hit.item for hit in found.chosen])).keys()
        wished = (hit for hit in found.chosen if hit.item.id not in gone)
        return select(
            (),
            self._options,
            token_budget=0,
            first=[hit for hit in wished if not is_visible(hit.item, visible)],
            first_tokens=min(self._options.tuning.profile_tokens, left),
            same=lambda one, other: one.item.text == other.item.text,
            show=show or as_it_is,
            count_tokens=self._count,
            seen=len(index),
        )

    async def _not_wanted(
        self, index: UserIndex, wished: Sequence[Ranked], message: str
    ) -> frozenset[str]:
        """Those of these wishes that somebody did not want for such a message."""
        at = {hit.item.id: hit.position for hit in wished if hit.item.id in index.put_off}
        if not at or not message:
            return frozenset()
        [own] = await self._embedder.embed([message])
        cosines = index.vectors.rows(np.array([*at.values()])) @ own
        near = dict(zip(at, cosines.tolist(), strict=True))
        found = self._put_off(index, own, near, language_of(message))
        return found & at.keys()

    async def profile(self, scope: Scope) -> list[Line]:
        """The standing profile of a scope, most important first. Raises StoreError, StateError.

        Of a user with too many memories for an index, only what they said lately is in it.
        """
        await self._ready()
        scope = self.visible_scope(scope)
        index, said = await self.indexes.get(scope), await self.extra_sources.statements(scope)
        if index is None:
            index = UserIndex(self._embedder.dim)
        shared = await self.extra_sources.shared(scope)
        with index.lock:
            index.add_extras(said, shared)
            lines = holding(profile_of(index, scope, self._prototypes), self._clock())
        gone = set(said.contradicted(scope))
        gone |= (await self.withholding.unread([line.item for line in lines])).keys()
        return [line for line in lines if line.item.id not in gone]

    async def warm(self) -> None:
        """Recall for the owner of a stored memory, so that the first request finds all loaded.

        Reading real rows loads more than an empty scope does. Raises EmbeddingError, StoreError.
        """
        some = await self.indexes.store.scan(after=None, limit=1)
        scope = some[0].item.scope if some else Scope(tenant="recollect", run_id="warm-up")
        if self._options.profile.enabled:
            await self.prepare()
        await self.recall(scope, "warm-up")

    async def has_nothing(self, scope: Scope) -> bool:
        """Whether there surely is nothing to recall; unknown of a user who is not in memory."""
        if not self.indexes.is_warm(scope):
            return False
        index = await self.indexes.get(scope)
        if index is None or len(index) or (await self.extra_sources.shared(scope)).ids:
            return False
        return not (await self.extra_sources.statements(scope)).passages

    async def _surely_lacks(self, scope: Scope, only: MemoryType) -> bool:
        """Whether there is no memory of a type: that of most users ends a recall of it."""
        if not lacks(await self.indexes.get(scope), only):
            return False
        return not (await self.extra_sources.shared(self.visible_scope(scope))).ids

    async def _recall(
        self,
        scope: Scope,
        query: str | Query,
        reserve_tokens: int,
        show: Callable[[MemoryItem], Shown] | None,
        only: MemoryType | None,
        now: datetime | None,
    ) -> tuple[Ranking, Selection]:
        most = LEAST_RANKED + self._options.limit
        given = Query(query) if isinstance(query, str) else query
        found = await self._found(self.visible_scope(scope), query, most, only=only, now=now)
        chosen = selected(
            found,
            self._options,
            reserve_tokens=reserve_tokens,
            visible=given.visible,
            searched=given.searched,
            show=show or as_it_is,
            count_tokens=self._count,
        )
        return found.ranking, replace(chosen, for_tool=True) if found.for_tool else chosen

    async def _found(
        self,
        visible_scope: Scope,
        query: str | Query,
        most: int,
        *,
        only: MemoryType | None = None,
        now: datetime | None = None,
        meant: QueryAmong = ALL,
        options: RecallOptions | None = None,
        sought: bool = False,
    ) -> RetrievedLines:
        """What may be shown, with what was so before if that is asked for."""
        found = await self._rank(
            visible_scope, query, most=most, only=only, now=now,
            meant=meant, options=options, sought=sought,
        )  # fmt: skip
        if found.past and meant.among is None:
            once = await self.indexes.superseded(visible_scope, most=MOST_SUPERSEDED)
            related = with_earlier_versions(found.related, found.ranking.ranked, once)
            found = replace(found, related=related)
        return await self._with_withheld(admitting(found, meant.test))

    async def _with_withheld(self, found: RetrievedLines) -> RetrievedLines:
        """With what of all lines does not go to whoever reads them."""
        if not self.withholding.active:
            return found
        hits = [*found.ranking.ranked, *found.pinned.chosen]
        hits += [hit for later in found.related.later.values() for hit in later]
        items = {hit.item.id: found.whole.get(hit.item.id, hit.item) for hit in hits}
        gone = await self.withholding.unread([*items.values()])
        return replace(found, withheld=frozenset(gone)) if gone else found

    async def _readable(self, hits: Sequence[Ranked]) -> list[Ranked]:
        """Those of these that go to whoever reads them."""
        gone = await self.withholding.unread([hit.item for hit in hits])
        return [hit for hit in hits if hit.item.id not in gone]

    async def private_among(self, texts: Sequence[str]) -> list[bool]:
        """Which texts are about health, money, fear or trouble in the family.

        By their words or by their meaning: in doubt they are. Raises EmbeddingError.
        """
        await self._ready()
        told = [not FIRM.isdisjoint(traits_of(text)) for text in texts]
        prototypes = self._prototypes
        if prototypes is None:
            return told
        with in_background():
            vectors = await self._embedder.embed(texts)
        meant = (prototypes.told(vector).private for vector in vectors)
        return [one or other for one, other in zip(told, meant, strict=True)]

    def _count(self, text: str) -> int:
        tokens = self._counted.get(text)
        if tokens is None:
            tokens = self._tokens.count(text)
            self._counted.put(text, tokens)
        return tokens

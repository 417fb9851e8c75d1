"""Recall with its IO: embed the query, find the user's index, rank, select."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

import numpy as np

from ..calibration import Calibration, calibration_for
from ..embedders import embed_queries, in_background
from ..model.errors import StateError
from ..model.ports import Embedder, TokenCounter
from ..model.sight import Sight
from ..model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Scope,
    ScoredMemory,
    StoredMemory,
    Vectors,
    utc_now,
)
from ..model.usage import Usage
from ..query import EVERYTHING, Filter, predicate
from ..util.lru import Lru
from .beside import MOST_SUPERSEDED, with_earlier
from .candidates import Candidates, as_cosines, lent_as_cosines, stored_candidates
from .examples import EXAMPLES
from .explanation import Explanation, explain
from .finding import FoundLines, PreparedQuery, find
from .hosted import Hosted
from .index.entry import NO_STATEMENTS, LentMemories, RecentStatements, StatementSource
from .index.facts import Judge, mark_of
from .index.hot import HotIndexes
from .index.user_index import UserIndex, as_written
from .options import ExpandHops, RecallOptions
from .own_name import AboutUser, about_user, names_told
from .pinned import Line, holding, pinned_wishes, profile_of
from .prototypes import Prototypes
from .query import Query
from .ranking import Ranking, is_led_to, rank
from .selection import Selection, Shown, as_it_is, choose, is_said, is_visible, select
from .signals import analysed
from .telling import judged
from .wording import MAX_QUERY_CHARS, naming_user, vectors_of, worded

log = logging.getLogger(__name__)

T = TypeVar("T")

IN_A_THREAD = 4000
"""An index of this many memories is ranked in a thread (about 0.4 microseconds each)."""
LEAST_RANKED = 20
"""Memories that are ranked beyond the limit: some replace those that do not fit the budget."""
COUNTED_TEXTS = 16_384
MOST_HELD_BACK = 10
"""Quarantined memories that an explanation names at most."""
LONG_QUERY_CHARS = 1000
"""A longer query takes more than 1.5 ms to analyse and is ranked in a thread."""


class Recaller:
    """Finds the memories of a scope that matter for a query."""

    def __init__(
        self,
        indexes: HotIndexes,
        embedder: Embedder,
        tokens: TokenCounter,
        options: RecallOptions,
        *,
        calibration: Calibration | None = None,
        said: StatementSource | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`said` finds what users said lately, which is recalled beside their memories."""
        self.indexes = indexes
        self.hosted = Hosted(said)
        self._embedder = embedder
        self._tokens = tokens
        self._options = options
        self.calibration = calibration or calibration_for(embedder.id, dim=embedder.dim)
        self.sight: Callable[[Scope], Scope] = Sight.of
        """What a chat sees from a scope; `rank` and `rank_among` see the scope alone."""
        self._clock = clock
        self._counted: Lru[str, int] = Lru(COUNTED_TEXTS)
        self._prototypes: Prototypes | None = None
        self._preparing = asyncio.Lock()

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
        if await self.has_nothing(self.sight(scope)):
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
        held = await self._held_back(scope, query, only)
        return explain(
            ranking,
            selection,
            self._options,
            self.calibration,
            self._embedder.id,
            held,
            await self._used(scope, ranking),
            now=now or self._clock(),
        )

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
        there = most + len((await self.hosted.statements(scope)).passages)
        found = await self._rank(
            scope, query, most=there, only=only, now=now, where=where, stands=False
        )
        ranking = found.ranking
        memories = [h for h in ranking.ranked if not is_said(h.item) or h.item.id in said]
        if any(map(is_led_to, memories)):
            memories.sort(key=lambda hit: -hit.right)
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

        return await asyncio.to_thread(work)

    async def wishes(
        self,
        scope: Scope,
        *,
        reserve_tokens: int = 0,
        show: Callable[[MemoryItem], Shown] | None = None,
        visible: frozenset[str] = frozenset(),
        conversation: str = "",
    ) -> Selection:
        """How the user wants to be answered, for a message that needs no other memory.

        Nothing is embedded; the ids are as in `Query`. Raises StoreError, StateError.
        """
        options, scope = self._options.profile, self.sight(scope)
        index = await self.indexes.get(scope) if options.enabled and options.wishes else None
        if index is None:
            return Selection((), ())
        said, lent = await self.hosted.statements(scope), await self.hosted.lent(scope)
        with index.lock:
            index.host(said, lent)
            lines = profile_of(index, scope, self._prototypes)
            found = pinned_wishes(index, holding(lines, self._clock(), conversation), options)
        gone, left = said.contradicted(scope), self._options.token_budget - reserve_tokens
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

    async def _rank(
        self,
        scope: Scope,
        query: str | Query,
        *,
        most: int,
        only: MemoryType | None,
        now: datetime | None,
        where: Filter = EVERYTHING,
        stands: bool = True,
    ) -> FoundLines:
        """With `stands` also what is recalled whatever its score is."""
        asked, wordings = worded(query)
        index, vectors = await self._read(scope, asked, wordings, only)
        said = NO_STATEMENTS if only is not None else await self.hosted.statements(scope)
        wanted = PreparedQuery(
            scope=scope,
            wordings=wordings,
            vectors=vectors,
            own=vectors[0],
            message=asked.message or asked.text,
            now=now or self._clock(),
            most=most,
            only=only,
            where=None if where == EVERYTHING else predicate(where),
            whole=index is not None,
            stands=stands,
            conversation=asked.conversation,
            tuning=asked.tuning,
            hops=self._options.expand_hops if asked.hops is None else asked.hops,
        )
        hosted, lent = said, await self.hosted.lent(scope)
        if index is None:
            hosted, lent = as_cosines(said, vectors), lent_as_cosines(lent, vectors)
            index, wanted = await self._candidates(wanted, where)
        beside = (index, (hosted, lent))
        if only is None and wanted.whole:
            wanted = await self._naming_the_user(wanted, *beside)
        work = partial(self._compared, *beside, contradicted=said.contradicted(scope))
        found = await _in_time(partial(work, wanted), index, wanted)
        if connected := await self.hosted.connected(scope, found.ranking.leads):
            wanted = replace(wanted, connected=connected)
            found = await _in_time(partial(work, wanted), index, wanted)
        return found

    async def _naming_the_user(
        self,
        wanted: PreparedQuery,
        index: UserIndex,
        beside: tuple[RecentStatements, LentMemories],
    ) -> PreparedQuery:
        def work() -> AboutUser | None:
            with index.lock:
                index.host(*beside)
                profile = profile_of(index, wanted.scope, self._prototypes)
                told = index.once(("names", wanted.scope), lambda: names_told(profile))
            return about_user(told, wanted.wordings[0])

        return await naming_user(self._embedder, wanted, await _in_time(work, index, wanted))

    async def _read(
        self, scope: Scope, asked: Query, wordings: Sequence[str], only: MemoryType | None
    ) -> tuple[UserIndex | None, Vectors]:
        """The user's index, and the query's vectors: zeros if the index has nothing to compare."""
        if only is not None:
            index = await self.indexes.get(scope)
            if _lacks(index, only):
                return index, np.zeros((len(wordings), self._embedder.dim), np.float32)
            return index, await vectors_of(self._embedder, wordings, asked.passages)
        if self.indexes.is_warm(scope):
            # Sequential: a warm index returns at once, and two tasks would cost more.
            vectors = await vectors_of(self._embedder, wordings, asked.passages)
            return await self.indexes.get(scope), vectors
        return await asyncio.gather(
            self.indexes.get(scope), vectors_of(self._embedder, wordings, asked.passages)
        )

    async def _candidates(
        self, wanted: PreparedQuery, where: Filter
    ) -> tuple[UserIndex, PreparedQuery]:
        """What the store finds, for a user with too many memories for an index."""
        among = Candidates(where=where, most=0 if wanted.where is None else wanted.most)
        index, vectors = await stored_candidates(
            self.indexes.store, wanted.scope, wanted.wordings, wanted.vectors, asked=among
        )
        await self.indexes.read_usage(index, wanted.scope.tenant)
        return index, replace(wanted, vectors=vectors)

    def _compared(
        self,
        index: UserIndex,
        beside: tuple[RecentStatements, LentMemories],
        wanted: PreparedQuery,
        contradicted: Collection[str],
    ) -> FoundLines:
        with index.lock:
            if wanted.only is None:
                index.host(*beside)
            else:
                index.borrow(beside[1])
            return find(
                index,
                wanted,
                self._options,
                self.calibration,
                # The vectors of candidates are cosines to the query.
                prototypes=self._prototypes if wanted.whole else None,
                contradicted=contradicted,
            )

    async def profile(self, scope: Scope) -> list[Line]:
        """The standing profile of a scope, most important first. Raises StoreError, StateError.

        Of a user with too many memories for an index, only what they said lately is in it.
        """
        scope = self.sight(scope)
        index, said = await self.indexes.get(scope), await self.hosted.statements(scope)
        if index is None:
            index = UserIndex(self._embedder.dim)
        lent = await self.hosted.lent(scope)
        with index.lock:
            index.host(said, lent)
            lines = holding(profile_of(index, scope, self._prototypes), self._clock())
        contradicted = said.contradicted(scope)
        return [line for line in lines if line.item.id not in contradicted]

    @property
    def hops(self) -> ExpandHops:
        """Whether the best hits lead to others, as it is configured."""
        return self._options.expand_hops

    @property
    def prototypes(self) -> Prototypes | None:
        """What texts are compared with; None until `prepare` has run."""
        return self._prototypes

    async def prepare(self) -> None:
        """Embed what requests, constraints and wishes are compared with; until then, words tell.

        Raises EmbeddingError.
        """
        async with self._preparing:
            if self._prototypes is None:
                with in_background():
                    found = await Prototypes.of(self._embedder, self.calibration)
                mark = mark_of(self._embedder.id, self._embedder.dim, self.calibration, EXAMPLES)
                prototypes = self._prototypes = replace(found, mark=mark)
                self.indexes.judge = Judge(mark, partial(judged, prototypes=prototypes))

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
        if index is None or len(index) or (await self.hosted.lent(scope)).ids:
            return False
        return not (await self.hosted.statements(scope)).passages

    async def _surely_lacks(self, scope: Scope, only: MemoryType) -> bool:
        """Whether there is no memory of a type: that of most users ends a recall of it."""
        if not _lacks(await self.indexes.get(scope), only):
            return False
        return not (await self.hosted.lent(self.sight(scope))).ids

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
        found = await self._rank(self.sight(scope), query, most=most, only=only, now=now)
        if found.past:
            once = await self.indexes.superseded(self.sight(scope), most=MOST_SUPERSEDED)
            beside = with_earlier(found.beside, found.ranking.ranked, once)
            found = replace(found, beside=beside)
        chosen = choose(
            found,
            self._options,
            reserve_tokens=reserve_tokens,
            visible=given.visible,
            searched=given.searched,
            show=show or as_it_is,
            count_tokens=self._count,
        )
        return found.ranking, chosen

    async def _held_back(
        self, scope: Scope, query: str | Query, only: MemoryType | None
    ) -> list[ScoredMemory]:
        """The quarantined memories as near as a recalled one must be, nearest first."""
        text = query if isinstance(query, str) else query.text
        [vector] = await embed_queries(self._embedder, [text[:MAX_QUERY_CHARS]])
        held = await self.indexes.store.search(
            self.sight(scope),
            vector,
            limit=MOST_HELD_BACK,
            statuses=frozenset({MemoryStatus.QUARANTINED}),
            fresh=True,
        )
        least = self.calibration.recall
        return [
            hit for hit in held if hit.score >= least and (only is None or hit.item.type is only)
        ]

    async def _used(self, scope: Scope, ranking: Ranking) -> dict[str, Usage]:
        """The counters of the ranked memories."""
        if self.indexes.counters is None or not ranking.ranked:
            return {}
        ids = [hit.item.id for hit in ranking.ranked]
        try:
            return await self.indexes.counters.of(scope.tenant, ids)
        except StateError as error:
            log.warning("an explanation is given without usage: %s", error)
            return {}

    def _count(self, text: str) -> int:
        tokens = self._counted.get(text)
        if tokens is None:
            tokens = self._tokens.count(text)
            self._counted.put(text, tokens)
        return tokens


async def _in_time(work: Callable[[], T], index: UserIndex, wanted: PreparedQuery) -> T:
    """What work on an index finds; in a thread if it takes long."""
    short = sum(map(len, wanted.wordings)) <= LONG_QUERY_CHARS
    return work() if short and len(index) < IN_A_THREAD else await asyncio.to_thread(work)


def _lacks(index: UserIndex | None, kind: MemoryType) -> bool:
    """Whether a user surely has no memory of a type; unknown without an index."""
    return index is not None and not index.of_type(kind).any()

"""Finds with its IO what a message may be shown: embed the query, read the index, rank."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TypeVar

import numpy as np

from ..calibration import Calibration, calibration_for
from ..embedders import in_background
from ..model.errors import EmbeddingError
from ..model.graph import ConnectedMemory
from ..model.ports import Embedder, TokenCounter
from ..model.types import MemoryType, Scope, StoredMemory, Vector, Vectors, utc_now
from ..model.visible_scope import VisibleScope
from ..query import EVERYTHING, Filter, Predicate, predicate
from ..util.lru import Lru
from .candidates import Candidates, as_cosines, shared_as_cosines, stored_candidates
from .constants import Tuning
from .examples import EXAMPLES
from .extra_sources import ExtraSources
from .index.entry import (
    NO_STATEMENTS,
    NOTHING_SHARED,
    RecentStatements,
    SharedMemories,
    StatementSource,
)
from .index.facts import Judge, mark_of
from .index.hot_indexes import HotIndexes
from .index.user_index import UserIndex, as_written
from .not_now import put_off_for
from .options import ExpandHops, RecallOptions
from .own_name import UserNames, about_user, names_told
from .profile import profile_of
from .prototypes import Prototypes
from .query import Query
from .retrieval import Begun, PreparedQuery, RetrievedLines, begin, finish
from .trait_flags import judged
from .withholding import Withholding
from .wording import naming_user, vectors_of, worded

log = logging.getLogger(__name__)

T = TypeVar("T")

COUNTED_TEXTS = 16_384
IN_A_THREAD = 4000
"""An index of this many memories is ranked in a thread (about 0.4 microseconds each)."""
LONG_QUERY_CHARS = 1000
"""A longer query takes more than 1.5 ms to analyse and is ranked in a thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryAmong:
    """The memories that a query is compared with."""

    where: Filter = EVERYTHING
    """What they must pass, as a store understands it."""
    admits: Predicate | None = None
    """The same and more, also of what was said; None: only `where`."""
    among: Candidates | Sequence[StoredMemory] | None = None
    """Candidates of the store, or these; None: the active memories, with what was said."""

    @property
    def extras(self) -> bool:
        """Whether statements and shared memories are compared too."""
        return self.among is None or (isinstance(self.among, Candidates) and self.among.extras)

    @property
    def test(self) -> Predicate | None:
        """What each must pass; None: all do."""
        return self.admits or (None if self.where == EVERYTHING else predicate(self.where))


ALL = QueryAmong()


class Finder:
    """Finds the memories of a scope for a query; `Recaller` chooses of them."""

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
        """`said` finds what users said lately, which is found beside their memories.

        `tokens` counts those of lines.
        """
        self.indexes = indexes
        self.extra_sources = ExtraSources(said)
        self._embedder = embedder
        self._options = options
        self.calibration = calibration or calibration_for(embedder.id, dim=embedder.dim)
        self._clock = clock
        self._prototypes: Prototypes | None = None
        self.compares = False
        """Whether texts are compared with examples, which are loaded before the first of them is.
        """
        self._preparing = asyncio.Lock()
        self._tokens = tokens
        self._counted: Lru[str, int] = Lru(COUNTED_TEXTS)
        self.visible_scope: Callable[[Scope], Scope] = VisibleScope.of
        """What readers see from a scope; `rank` and `rank_among` see the scope alone."""
        self.withholding = Withholding((), indexes.store)
        """Keeps lines from models that a policy keeps them from."""

    @property
    def hops(self) -> ExpandHops:
        """Whether the best hits lead to others, as it is configured."""
        return self._options.expand_hops

    @property
    def tuning(self) -> Tuning:
        """The constants of ranking, as they are configured."""
        return self._options.tuning

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

    async def _ready(self) -> None:
        """Load the examples for whoever opened a memory; a server does that while it starts."""
        if self._prototypes is not None or not self.compares or self._preparing.locked():
            return
        try:
            await self.prepare()
        except EmbeddingError as error:
            log.warning("words tell what texts mean, and examples do not: %s", error)

    async def _rank(
        self,
        scope: Scope,
        query: str | Query,
        *,
        most: int,
        only: MemoryType | None = None,
        now: datetime | None = None,
        meant: QueryAmong = ALL,
        options: RecallOptions | None = None,
        stands: bool = True,
        sought: bool = False,
    ) -> RetrievedLines:
        """`sought`: no chat asks. For `stands` see `PreparedQuery`."""
        await self._ready()
        asked, wordings = worded(query)
        index, vectors = await self._read(scope, asked, wordings, only, meant)
        wanted = PreparedQuery(
            scope=scope,
            wordings=wordings,
            vectors=vectors,
            own=vectors[0],
            message=asked.message or asked.text,
            now=now or self._clock(),
            most=most,
            only=only,
            where=meant.test,
            whole=index is not None,
            stands=stands,
            sought=sought,
            conversation=asked.conversation,
            tuning=asked.tuning,
            may_order=asked.may_order,
            hops=self._options.expand_hops if asked.hops is None else asked.hops,
        )
        return await self._found_in(index, wanted, meant, options or self._options)

    async def _found_in(
        self,
        index: UserIndex | None,
        wanted: PreparedQuery,
        meant: QueryAmong,
        options: RecallOptions,
    ) -> RetrievedLines:
        """What is found among the memories of an index, or of the store, and beside them."""
        scope, extras = wanted.scope, wanted.only is None and meant.extras
        said = await self.extra_sources.statements(scope) if extras else NO_STATEMENTS
        shared = await self.extra_sources.shared(scope) if meant.extras else NOTHING_SHARED
        statements = said
        if index is None:
            vectors = wanted.vectors
            statements, shared = as_cosines(said, vectors), shared_as_cosines(shared, vectors)
            index, wanted = await self._candidates(wanted, meant)
        known = (index, (statements, shared))
        if wanted.only is None and wanted.whole:
            wanted = await self._naming_the_user(wanted, *known)
        contradicted = said.contradicted(scope)
        work = partial(self._compared, *known, wanted, options=options, contradicted=contradicted)
        begun, found = await in_time(work, index, wanted)
        if found is not None:
            return found
        connected = await self.extra_sources.connected(scope, begun.leads)
        work = partial(work, begun=begun, connected=connected)
        _, found = await in_time(work, index, wanted)
        assert found is not None  # noqa: S101 - a second look has an answer
        return found

    async def _naming_the_user(
        self,
        wanted: PreparedQuery,
        index: UserIndex,
        extras: tuple[RecentStatements, SharedMemories],
    ) -> PreparedQuery:
        def work() -> UserNames | None:
            with index.lock:
                index.add_extras(*extras)
                profile = profile_of(index, wanted.scope, self._prototypes)
                names = partial(names_told, profile)
                told = index.once(("names", wanted.scope), names, of_told=True)
            return about_user(told, wanted.wordings[0])

        return await naming_user(self._embedder, wanted, await in_time(work, index, wanted))

    async def _read(
        self,
        scope: Scope,
        asked: Query,
        wordings: Sequence[str],
        only: MemoryType | None,
        meant: QueryAmong,
    ) -> tuple[UserIndex | None, Vectors]:
        """The user's index, and the query's vectors: zeros if the index has nothing to compare."""
        if isinstance(meant.among, Candidates):
            return None, await vectors_of(self._embedder, wordings, asked.passages)
        if meant.among is not None:
            vectors = await vectors_of(self._embedder, wordings, asked.passages)
            return await self._index_of(meant.among), vectors
        if only is not None:
            index = await self.indexes.get(scope)
            if lacks(index, only):
                return index, np.zeros((len(wordings), self._embedder.dim), np.float32)
            return index, await vectors_of(self._embedder, wordings, asked.passages)
        if self.indexes.is_warm(scope):
            # Sequential: a warm index returns at once, and two tasks would cost more.
            vectors = await vectors_of(self._embedder, wordings, asked.passages)
            return await self.indexes.get(scope), vectors
        return await asyncio.gather(
            self.indexes.get(scope), vectors_of(self._embedder, wordings, asked.passages)
        )

    async def _index_of(self, memories: Sequence[StoredMemory]) -> UserIndex:
        return await asyncio.to_thread(UserIndex.of, self._embedder.dim, as_written(memories))

    async def _candidates(
        self, wanted: PreparedQuery, meant: QueryAmong
    ) -> tuple[UserIndex, PreparedQuery]:
        """What the store finds, for a user with too many memories for an index."""
        among = meant.among
        if not isinstance(among, Candidates):
            among = Candidates(where=meant.where, most=0 if wanted.where is None else wanted.most)
        index, vectors = await stored_candidates(
            self.indexes.store, wanted.scope, wanted.wordings, wanted.vectors, asked=among
        )
        await self.indexes.read_usage(index, wanted.scope.tenant)
        return index, replace(wanted, vectors=vectors)

    def _compared(
        self,
        index: UserIndex,
        extras: tuple[RecentStatements, SharedMemories],
        wanted: PreparedQuery,
        *,
        options: RecallOptions,
        contradicted: Collection[str],
        begun: Begun | None = None,
        connected: Sequence[ConnectedMemory] = (),
    ) -> tuple[Begun, RetrievedLines | None]:
        """What is found; None if a graph has to be asked first, of what is `begun`.

        What was begun is weighed again only if memories came or went meanwhile.
        """
        # The vectors of candidates are cosines to the query.
        prototypes = self._prototypes if wanted.whole else None
        with index.lock:
            if wanted.only is None:
                index.add_extras(*extras)
            else:
                index.add_shared(extras[1])
            asks = begun is None and self.extra_sources.graph is not None
            if begun is None or begun.changes != index.changes:
                begun = begin(index, wanted, options, self.calibration, prototypes=prototypes)
            if asks and begun.leads:
                return begun, None
            found = finish(
                index,
                wanted,
                begun,
                options,
                self.calibration,
                prototypes=prototypes,
                contradicted=contradicted,
                connected=connected,
            )
            if index.put_off and not wanted.sought:
                cosines = begun.weighing.scored.signals.cosine
                near = {name: float(cosines[index.positions([name])[0]]) for name in index.put_off}
                put_off = self._put_off(index, wanted.own, near, begun.asked.language)
                found = replace(found, put_off=put_off)
            return begun, found

    def _put_off(
        self, index: UserIndex, own: Vector, nearness: Mapping[str, float], language: str
    ) -> frozenset[str]:
        """The memories that somebody did not want for questions like the one with this vector."""
        known = self._prototypes
        told = known is not None and language in known.languages
        return put_off_for(
            index.put_off,
            own,
            nearness,
            embedder_id=self._embedder.id,
            calibration=self.calibration,
            background=known.background if known is not None and told else None,
        )


async def in_time(work: Callable[[], T], index: UserIndex, wanted: PreparedQuery) -> T:
    """What work on an index finds; in a thread if it takes long."""
    short = sum(map(len, wanted.wordings)) <= LONG_QUERY_CHARS
    return work() if short and len(index) < IN_A_THREAD else await asyncio.to_thread(work)


def lacks(index: UserIndex | None, kind: MemoryType) -> bool:
    """Whether a user surely has no memory of a type; unknown without an index."""
    return index is not None and not index.of_type(kind).any()

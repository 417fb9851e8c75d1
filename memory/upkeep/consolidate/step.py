"""Consolidation of one scope: duplicates end, topics are condensed, what faded is archived.

    rows -> the same words -> words that mean the same -> a model -> topics -> the archive

All rows of the scope are read in the order in which they were written. Equal words are found among
all of them. By meaning, those since the last run are compared with all before, so many at a time
that a run ends soon; the next run goes on (`COMPARED`, `ASKED_UPTO`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from ...embedders import in_background
from ...graph.topics.topic_space import TopicSpace
from ...learn.cleaning import Redact
from ...model.jobs import JobKind
from ...model.shares import ShareKind
from ...model.types import Decision, EventKind, MemoryItem, Scope, StoredMemory, utc_now
from ...records.parts import Parts
from ...util.idle_gate import Pause, at_once
from ..options import UpkeepOptions
from ..step import UpkeepPlan, Work
from .archiving import faded, to_archive
from .chosen_memories import chosen_in
from .condensation import Load, condensed, condensed_topic
from .duplicate_question import ask
from .duplicates import MEANT, Compared, Merge, from_quotes, said_again, same_words
from .findings import Findings
from .neighbours import Near, near_pairs
from .rows import ScopeRows
from .sameness import differing
from .semantic_match import DOUBTFUL, ONE_SENTENCE, are_one, cosine_of, spelled
from .topics import chosen_topic

COMPARED_PER_RUN = 2000
"""Memories that one run compares with all others by meaning; the next run goes on."""
ASKED_PER_RUN = 24
"""Memories that one run asks a model about: three calls."""
MOST_ROWS = 20_000
"""Rows of a scope that a run reads: as many as `retention.max_memories` keeps."""
_AT_ONCE = 16
"""Rows that are read between two pauses: some milliseconds."""
_SAYS = frozenset({EventKind.ADD, EventKind.UPDATE})
_RUNS = 20
"""Runs that are looked through for the last one of the scope."""
COMPARED, ASKED_UPTO = "compared_upto", "asked_upto"
"""Figures: up to which moment (seconds since 1970) rows were compared by meaning, and a model was
asked about them."""
MODEL = "model"
"""The figure that is 1 if a model could be asked."""


class _Since(NamedTuple):
    compared: float = 0.0
    asked: float = 0.0


class _Doubts(NamedTuple):
    """What is in doubt, and what a run came to."""

    figures: dict[str, float]
    unasked: bool = False
    more: bool = False


class ConsolidateStep:
    """Proposes what consolidation changes in one scope. Stateless."""

    kind = JobKind.CONSOLIDATE

    def __init__(
        self,
        parts: Parts,
        options: UpkeepOptions,
        *,
        redact: Redact = str,
        clock: Callable[[], datetime] = utc_now,
        pause: Pause = at_once,
    ) -> None:
        """`redact` removes secrets from a summary."""
        self._parts = parts
        self._options = options
        self._redact = redact
        self._clock = clock
        self._pause = pause

    async def plan(self, work: Work) -> UpkeepPlan:
        """See `Step`."""
        rows = await self._read(work.scope)
        if (chosen := chosen_in(work.job)) is not None:
            return await self._of_chosen(work, rows, chosen)
        found = Findings(rows)
        doubts = await self._duplicates(work, found)
        stays = rows.held | found.stays
        topics = await self._condensed(work, rows.but(found.ended), stays)
        busy = stays | found.ended | {one.memory_id for one in topics.decisions}
        archived = await self._archived(work.scope, rows, busy)
        ends = tuple(merge.decision() for merge in found.merges)
        decisions = (*ends, *topics.decisions, *archived)
        before, after = await self._tokens(rows, decisions)
        figures: dict[str, float] = {
            MODEL: float(work.model is not None),
            "memories": len(rows.memories),
            "merged": len(ends),
            "archived": len(archived),
            "pending": sum(bool(one.item.provenance.pending) for one in rows.memories),
            "tokens_before": before,
            "tokens_after": after,
        }
        return UpkeepPlan(
            decisions,
            {**figures, **doubts.figures, **topics.figures},
            unasked=doubts.unasked or topics.unasked,
            more=doubts.more or topics.more,
            confirmed=tuple(said_again(decisions)),
            judges=bool(work.model and figures["pending"]),
        )

    async def _of_chosen(self, work: Work, rows: ScopeRows, chosen: Collection[str]) -> UpkeepPlan:
        """Condense these memories alone, however new they are: somebody asked for it."""
        topic = chosen_topic(rows.memories, chosen, self._clock(), leave=rows.held)
        if topic is None:
            return UpkeepPlan(figures={"topics": 0})
        return await condensed_topic(work, topic, load=self._load(work.scope), redact=self._redact)

    async def _read(self, scope: Scope) -> ScopeRows:
        loaded = await self._parts.store.load(scope, limit=MOST_ROWS)
        rows = ScopeRows.of(scope, loaded)
        for number, memory in enumerate(rows.memories):
            if number % _AT_ONCE == 0:
                await self._pause()
            rows.tellings.append(Compared.of(memory.item))
        rows.held = rows.cited | await self._shared(scope, rows)
        return rows

    async def _shared(self, scope: Scope, rows: ScopeRows) -> set[str]:
        attachments = self._parts.state.attachments
        if not rows.memories or not await attachments.exist(scope.tenant):
            return set()
        ids = [one.item.id for one in rows.memories]
        found = await attachments.of_items(scope.tenant, ShareKind.MEMORY, ids)
        return {one.item_id for one in found}

    async def _duplicates(self, work: Work, found: Findings) -> _Doubts:
        found.add(same_words(found.rows.tellings))
        found.add(from_quotes(found.rows.tellings))
        since = await self._since(work.scope)
        first, end = self._part(found.rows, since.compared)
        near = await self._near(found.rows, first, end, ONE_SENTENCE)
        found.add(await self._meant(found, near))
        asked = await self._ask(work, found, since.asked)
        compared = max(since.compared, found.rows.moment(end))
        more = asked.more or end < len(found.rows.memories)
        return asked._replace(figures=asked.figures | {COMPARED: compared}, more=more)

    async def _since(self, scope: Scope) -> _Since:
        """Up to where the last runs of this scope came.

        One that was taken back counts too: what somebody brought back never ends again.
        """
        runs = await self._parts.state.runs.newest(scope, kind=self.kind, limit=_RUNS)
        own = [run.figures for run in runs if run.scope == scope]
        return _Since(
            max((figures.get(COMPARED, 0.0) for figures in own), default=0.0),
            max((figures.get(ASKED_UPTO, 0.0) for figures in own), default=0.0),
        )

    def _part(self, rows: ScopeRows, since: float) -> tuple[int, int]:
        first = rows.first_after(since)
        return first, rows.end_of(first, COMPARED_PER_RUN)

    async def _near(self, rows: ScopeRows, first: int, end: int, level: float) -> list[Near]:
        """The pairs of these rows with rows before them, from this level of their vectors on."""
        least = cosine_of(level, self._parts.calibration)
        if least > 1.0 or first >= end:
            return []
        pairs: list[Near] = []
        blocks = near_pairs(rows.vectors(end), first, least)
        while (block := await asyncio.to_thread(next, blocks, None)) is not None:
            pairs += block
            await self._pause()
        return pairs

    async def _meant(self, found: Findings, near: Sequence[Near]) -> list[Merge]:
        """The merges of memories that differ in words that mean the same."""
        wordings = [telling.wording for telling in found.rows.tellings]
        pairs = [(pair, differing(wordings[pair.row], wordings[pair.other])) for pair in near]
        differ = [(pair, words) for pair, words in pairs if words]
        texts = spelled(words for _, words in differ)
        if not texts:
            return []
        with in_background():
            vectors = dict(zip(texts, await self._parts.embedder.embed(texts), strict=True))

        def cosine(one: str, other: str) -> float:
            return float(vectors[one] @ vectors[other])

        same = [p for p, words in differ if are_one(words, cosine, self._parts.calibration)]
        return [merge for pair in same if (merge := found.merge(pair, MEANT)) is not None]

    async def _ask(self, work: Work, found: Findings, since: float) -> _Doubts:
        """Ask the model about what is in doubt, as much as one run may."""
        first, end = self._part(found.rows, since)
        doubts = found.questions(await self._near(found.rows, first, end, DOUBTFUL))
        if work.model is None:
            return _Doubts({"in_doubt": len(doubts), ASKED_UPTO: since}, unasked=bool(doubts))
        now = doubts[:ASKED_PER_RUN]
        end = now[-1].number + 1 if len(now) < len(doubts) else end
        told = await ask(work.model, now) if now else None
        merged = found.add(told.merges) if told is not None else 0
        figures = {
            "in_doubt": len(doubts) - merged,
            "doubts_asked": len(now),
            "doubts_answered": told.answered if told is not None else 0,
            ASKED_UPTO: max(since, found.rows.moment(end)),
        }
        return _Doubts(figures, more=end < len(found.rows.memories))

    async def _condensed(
        self, work: Work, memories: Sequence[StoredMemory], leave: Collection[str]
    ) -> UpkeepPlan:
        parts = self._parts
        return await condensed(
            work,
            memories,
            space=TopicSpace.of(parts.embedder.id, parts.embedder.dim, parts.calibration),
            enabled=self._options.kinds.summaries,
            load=self._load(work.scope),
            redact=self._redact,
            now=self._clock(),
            leave=leave,
        )

    def _load(self, scope: Scope) -> Load:
        async def load(ids: Sequence[str]) -> Sequence[MemoryItem]:
            return await self._parts.store.get(scope.tenant, ids)

        return load

    async def _archived(
        self, scope: Scope, rows: ScopeRows, held: Collection[str]
    ) -> list[Decision]:
        below, now = self._options.archive_below, self._clock()
        weak = [] if below is None else faded(rows.memories, now, held=held)
        if below is None or not weak:
            return []
        used = await self._parts.state.usage.of(scope.tenant, [one.item.id for one in weak])
        return to_archive(weak, used, below, now)

    async def _tokens(self, rows: ScopeRows, decisions: Sequence[Decision]) -> tuple[int, int]:
        """The tokens of the active memories before and after."""
        count = self._parts.tokens.count
        gone = {one.memory_id for one in decisions if one.event is not EventKind.ADD}
        before = after = 0
        for number, memory in enumerate(rows.memories):
            if number % _AT_ONCE == 0:
                await self._pause()
            tokens = count(memory.item.text)
            before += tokens
            after += 0 if memory.item.id in gone else tokens
        told = (one.text for one in decisions if one.event in _SAYS)
        return before, after + sum(map(count, told))

"""Consolidation of one scope: duplicates end, topics are condensed, what faded is archived.

    rows -> the same words -> a model -> topics -> the archive

All rows of the scope are read in the order in which they were written. Equal words are found among
all of them. Whether those since the last run say what one before says is asked of a model, about so
many that a run ends soon; the next run goes on (`ASKED_UPTO`). A cosine only tells what to ask:
"before a run" and "after a run" are nearer than most ways to say one thing twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import NamedTuple

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
from .duplicates import Compared, from_quotes, said_again, same_words
from .findings import Findings
from .neighbours import Near, near_pairs
from .rows import ScopeRows
from .topics import chosen_topic

DOUBTFUL = 0.75
"""From this level of their texts a model is asked. 0 is the cosine of unrelated texts
(`Calibration.floor`), 1 that from which texts say the same (`same`)."""
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
ASKED_UPTO = "asked_upto"
"""The figure that tells up to which moment (seconds since 1970) a model was asked about rows."""
MODEL = "model"
"""The figure that is 1 if a model could be asked."""


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
        return await self._ask(work, found, await self._since(work.scope))

    async def _since(self, scope: Scope) -> float:
        """Up to where the last runs of this scope asked.

        One that was taken back counts too: what somebody brought back never ends again.
        """
        runs = await self._parts.state.runs.newest(scope, kind=self.kind, limit=_RUNS)
        own = [run.figures.get(ASKED_UPTO, 0.0) for run in runs if run.scope == scope]
        return max(own, default=0.0)

    async def _near(self, rows: ScopeRows, first: int, end: int) -> list[Near]:
        """The pairs of these rows with rows before them that may say the same."""
        calibration = self._parts.calibration
        least = calibration.floor + DOUBTFUL * (calibration.same - calibration.floor)
        if least > 1.0 or first >= end:  # an embedder that is not calibrated
            return []
        pairs: list[Near] = []
        blocks = near_pairs(rows.vectors(end), first, least)
        while (block := await asyncio.to_thread(next, blocks, None)) is not None:
            pairs += block
            await self._pause()
        return pairs

    async def _ask(self, work: Work, found: Findings, since: float) -> _Doubts:
        """Ask the model about what is in doubt, as much as one run may."""
        first = found.rows.first_after(since)
        end = found.rows.end_of(first, COMPARED_PER_RUN)
        doubts = found.questions(await self._near(found.rows, first, end))
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
        if not self._options.kinds.summaries:
            return UpkeepPlan(figures={"topics": 0})
        parts = self._parts
        return await condensed(
            work,
            memories,
            space=TopicSpace.of(parts.embedder.id, parts.embedder.dim, parts.calibration),
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

"""Condenses memories of one topic into one summary that cites them: one call of a model each.

    topics -> the sources of each -> one call -> points cut from the sources -> decisions

The sources that a summary covers are archived, and cite it in the plan: if the summary falls
before it is written, they stay (`learn.grounds`). What it does not cover stays as it is.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ...graph.topics.topic_space import TopicSpace
from ...learn.records import about_stored, memory_id
from ...model.endings import began
from ...model.errors import HourSpentError, ModelError, ModelRestsError, WithheldError
from ...model.ports import ChatModel
from ...model.types import (
    ChatRequest,
    Decision,
    EventKind,
    MemoryItem,
    MemoryStatus,
    Source,
    StoredMemory,
)
from ..step import UpkeepPlan, Work
from .prompts import ANSWER_SCHEMA, question, read_answer
from .summary import Redact, TopicSummary, summary_of
from .topics import Topic, topics

STAGE = "consolidate"
INTO = "condensed into"
"""Before the summary's id, the reason of what it archives."""
Load = Callable[[Sequence[str]], Awaitable[Sequence[MemoryItem]]]
"""Memories by id, of any status."""
_NOT_NOW = (ModelError, ModelRestsError, HourSpentError)
TOPICS_PER_RUN = 4
"""Most topics of a run, with one call of a model each; the next run goes on."""
MAX_TOKENS = 800
"""Most tokens of the answer about a topic: a summary of ten memories, and its citations."""
LEAST = 3
"""Memories that a new summary covers at least; of fewer, it saves nothing."""


@dataclass(frozen=True, slots=True)
class Condensed:
    """The result for one topic."""

    decisions: tuple[Decision, ...] = ()
    covers: int = 0
    """Memories that are archived in favour of the summary."""


async def condensed(
    work: Work,
    items: Sequence[StoredMemory],
    *,
    space: TopicSpace,
    load: Load,
    redact: Redact,
    now: datetime,
    leave: Collection[str] = (),
) -> UpkeepPlan:
    """Condense some topics of one scope's active memories; writes nothing.

    `leave` are ids that stay as they are. Figures: ``topics`` found, ``asked`` of them,
    ``condensed``, and the memories ``covered``. Without a model nothing is done, and said.

    Raises:
        ModelError, ModelRestsError, HourSpentError: the first call failed; what succeeded before a
            later one is planned.
        StoreError: as `load`.
    """
    # Up to 16 MB of cosines: other requests go on meanwhile.
    found = await asyncio.to_thread(topics, items, space, now, leave=leave, turn=work.job.id)
    if not found or work.model is None:
        return UpkeepPlan(figures={"topics": len(found)}, unasked=bool(found))
    chosen = _in_turn(found, work.job.id)[:TOPICS_PER_RUN]
    asker = _Asker(work.model, work.job.id, load, redact)
    done = await _each(asker, chosen)
    told = [one for one in done if one.decisions]
    return UpkeepPlan(
        decisions=tuple(decision for one in told for decision in one.decisions),
        figures={
            "topics": len(found),
            "asked": len(done),
            "condensed": len(told),
            "covered": sum(one.covers for one in told),
        },
        unasked=len(done) < len(chosen),
        # Without progress another run would ask the same again.
        more=bool(told) and len(done) == len(chosen) < len(found),
    )


async def condensed_topic(work: Work, topic: Topic, *, load: Load, redact: Redact) -> UpkeepPlan:
    """Condense one topic, whether or not topics are condensed by itself; writes nothing.

    Figures and errors are as of `condensed`.
    """
    if work.model is None:
        return UpkeepPlan(figures={"topics": 1}, unasked=True)
    done = await _Asker(work.model, work.job.id, load, redact).condense(topic)
    return UpkeepPlan(
        decisions=done.decisions,
        figures={
            "topics": 1,
            "asked": 1,
            "condensed": float(bool(done.decisions)),
            "covered": done.covers,
        },
    )


def _in_turn(found: Iterable[Topic], job: str) -> list[Topic]:
    """The topics in an order of the job's own: what never succeeds is not always first."""
    return sorted(found, key=lambda one: hashlib.blake2b(f"{job}|{one.key}".encode()).digest())


async def _each(asker: _Asker, chosen: Sequence[Topic]) -> list[Condensed]:
    done: list[Condensed] = []
    for topic in chosen:
        try:
            done.append(await asker.condense(topic))
        except _NOT_NOW:
            if not any(one.decisions for one in done):
                raise
            break
    return done


@dataclass(frozen=True, slots=True)
class _Asker:
    """Asks about topics, one at a time."""

    model: ChatModel
    job: str
    load: Load
    redact: Redact

    async def condense(self, topic: Topic) -> Condensed:
        """One call; nothing is decided if the answer is no use."""
        before = await self._cited(topic)
        if before is None:
            return Condensed()
        sources = sorted((*before, *topic.notes), key=lambda item: (began(item), item.id))
        request = ChatRequest(
            messages=question(sources), holds=sources, schema=ANSWER_SCHEMA, max_tokens=MAX_TOKENS
        )
        try:
            reply = await self.model.complete(request)
        except WithheldError:
            return Condensed()
        made = summary_of(
            sources,
            read_answer(reply.text),
            redact=self.redact,
            least=LEAST,
            must=before,
        )
        if made is None or not any(item in made.covers for item in topic.notes):
            return Condensed()
        return _decided(topic, made, self.job, reply.model)

    async def _cited(self, topic: Topic) -> Sequence[MemoryItem] | None:
        """What the topic's summary was made of; None if that is not as the summary left it."""
        if topic.summary is None:
            return ()
        ids = topic.summary.provenance.cites
        found = await self.load(ids)
        held = [one for one in found if one.status is MemoryStatus.ARCHIVED]
        same = all(one.scope == topic.scope for one in held)
        return held if same and len(held) == len(ids) else None


def _decided(topic: Topic, made: TopicSummary, job: str, model: str) -> Condensed:
    summary = _summary(topic, made, job, model)
    new = {item.id for item in topic.notes}
    into = summary.memory_id
    gone = [
        replace(about_stored(item, EventKind.ARCHIVE, STAGE, f"{INTO} {into}"), cites=(into,))
        for item in made.covers
        if item.id in new
    ]
    return Condensed((summary, *gone), len(gone))


def _summary(topic: Topic, made: TopicSummary, job: str, model: str) -> Decision:
    before = topic.summary
    covers = made.covers
    sources = {item.provenance.source for item in covers}
    hearsay = any(source.is_hearsay for source in sources)
    turns = dict.fromkeys(turn for item in covers for turn in item.provenance.turn_ids)
    return Decision(
        event=EventKind.ADD if before is None else EventKind.UPDATE,
        memory_id=memory_id(job, made.text) if before is None else before.id,
        text=made.text,
        old_text=None if before is None else before.text,
        type=covers[0].type,
        stage=STAGE,
        reason=f"condensed from {len(covers)} memories of one topic",
        # In the user's words only if all of it is.
        source=Source.REFLECTION if hearsay else Source.EXTRACTION,
        importance=max(item.importance for item in covers),
        turn_ids=tuple(turns),
        cites=tuple(item.id for item in covers),
        at=max(map(began, covers)),
        model=model,
    )

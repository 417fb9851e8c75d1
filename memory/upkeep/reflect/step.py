"""Reflection with its IO: questions -> evidence -> conclusions, and what was confirmed since.

Evidence is searched here, among the user's own undoubted memories of exactly one scope; a model
only names questions and puts evidence together. What it concludes is quarantined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from ...embedders import embed_queries, in_background
from ...learn.reconciler import clarify
from ...learn.records import memory_id
from ...llms import ask
from ...model.doubts import MAX_SENTENCE, UNCONFIRMED
from ...model.errors import WithheldError
from ...model.filters import Condition, Operator, field_of
from ...model.jobs import JobKind
from ...model.ports import ChatModel
from ...model.types import (
    Decision,
    Doubt,
    EventKind,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Scope,
    Source,
)
from ...records.parts import Parts
from ..citations import Citations
from ..step import UpkeepPlan, Work
from .confirmation import (
    STAGE,
    Awaiting,
    asked_about,
    awaits,
    confirmed,
    said_by_answer,
    said_exactly,
    said_since,
)
from .insight import (
    LEAST_CITED,
    MOST_EVIDENCE,
    Insight,
    asked_for_insight,
    bears,
    believed,
    read_insight,
)
from .lessons import (
    MOST_TURNS,
    Lesson,
    asked_for_lessons,
    is_lesson,
    new_among,
    read_lessons,
    told_twice,
    waits,
)
from .questions import MOST_NOTES, asked_for_questions, read_questions
from .salience import is_evidence

MOST_HITS = 60
"""Hits of a search for evidence, of which those that are no evidence are left out."""
MOST_WAITING = 50
"""Conclusions that one run looks at again, the newest."""
QUARANTINED = frozenset({MemoryStatus.QUARANTINED})
_TOLD = (MemoryType.EPISODIC.value, MemoryType.SEMANTIC.value)


class ReflectStep:
    """Draws conclusions in one scope. Stateless."""

    kind = JobKind.REFLECT

    def __init__(self, parts: Parts, *, redact: Callable[[str], str]) -> None:
        """`redact` removes secrets."""
        self._store = parts.store
        self._turns = parts.state.conversations
        self._embedder = parts.embedder
        self._calibration = parts.calibration
        self._redact = redact
        self._grounds = Citations(parts)

    async def plan(self, work: Work) -> UpkeepPlan:
        """Confirm what the user said since, and conclude something new.

        Without a model only what was said in the same words is confirmed. Raises as
        `UpkeepStep.plan`.
        """
        decisions, figures = await self._confirmed(work)
        if work.model is None:
            return UpkeepPlan(tuple(decisions), figures, unasked=True)
        learned = await self._lessons(work.model, work.scope)
        figures["lessons"] = len(learned)
        decisions += learned
        notes = await self._notes(work.scope)
        figures["notes"] = len(notes)
        made: dict[str, Decision] = {}
        why: Counter[str] = Counter()
        questions = await self._questions(work.model, notes)
        figures["questions"] = len(questions)
        for question in questions:
            found = await self._concluded(work.model, work.scope, question)
            if isinstance(found, str):
                why[found] += 1
                continue
            decision = _quarantined(found, work.scope)
            made.setdefault(decision.memory_id, decision)
        there = await self._store.get(work.scope.tenant, sorted(made)) if made else []
        known = {item.id for item in there}
        new = [each for name, each in made.items() if name not in known]
        figures |= {"insights": len(new), "rejected": sum(why.values()) + len(known)}
        figures |= {f"rejected_{reason}": count for reason, count in sorted(why.items())}
        return UpkeepPlan((*decisions, *new), figures)

    async def _lessons(self, model: ChatModel, scope: Scope) -> list[Decision]:
        """What the user's remarks on answers ask of later ones."""
        recent = await self._turns.recent(scope, limit=MOST_TURNS)
        turns = [one.turn for one in reversed(recent) if one.turn.scope == scope]
        if not turns:
            return []
        try:
            reply, shown = await ask(model, turns, asked_for_lessons)
        except WithheldError:
            return []
        lessons = read_lessons(reply.text, shown, redact=self._redact)
        if not lessons:
            return []
        where = Condition(field_of("type"), Operator.EQ, MemoryType.REFLECTIVE.value)
        every = frozenset(MemoryStatus)
        items = await self._store.list(scope, limit=None, statuses=every, where=where)
        known = [item for item in items if is_lesson(item) and item.scope == scope]
        new = new_among(lessons, known)
        found = zip(new, await self._same(new, known), strict=True)
        made = [waits(one, scope) if same is None else told_twice(same) for one, same in found]
        return list({one.memory_id: one for one in made if one is not None}.values())

    async def _same(
        self, lessons: Sequence[Lesson], known: Sequence[MemoryItem]
    ) -> list[MemoryItem | None]:
        """For each lesson the known one that says the same; None if none does."""
        exact = {item.text: item for item in reversed(known)}
        if not known or all(lesson.text in exact for lesson in lessons):
            return [exact.get(lesson.text) for lesson in lessons]
        with in_background():
            texts = [*(one.text for one in lessons), *(item.text for item in known)]
            vectors = await self._embedder.embed(texts)
        cosines = vectors[: len(lessons)] @ vectors[len(lessons) :].T
        nearest = zip(lessons, cosines, cosines.argmax(axis=1).tolist(), strict=True)
        return [
            exact.get(one.text) or (known[best] if near[best] >= self._calibration.update else None)
            for one, near, best in nearest
        ]

    async def _notes(self, scope: Scope) -> list[MemoryItem]:
        """The newest episodes and facts, oldest first; conclusions are no notes."""
        where = Condition(field_of("type"), Operator.IN, _TOLD)
        items = await self._store.list(scope, limit=None, where=where)
        own = [item for item in items if is_evidence(item, scope)]
        return sorted(own, key=_told_at)[-MOST_NOTES:]

    async def _questions(self, model: ChatModel, notes: Sequence[MemoryItem]) -> list[str]:
        if len(notes) < LEAST_CITED:
            return []
        newest = notes[-MOST_NOTES:]
        try:
            reply, shown = await ask(model, newest, asked_for_questions, least=LEAST_CITED)
        except WithheldError:
            return []
        found = read_questions(reply.text, shown)
        return [said for said in found if self._redact(said) == said]

    async def _concluded(self, model: ChatModel, scope: Scope, question: str) -> Insight | str:
        """The conclusion about a question, or in a word why there is none."""
        evidence = await self._evidence(scope, question)
        if len(evidence) < LEAST_CITED:
            return "no_evidence"
        asking = partial(asked_for_insight, question)
        try:
            reply, shown = await ask(model, evidence, asking, least=LEAST_CITED)
        except WithheldError as error:
            return error.code
        raw = read_insight(reply.text)
        if raw is None:
            return "nothing"
        insight = believed(raw, shown, redact=self._redact)
        if isinstance(insight, str):
            return insight
        with in_background():
            vectors = await self._embedder.embed(
                [insight.text, *(item.text for item in insight.cited)]
            )
        return bears(insight, vectors, self._calibration)

    async def _evidence(self, scope: Scope, question: str) -> list[MemoryItem]:
        """The user's own memories about a question, the nearest first."""
        with in_background():
            [vector] = await embed_queries(self._embedder, [question])
        hits = await self._store.search(scope, vector, limit=MOST_HITS)
        # However far: what does not bear on a conclusion is found when there is one.
        return [hit.item for hit in hits if is_evidence(hit.item, scope)][:MOST_EVIDENCE]

    async def _confirmed(self, work: Work) -> tuple[list[Decision], dict[str, float]]:
        """What the user said since of the conclusions that wait."""
        waiting = await self._waiting(work.scope)
        decisions = []
        left = []
        for one in waiting:
            by = said_exactly(one)
            if by is None:
                left.append(one)
            else:
                decisions.append(confirmed(one.insight, by))
        asked = [one for one in left if one.said]
        if asked and work.model is not None:
            decisions += await self._asked(work.model, asked)
        figures = {"waiting": float(len(waiting)), "confirmed": float(len(decisions))}
        return decisions, figures

    async def _asked(self, model: ChatModel, waiting: Sequence[Awaiting]) -> list[Decision]:
        undecided = asked_about(waiting)
        told = await clarify(model, dict(enumerate(undecided)))
        found = []
        for number, group in told.groups.items():
            by = said_by_answer(waiting[number], group, self._calibration)
            if by is not None:
                found.append(confirmed(waiting[number].insight, by))
        return found

    async def _waiting(self, scope: Scope) -> list[Awaiting]:
        where = Condition(field_of("type"), Operator.EQ, MemoryType.REFLECTIVE.value)
        items = await self._store.list(scope, limit=None, statuses=QUARANTINED, where=where)
        insights = [item for item in items if awaits(item, scope)][:MOST_WAITING]
        if not insights:
            return []
        with in_background():
            vectors = await self._embedder.embed([item.text for item in insights])
        found = []
        for item, vector in zip(insights, vectors, strict=True):
            if not await self._grounds.support(item):
                continue
            hits = await self._store.search(scope, vector, limit=MOST_EVIDENCE)
            near = [hit for hit in hits if hit.score >= self._calibration.recall]
            found.append(Awaiting(item, said_since(item, near)))
        return found


def _told_at(item: MemoryItem) -> tuple[datetime, str]:
    return item.valid_from or item.created_at, item.id


def _quarantined(insight: Insight, scope: Scope) -> Decision:
    """The decision to keep a conclusion until somebody confirms it.

    Its id follows from the scope and the text: what was rejected once is not concluded again.
    """
    return Decision(
        event=EventKind.QUARANTINE,
        memory_id=memory_id(f"insight|{scope.partition}|{scope.ids()}", insight.text),
        text=insight.text,
        type=MemoryType.REFLECTIVE,
        stage=STAGE,
        reason=UNCONFIRMED,
        source=Source.REFLECTION,
        # Never above what it follows from.
        importance=min(item.importance for item in insight.cited),
        cites=tuple(item.id for item in insight.cited),
        # No newer than what it follows from: what contradicts that contradicts it too.
        at=max(_told_at(item)[0] for item in insight.cited),
        flags=(UNCONFIRMED,),
        reasons=(Doubt(UNCONFIRMED, "reflection", "", insight.text[:MAX_SENTENCE]),),
    )

"""Upkeep that somebody asks for: a job for each scope or conversation, and how far they are."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..memories import SqlMemories
from ..model.errors import InvalidInputError, StretchOpenError, code_in
from ..model.jobs import Job, JobKind, JobReport, JobState
from ..model.types import Scope
from ..model.upkeep import UpkeepRun
from ..state import State
from ..upkeep import UpkeepPlan
from ..upkeep.consolidate.chosen_memories import TOPIC, naming
from .learning import Learning
from .upkeep import CALL, NOT_NOW, UpkeepJobs, upkeep_job

MOST_JOBS = 100
"""Scopes or conversations that one call looks after: those that were changed last."""
MOST_REPORTS = 300
"""Jobs among which one is looked for: the newest of its tenant."""


_OF_CONVERSATIONS = frozenset({JobKind.EPISODE})
"""Kinds that look after conversations, not after all memories of a scope."""


@dataclass(frozen=True, slots=True)
class CalledJob:
    """A job that was asked for, as far as it is."""

    job: Job
    state: JobState
    run: UpkeepRun | None = None
    """What it did; None before it has ended, and if there was nothing to do."""
    error: str = ""
    """Why it waits or is dead; begins with a reason word."""


class UpkeepCalls:
    """Enqueues what is asked for, and waits for it."""

    def __init__(
        self, store: SqlMemories, state: State, upkeep: UpkeepJobs, learning: Learning
    ) -> None:
        self._store = store
        self._conversations = state.conversations
        self._jobs, self._runs = state.jobs, state.runs
        self._upkeep = upkeep
        self._learning = learning

    def kind_of(self, word: object, *, dry: bool = False) -> JobKind:
        """The kind of this name, if it can be asked for. Raises InvalidInputError."""
        kinds = self._upkeep.kinds.difference({JobKind.JUDGE} if dry else ())
        known = [kind for kind in JobKind if kind in kinds]
        if word not in known:
            raise InvalidInputError("kind", f"expected one of {', '.join(known)}")
        return JobKind(str(word))

    async def jobs(self, kind: JobKind, scope: Scope) -> list[Job]:
        """A job for each scope at and below one that holds memories, the last changed first.

        Each is looked after by itself: its memories are not merged with those of another. For kinds
        that look after conversations, one for each conversation. Raises StoreError and StateError.
        """
        if kind in _OF_CONVERSATIONS:
            return await self._of_conversations(kind, scope)
        counted = (await self._store.tally(scope)).scopes
        found = sorted(counted, key=lambda one: counted[one].latest, reverse=True)
        return [_job(kind, one) for one in found[:MOST_JOBS]]

    def condensing(self, scope: Scope, ids: Iterable[str]) -> Job:
        """A job that condenses these memories of exactly this scope into one that cites them."""
        return _job(JobKind.CONSOLIDATE, scope, naming(ids), reason=TOPIC)

    async def _of_conversations(self, kind: JobKind, scope: Scope) -> list[Job]:
        found = await self._conversations.conversations(scope, limit=MOST_JOBS)
        jobs = []
        for one in found:
            last = await self._conversations.latest_turns(one.scope, one.id, limit=1)
            jobs += [_job(kind, one.scope, one.id, turn.seq) for turn in last]
        return jobs

    async def look(self, job: Job) -> UpkeepPlan:
        """What a job would do now; nothing is written. Raises as `UpkeepJobs.look`.

        A kind that is nothing without a model does nothing without one.
        """
        try:
            return await self._upkeep.look(job)
        except NOT_NOW:
            return UpkeepPlan(unasked=True)

    async def call(self, jobs: Sequence[Job], *, seconds: float) -> list[CalledJob]:
        """Have jobs of one tenant run, and wait for up to `seconds` until all have ended.

        What has not ended by then goes on. Raises StateError.
        """
        for job in jobs:
            await self._upkeep.put(job)
        self._learning.wake()
        found = await self._found(jobs)
        if jobs and seconds:
            async for _ in self._learning.working(seconds=seconds):
                found = await self._found(jobs)
                if all(_has_ended(one) for one in found):
                    break
        return found

    async def _found(self, jobs: Sequence[Job]) -> list[CalledJob]:
        """How far these jobs of one tenant are."""
        if not jobs:
            return []
        listed = await self._jobs.reports(jobs[0].scope.tenant, limit=MOST_REPORTS)
        reports = {report.job.id: report for report in listed if not report.job.cancelled}
        return [await self._called(job, reports.get(job.id)) for job in jobs]

    async def _called(self, job: Job, report: JobReport | None) -> CalledJob:
        """How far a job is; its run is there since it is done.

        It is not listed if its scope was forgotten meanwhile, or behind very many newer ones.
        """
        if report is None or report.state is JobState.DONE:
            run = await self._runs.get(job.scope.tenant, job.id)
            return CalledJob(job, JobState.DONE, run)
        return CalledJob(job, report.state, None, report.error or "")


_ENDED = frozenset({JobState.DONE, JobState.DEAD})


def _has_ended(called: CalledJob) -> bool:
    """Whether nobody need wait: it has, or it rests until a conversation is over."""
    return called.state in _ENDED or code_in(called.error) == StretchOpenError.code


def _job(
    kind: JobKind, scope: Scope, conversation_id: str = "", upto: int = 0, *, reason: str = CALL
) -> Job:
    return upkeep_job(
        kind,
        scope,
        uuid.uuid4().hex,
        reason=reason,
        conversation_id=conversation_id,
        upto=upto,
    )

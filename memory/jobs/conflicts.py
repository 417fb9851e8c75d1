"""Jobs that judge stored memories of one matter; they learn no turns.

Such a job follows a job of learning whose model could not be asked, or whose model answers while
older memories wait. Once per process and scope, one also follows for what the scope held before:
facts that were imported without groups.
"""

from __future__ import annotations

from dataclasses import replace

from ..learn import ASKED, ConflictResolver, Learned
from ..model.errors import NoModelError
from ..model.jobs import JobKind
from ..model.times import to_ms
from ..model.types import Job, Scope
from ..upkeep import UpkeepPlan, Work
from ..util.lru import Lru
from .upkeep import ANSWERED, judging

CONFLICTS = "conflicts"
"""Their reason, and the end of the names of the first."""
MAX_SCOPES = 10_000
"""Scopes that are known to have been looked at. One that is evicted is looked at again."""


class ConflictJobs:
    """Makes them."""

    def __init__(self, settler: ConflictResolver) -> None:
        self._settler = settler
        self._looked: Lru[Scope, bool] = Lru(MAX_SCOPES)

    async def following(self, job: Job, learned: Learned) -> Job | None:
        """One if something waits for a model, besides what the job is about to write.

        What a model could not be asked about is about to be written too. Raises StoreError.
        """
        answers = any(decision.stage == ASKED for decision in learned.decisions)
        first = learned.strategy and not self._looked.get(job.scope)
        waits = learned.unanswered
        if not waits and (first or answers):
            # A model that could not read this batch would not read it now.
            waits = await self._settler.waits(job.scope)
        judges = judging(job, f"{job.id}:{CONFLICTS}")
        return replace(judges, reason=CONFLICTS) if waits else None

    def followed(self, job: Job, learned: Learned) -> None:
        """The job has ended: what its scope held before was looked at, if a model answers."""
        if learned.strategy:
            self._looked.put(job.scope, value=True)


class JudgeStep:
    """Judges what waits in a scope, as a kind of upkeep."""

    kind = JobKind.JUDGE

    def __init__(self, settler: ConflictResolver) -> None:
        self._settler = settler

    async def plan(self, work: Work) -> UpkeepPlan:
        """What a model says of it. Raises as `UpkeepStep.plan`, and `Work.without`."""
        if not await self._settler.waits(work.scope):
            return UpkeepPlan()
        if work.model is None:
            raise work.without or NoModelError
        found = await self._settler.judge(work.scope, work.model)
        return UpkeepPlan(
            found.decisions,
            {"asked": found.asked, ANSWERED: found.answered},
            more=found.more and found.answered > 0,
            judged=found.groups,
            moments={turn: to_ms(at) for turn, at in found.moments.items()},
        )

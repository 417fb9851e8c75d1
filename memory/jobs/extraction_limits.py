"""Extraction for a job: which model may be asked, what its calls count against, how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from ..learn import Learned, Learner, LearnOptions, PictureDescriber
from ..llms import Account, CallBudget, HourlyCalls, MeteredModel, OnSpent, unnoticed_spending
from ..model.costs import UPKEEP
from ..model.errors import (
    BudgetError,
    ConfigError,
    ExtractionError,
    HourSpentError,
    ModelError,
    ModelRestsError,
    ModelUnavailableError,
    NoModelError,
    RecollectError,
    TurnsUnreadError,
    WithheldError,
    coded,
    rest_in,
)
from ..model.jobs import JobKind
from ..model.ports import ChatModel, ModelSource
from ..model.types import Job, Turn
from ..state import State
from ..upkeep import UpkeepOptions
from ..util.clock import Clock
from .budgets import BudgetCalls, left_of
from .extraction_trials import Permission, Trials

NO_MODEL_SECONDS = 15.0
"""How long a job waits if its tenant has no model."""
UNREAD = "unread"
"""Reason for a job about a single turn whose answer could not be read in a batch."""
PROVEN_TRIES = 2
"""Tries of a job that a model cannot read, if it reads others: each asks about smaller parts."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The meaning of an error for its job."""

    reason: str
    """The error, beginning with its reason word."""
    tries: int
    """Most tries of this job."""
    failed: bool = True
    """Whether it was a failed try."""
    wait: float | None = None
    """Seconds until it is run again without counting this try; None: as for any failed try."""


class ExtractionLimits:
    """Asks models on behalf of jobs. Each job is asked about once at a time."""

    def __init__(
        self,
        state: State,
        learner: Learner,
        models: ModelSource,
        options: LearnOptions,
        *,
        clock: Clock,
    ) -> None:
        self.trials = Trials(state.standings, options, clock=clock)
        self.on_spent: OnSpent = unnoticed_spending
        self.upkeep = UpkeepOptions()
        """What upkeep may take of models; read at each use."""
        self._ledger = state.ledger
        self._jobs = state.jobs
        self._learner = learner
        self._models = models
        self._options = options
        self._clock = clock
        self._grants: dict[str, Permission] = {}

    async def decide(self, job: Job, turns: Sequence[Turn], *, earlier: Sequence[Turn]) -> Learned:
        """What is learned from the turns. Whatever it raises is passed to `ended`, or `stopped`.

        Raises:
            NoModelError, ModelRestsError, HourSpentError, BudgetError: not now.
            RecollectError: as `Learner.decide`.
        """
        model, describer = await self._asked(job, turns[-1].model)
        learned, kept = None, list(turns)
        while learned is None:
            try:
                learned = await self._learner.decide(
                    job.scope,
                    kept,
                    model,
                    batch=job.id,
                    earlier=earlier,
                    vision=describer,
                    effort=self._grants[job.id].effort,
                )
            except WithheldError as error:
                before = len(kept), len(earlier)
                kept, earlier = error.left_of(kept), error.left_of(earlier)
                if before == (len(kept), len(earlier)):
                    raise
                learned = None if kept else Learned()
        if gone := len(turns) - len(kept):
            learned = replace(learned, rejected={**learned.rejected, WithheldError.code: gone})
        grant = self._grants.pop(job.id)
        # Without a strategy there was nothing to ask about.
        await (self.trials.worked(grant) if learned.strategy else self.trials.undone(grant))
        return learned

    async def _asked(self, job: Job, name: str) -> tuple[ChatModel, PictureDescriber | None]:
        """The model of a job, and what describes pictures: a budget has no calls for them."""
        hourly, left = self._hourly(job), left_of(job.reason)
        if left is not None:
            # Nobody here has the models of another service.
            budget = BudgetCalls(self._jobs, job, left)
            return self._metered(await self._granted(job, ""), job, hourly, budget), None
        granted, vision = await self._granted(job, name), self._learner.vision
        pictures = vision and self._metered(vision, job, hourly)
        return self._metered(granted, job, hourly), self._learner.describer(pictures)

    @asynccontextmanager
    async def model_for(self, job: Job) -> AsyncIterator[ChatModel]:
        """The tenant's model for upkeep; what the block raises tells how it did.

        Raises:
            NoModelError, ModelRestsError, HourSpentError, BudgetError: not now.
        """
        if job.kind in UPKEEP:
            await self._check_upkeep(job)
        model = await self._granted(job, "")
        try:
            yield self._metered(model, job, self._hourly(job))
        except ModelError as error:
            rest = await self._note(self._grants.pop(job.id, None), error)
            if rest is not None:
                raise rest from error
            raise
        except asyncio.CancelledError:
            # What is stopped for its time tells of the model, if it is asked for nothing else.
            if job.kind in UPKEEP:
                await self.stopped(job)
            raise
        except RecollectError:
            await self.stopped(job)
            raise
        await self.stopped(job)

    async def worked(self, job: Job) -> None:
        """The model has answered. Raises StateError."""
        if grant := self._grants.pop(job.id, None):
            await self.trials.worked(grant)

    async def why_no_model(self, tenant: str, kind: JobKind) -> str:
        """The reason word why no model may be asked for upkeep now; empty if one may.

        Whether it answers is not known before it is asked. Raises StateError.
        """
        now = self._clock.now()
        try:
            await Account(self._ledger, tenant, kind).check(now.date(), self.upkeep.daily_tokens)
            if await self._models(tenant, "") is None:
                raise NoModelError
        except (BudgetError, NoModelError) as error:
            return error.code
        except ConfigError:
            return NoModelError.code
        hour = now.replace(minute=0, second=0, microsecond=0)
        spent = await self._ledger.called(tenant, hour) >= self._most_calls(kind)
        return HourSpentError.code if spent else ""

    async def ended(self, job: Job, error: RecollectError) -> Ended:
        """Note a failure, and say what it means for the job. Raises StateError."""
        grant = self._grants.pop(job.id, None)
        rest = error if isinstance(error, ModelRestsError) else await self._note(grant, error)
        tries = most_tries(job, self._options)
        if _is_of_the_turns(grant, error):
            tries = min(tries, PROVEN_TRIES)
        reason, now = coded(error), self._clock.now()
        wait = None
        if rest is not None:
            wait = max(0.0, (rest.until - now).total_seconds())
            if rest_in(coded(rest)):
                reason = coded(rest)
        elif isinstance(error, NoModelError):
            wait = NO_MODEL_SECONDS
        elif isinstance(error, HourSpentError):
            wait = _until_next_hour(now)
        elif isinstance(error, BudgetError):
            wait = _until_tomorrow(now)
        spared = (ModelRestsError, ModelUnavailableError, NoModelError, HourSpentError, BudgetError)
        failed = not isinstance(error, spared)
        if failed and _is_of_the_turns(grant, error) and job.attempts >= tries:
            reason = coded(TurnsUnreadError(str(error)))
        return Ended(reason, tries, failed, wait)

    async def stopped(self, job: Job) -> None:
        """The process ends; that says nothing about the model. Raises StateError."""
        if grant := self._grants.pop(job.id, None):
            await self.trials.undone(grant)

    async def _granted(self, job: Job, name: str) -> ChatModel:
        """The conversation's model, or while it is left alone the one that the client uses now."""
        tenant = job.scope.tenant
        model = await self._models(tenant, name)
        if model is None:
            raise NoModelError
        try:
            self._grants[job.id] = await self.trials.begin(job, model)
        except ModelRestsError as error:
            other = await self._models(tenant, "") if rest_in(coded(error)) else None
            if other is None or other is model:
                raise
            self._grants[job.id] = await self.trials.begin(job, other)
            return other
        return model

    async def _check_upkeep(self, job: Job) -> None:
        """Raise UpkeepBudgetError if nothing is left to ask with: no model is tried for it."""
        await self._account(job).check(self._clock.now().date(), self.upkeep.daily_tokens)

    def _account(self, job: Job) -> Account:
        return Account(self._ledger, job.scope.tenant, job.kind)

    def _most_calls(self, kind: JobKind) -> int:
        """The calls of the hour. Upkeep leaves half of them to learning."""
        most = self._options.hourly_calls
        return -(-most // 2) if kind in UPKEEP else most

    def _hourly(self, job: Job) -> HourlyCalls:
        most = self._most_calls(job.kind)
        return HourlyCalls(self._ledger, job.scope.tenant, most, clock=self._clock.now)

    def _metered(self, model: ChatModel, job: Job, *calls: CallBudget) -> ChatModel:
        daily = self.upkeep.daily_tokens if job.kind in UPKEEP else self._options.daily_tokens
        return MeteredModel(
            model,
            self._account(job),
            daily_tokens=daily,
            calls=calls,
            on_spent=self.on_spent,
            clock=self._clock.now,
        )

    async def _note(
        self, grant: Permission | None, error: RecollectError
    ) -> ModelRestsError | None:
        if grant is None:
            return None
        if grant.job.reason == UNREAD and not grant.counted and isinstance(error, ExtractionError):
            # A turn that alone cannot be read says nothing about the model.
            return None
        return await self.trials.failed(grant, error)


def most_tries(job: Job, options: LearnOptions) -> int:
    """Tries of a job. An unread turn gets one: every way of asking has failed on it."""
    return 1 if job.reason == UNREAD else options.max_attempts


def _is_of_the_turns(grant: Permission | None, error: RecollectError) -> bool:
    """Whether an answer could not be read by a fault of the turns: the model reads others."""
    return grant is not None and grant.proven and isinstance(error, ExtractionError)


def _until_next_hour(now: datetime) -> float:
    begun = now.replace(minute=0, second=0, microsecond=0)
    return (begun + timedelta(hours=1) - now).total_seconds()


def _until_tomorrow(now: datetime) -> float:
    midnight = datetime.combine(now.date() + timedelta(days=1), time(), now.tzinfo)
    return (midnight - now).total_seconds()

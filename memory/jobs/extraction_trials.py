"""Permits extractions by a model, as far as it is trusted; the trust is kept with the jobs.

So it survives restarts, and all processes that share the jobs share it.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..database.standings import SqlStandings
from ..learn import FEW_VAIN, Effort, LearnOptions
from ..model.costs import Identified, ModelIdentity
from ..model.errors import (
    ON_TRIAL,
    BudgetError,
    ExtractionError,
    JobTimeoutError,
    ModelError,
    ModelRestsError,
    ModelUnavailableError,
    RecollectError,
)
from ..model.ports import ChatModel
from ..model.types import Job
from ..util.clock import CLOCK, Clock
from .model_trust import WORKED, ModelTrust, begun, down, dump, failed, load, undone

log = logging.getLogger(__name__)

AT_ONCE = timedelta(seconds=15)
"""How long others wait while one extraction finds out how a model is."""
PROBE_VAIN = 2
"""Calls of a try while a model is left alone: with all that may be asked for, 20 in an hour."""
MAX_HALVED = 3
"""Turns are asked about in eighths at the least."""
_UNABLE = (ModelError, ExtractionError, JobTimeoutError)


@dataclass(frozen=True, slots=True)
class Permission:
    """Leave to begin one extraction; its end is reported once."""

    job: Job
    key: str
    name: str
    effort: Effort
    proven: bool
    """Whether the model has read other conversations."""
    counted: bool
    """Whether it was counted as a try."""


class Trials:
    """Grants extractions and notes their ends. Its calls raise StateError."""

    def __init__(
        self,
        standings: SqlStandings,
        options: LearnOptions,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        self.standings = standings
        self._options = options
        self._clock = clock
        # Another limit or prompt may make a model readable.
        self._way = f"{options.instructions()}\0{options.max_output_tokens}"

    async def begin(self, job: Job, model: ChatModel) -> Permission:
        """Let an extraction begin.

        Raises:
            ModelRestsError: not yet; says until when.
        """
        identity = model.identity if isinstance(model, Identified) else ModelIdentity("")
        key = self._key(identity)
        while True:
            text = (await self.standings.of(job.scope.tenant)).get(key)
            trust, now = load(text), self._clock.now()
            if trust.trusted:
                return Permission(job, key, identity.name, Effort(), proven=True, counted=False)
            if until := trust.closed_until(now):
                raise _resting(trust, identity.name, until, now, self._options.job_seconds)
            after = begun(trust, job.id, now, self._wait(trust))
            if await self.standings.change(job.scope.tenant, key, text, dump(after)):
                vain = PROBE_VAIN if trust.rests else FEW_VAIN
                effort = Effort(vain, min(job.attempts - 1, MAX_HALVED))
                return Permission(
                    job, key, identity.name, effort, proven=trust.proven, counted=True
                )

    async def worked(self, grant: Permission) -> None:
        """An answer was readable."""
        await self._change(grant, lambda _: WORKED)

    async def undone(self, grant: Permission) -> None:
        """It ended without saying anything about the model."""
        await self._change(grant, lambda trust: undone(trust, counted=grant.counted))

    async def failed(self, grant: Permission, error: RecollectError) -> ModelRestsError | None:
        """It ended with an error; returns the wait if the model must not be asked for a while."""
        now = self._clock.now()
        if isinstance(error, ModelUnavailableError):
            after = await self._change(
                grant,
                lambda one: down(one, error.code, now, self._wait(one), counted=grant.counted),
            )
        elif isinstance(error, _UNABLE) and not isinstance(error, BudgetError):
            after = await self._change(
                grant,
                lambda one: failed(one, grant.job.id, error.code, now, counted=grant.counted),
            )
        else:
            await self.undone(grant)
            return None
        until = after.closed_until(now)
        if until is None:
            return None
        told = _resting(after, grant.name, until, now, 0)
        if after.rests:
            log.warning("%s: %s", told.code, told)
        return told

    def _key(self, identity: ModelIdentity) -> str:
        told = f"{identity.where}\0{self._way}".encode("utf-8", "surrogatepass")
        return f"{identity.name} {hashlib.blake2b(told, digest_size=8).hexdigest()}"

    def _wait(self, trust: ModelTrust) -> timedelta:
        return timedelta(seconds=delay(self._options, trust.outages + 1))

    async def _change(
        self, grant: Permission, step: Callable[[ModelTrust], ModelTrust]
    ) -> ModelTrust:
        tenant = grant.job.scope.tenant
        while True:
            text = (await self.standings.of(tenant)).get(grant.key)
            trust = load(text)
            after = step(trust)
            if after == trust or await self.standings.change(tenant, grant.key, text, dump(after)):
                return after


def delay(options: LearnOptions, tries: int) -> float:
    """The wait after so many tries, in seconds: it doubles up to a bound."""
    # The exponent is bounded: a float overflows at 1024.
    return min(options.retry_seconds * 2.0 ** min(tries - 1, 60), options.max_retry_seconds)


def _resting(
    trust: ModelTrust, name: str, until: datetime, now: datetime, job_seconds: float
) -> ModelRestsError:
    """What a job is told that may not ask."""
    begun_at = trust.tried
    if trust.open and begun_at and now < begun_at + timedelta(seconds=job_seconds):
        return ModelRestsError(
            ON_TRIAL, "another job is finding out how the model is", now + AT_ONCE
        )
    if trust.rests:
        since = trust.since or begun_at or now
        return ModelRestsError.left_alone(
            trust.failure, name, tries=trust.tries, since=since, until=until
        )
    told = f"the model's server was down {trust.outages} times in a row; asked again at "
    return ModelRestsError(trust.failure, f"{told}{until:%H:%M:%S} UTC", until)

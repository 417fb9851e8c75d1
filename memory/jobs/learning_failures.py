"""Failures of learning in a row: what `/readyz` and one line of the log say about them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..database.jobs import SqlJobs
from ..model.errors import LearningError, SaidOnlyError, advice_about, code_in, rest_in
from ..model.types import JobReport, JobState
from ..util.clock import CLOCK, Clock
from .extraction_limits import UNREAD
from .runs import Run, RunOutcome

log = logging.getLogger(__name__)

REPEATED = 2
"""Failed runs in a row that are reported. One may be an accident."""
AGAIN = timedelta(minutes=30)
"""While learning fails, the log says so again after this time."""
LOOK_AGAIN = timedelta(seconds=30)
"""Interval of reading the queue for failures: on a shared one that means a search."""
MAX_LOOKED_AT = 200
"""Latest waiting jobs whose errors are read in a process that has learned nothing yet."""

_UNABLE = frozenset(
    {
        "no_model", "model_unreadable", "model_failed", "model_refused", "model_not_found",
        "model_unauthorized", "model_timeout", "model_unreachable", "job_timeout",
    }
)  # fmt: skip
"""Reasons that a model which cannot extract gives, or none at all."""
_FAILED = frozenset({RunOutcome.RETRY, RunOutcome.DEAD})
_DOWN = frozenset({"model_unreachable", "model_busy"})
"""Reasons to wait that are failures of the model. Other parts report themselves."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Learning fails: the last reason word, since when, and how often in a row."""

    failure: str
    since: datetime
    runs: int = 0
    dead: int = 0
    rest: str = ""
    """What is said about a model that is left alone; empty if none is."""

    @property
    def repeated(self) -> bool:
        """Whether it is reported."""
        return self.dead > 0 or self.runs >= REPEATED or bool(self.rest)

    @property
    def is_for_want_of_a_model(self) -> bool:
        """Whether a usable model would end it."""
        return self.failure in _UNABLE

    @property
    def seen(self) -> str:
        """What happened."""
        dead = f", {self.dead} dead" if self.dead else ""
        word = self.failure or LearningError.code
        if self.rest:
            return f"{word}: {self.rest}{dead}"
        often = f"{self.runs} runs in a row, " if self.runs else ""
        return f"{word}: {often}since {self.since:%Y-%m-%d %H:%M} UTC{dead}"

    @property
    def mend(self) -> str:
        """What to do."""
        retry = "then run `recollect jobs retry --all`" if self.dead else ""
        return "; ".join(filter(None, (advice_about(self.failure), retry)))

    @property
    def advice(self) -> str:
        """What happened and what to do, in one line."""
        return "; ".join(filter(None, (self.seen, self.mend)))


class Failures:
    """Notes the runs of this process and warns once while they fail."""

    def __init__(self, *, expected: bool = False, clock: Clock = CLOCK) -> None:
        """`expected`: nobody has named a model that extracts, so what users said is recalled."""
        self._expected = expected
        self._down = _DOWN | {"no_model"} if expected else _DOWN
        self._clock = clock
        self._warned: tuple[str, datetime] | None = None
        self._recorded: tuple[datetime, Trouble | None] | None = None
        self.trouble: Trouble | None = None
        """The failures since the last success; None after a success."""
        self.proven = False
        """Whether a model's answer was learned from since the process started."""

    def note(self, run: Run) -> bool:
        """Take a run into account; runs that say nothing about the model change nothing.

        True if a model can be learned from since this run, and could not before.
        """
        new = not self.proven or self.trouble is not None
        if run.outcome in _FAILED or (
            run.outcome is RunOutcome.WAITING and (run.failure in self._down or rest_in(run.error))
        ):
            self._failed(run)
        elif run.strategy:
            self._worked()
            return new
        return False

    async def check(self, queue: SqlJobs) -> None:
        """Ask the runs of this process; before its first success ask the queue too.

        Raises:
            SaidOnlyError: no model extracts, and none was named for it.
            LearningError: learning fails; with the reason word, and advice.
            StateError: the queue failed.
        """
        trouble = self.trouble
        if trouble is None and not self.proven:
            trouble = await self._in(queue)
        if trouble is not None and trouble.repeated:
            if self._expected and trouble.is_for_want_of_a_model:
                raise SaidOnlyError(trouble.failure, trouble.rest)
            raise LearningError(trouble.failure, trouble.advice)

    async def _in(self, queue: SqlJobs) -> Trouble | None:
        now = self._clock.now()
        if self._recorded is None or now >= self._recorded[0] + LOOK_AGAIN:
            self._recorded = now, await recorded_trouble(queue)
        return self._recorded[1]

    def _failed(self, run: Run) -> None:
        before = self.trouble or Trouble(run.failure, self._clock.now())
        self.trouble = replace(
            before,
            failure=run.failure,
            runs=before.runs + 1,
            # A turn that alone cannot be read says nothing about the model.
            dead=before.dead + (run.outcome is RunOutcome.DEAD and run.job.reason != UNREAD),
            rest=rest_in(run.error) or before.rest,
        )
        if self.trouble.repeated and self._is_due(run.failure):
            self._warned = (run.failure, self._clock.now())
            if self._expected and self.trouble.is_for_want_of_a_model:
                log.info("%s", SaidOnlyError(run.failure, self.trouble.rest))
            else:
                log.warning("learning fails: %s", self.trouble.advice)

    def _is_due(self, failure: str) -> bool:
        if self._warned is None:
            return True
        word, at = self._warned
        return word != failure or self._clock.now() >= at + AGAIN

    def _worked(self) -> None:
        if self._warned is not None:
            log.info("learning works again")
        self.trouble, self._warned, self.proven = None, None, True


def is_for_want_of_a_model(report: JobReport) -> bool:
    """Whether a job failed because no model could extract."""
    return code_in(report.error) in _UNABLE


async def recorded_trouble(queue: SqlJobs) -> Trouble | None:
    """The failures that the queue knows of, also of other processes. Raises StateError."""
    counts = await queue.counts()
    dead = counts.get(JobState.DEAD, 0)
    given_up = await queue.reports(state=JobState.DEAD, limit=1) if dead else []
    waiting: Sequence[JobReport] = []
    if counts.get(JobState.READY, 0):
        waiting = await queue.reports(state=JobState.READY, limit=MAX_LOOKED_AT)
    done = await queue.reports(state=JobState.DONE, limit=1) if given_up else []
    return trouble_of(waiting, given_up, done, dead=dead)


def trouble_of(
    waiting: Sequence[JobReport],
    given_up: Sequence[JobReport],
    done: Sequence[JobReport],
    *,
    dead: int,
) -> Trouble | None:
    """The failures in these jobs; each list is newest first. A later job that is done ends them."""
    ended = done[0].queued_at if done else None
    last = next((job for job in given_up if ended is None or job.queued_at > ended), None)
    if last is not None:
        return Trouble(code_in(last.error), last.queued_at, dead=dead)
    failing = [
        job
        for job in waiting
        if code_in(job.error) and (job.job.attempts >= REPEATED or rest_in(job.error))
    ]
    if not failing:
        return None
    newest = failing[0]
    runs, rest = newest.job.attempts, rest_in(newest.error)
    return Trouble(code_in(newest.error), newest.queued_at, runs=runs, rest=rest)

"""The jobs that learn and look after memories, for `AsyncMemory.jobs`: listed, and tried again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, Unpack

from typing_extensions import TypedDict

from ..model.errors import NotFoundError, advice_about, code_in
from ..model.types import JobReport, JobState
from ..operations.declaring import As, field, operation
from ..operations.operation import PREFIX
from ..operations.rights import Right
from ..operations.scope import ScopeIds
from .earlier_learning import (
    DEFAULT_CALLS,
    MOST_CALLS,
    EarlierDict,
    earlier_of,
    learn_earlier,
)
from .showing import shown_as
from .view import TenantView

MAX_JOBS = 1000
DEFAULT_JOBS = 50
TAG = "memories"


class JobDict(TypedDict):
    """A job; of one that is done, no failure of an earlier try."""

    id: str
    state: str
    kind: str
    reason: str
    attempts: int
    tenant: str
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]
    conversation_id: str
    upto_seq: int
    queued_at: str
    not_before: NotRequired[str]
    failure: NotRequired[str]
    """The word for why it failed."""
    error: NotRequired[str]
    advice: NotRequired[str]
    raw: NotRequired[str]
    """What the model said."""


class JobResults(TypedDict):
    """Jobs, newest first."""

    results: list[JobDict]


class RetriedDict(TypedDict):
    """The job that is tried again."""

    retried: str


def _retried(asked: Mapping[str, Any], _: None) -> RetriedDict:
    return RetriedDict(retried=asked["job_id"])


class LearningJobs:
    """`AsyncMemory.jobs`: the work in the background that learns and looks after memories.

    Methods take ids of a scope as all methods of `AsyncMemory` do. Raises StateError.
    """

    def __init__(self, view: TenantView) -> None:
        self._view = view
        self._jobs = view.engine.parts.state.jobs

    @operation(f"GET {PREFIX}/jobs", id="list_jobs", tag=TAG)
    async def list(
        self,
        *,
        limit: Annotated[int, field("Most results.", high=MAX_JOBS)] = DEFAULT_JOBS,
        state: Annotated[
            str | None, As(JobState), field("Jobs in this state.", strict=False)
        ] = None,
        **ids: Unpack[ScopeIds],
    ) -> JobResults:
        """Waiting and failed jobs, newest first.

        Of a scope, or of all that the caller owns. At most `limit` (1 to 1000), with `state` only
        those that are `ready`, `leased`, `done` or `dead`.
        """
        wanted = None if state is None else JobState(state)
        found = await self._jobs.reports(self._view.owner_ref(**ids), state=wanted, limit=limit)
        return JobResults(results=[job_dict(report) for report in found])

    @operation(
        f"POST {PREFIX}/jobs/{{job_id}}/retry", Right.WRITE, id="retry_job", tag=TAG,
        ids_twice=True, answer=RetriedDict, told=_retried,
    )  # fmt: skip
    async def retry(
        self, job_id: Annotated[str, field("The id of the job.")], **ids: Unpack[ScopeIds]
    ) -> None:
        """Retry a dead job. Raises NotFoundError.

        `job_id` is as listed. Models that rest are tried for it.
        """
        owner_ref = self._view.owner_ref(**ids)
        if not await self._jobs.revive(job_id, owner_ref=owner_ref):
            raise NotFoundError(f"there is no dead job {job_id!r}")
        await self._view.engine.background.learning.try_now(owner_ref)

    @operation(f"GET {PREFIX}/jobs/earlier", id="earlier", tag=TAG)
    async def earlier(
        self,
        *,
        calls: Annotated[int, field("Calls to models.", high=MOST_CALLS)] = DEFAULT_CALLS,
        **ids: Unpack[ScopeIds],
    ) -> EarlierDict:
        """What no model has read of imported chats, and what so many calls would cover.

        Costs nothing.
        """
        return await earlier_of(self._view.engine, self._view.scope(**ids), calls)

    @operation(
        f"POST {PREFIX}/jobs/earlier", Right.WRITE, id="learn_earlier", tag=TAG, ids_twice=True
    )
    async def learn_earlier(
        self,
        calls: Annotated[int, field("Most calls to models; 0 ends it.", ge=0, le=MOST_CALLS)],
        **ids: Unpack[ScopeIds],
    ) -> EarlierDict:
        """Learn from imported chats with at most so many calls, the newest conversations first.

        Goes on in the background, also after a restart, within `learn.calls_per_hour` and
        `learn.daily_tokens`. Raises ConflictError while another is being spent.
        """
        return await learn_earlier(self._view.engine, self._view.scope(**ids), calls)


def job_dict(report: JobReport) -> JobDict:
    """A job for operators; of one that is done, no failure of an earlier try."""
    job, over = report.job, report.state is JobState.DONE
    error = None if over else report.error
    failure = code_in(error)
    return shown_as(
        JobDict,
        job,
        state=report.state,
        tenant=job.scope.tenant,
        queued_at=report.queued_at,
        not_before=None if over else report.not_before,
        failure=failure,
        error=error,
        advice=advice_about(failure),
        raw=report.raw,
        **job.scope.ids(),
    )

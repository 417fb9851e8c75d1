"""Jobs over HTTP: list waiting and failed jobs, retry dead ones, report usage."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from recollect.memory import NotFoundError
from recollect.memory.api.results import job_dict
from recollect.memory.engine.engine import Engine
from recollect.memory.model.types import JobState, OwnerRef, utc_now


class JobsApi:
    """The jobs and learning costs of one tenant; other tenants' are not visible."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs = engine.parts.state.jobs

    async def list(self, tenant: str, *, limit: int, state: JobState | None) -> Any:
        """At most `limit` jobs, newest first; only those in `state` if it is given."""
        reports = await self._jobs.reports(tenant=tenant, state=state, limit=limit)
        return {"results": [job_dict(report) for report in reports]}

    async def retry(self, whose: OwnerRef, job_id: str) -> Any:
        """Make a dead job ready again. Raises NotFoundError if `whose` has none with this id."""
        if not await self._jobs.revive(job_id, whose=whose):
            raise NotFoundError(f"there is no dead job {job_id!r}")
        await self._engine.background.learning.try_now(whose)
        return {"retried": job_id}

    async def usage(self, tenant: str) -> Any:
        """Calls and tokens of today (UTC), calls of this hour, and what they are limited to."""
        now, ledger, learn = utc_now(), self._engine.parts.state.ledger, self._engine.options.learn
        day, hour = now.date(), now.replace(minute=0, second=0, microsecond=0)
        spent = await ledger.spent(tenant, day)
        return {
            "day": day.isoformat(),
            **asdict(spent),
            "tokens": spent.tokens,
            "daily_tokens": learn.daily_tokens,
            "calls_this_hour": await ledger.called(tenant, hour),
            "calls_per_hour": learn.hourly_calls,
        }

"""Jobs over HTTP: list waiting and failed jobs, retry dead ones, report usage."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from recollect.memory import NotFoundError
from recollect.memory.engine import Engine
from recollect.memory.results import job_dict
from recollect.memory.types import JobState, Whose, utc_now


class JobsApi:
    """The jobs and learning costs of one tenant; other tenants' are not visible."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs = engine.parts.state.jobs

    async def list(self, tenant: str, *, limit: int, state: JobState | None) -> Any:
        """At most `limit` jobs, newest first; only those in `state` if it is given."""
        reports = await self._jobs.reports(tenant=tenant, state=state, limit=limit)
        return {"results": [job_dict(report) for report in reports]}

    async def retry(self, whose: Whose, job_id: str) -> Any:
        """Make a dead job ready again. Raises NotFoundError if `whose` has none with this id."""
        if not await self._jobs.revive(job_id, whose=whose):
            raise NotFoundError(f"there is no dead job {job_id!r}")
        self._engine.background.learning.wake()
        return {"retried": job_id}

    async def usage(self, tenant: str) -> Any:
        """Calls and tokens of today (UTC), and the budget, if there is one."""
        day = utc_now().date()
        spent = await self._engine.parts.state.ledger.spent(tenant, day)
        return {
            "day": day.isoformat(),
            **asdict(spent),
            "tokens": spent.tokens,
            "daily_tokens": self._engine.options.learn.daily_tokens,
        }

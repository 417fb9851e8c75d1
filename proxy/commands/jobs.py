"""`recollect jobs`: list learning jobs and retry dead ones."""

from __future__ import annotations

import argparse
import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING, Any

from .base import CommandError
from .shapes import table
from .terminal import say, show

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from recollect.config import Settings
    from recollect.memory.database import SqlJobs
    from recollect.memory.model.types import JobReport

    from .arguments import CommandLine

STATES = ("ready", "leased", "done", "dead")
DEFAULT_LIMIT = 50
ERROR_CHARS = 60


def fill(parser: CommandLine) -> None:
    """Register ``jobs list`` and ``jobs retry``."""
    actions = parser.actions()
    listing = actions.add_parser("list", help="show jobs, newest first")
    listing.add_argument("--state", choices=STATES, help="only jobs in this state (dead: given up)")
    listing.add_argument("--limit", type=int, default=DEFAULT_LIMIT, help=f"({DEFAULT_LIMIT})")
    listing.add_argument(
        "--json", action="store_true", help="one JSON object per line, with the model's answer"
    )
    retry = actions.add_parser("retry", help="retry dead jobs")
    retry.add_argument("ids", nargs="*", metavar="ID", help="ids of jobs, as listed")
    retry.add_argument("--all", action="store_true", help="every dead job")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Open the queue, beside a running proxy or without one, and list or retry jobs."""
    if settings.database.kind == "inmemory":
        raise CommandError("a database in memory exists only in the proxy: use its REST API")
    return asyncio.run(_run(settings, options))


async def _run(settings: Settings, options: argparse.Namespace) -> int:
    from recollect.memory.database.jobs import SqlJobs
    from recollect.memory.database.standings import SqlStandings
    from recollect.memory.engine.opening import open_the_database
    from recollect.memory.jobs.flushing import try_now
    from recollect.memory.model.types import utc_now
    from recollect.memory.util.registry import Registry

    async with Registry() as registry:
        scripts = await open_the_database(registry, settings)
        jobs, standings = SqlJobs(scripts), SqlStandings(scripts)
        if options.action == "list":
            return await _list(jobs, options)
        hurry = partial(try_now, jobs, standings, None, utc_now())
        return await _retry(jobs, options, hurry)


async def _list(jobs: SqlJobs, options: argparse.Namespace) -> int:
    from recollect.memory.api.jobs import job_dict
    from recollect.memory.model.errors import advice_about, code_in
    from recollect.memory.model.types import JobState

    state = JobState(options.state) if options.state else None
    reports = await jobs.reports(state=state, limit=options.limit)
    if options.json:
        for report in reports:
            show(json.dumps(job_dict(report), ensure_ascii=False))
        return 0
    if reports:
        show("\n".join(_TABLE([_row(report) for report in reports])))
    open_ = [report for report in reports if report.state is not JobState.DONE]
    for failure in dict.fromkeys(code_in(report.error) for report in open_):
        if advice := advice_about(failure):
            say(f"{failure}: {advice}")
    counts = await jobs.counts()
    say(", ".join(f"{counts.get(name, 0)} {name}" for name in STATES))
    return 0


async def _retry(
    jobs: SqlJobs, options: argparse.Namespace, hurry: Callable[[], Awaitable[None]]
) -> int:
    """`hurry` is called after something was revived: models that rest may be tried for it."""
    from recollect.memory.model.types import JobState

    if not options.ids and not options.all:
        raise CommandError("give the ids of the jobs to retry, or --all", 2)
    ids = options.ids
    if options.all:
        dead = await jobs.reports(state=JobState.DEAD, limit=1_000_000)
        ids = [report.job.id for report in dead]
    missing = [name for name in ids if not await jobs.revive(name)]
    for name in missing:
        say(f"recollect: {name} is not a dead job")
    if len(missing) < len(ids):
        await hurry()
    say(f"{len(ids) - len(missing)} jobs will be retried")
    return 1 if missing else 0


def _row(report: JobReport) -> dict[str, Any]:
    job, done = report.job, report.state.value == "done"
    return {
        "at": f"{report.queued_at:%Y-%m-%d %H:%M}",
        "state": report.state.value,
        "kind": job.kind.value,
        "reason": job.reason,
        "tries": job.attempts,
        "id": job.id,
        # What a try that failed before the last one said is no news of a job that is done.
        "error": "" if done else (report.error or "")[:ERROR_CHARS],
    }


_TABLE = table(**{name: name for name in ("at", "state", "kind", "reason", "tries", "id", "error")})

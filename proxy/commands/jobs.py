"""`recollect jobs`: list learning jobs and retry dead ones."""

from __future__ import annotations

import argparse
import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING

from .terminal import say, show

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from recollect.config import Settings
    from recollect.memory.database import SqlJobs
    from recollect.memory.model.types import JobReport

    from .base import Commands

STATES = ("ready", "leased", "done", "dead")
DEFAULT_LIMIT = 50
ERROR_CHARS = 60


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``jobs list`` and ``jobs retry``."""
    parser = commands.add_parser("jobs", help="list learning jobs, retry dead ones")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", parents=[shared], help="show jobs, newest first")
    listing.add_argument("--state", choices=STATES, help="only jobs in this state (dead: given up)")
    listing.add_argument("--limit", type=int, default=DEFAULT_LIMIT, help=f"({DEFAULT_LIMIT})")
    listing.add_argument(
        "--json", action="store_true", help="one JSON object per line, with the model's answer"
    )
    retry = actions.add_parser("retry", parents=[shared], help="retry dead jobs")
    retry.add_argument("ids", nargs="*", metavar="ID", help="ids of jobs, as listed")
    retry.add_argument("--all", action="store_true", help="every dead job")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Open the queue, beside a running proxy or without one, and list or retry jobs."""
    from recollect.memory.model.errors import RecollectError

    if settings.database.kind == "inmemory":
        say("recollect: a database in memory exists only in the proxy: use its REST API")
        return 1
    try:
        return asyncio.run(_run(settings, options))
    except RecollectError as error:
        say(f"recollect: {error}")
        return 1


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
    from recollect.memory.api.results import job_dict
    from recollect.memory.model.errors import advice_about, code_in
    from recollect.memory.model.types import JobState

    state = JobState(options.state) if options.state else None
    reports = await jobs.reports(state=state, limit=options.limit)
    if options.json:
        for report in reports:
            show(json.dumps(job_dict(report), ensure_ascii=False))
        return 0
    for report in reports:
        show(_line(report))
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
        say("recollect: give the ids of the jobs to retry, or --all")
        return 2
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


def _line(report: JobReport) -> str:
    job = report.job
    # What a try that failed before the last one said is no news of a job that is done.
    error = "" if report.state.value == "done" else report.error or ""
    error = error.replace("\n", " ")[:ERROR_CHARS]
    return (
        f"{report.queued_at:%Y-%m-%d %H:%M:%S}  {report.state.value:<6}  {job.kind.value:<11}  "
        f"{job.reason:<8}  "
        f"{job.attempts:>2} tries  {job.id}  {error}"
    ).rstrip()

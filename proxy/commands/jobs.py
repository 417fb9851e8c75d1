"""`recollect jobs`: list learning jobs and retry dead ones."""

from __future__ import annotations

import argparse
import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING

from .base import CommandError
from .shapes import table
from .terminal import amount, say, show

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from recollect.config import Settings
    from recollect.memory.database import SqlJobs
    from recollect.memory.model.types import OwnerRef

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
    for name in ("user", "agent", "run"):
        listing.add_argument(f"--{name}", metavar=name[0].upper(), help=f"only jobs of this {name}")
    listing.add_argument("--tenant", metavar="T", help="only jobs of this tenant")
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
            return await _list(jobs, options, _whose(settings, options))
        hurry = partial(try_now, jobs, standings, None, utc_now())
        return await _retry(jobs, options, hurry)


def _whose(settings: Settings, options: argparse.Namespace) -> OwnerRef | None:
    """Whose jobs are meant; None: everybody's."""
    from recollect.memory.model.owner import Owner

    ids = options.user, options.agent, options.run
    if options.tenant is None and not any(ids):
        return None
    return Owner(options.tenant or settings.identity.tenant).owner_ref(*ids)


async def _list(jobs: SqlJobs, options: argparse.Namespace, whose: OwnerRef | None) -> int:
    from recollect.memory.api.jobs import job_dict
    from recollect.memory.model.types import JobState

    state = JobState(options.state) if options.state else None
    rows = [job_dict(each) for each in await jobs.reports(whose, state=state, limit=options.limit)]
    if options.json:
        for row in rows:
            show(json.dumps(row, ensure_ascii=False))
        return 0
    for line in _TABLE([{**row, "error": row.get("error", "")[:ERROR_CHARS]} for row in rows]):
        show(line)
    for failure, advice in {
        row["failure"]: row["advice"] for row in rows if "advice" in row
    }.items():
        say(f"{failure}: {advice}")
    counts = await jobs.counts(whose)
    say(", ".join(f"{counts.get(name, 0)} {name}" for name in STATES))
    return 0


_TABLE = table(
    queued="queued_at", state="state", kind="kind", reason="reason", tries="attempts", id="id",
    error="error",
)  # fmt: skip


async def _retry(
    jobs: SqlJobs, options: argparse.Namespace, hurry: Callable[[], Awaitable[None]]
) -> int:
    """`hurry` is called after something was revived: models that rest may be tried for it."""
    from recollect.memory.model.types import JobState

    if not options.ids and not options.all:
        raise CommandError("give the ids of the jobs to retry, or --all", 2)
    dead = await jobs.reports(state=JobState.DEAD, limit=1_000_000) if options.all else []
    ids = [report.job.id for report in dead] or options.ids
    missing = [name for name in ids if not await jobs.revive(name)]
    for name in missing:
        say(f"recollect: {name} is not a dead job")
    if len(missing) < len(ids):
        await hurry()
    say(f"{amount(len(ids) - len(missing), 'job')} will be retried")
    return 1 if missing else 0

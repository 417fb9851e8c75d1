"""What `recollect check` says of upkeep: which kinds rest and why, and what goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.config import Settings
from recollect.memory.database.costs import SqlLedger
from recollect.memory.engine.opening import open_the_database
from recollect.memory.llms import Account
from recollect.memory.model.errors import BudgetError, NoModelError
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import utc_now
from recollect.memory.upkeep.paused_kinds import paused
from recollect.memory.util.registry import Registry

if TYPE_CHECKING:
    from .api_client import Running

PART = "upkeep"


async def check_upkeep(settings: Settings) -> str:
    """Of the configured tenant, while nothing runs: no client can lend a model. Never a failure."""
    why = await _why(settings)
    return paused(settings.upkeep, why=why).told


def reported_upkeep(running: Running) -> str:
    """What a running product says of it."""
    word = running.parts[PART]
    return running.advice.get(PART) or ("every kind that is on runs" if word == "ok" else word)


async def _why(settings: Settings) -> str:
    """The reason word why no model may be asked; empty if one may. Raises StateError."""
    if settings.learn.llm is None:
        return NoModelError.code
    if not settings.learn.hourly_calls:
        return "hour_spent"
    file = settings.database.file
    if settings.database.kind == "inmemory" or (file is not None and not file.exists()):
        return ""
    async with Registry() as registry:
        ledger = SqlLedger(await open_the_database(registry, settings))
        account = Account(ledger, settings.identity.tenant, JobKind.CONSOLIDATE)
        try:
            await account.check(utc_now().date(), settings.upkeep.daily_tokens)
        except BudgetError as error:
            return error.code
    return ""

"""All that the database keeps, a port for each thing, and what other processes are told of it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..database.accepted import SqlAcceptedTenants
from ..database.attachments import SqlAttachments
from ..database.blocks import SqlBlocks
from ..database.conversations import SqlConversations
from ..database.costs import SqlLedger
from ..database.daily_sums import SqlDailySums
from ..database.deeds import SqlDeeds
from ..database.forgetting import SqlOffers, SqlTombstones
from ..database.jobs import SqlJobs
from ..database.runs import SqlRuns
from ..database.scripts import ScriptRunner
from ..database.standings import SqlStandings
from ..database.switches import SqlSwitches
from ..database.tasks import SqlTasks
from ..database.unopened_database import UnopenedDatabase
from ..database.usage import SqlUsage
from ..database.user_rules import SqlUserRules
from ..model.admission import Admission
from ..model.errors import StateError
from .options import RedisOptions

if TYPE_CHECKING:
    from .shared_log import SharedLog

__all__ = ["RedisOptions", "SqlTasks", "State", "state_in", "state_of"]


@dataclass(frozen=True, slots=True)
class State:
    """The parts are over the same `scripts`."""

    scripts: ScriptRunner
    conversations: SqlConversations
    jobs: SqlJobs
    tombstones: SqlTombstones
    ledger: SqlLedger
    usage: SqlUsage
    standings: SqlStandings
    offers: SqlOffers
    switches: SqlSwitches
    accepted: SqlAcceptedTenants
    sums: SqlDailySums
    attachments: SqlAttachments
    blocks: SqlBlocks
    runs: SqlRuns
    tasks: SqlTasks
    deeds: SqlDeeds
    user_rules: SqlUserRules
    log: SharedLog | None = None
    """What all processes read of each other's changes; None if none shares this state."""
    admission: Admission | None = None
    """What processes on several machines count of callers together; None without Redis."""
    listen: Callable[[], Coroutine[Any, Any, None]] | None = None
    """Hears processes on several machines until cancelled; None if none shares this."""

    @property
    def missing(self) -> StateError | None:
        """Why the database cannot be used; None if it can."""
        return self.scripts.why if isinstance(self.scripts, UnopenedDatabase) else None

    @property
    def shared(self) -> bool:
        """Whether other processes work with the same state."""
        return self.log is not None

    @property
    def refused(self) -> int:
        """How many writes were refused since the start."""
        return self.scripts.refused

    async def ping(self) -> None:
        """Return if the database answers and accepts writes.

        Raises:
            StateUnwritableError: it can only be read.
            StateError: it does not answer, or is damaged.
        """
        await self.jobs.depth()
        await self.scripts.ping()

    def look(self) -> None:
        """Notice whether its file is gone."""
        self.scripts.look()

    async def close(self) -> None:
        """Release everything; the parts cannot be used afterwards."""
        await self.scripts.close()


def state_of(scripts: ScriptRunner, *, holder: str = "") -> State:
    """All parts of the state in one database; `holder` marks the leases of its jobs."""
    jobs = SqlJobs(scripts, holder)
    return State(
        scripts,
        SqlConversations(scripts),
        jobs,
        SqlTombstones(scripts),
        SqlLedger(scripts),
        SqlUsage(scripts),
        SqlStandings(scripts),
        SqlOffers(scripts),
        SqlSwitches(scripts),
        SqlAcceptedTenants(scripts),
        SqlDailySums(scripts),
        SqlAttachments(scripts),
        SqlBlocks(scripts),
        SqlRuns(scripts),
        SqlTasks(scripts, jobs),
        SqlDeeds(scripts),
        SqlUserRules(scripts),
    )


async def state_in(scripts: ScriptRunner, *, holder: str = "") -> State:
    """The same; jobs that a dead process left leased are ready again.

    That is all of them, unless another process uses the database, and those of the dead process
    that `holder` was before.
    """
    if scripts.alone or holder:
        await SqlJobs(scripts, holder).take_back()
    return state_of(scripts, holder=holder)

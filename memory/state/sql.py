"""All state in one SQL database."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..database.attachments import SqlAttachments
from ..database.blocks import SqlBlocks
from ..database.conversations import SqlConversations
from ..database.costs import SqlLedger
from ..database.forgetting import SqlOffers, SqlTombstones
from ..database.jobs import SqlJobs
from ..database.runs import SqlRuns
from ..database.scripts import ScriptRunner
from ..database.standings import SqlStandings
from ..database.sums import SqlDailySums
from ..database.switches import SqlSwitches
from ..database.tasks import SqlTasks
from ..database.usage import SqlUsage
from . import State


@dataclass(frozen=True, slots=True)
class SqlState(State):
    """The parts are over the same `scripts`."""

    jobs: SqlJobs
    scripts: ScriptRunner = field(kw_only=True)

    @property
    def refused(self) -> int:
        return self.scripts.refused

    async def ping(self) -> None:
        await self.jobs.depth()
        await self.scripts.ping()

    def look(self) -> None:
        """Notice whether a file is gone."""
        self.scripts.look()

    async def close(self) -> None:
        await self.scripts.close()


def state_of(scripts: ScriptRunner, *, holder: str = "") -> SqlState:
    """All parts of the state in one database; `holder` marks the leases of its jobs."""
    return SqlState(
        SqlConversations(scripts),
        SqlJobs(scripts, holder),
        SqlTombstones(scripts),
        SqlLedger(scripts),
        SqlUsage(scripts),
        SqlStandings(scripts),
        SqlOffers(scripts),
        SqlSwitches(scripts),
        SqlDailySums(scripts),
        SqlAttachments(scripts),
        SqlBlocks(scripts),
        SqlRuns(scripts),
        SqlTasks(scripts),
        scripts=scripts,
    )

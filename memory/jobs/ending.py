"""The end of a job, within the transaction that writes what the job has done.

So either all of it is there, its memories, what is noted of its turns and the jobs that follow, and
the job is done; or nothing is, and its next try begins with what was decided.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from ..database.scripts import ScriptRunner
from ..model.jobs import Job
from ..model.types import utc_now
from ..records.writing import InsidePorts, MemoryWriter
from .budgets import Budgets
from .lease import LeaseLostError


class Endings:
    """Ends the jobs of one worker."""

    def __init__(self, writer: MemoryWriter, scripts: ScriptRunner, budgets: Budgets) -> None:
        self._budgets = budgets
        self._writer = writer
        self._scripts = scripts
        self._begun: set[str] = set()
        self._ahead = timedelta()

    async def look(self) -> None:
        """Ask how far the database's clock is ahead. Raises StateError."""
        self._ahead = timedelta(milliseconds=await self._scripts.shift_ms())

    async def end(self, ports: InsidePorts, job: Job, following: Iterable[Job | None] = ()) -> None:
        """Mark a job as done, and enqueue those that follow it.

        Raises LeaseLostError: another worker has it, and nothing of the transaction may stay.
        """
        self._begun.add(job.id)
        if not await ports.state.jobs.ack(job):
            raise LeaseLostError
        await self.follow(ports, job, following)

    async def follow(self, ports: InsidePorts, job: Job, following: Iterable[Job | None]) -> None:
        """Enqueue what follows a job, with what goes on with its budget."""
        for each in [*following, await self._budgets.following(ports, job)]:
            if each is not None:
                await ports.state.jobs.put(each, at=utc_now() + self._ahead)

    async def alone(self, job: Job) -> None:
        """End a job that has nothing else to write. Raises LeaseLostError and StateError."""
        await self._writer.change(lambda ports: self.end(ports, job), tenants={job.scope.tenant})

    def has_begun(self, job: Job) -> bool:
        """Whether its end is being written: then its lease is not renewed any more."""
        return job.id in self._begun

    def over(self, job: Job) -> None:
        """The run of this job is over."""
        self._begun.discard(job.id)

"""`recollect worker` as a user runs it: a process that learns beside the proxies."""

from __future__ import annotations

from tests.support.command import Command

READY = "is ready to learn"


class WorkerProcess(Command):
    """Ready once it takes jobs."""

    name = "worker"

    def is_ready(self) -> bool:
        return READY in self.log()

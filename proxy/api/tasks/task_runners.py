"""The work of an import, as steps: between two of them it can be stopped and resumed."""

from __future__ import annotations

from collections.abc import AsyncIterator

from recollect.memory.engine.engine import Engine
from recollect.memory.model.tasks import Task
from recollect.memory.transfer import EmbedWhen, ImportOptions, ImportState, OnError, Seals

from .lines import lines_of


class TaskRunners:
    """Runs imports."""

    def __init__(self, engine: Engine, key: bytes | None) -> None:
        """`key` is that of the seals."""
        self._engine = engine
        self.state = engine.parts.state
        self.key = key

    async def steps(self, task: Task) -> AsyncIterator[None]:
        """The work of the task from where it stopped; changes the task, and yields after each step.

        Raises RecollectError, OSError.
        """
        how = ImportOptions(
            keep_ids=task.asked["keep_ids"],
            embed=EmbedWhen(task.asked["embed"]),
            on_error=OnError(task.asked["on_error"]),
        )
        state = ImportState.from_dict(task.checkpoint) if task.checkpoint else ImportState()
        file = lines_of(self.state.tasks, task, state.position)
        run = self._engine.transfer.importer.run
        async for at in run(file, task.scope, Seals(task.tenant, self.key), how, state):
            task.done = at.counts.read
            task.counts = {**at.counts.as_dict(), "bytes": at.position}
            task.checkpoint = at.as_dict()
            yield

"""The work of an import, as steps: between two of them it can be stopped and resumed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from recollect.memory.api.earlier_chats import FoundChats, ReadChats, ReadOnce, read_upload
from recollect.memory.api.earlier_chats import lines_of as lines_of_chats
from recollect.memory.engine.engine import Engine
from recollect.memory.model.tasks import Task
from recollect.memory.model.types import Scope
from recollect.memory.transfer import (
    EmbedWhen,
    ImportOptions,
    ImportState,
    OnError,
    Reads,
    Seals,
)

from .formats import FORMAT, ImportFormat
from .lines import lines_of

AT_A_TIME = 25
"""Conversations that are read before others have their turn."""


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
        service = task.asked.get(FORMAT, ImportFormat.LINES)
        if service != ImportFormat.LINES:
            async for _ in self._chats(task, service):
                yield
            return
        how = ImportOptions(
            keep_ids=task.asked["keep_ids"],
            embed=EmbedWhen(task.asked["embed"]),
            on_error=OnError(task.asked["on_error"]),
        )
        state = ImportState.from_dict(task.checkpoint) if task.checkpoint else ImportState()
        file = lines_of(self.state.tasks, task, state.position)
        async for _ in self._imported(task, file, how, state):
            yield

    async def _imported(
        self, task: Task, file: Reads, how: ImportOptions, state: ImportState, **told: Any
    ) -> AsyncIterator[None]:
        await self._engine.switches.refuse()  # as `api.files`
        run = self._engine.importer.run
        async for at in run(file, task.scope, Seals(task.tenant, self.key), how, state):
            task.done = at.counts.read
            task.counts = {**at.counts.as_dict(), "bytes": at.position, **told}
            task.checkpoint = at.as_dict()
            yield

    async def _chats(self, task: Task, service: str) -> AsyncIterator[None]:
        """Read the whole export, then keep what is in it; nothing of one that is refused."""
        assert isinstance(task.scope, Scope)  # noqa: S101 - see `check_whose`
        state = ImportState.from_dict(task.checkpoint) if task.checkpoint else ImportState()
        found = FoundChats()
        reading = self._conversations(task, service)
        bulk, owner = self._engine.bulk, ("import", task.tenant)
        while await bulk.run(owner, lambda: found.count_some(reading, AT_A_TIME)):
            task.counts = {**state.counts.as_dict(), **found.as_dict()}
            yield
        task.total = found.turns
        again = lines_of_chats(self._conversations(task, service), task.scope, FoundChats())
        file = ReadOnce(again, state.position)
        async for _ in self._imported(task, file, ImportOptions(), state, **found.as_dict()):
            yield

    def _conversations(self, task: Task, service: str) -> ReadChats:
        file = lines_of(self.state.tasks, task, 0)
        return read_upload(service, file, task.size)

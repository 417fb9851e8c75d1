"""The work of each kind of task, as steps: between two of them it can be stopped and resumed."""

from __future__ import annotations

from collections.abc import AsyncIterator

from recollect.memory.engine.engine import Engine
from recollect.memory.model.tasks import Task, TaskKind, TaskStore
from recollect.memory.model.types import Scope
from recollect.memory.transfer import (
    EmbedWhen,
    ImportOptions,
    ImportState,
    OnError,
    Seals,
    end_line,
    header_line,
)

from .lines import FileGoneError, lines_of


class TaskRunners:
    """Runs tasks. Each method changes the task, and yields what comes next in its file."""

    def __init__(self, engine: Engine, key: bytes | None) -> None:
        """`key` is that of the seals."""
        self._engine = engine
        self.key = key

    @property
    def store(self) -> TaskStore:
        """Where the tasks are."""
        return self._engine.parts.state.tasks

    def steps(self, task: Task) -> AsyncIterator[bytes]:
        """The work of the task from where it stopped.

        Raises RecollectError, FileGoneError, OSError.
        """
        work = {
            TaskKind.EXPORT: self._export,
            TaskKind.IMPORT: self._import,
            TaskKind.FORGET: self._forget,
            TaskKind.REINDEX: self._reindex,
        }
        return work[task.kind](task)

    async def _export(self, task: Task) -> AsyncIterator[bytes]:
        exporter, seals = self._engine.transfer.exporter, Seals(task.tenant, self.key)
        header = exporter.header(vectors=task.asked["vectors"])
        task.total = await exporter.total(task.owner_ref)
        after = task.checkpoint.get("after")
        # What stands behind the checkpoint is written again.
        task.done, task.size = task.checkpoint.get("done", 0), task.checkpoint.get("bytes", 0)
        if after is None:
            yield header_line(header)
        async for page in exporter.pages(task.owner_ref, header, seals, after=after):
            task.done += page.memories
            if page.after is not None:
                size = task.size + len(page.data)
                task.checkpoint = {"after": page.after, "bytes": size, "done": task.done}
            yield page.data
        yield end_line(task.done)
        task.result = {"memories": task.done, "bytes": task.size}
        task.checkpoint = {}

    async def _import(self, task: Task) -> AsyncIterator[bytes]:
        how = ImportOptions(
            keep_ids=task.asked["keep_ids"],
            embed=EmbedWhen(task.asked["embed"]),
            on_error=OnError(task.asked["on_error"]),
        )
        if not task.file:
            raise FileGoneError
        state = ImportState.from_dict(task.checkpoint) if task.checkpoint else ImportState()
        file = lines_of(self.store, task, state.position)
        run = self._engine.transfer.importer.run
        async for at in run(file, task.owner_ref, Seals(task.tenant, self.key), how, state):
            task.done = at.counts.read
            task.counts = {**at.counts.as_dict(), "bytes": at.position}
            task.checkpoint = at.as_dict()
            yield b""
        task.checkpoint = {}

    async def _forget(self, task: Task) -> AsyncIterator[bytes]:
        yield b""  # it may be cancelled before it begins; a forget is one step
        forgetter = self._engine.forgetter
        if task.asked["all"]:
            owner_ref = task.owner_ref
            assert isinstance(owner_ref, Scope)  # noqa: S101 - the handler asks for one
            receipt = await forgetter.forget_scope(owner_ref)
        else:
            receipt = await forgetter.forget_ids(task.owner_ref, task.asked["ids"])
            task.asked["ids"] = []
        task.result = receipt.as_dict()
        task.done = receipt.memories + receipt.versions

    async def _reindex(self, task: Task) -> AsyncIterator[bytes]:
        after = task.checkpoint.get("after")
        async for at in self._engine.transfer.reembedder.run(task.tenant, after=after):
            task.done += at.memories
            task.checkpoint = {"after": at.after}
            yield b""
        task.checkpoint = {}

"""The work of each kind of task, as steps: between two of them it can be stopped and resumed."""

from __future__ import annotations

from collections.abc import AsyncIterator

from recollect.memory.engine.engine import Engine
from recollect.memory.model.tasks import Task, TaskKind
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

from .lines import lines_of


class TaskRunners:
    """Runs tasks. Each method changes the task, and yields what comes next in its file."""

    def __init__(self, engine: Engine, key: bytes | None) -> None:
        """`key` is that of the seals."""
        self._engine = engine
        self.state = engine.parts.state
        self.key = key

    def steps(self, task: Task) -> AsyncIterator[bytes]:
        """The work of the task from where it stopped.

        Raises RecollectError, OSError.
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
        task.total = await exporter.total(task.scope)
        after = task.checkpoint.get("after")
        # What stands behind the checkpoint is written again.
        task.done, task.size = task.checkpoint.get("done", 0), task.checkpoint.get("bytes", 0)
        if after is None:
            yield header_line(header)
        async for page in exporter.pages(task.scope, header, seals, after=after):
            task.done += page.memories
            yield page.data
            if page.after is not None:
                # Once the file has the page: it may be written in several steps.
                task.checkpoint = {"after": page.after, "bytes": task.size, "done": task.done}
        yield end_line(task.done)
        task.result = {"memories": task.done, "bytes": task.size}

    async def _import(self, task: Task) -> AsyncIterator[bytes]:
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
            yield b""

    async def _forget(self, task: Task) -> AsyncIterator[bytes]:
        yield b""  # it may be cancelled before it begins; a forget is one step
        forgetter = self._engine.forgetter
        if task.asked["all"]:
            owner_ref = task.scope
            assert isinstance(owner_ref, Scope)  # noqa: S101 - the handler asks for one
            receipt = await forgetter.forget_scope(owner_ref)
        else:
            receipt = await forgetter.forget_ids(task.scope, task.asked["ids"])
            task.asked["ids"] = []
        task.result = receipt.as_dict()
        task.done = receipt.memories + receipt.versions

    async def _reindex(self, task: Task) -> AsyncIterator[bytes]:
        after = task.checkpoint.get("after")
        async for at in self._engine.transfer.reembedder.run(task.tenant, after=after):
            task.done += at.memories
            task.checkpoint = {"after": at.after}
            yield b""

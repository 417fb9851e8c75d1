"""The work of each kind of task, as steps: between two of them it can be stopped and resumed."""

from __future__ import annotations

import os
from asyncio import to_thread
from collections.abc import AsyncIterator
from typing import BinaryIO

from recollect.memory.engine.engine import Engine
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

from .record import Task, TaskKind
from .spool import Spool


class FileGoneError(Exception):
    """The file of an import is not there any more."""


class TaskRunners:
    """Runs tasks. Each method changes the task and yields after each step."""

    def __init__(self, engine: Engine, spool: Spool, key: bytes | None) -> None:
        """`key` is that of the seals."""
        self._engine = engine
        self.spool = spool
        self.key = key

    def seals(self, tenant: str) -> Seals:
        """Those of this installation."""
        return Seals(tenant, self.key)

    def steps(self, task: Task) -> AsyncIterator[None]:
        """The work of the task from where it stopped.

        Raises RecollectError, FileGoneError, SpoolFullError, OSError.
        """
        work = {
            TaskKind.EXPORT: self._export,
            TaskKind.IMPORT: self._import,
            TaskKind.FORGET: self._forget,
            TaskKind.REINDEX: self._reindex,
        }
        return work[task.kind](task)

    async def _export(self, task: Task) -> AsyncIterator[None]:
        exporter, seals = self._engine.transfer.exporter, self.seals(task.tenant)
        header = exporter.header(vectors=task.asked["vectors"])
        task.total = await exporter.total(task.owner_ref)
        with await to_thread(self._lines_of, task, header_line(header)) as file:
            after, size = task.checkpoint.get("after"), await to_thread(file.tell)
            async for page in exporter.pages(task.owner_ref, header, seals, after=after):
                await self.spool.hold(task, size + len(page.data))
                size = await to_thread(_written, file, page.data)
                task.done += page.memories
                if page.after is not None:
                    task.checkpoint = {"after": page.after, "bytes": size, "done": task.done}
                yield
            size = await to_thread(_written, file, end_line(task.done))
            await to_thread(os.fsync, file.fileno())
        self.spool.found(task, size)
        task.result = {"memories": task.done, "bytes": size}
        task.checkpoint = {}

    def _lines_of(self, task: Task, header: bytes) -> BinaryIO:
        """The file to write to: as far as the checkpoint says, or a new one."""
        known = task.checkpoint
        file = self.spool.store.go_on(task.id, known["bytes"]) if known else None
        task.done = known.get("done", task.done)
        if file is None:
            task.done, task.checkpoint = 0, {}
            file = self.spool.store.begin(task.id)
            file.write(header)
        return file

    async def _import(self, task: Task) -> AsyncIterator[None]:
        how = ImportOptions(
            keep_ids=task.asked["keep_ids"],
            embed=EmbedWhen(task.asked["embed"]),
            on_error=OnError(task.asked["on_error"]),
        )
        state = ImportState.from_dict(task.checkpoint) if task.checkpoint else ImportState()
        try:
            file = await to_thread(open, self.spool.store.lines(task.id), "rb")
        except FileNotFoundError:
            raise FileGoneError from None
        with file:
            file.seek(state.position)
            run = self._engine.transfer.importer.run
            async for at in run(file, task.owner_ref, self.seals(task.tenant), how, state):
                task.done = at.counts.read
                task.counts = {**at.counts.as_dict(), "bytes": at.position}
                task.checkpoint = at.as_dict()
                yield
        task.checkpoint = {}
        await to_thread(self.spool.drop, task.id)

    async def _forget(self, task: Task) -> AsyncIterator[None]:
        yield  # it may be cancelled before it begins; a forget is one step
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

    async def _reindex(self, task: Task) -> AsyncIterator[None]:
        after = task.checkpoint.get("after")
        async for at in self._engine.transfer.reembedder.run(task.tenant, after=after):
            task.done += at.memories
            task.checkpoint = {"after": at.after}
            yield
        task.checkpoint = {}


def _written(file: BinaryIO, data: bytes) -> int:
    """Write it; the size of the file then."""
    file.write(data)
    file.flush()
    return file.tell()

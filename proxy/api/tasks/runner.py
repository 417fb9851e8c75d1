"""Runs tasks: a few at a time, one for each tenant, and says of each how it ended."""

from __future__ import annotations

import asyncio
import errno
import logging
import uuid
from asyncio import to_thread
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from typing import Any

from recollect.memory.model.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    RecollectError,
    ScopeError,
    StateError,
)
from recollect.memory.model.owner import owning_tenant
from recollect.memory.model.types import OwnerRef, Scope, utc_now
from recollect.memory.util.tasks import Tasks

from .record import Task, TaskKind, TaskState
from .spool import FULL, SpoolFullError
from .task_runners import FileGoneError, TaskRunners

log = logging.getLogger(__name__)

MOST_RUNNING = 2
MOST_WAITING = 20
"""Tasks of one tenant that have not ended."""
MOST_KEPT = 100
"""Tasks of one tenant; of more, the oldest that have ended are removed."""
DRAIN_SECONDS = 5.0
"""Longest wait for running tasks to reach their next step when the server ends."""
FAILED_HOURS = 24
"""Hours after which the file of an import that failed or was interrupted is removed; until then it
can be resumed. Where another file needs the room, the oldest of them goes at once."""
EXPIRE_SECONDS = 600.0
_FORGOTTEN = "memories that are in its file were forgotten, so that the file was removed"


class TaskRunner:
    """The tasks of this process. Their files are in its folder, so other processes have others."""

    def __init__(
        self,
        runners: TaskRunners,
        *,
        days: float,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """Tasks that ended more than `days` ago are removed."""
        self.spool = runners.spool
        self.spool.evict = self._evict
        self.store = runners.spool.store
        self._runners = runners
        self._days = timedelta(days=days)
        self._clock = clock
        self._tasks: dict[str, Task] = {}
        self._coming: Counter[str] = Counter()
        """Imports of each tenant whose bodies are being received."""
        self._running: dict[str, asyncio.Task[Any]] = {}
        self._stopping: dict[str, TaskState] = {}
        """What becomes of a running task at its next step."""
        self._work = Tasks()
        self._ending = False
        self._saving = asyncio.Lock()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Take up the tasks of the folder; at the end stop those that run."""
        await to_thread(self._take_up)
        self._pump()
        loop = Tasks()
        loop.start(self._expire(), name="old tasks")
        try:
            yield
        finally:
            await loop.drain(0)
            self._ending = True
            self._stopping |= dict.fromkeys(self._running, TaskState.INTERRUPTED)
            await self._work.drain(DRAIN_SECONDS)

    def new(self, kind: TaskKind, owner_ref: OwnerRef, **asked: Any) -> Task:
        """A task that is not kept yet.

        Raises:
            ConflictError: too many of the tenant's tasks wait.
        """
        tenant = owning_tenant(owner_ref)
        waiting = [each for each in self._of(tenant) if not each.state.is_over]
        if len(waiting) + self._coming[tenant] >= MOST_WAITING:
            raise ConflictError(f"{MOST_WAITING} tasks wait already: try again when one has ended")
        now = self._clock()
        return Task(
            id=uuid.uuid4().hex,
            kind=kind,
            tenant=tenant,
            ids=owner_ref.ids() if isinstance(owner_ref, Scope) else {},
            created_at=now,
            updated_at=now,
            asked=asked,
        )

    @contextmanager
    def coming(self, task: Task) -> Iterator[None]:
        """Count a task that is not added yet among those that wait, for the time of the block."""
        self._coming[task.tenant] += 1
        try:
            yield
        finally:
            self._coming[task.tenant] -= 1
            if not self._coming[task.tenant]:
                del self._coming[task.tenant]

    async def add(self, task: Task) -> Task:
        """Keep the task and run it when it is its turn. Raises OSError."""
        new = task.id not in self._tasks
        self._tasks[task.id] = task
        try:
            await self._save(task, durably=True)
        except OSError:
            if new:
                del self._tasks[task.id]
            raise
        over = [each for each in self._of(task.tenant) if each.state.is_over]
        for old in sorted(over, key=_age)[: max(len(self._of(task.tenant)) - MOST_KEPT, 0)]:
            await self._remove(old)
        self._pump()
        return task

    def find(self, owner_ref: OwnerRef, task_id: str) -> Task:
        """The owner's task with this id. Raises NotFoundError."""
        task = self._tasks.get(task_id)
        if task is None or not task.belongs_to(owner_ref):
            raise NotFoundError(f"there is no task {task_id!r}")
        return task

    def of(self, owner_ref: OwnerRef) -> list[Task]:
        """The owner's tasks, newest first."""
        found = [task for task in self._tasks.values() if task.belongs_to(owner_ref)]
        return sorted(found, key=_age, reverse=True)

    async def cancel(self, task: Task) -> Task:
        """Stop it at its next step; what it wrote stays. Raises OSError."""
        if task.state is TaskState.WAITING:
            await self._end(task, TaskState.CANCELLED, spare=False)
        elif task.state is TaskState.RUNNING:
            self._stopping[task.id] = TaskState.CANCELLED
        return task

    async def resume(self, task: Task) -> Task:
        """Go on where it stopped.

        Raises:
            ConflictError: it is done, has not ended, or its file is gone.
            OSError: it cannot be kept.
        """
        if task.state is TaskState.DONE or not task.state.is_over:
            raise ConflictError(f"the task is {task.state.value}: it cannot be resumed")
        if task.kind is TaskKind.IMPORT and not self.store.lines(task.id).exists():
            raise ConflictError("the file of the import is gone: import it again")
        task.state, task.error, task.updated_at = TaskState.WAITING, None, self._clock()
        return await self.add(task)

    async def remove(self, task: Task) -> None:
        """Remove it with its files; one that runs is stopped first. Raises OSError."""
        running = self._running.get(task.id)
        if running is not None:
            self._stopping[task.id] = TaskState.CANCELLED
            await asyncio.wait([running])
        await self._remove(task)

    def forgotten(self, owner_ref: OwnerRef) -> None:
        """Memories of this owner are forgotten: remove the files that may have their texts.

        Raises StateError: a file is still there, so that nothing may be called forgotten.
        """
        for task in self._tasks.values():
            if task.kind not in (TaskKind.EXPORT, TaskKind.IMPORT) or not task.concerns(owner_ref):
                continue
            there = self._dropped(task)
            if task.id in self._running:
                # An import reads on: what was forgotten does not come back.
                if task.kind is TaskKind.EXPORT:
                    self._stopping[task.id] = TaskState.FAILED
            elif there:
                task.error, task.result, task.checkpoint = _FORGOTTEN, None, {}
                task.state = TaskState.FAILED

    def _dropped(self, task: Task) -> bool:
        try:
            return self.spool.drop(task.id)
        except OSError as error:
            raise StateError(f"the file of a task cannot be removed: {error}") from error

    async def expired(self) -> None:
        """Remove the tasks that ended long ago, and the files that wait to be resumed too long.

        Where the disk is low those files go at once. Raises OSError.
        """
        before = self._clock() - self._days
        for task in list(self._tasks.values()):
            if task.state.is_over and task.updated_at < before:
                await self._remove(task)
        before = self._clock() - timedelta(hours=FAILED_HOURS)
        for task in self._spared():
            if task.updated_at < before or self.spool.is_low:
                await to_thread(self.spool.drop, task.id)

    def _spared(self) -> list[Task]:
        """The tasks with a file that is kept only so that they can be resumed, oldest first."""
        spared = [
            task
            for task in self._tasks.values()
            if task.state.is_over and task.state is not TaskState.DONE and self.spool.has(task.id)
        ]
        return sorted(spared, key=lambda task: task.updated_at)

    async def _evict(self, full: SpoolFullError) -> bool:
        task = next(filter(full.is_freed_by, self._spared()), None)
        if task is not None:
            await to_thread(self.spool.drop, task.id)
        return task is not None

    async def _expire(self) -> None:
        while True:
            try:
                await self.expired()
            except OSError as error:
                log.warning("old tasks cannot be removed: %s", error)
            await asyncio.sleep(EXPIRE_SECONDS)

    def _take_up(self) -> None:
        for task in self.store.load():
            if task.state is TaskState.RUNNING:
                task.state = TaskState.INTERRUPTED
                self.store.save(task)
            self._tasks[task.id] = task
            if (size := self.store.size(task.id)) is not None:
                self.spool.found(task, size)
        self.store.sweep(set(self._tasks))

    def _of(self, tenant: str) -> list[Task]:
        return [task for task in self._tasks.values() if task.tenant == tenant]

    def _pump(self) -> None:
        """Start the tasks whose turn it is. The others wait, at the end for the next start."""
        if self._ending:
            return
        waiting = [task for task in self._tasks.values() if task.state is TaskState.WAITING]
        for task in sorted(waiting, key=_age):
            busy = {self._tasks[name].tenant for name in self._running}
            if len(self._running) < MOST_RUNNING and task.tenant not in busy:
                task.state = TaskState.RUNNING
                run = self._work.start(self._run(task), name=f"task {task.kind.value}")
                self._running[task.id] = run

    async def _run(self, task: Task) -> None:
        state, spare = TaskState.INTERRUPTED, True
        try:
            state = await self._steps(task)
            spare = state is not TaskState.CANCELLED or task.kind is not TaskKind.IMPORT
        except (InvalidInputError, ScopeError, ConflictError) as error:
            # What is wrong with the file stays wrong.
            state, spare, task.error = TaskState.FAILED, False, str(error)
        except RecollectError as error:
            log.warning("a task failed: %s: %s", error.code, error)
            state = TaskState.FAILED
            task.error = f"{error.code}: memory is not available at the moment; resume the task"
        except FileGoneError:
            state, task.error = TaskState.FAILED, "its file is gone: import it again"
        except SpoolFullError as error:
            state, spare, task.error = TaskState.FAILED, False, str(error)
        except OSError as error:
            log.warning("a task failed: %s", error)
            state, task.error = TaskState.FAILED, disk_told(error)
            spare = task.kind is TaskKind.IMPORT
        finally:
            await self._end(task, state, spare=spare)

    async def _steps(self, task: Task) -> TaskState:
        await self._save(task, durably=True)
        async with aclosing(self._runners.steps(task)) as steps:  # type: ignore[type-var]
            async for _ in steps:
                if (stopped := self._stopping.get(task.id)) is not None:
                    return self._stopped(task, stopped)
                task.updated_at = self._clock()
                await self._save(task)
                if task.kind is TaskKind.IMPORT and self.spool.is_low:
                    raise OSError(errno.ENOSPC, "the reserve of the disk is reached")
        if self._stopping.get(task.id) is TaskState.FAILED:
            return self._stopped(task, TaskState.FAILED)
        return TaskState.DONE

    def _stopped(self, task: Task, state: TaskState) -> TaskState:
        if state is TaskState.FAILED:
            task.error, task.checkpoint, task.result = _FORGOTTEN, {}, None
            self.spool.drop(task.id)
        return state

    async def _end(self, task: Task, state: TaskState, *, spare: bool = True) -> None:
        """Without `spare` its file is of no use any more, and goes before anybody can resume it."""
        if task.state is TaskState.WAITING:
            task.state = state  # it must not begin meanwhile
        if not spare:
            try:
                await to_thread(self.spool.drop, task.id)
                task.checkpoint = {}
            except OSError as error:
                log.warning("the file of a task could not be removed: %s", error)
        task.state, task.updated_at = state, self._clock()
        self._running.pop(task.id, None)
        self._stopping.pop(task.id, None)
        try:
            await self._save(task, durably=True)
        except OSError as error:
            log.warning("the end of a task could not be kept: %s", error)
        self._pump()

    async def _save(self, task: Task, *, durably: bool = False) -> None:
        """One after the other: what is kept last is how the task is now."""
        async with self._saving:
            if task.id in self._tasks:
                await to_thread(self.store.save, task, durably=durably)

    async def _remove(self, task: Task) -> None:
        async with self._saving:
            self._tasks.pop(task.id, None)
            await to_thread(self.store.remove, task.id)
            self.spool.let_go(task.id)


def disk_told(error: OSError) -> str:
    """What a client is told of a failure of the disk: no path."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return FULL
    return f"a file in data_dir cannot be used: {error.strerror or type(error).__name__}"


def _age(task: Task) -> tuple[datetime, str]:
    return task.created_at, task.id

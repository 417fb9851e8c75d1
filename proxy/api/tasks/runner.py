"""Runs tasks: a few at a time, one for each tenant, and says of each how it ended.

The tasks are rows that all processes share. Whoever has room takes the next one, with a lease; one
whose process died is taken up by another, where it stopped.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from recollect.memory.model.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    RecollectError,
    ScopeError,
    StateError,
    StateUnwritableError,
)
from recollect.memory.model.owner import owning_tenant
from recollect.memory.model.tasks import FitsRoom, Task, TaskKind, TaskState
from recollect.memory.model.types import OwnerRef, Scope, utc_now
from recollect.memory.util.tasks import Tasks

from . import changes
from .changes import TaskLostError, TaskStoppedError
from .lines import FileGoneError
from .room import FULL, SpoolFullError, TaskRoom
from .task_runners import TaskRunners

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_RUNNING = 2
MOST_WAITING = 20
"""Tasks of one tenant that have not ended."""
MOST_KEPT = 100
"""Tasks of one tenant; of more, the oldest that have ended are removed."""
MOST_ATTEMPTS = 3
"""Times that a task is taken up without a step before its processes died."""
MOST_WRITTEN = 2**20
"""Bytes that are written in one transaction: whoever else writes waits meanwhile."""
DRAIN_SECONDS = 5.0
"""Longest wait for running tasks to reach their next step when the server ends."""
FAILED_HOURS = 24
"""Hours after which the file of an import that failed is removed; until then it can be resumed.
Where another file needs the room, the oldest of them goes at once."""
LEASE = timedelta(seconds=30)
WATCH_SECONDS = 10.0
"""How often a process says that it lives, and looks for tasks of those that do not."""
EXPIRE_SECONDS = 600.0


class TaskRunner:
    """Runs tasks in this process, and changes those of all processes."""

    def __init__(
        self,
        runners: TaskRunners,
        room: TaskRoom,
        *,
        days: float,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """Tasks that ended more than `days` ago are removed."""
        self.store = runners.store
        self.room = room
        self._runners = runners
        self._days = timedelta(days=days)
        self._clock = clock
        self._holder = uuid.uuid4().hex
        self._coming: set[str] = set()
        self._running: dict[str, asyncio.Task[Any]] = {}
        self._work = Tasks()
        self._ending = False
        self._claiming = asyncio.Lock()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run tasks; at the end those that run wait for another process, or the next start."""
        loop = Tasks()
        loop.start(self._watch(), name="watch over tasks")
        try:
            yield
        finally:
            await loop.drain(0)
            self._ending = True
            await self._work.drain(DRAIN_SECONDS)

    def new(self, kind: TaskKind, owner_ref: OwnerRef, **asked: Any) -> Task:
        """A task that is not kept yet."""
        now = self._clock()
        return Task(
            id=uuid.uuid4().hex,
            kind=kind,
            tenant=owning_tenant(owner_ref),
            ids=owner_ref.ids() if isinstance(owner_ref, Scope) else {},
            created_at=now,
            updated_at=now,
            asked=asked,
        )

    async def add(self, task: Task) -> Task:
        """Keep the task and run it when it is its turn. Raises ConflictError, StateError."""
        await self._keep(task)
        return await self._begun(task)

    async def expect(self, task: Task, size: int) -> None:
        """Its file comes, of `size` bytes if that is known. `received` or `unexpect` follows.

        Raises:
            ConflictError: too many of the tenant's tasks wait.
            SpoolFullError: there is no room, also without the files that can be spared.
            OSError: the disk cannot be asked.
        """
        task.state, task.expected = TaskState.COMING, size
        task.holder, task.lease_until = self._holder, self._clock() + LEASE
        await self._roomy(partial(self._keep, task))
        self._coming.add(task.id)

    async def receive(self, task: Task, data: bytes) -> None:
        """Add to the file that comes. Raises SpoolFullError, OSError."""
        held = partial(changes.check, holder=self._holder, state=TaskState.COMING)
        await self._held(task, held, data)

    async def received(self, task: Task) -> Task:
        """The file is whole: run the task when it is its turn."""
        self._coming.discard(task.id)
        kept = await self.store.change(task, partial(changes.received, holder=self._holder))
        return await self._begun(_there(kept, task.id))

    async def unexpect(self, task: Task) -> None:
        """The file does not come."""
        self._coming.discard(task.id)
        await self.store.remove(task)

    async def find(self, owner_ref: OwnerRef, task_id: str) -> Task:
        """The owner's task with this id. Raises NotFoundError."""
        return _there(await self.store.find(owner_ref, task_id), task_id)

    async def cancel(self, task: Task) -> Task:
        """Stop it at its next step; what it wrote stays."""
        kept = await self.store.change(task, partial(changes.cancel, now=self._clock()))
        return _there(kept, task.id)

    async def resume(self, task: Task) -> Task:
        """Go on where it stopped.

        Raises ConflictError: it is done, has not ended, or its file is gone.
        """
        kept = await self.store.change(task, partial(changes.resume, now=self._clock()))
        return await self._begun(_there(kept, task.id))

    async def remove(self, task: Task) -> None:
        """Remove it with its file; one that runs is stopped."""
        await self.store.remove(task)
        if (running := self._running.get(task.id)) is not None:
            await asyncio.wait([running])

    async def forgotten(self, owner_ref: OwnerRef) -> None:
        """Memories of this owner are forgotten: remove the files that may have their texts.

        Raises StateError: a file is still there, so that nothing may be called forgotten.
        """
        for task in await self.store.of(owning_tenant(owner_ref)):
            runs = task.state is TaskState.RUNNING
            if task.kind.has_file and task.concerns(owner_ref) and (task.file or runs):
                await self.store.change(task, changes.forget)
        await self.store.sweep()

    async def expired(self) -> None:
        """Remove the tasks that ended long ago, and the files that wait to be resumed too long.

        Where the disk is low those files go at once. Raises StateError, OSError.
        """
        now = self._clock()
        for task in await self.store.old(before=now - self._days, now=now):
            await self.store.remove(task)
        before = now - timedelta(hours=FAILED_HOURS)
        for task in await self.store.spared():
            if task.updated_at < before or self.room.is_low:
                await self.store.change(task, changes.spare)
        await self.store.sweep()

    async def _keep(self, task: Task, fits: FitsRoom | None = None) -> None:
        if not await self.store.add(task, most=MOST_WAITING, fits=fits):
            raise ConflictError(f"{MOST_WAITING} tasks wait already: try again when one has ended")

    async def _begun(self, task: Task) -> Task:
        """Start what can be started, and make room for its record."""
        kept = await self.store.of(task.tenant)
        over = [each for each in reversed(kept) if each.state.is_over]
        for old in over[: max(len(kept) - MOST_KEPT, 0)]:
            await self.store.remove(old)
        await self._claim()
        if task.id in self._running:
            task.state = TaskState.RUNNING
        return task

    async def _roomy(self, work: Callable[[FitsRoom], Awaitable[T]]) -> T:
        """Do it with the room that files make that can be spared. Raises SpoolFullError."""
        while True:
            try:
                return await work(self.room.fits())
            except SpoolFullError as full:
                spared = next(filter(full.is_freed_by, await self.store.spared()), None)
                if spared is None:
                    raise
                await self.store.change(spared, changes.spare)

    async def _held(self, task: Task, decide: Callable[[Task], None], data: bytes) -> None:
        """Change a task of this process, with more of its file. Raises TaskLostError."""
        change = partial(self.store.change, task, decide)
        if data:
            kept = await self._roomy(lambda fits: change(data=data, at=task.size, fits=fits))
        else:
            kept = await change()
        if kept is None:
            raise TaskLostError
        task.file, task.size = kept.file, kept.size

    async def _watch(self) -> None:
        due, told = self._clock(), ""
        while True:
            now = self._clock()
            try:
                if mine := [*self._running, *self._coming]:
                    await self.store.renew(mine, self._holder, until=now + LEASE)
                await self._claim()
                if now >= due:
                    due = now + timedelta(seconds=EXPIRE_SECONDS)
                    await self.expired()
                told = ""
            except (StateError, OSError) as error:
                if told != str(error):
                    told = str(error)
                    log.warning("tasks cannot be looked after: %s", error)
            await asyncio.sleep(WATCH_SECONDS)

    async def _claim(self) -> None:
        """Start the tasks whose turn it is. The others wait, at the end for the next start."""
        async with self._claiming:
            while not self._ending and len(self._running) < MOST_RUNNING:
                now = self._clock()
                task = await self.store.claim(self._holder, now=now, until=now + LEASE)
                if task is None:
                    return
                run = self._work.start(self._run(task), name=f"task {task.kind.value}")
                self._running[task.id] = run

    async def _run(self, task: Task) -> None:
        state, spare = TaskState.INTERRUPTED, True
        try:
            state = await self._steps(task)
        except asyncio.CancelledError:
            state = TaskState.WAITING
            raise
        except TaskStoppedError as stopped:
            state = stopped.state
        except TaskLostError:
            pass
        except (FileGoneError, SpoolFullError, RecollectError, OSError) as error:
            state = TaskState.FAILED
            task.error, spare = failure(error)
        finally:
            await self._end(task, state, spare=spare)

    async def _steps(self, task: Task) -> TaskState:
        if task.attempts > MOST_ATTEMPTS:
            task.error = "its process died again and again; resume the task"
            return TaskState.INTERRUPTED
        async with aclosing(self._runners.steps(task)) as steps:  # type: ignore[type-var]
            async for data in steps:
                last = max(len(data) - 1, 0) // MOST_WRITTEN * MOST_WRITTEN
                for at in range(0, last, MOST_WRITTEN):
                    going = partial(changes.going, holder=self._holder)
                    await self._held(task, going, data[at : at + MOST_WRITTEN])
                now = self._clock()
                step = partial(changes.step, done=task, holder=self._holder, now=now)
                await self._held(task, step, data[last:])
                if self._ending:
                    return TaskState.WAITING
                if task.kind is TaskKind.IMPORT and self.room.is_low:
                    raise OSError(errno.ENOSPC, "the reserve of the disk is reached")
        return TaskState.DONE

    async def _end(self, task: Task, state: TaskState, *, spare: bool) -> None:
        """Without `spare` its file is of no use any more."""
        end = partial(
            changes.end, done=task, holder=self._holder, now=self._clock(), state=state, spare=spare
        )
        try:
            await self.store.change(task, end)
        except TaskLostError:
            pass  # what it did stays
        except StateError as error:
            log.warning("the end of a task could not be kept: %s", error)
        self._running.pop(task.id, None)
        if not self._ending:
            try:
                await self._claim()
            except StateError as error:
                log.warning("the next task could not be begun: %s", error)


def failure(
    error: FileGoneError | SpoolFullError | RecollectError | OSError,
) -> tuple[str, bool]:
    """What a client is told of it, and whether the file is of use for another try."""
    match error:
        case FileGoneError():
            return "its file is gone: import it again", False
        case InvalidInputError() | ScopeError() | ConflictError() | SpoolFullError():
            return str(error), False
        case StateUnwritableError() | OSError():
            log.warning("a task failed: %s", error)
            return disk_told(error), True
        case RecollectError(code=code):
            log.warning("a task failed: %s: %s", code, error)
            return f"{code}: memory is not available at the moment; resume the task", True


def disk_told(error: OSError | StateUnwritableError) -> str:
    """What a client is told of a failure of the disk: no path."""
    if isinstance(error, StateUnwritableError):
        return error.advice
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return FULL
    return f"data_dir cannot be used: {error.strerror or type(error).__name__}"


def _there(task: Task | None, task_id: str) -> Task:
    if task is None:
        raise NotFoundError(f"there is no task {task_id!r}")
    return task

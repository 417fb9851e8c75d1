"""Runs tasks: a few at a time, one for each tenant, and says of each how it ended.

The tasks are jobs of the one queue, of kinds that only servers of the API claim. One whose process
died is taken up by another, where it stopped.
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

from recollect.memory.jobs import LeaseLostError, while_held
from recollect.memory.model.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    RecollectError,
    ScopeError,
    StateUnwritableError,
)
from recollect.memory.model.tasks import MOST_ATTEMPTS, FitsRoom, Task, TaskKind, TaskState
from recollect.memory.model.types import OwnerRef, utc_now
from recollect.memory.util.clock import CLOCK
from recollect.memory.util.loops import guarded
from recollect.memory.util.tasks import Tasks

from .room import FULL, SpoolFullError, TaskRoom
from .task_runners import TaskRunners

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_RUNNING = 2
MOST_WAITING = 20
"""Tasks of one tenant that have not ended."""
MOST_KEPT = 100
"""Tasks of one tenant; of more, the oldest that have ended are removed."""
MOST_WRITTEN = 2**20
"""Bytes that are written in one transaction: whoever else writes waits meanwhile."""
DRAIN_SECONDS = 5.0
"""Longest wait for running tasks to reach their next step when the server ends."""
FAILED_HOURS = 24
"""Hours after which the file of an import that failed is removed; until then it can be resumed.
Where another file needs the room, the oldest of them goes at once."""
LEASE_SECONDS = 30.0
BEATS = 3
"""Renewals within one lease; two may fail."""
LOOK_SECONDS = 10.0
"""How often a process looks for tasks: those of others, and of those that died."""
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
        self.store, self._jobs = runners.state.tasks, runners.state.jobs
        self.room = room
        self._runners = runners
        self._days = timedelta(days=days)
        self._clock = clock
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

    def new(self, owner_ref: OwnerRef, **asked: Any) -> Task:
        """An import that is not kept yet."""
        now = self._clock()
        return Task(
            id=uuid.uuid4().hex,
            kind=TaskKind.IMPORT,
            scope=owner_ref,
            created_at=now,
            updated_at=now,
            asked=asked,
        )

    async def expect(self, task: Task, size: int) -> None:
        """Its file comes, of `size` bytes if that is known: receive it while it is `held`.

        Raises:
            ConflictError: too many of the tenant's tasks wait.
            SpoolFullError: there is no room, also without the files that can be spared.
            OSError: the disk cannot be asked.
        """
        task.expected = size
        await self._roomy(partial(self._put, task))

    async def held(self, task: Task, work: Awaitable[T]) -> T:
        """Do the work under the task's lease. Raises LeaseLostError, and what it raises."""

        async def renew() -> bool:
            until = self._clock() + timedelta(seconds=LEASE_SECONDS)
            return await self._jobs.extend(task, until=until)

        return await while_held(work, renew=renew, every=LEASE_SECONDS / BEATS)

    async def step(self, task: Task, data: bytes) -> None:
        """Keep how far it is, with more of its file.

        Raises LeaseLostError, SpoolFullError, OSError.
        """
        for at in range(0, max(len(data), 1), MOST_WRITTEN):
            if not await self._roomy(partial(self.store.step, task, data[at : at + MOST_WRITTEN])):
                raise LeaseLostError

    async def received(self, task: Task) -> Task:
        """The file is whole: run the task when it is its turn. Raises LeaseLostError."""
        if not await self.store.received(task):
            raise LeaseLostError
        return await self._begun(task)

    async def find(self, owner_ref: OwnerRef, task_id: str) -> Task:
        """The owner's task with this id. Raises NotFoundError."""
        if (task := await self.store.find(owner_ref, task_id)) is None:
            raise NotFoundError(f"there is no task {task_id!r}")
        return task

    async def cancel(self, task: Task) -> Task:
        """Stop it at its next step; what it wrote stays."""
        await self.store.cancel(task, now=self._clock())
        return await self.find(task.scope, task.id)

    async def resume(self, task: Task) -> Task:
        """Go on where it stopped.

        Raises ConflictError: it is done, has not ended, or its file is gone.
        """
        resumed = await self.store.resume(task, now=self._clock())
        kept = await self.find(task.scope, task.id)
        if resumed:
            return await self._begun(kept)
        if kept.state is TaskState.DONE or not kept.state.is_over:
            raise ConflictError(f"the task is {kept.state.value}: it cannot be resumed")
        raise ConflictError("the file of the import is gone: import it again")

    async def remove(self, task: Task) -> None:
        """Remove it with its file; one that runs is stopped."""
        await self.store.remove(task)
        if (running := self._running.get(task.id)) is not None:
            await asyncio.wait([running])

    async def expired(self) -> None:
        """Remove the tasks that ended long ago, and the files that wait to be resumed too long.

        Where the disk is low those files go at once. Raises StateError, OSError.
        """
        now = self._clock()
        spared = now if self.room.is_low else now - timedelta(hours=FAILED_HOURS)
        await self.store.expire(before=now - self._days, spared=spared)

    async def _put(self, task: Task, fits: FitsRoom) -> None:
        put = self.store.put(task, most=MOST_WAITING, fits=fits, upload_seconds=LEASE_SECONDS)
        if not await put:
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
                await self.store.drop_file(spared)

    async def _watch(self) -> None:
        due = self._clock()
        while True:
            await guarded(self._claim)
            if self._clock() >= due:
                due = self._clock() + timedelta(seconds=EXPIRE_SECONDS)
                await guarded(self.expired)
            await asyncio.sleep(CLOCK.together(LOOK_SECONDS))

    async def _claim(self) -> None:
        """Start the tasks whose turn it is. The others wait, at the end for the next start."""
        async with self._claiming:
            while not self._ending and len(self._running) < MOST_RUNNING:
                task = await self.store.claim(now=self._clock(), lease_seconds=LEASE_SECONDS)
                if task is None:
                    return
                run = self._work.start(self._run(task), name=f"task {task.kind.value}")
                self._running[task.id] = run

    async def _run(self, task: Task) -> None:
        over = False
        try:
            over = await self._ended(task)
        finally:
            if not over:  # This process ends, or it has a defect, which counts as a try.
                now, count = self._clock(), not self._ending
                back = partial(self._jobs.retry, task, at=now, error="stopped", count=count)
                await guarded(back)
            self._running.pop(task.id, None)
            await guarded(self._claim)

    async def _ended(self, task: Task) -> bool:
        """Run it and keep how it ended; False if it is to wait for its next turn."""
        spare = True
        try:
            state = await self.held(task, self._steps(task))
        except LeaseLostError:
            state = TaskState.CANCELLED  # unless it is somebody else's, or gone
        except (SpoolFullError, RecollectError, OSError) as error:
            state = TaskState.FAILED
            task.error, spare = failure(error)
        if state is TaskState.WAITING:
            return False
        task.updated_at = self._clock()
        await guarded(partial(self.store.end, task, state, spare=spare))
        return True

    async def _steps(self, task: Task) -> TaskState:
        if task.attempts > MOST_ATTEMPTS:
            task.error = "its process died again and again; resume the task"
            return TaskState.INTERRUPTED
        if task.kind is not TaskKind.IMPORT:  # of a folder from before exports were streamed
            task.error = f"no task does this any more: {task.kind}"
            return TaskState.FAILED
        async with aclosing(self._runners.steps(task)) as steps:  # type: ignore[type-var]
            async for _ in steps:
                task.updated_at = self._clock()
                await self.step(task, b"")
                if self._ending:
                    return TaskState.WAITING
                if self.room.is_low:
                    raise OSError(errno.ENOSPC, "the reserve of the disk is reached")
        return TaskState.DONE


def failure(error: SpoolFullError | RecollectError | OSError) -> tuple[str, bool]:
    """What a client is told of it, and whether the file is of use for another try."""
    match error:
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

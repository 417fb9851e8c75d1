"""What becomes of a task. Each changes the task that is kept, or raises why it cannot. Pure."""

from __future__ import annotations

from datetime import datetime

from recollect.memory.model.errors import ConflictError
from recollect.memory.model.tasks import Task, TaskKind, TaskState

FORGOTTEN = "memories that are in its file were forgotten, so that the file was removed"
_PROGRESS = ("asked", "done", "total", "counts", "checkpoint", "result")


class TaskLostError(ConflictError):
    """The task is removed, or another process has it."""

    def __init__(self) -> None:
        super().__init__("the task was removed, or another process has it")


class TaskStoppedError(Exception):
    """Somebody stopped the task."""

    def __init__(self, state: TaskState) -> None:
        super().__init__(state)
        self.state = state


def check(kept: Task, *, holder: str, state: TaskState = TaskState.RUNNING) -> None:
    """Whether the holder still has it. Raises TaskLostError."""
    if (kept.holder, kept.state) != (holder, state):
        raise TaskLostError


def received(kept: Task, *, holder: str) -> None:
    """Its file is whole. Raises TaskLostError."""
    check(kept, holder=holder, state=TaskState.COMING)
    kept.state, kept.holder, kept.expected = TaskState.WAITING, "", 0


def going(kept: Task, *, holder: str) -> None:
    """Whether it still is to be done. Raises TaskLostError, TaskStoppedError."""
    check(kept, holder=holder)
    if kept.stopping is not None:
        raise TaskStoppedError(kept.stopping)


def step(kept: Task, *, done: Task, holder: str, now: datetime) -> None:
    """It came as far as `done` says. Raises TaskLostError, TaskStoppedError."""
    going(kept, holder=holder)
    if done.checkpoint != kept.checkpoint:
        kept.attempts = 0
    _go_on(kept, done)
    kept.updated_at = now


def end(
    kept: Task, *, done: Task, holder: str, now: datetime, state: TaskState, spare: bool
) -> None:
    """The holder ends it; unless it is done, it stays where its latest step was.

    Without `spare` its file is of no use any more. Raises TaskLostError.
    """
    check(kept, holder=holder)
    if state is TaskState.DONE:
        _go_on(kept, done)
    kept.state, kept.error, kept.updated_at = state, done.error, now
    over = kept.kind is TaskKind.IMPORT and state in (TaskState.DONE, TaskState.CANCELLED)
    if over or not spare:
        kept.drop_file()
    if kept.stopping is TaskState.FAILED:
        forget_ended(kept)
    kept.stopping, kept.holder, kept.attempts = None, "", 0


def cancel(kept: Task, *, now: datetime) -> None:
    """Stop it at its next step, or before its first."""
    if kept.state is TaskState.RUNNING:
        kept.stopping = kept.stopping or TaskState.CANCELLED
    elif kept.state is TaskState.WAITING:
        kept.state, kept.updated_at = TaskState.CANCELLED, now
        if kept.kind is TaskKind.IMPORT:
            kept.drop_file()


def resume(kept: Task, *, now: datetime) -> None:
    """Let it wait again. Raises ConflictError: it is done, has not ended, or its file is gone."""
    if kept.state is TaskState.DONE or not kept.state.is_over:
        raise ConflictError(f"the task is {kept.state.value}: it cannot be resumed")
    if kept.kind is TaskKind.IMPORT and not kept.file:
        raise ConflictError("the file of the import is gone: import it again")
    kept.state, kept.error, kept.updated_at = TaskState.WAITING, None, now


def forget(kept: Task) -> None:
    """Memories that may be in its file are forgotten: one that runs fails at its next step."""
    if kept.state is TaskState.RUNNING:
        kept.stopping = TaskState.FAILED
        kept.drop_file()
    elif kept.file:
        forget_ended(kept)


def forget_ended(kept: Task) -> None:
    """The same for one that does not run."""
    kept.drop_file()
    kept.state, kept.error, kept.result = TaskState.FAILED, FORGOTTEN, None


def spare(kept: Task) -> None:
    """Drop a file that is kept only so that the task can be resumed."""
    if kept.state.is_over and kept.state is not TaskState.DONE:
        kept.drop_file()


def _go_on(kept: Task, done: Task) -> None:
    for name in _PROGRESS:
        setattr(kept, name, getattr(done, name))

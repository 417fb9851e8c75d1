"""Long work that goes on after its request was answered: a job that a caller sees, with a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from .jobs import JobState
from .owner import owning_tenant
from .types import OwnerRef, Scope

TASK = "task"
"""The kind of the job of a task."""
UPLOAD = "upload"
"""The same while its file is received. Who claims one removes it: its receiver died."""
TASK_PIECE = 256 * 1024
"""Bytes of a piece of a file: what is read and sent at a time."""
MOST_ATTEMPTS = 3
"""Times that a task is taken up without a step before its processes died."""


class TaskKind(StrEnum):
    """What a task does."""

    EXPORT = "export"
    IMPORT = "import"
    FORGET = "forget"
    REINDEX = "reindex"


class TaskState(StrEnum):
    """What a caller is told of the job. The last four end it; all but `done` can be resumed."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """The processes that ran it died, again and again."""

    @classmethod
    def of(cls, state: str, *, cancelled: bool, attempts: int) -> TaskState:
        """That of a job in this state, which was begun so often without a step forward."""
        if state == JobState.DEAD:
            died = attempts > MOST_ATTEMPTS
            return cls.CANCELLED if cancelled else cls.INTERRUPTED if died else cls.FAILED
        return {"ready": cls.WAITING, "leased": cls.RUNNING, "done": cls.DONE}[state]

    @property
    def is_over(self) -> bool:
        """Whether nothing happens any more unless somebody resumes it."""
        return self not in (TaskState.WAITING, TaskState.RUNNING)


@dataclass(slots=True, kw_only=True)
class Task:
    """A task as it is kept. It has ids and counts, and no text of a memory."""

    id: str
    kind: TaskKind
    scope: OwnerRef
    """Whose memories it is about; or it is about a whole tenant."""
    created_at: datetime
    updated_at: datetime
    state: TaskState = TaskState.WAITING
    lease: str | None = None
    """Proof of whoever runs it, or receives its file."""
    attempts: int = 0
    """Times that it was begun since its latest checkpoint."""
    file: str = ""
    """The name of its file; empty without one."""
    size: int = 0
    """Bytes of the file."""
    expected: int = 0
    """Bytes that the file will have, if that is known while it is received."""
    asked: dict[str, Any] = field(default_factory=dict)
    """What the kind needs to know."""
    done: int = 0
    total: int | None = None
    counts: dict[str, Any] = field(default_factory=dict)
    checkpoint: dict[str, Any] = field(default_factory=dict)
    """Where to go on."""
    error: str | None = None
    result: dict[str, Any] | None = None

    @property
    def tenant(self) -> str:
        """Whose it is."""
        return owning_tenant(self.scope)

    @property
    def ids(self) -> dict[str, str]:
        """Of the scope; none for a whole tenant."""
        return self.scope.ids() if isinstance(self.scope, Scope) else {}

    @property
    def room(self) -> int:
        """Bytes that its file takes, with those that are still to come."""
        return max(self.size, self.expected)


@dataclass(frozen=True, slots=True)
class UsedRoom:
    """Bytes of the files of other tasks, and of this one's before it grows."""

    user: int
    tenant: int
    """With what is still to come, as for the user."""
    everybody: int
    before: int


FitsRoom = Callable[[Task, UsedRoom], None]
"""Raises if the file of a task, as it would be, has no room."""

"""Long work that goes on after its request was answered, and the file that it reads or writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from .owner import Owner, owning_tenant
from .types import OwnerRef, Scope

TASK_PIECE = 256 * 1024
"""Bytes of a piece of a file: what is read and sent at a time."""


class TaskKind(StrEnum):
    """What a task does."""

    EXPORT = "export"
    IMPORT = "import"
    FORGET = "forget"
    REINDEX = "reindex"

    @property
    def has_file(self) -> bool:
        """Whether texts of memories are in its file."""
        return self in (TaskKind.EXPORT, TaskKind.IMPORT)


class TaskState(StrEnum):
    """The last four end a task; all of them but `done` can be resumed."""

    COMING = "coming"
    """Its file is being received: nobody sees the task yet."""
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """The processes that ran it died, again and again."""

    @property
    def is_over(self) -> bool:
        """Whether nothing happens any more unless somebody resumes it."""
        return self not in (TaskState.COMING, TaskState.WAITING, TaskState.RUNNING)


@dataclass(slots=True, kw_only=True)
class Task:
    """A task as it is kept. It has ids and counts, and no text of a memory."""

    id: str
    kind: TaskKind
    tenant: str
    ids: dict[str, str]
    """Of the scope; none for a whole tenant."""
    created_at: datetime
    updated_at: datetime
    asked: dict[str, Any] = field(default_factory=dict)
    """What the kind needs to know."""
    state: TaskState = TaskState.WAITING
    stopping: TaskState | None = None
    """What becomes of it at its next step, if it runs."""
    holder: str = ""
    """The process that runs it, or receives its file."""
    lease_until: datetime | None = None
    """When others take the holder for dead."""
    attempts: int = 0
    """Times that it was begun since its latest checkpoint."""
    file: str = ""
    """The name of its file; empty without one."""
    size: int = 0
    """Bytes of the file."""
    expected: int = 0
    """Bytes that the file will have, if that is known while it is received."""
    done: int = 0
    total: int | None = None
    counts: dict[str, Any] = field(default_factory=dict)
    checkpoint: dict[str, Any] = field(default_factory=dict)
    """Where to go on."""
    error: str | None = None
    result: dict[str, Any] | None = None

    @property
    def owner_ref(self) -> OwnerRef:
        """Whose memories it is about."""
        return Owner(self.tenant).owner_ref(**self.ids)

    @property
    def room(self) -> int:
        """Bytes that its file takes, with those that are still to come."""
        return max(self.size, self.expected)

    def concerns(self, owner_ref: OwnerRef) -> bool:
        """Whether it may be about a memory of this owner."""
        if owning_tenant(owner_ref) != self.tenant:
            return False
        theirs = owner_ref.ids() if isinstance(owner_ref, Scope) else {}
        return all(theirs.get(name, value) == value for name, value in self.ids.items())

    def drop_file(self) -> None:
        """The file is of no use any more."""
        self.file, self.size, self.expected, self.checkpoint = "", 0, 0, {}


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


class TaskStore(Protocol):
    """The tasks of all processes. All methods raise StateError."""

    async def add(self, task: Task, *, most: int, fits: FitsRoom | None = None) -> bool:
        """Keep a new one, unless `most` of its tenant have not ended. Raises what `fits` raises."""

    async def find(self, owner_ref: OwnerRef, task_id: str) -> Task | None:
        """The owner's task with this id."""

    async def of(self, owner_ref: OwnerRef) -> list[Task]:
        """The owner's tasks, newest first; none whose file is being received."""

    async def claim(self, holder: str, *, now: datetime, until: datetime) -> Task | None:
        """Take the oldest that waits, or whose holder is dead; one at a time of each tenant."""

    async def renew(self, task_ids: Sequence[str], holder: str, *, until: datetime) -> None:
        """The holder of these lives."""

    async def change(
        self,
        task: Task,
        decide: Callable[[Task], None],
        *,
        data: bytes = b"",
        at: int = 0,
        fits: FitsRoom | None = None,
    ) -> Task | None:
        """Change it as `decide` does to what is kept; it as it is then, None if it is gone.

        `data` is written into its file, `at` so many bytes, and is its end then. A file that
        `decide` drops is gone afterwards. Raises what `decide` and `fits` raise: nothing is
        changed then.
        """

    async def remove(self, task: Task) -> None:
        """Remove it with its file."""

    async def read(self, task: Task, at: int) -> bytes:
        """A piece of its file from there on; empty at the end, and if the file is gone."""

    async def old(self, *, before: datetime, now: datetime) -> list[Task]:
        """Those that ended `before`, and those whose file is not received any more."""

    async def spared(self) -> list[Task]:
        """Those with a file that is kept only so that they can be resumed, oldest first."""

    async def sweep(self) -> None:
        """Remove what is left of dropped files. When it returns, nothing is."""

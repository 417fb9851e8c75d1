"""The files of tasks: how much room they may take, of one user, of one tenant, of all, of the disk.

A file has room before it grows. An upload of a known length takes its tenant's share at once, so
that it is refused unread; of what all share it takes what has come, so that a slow one holds up
nobody else.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from recollect.config.server import SpoolOptions

from .record import Task
from .store import TaskStore

Owned = tuple[str | None, str | None]
"""A tenant and a user; without a user all of the tenant, without a tenant everybody."""
ALL: Owned = (None, None)
RESERVE_BYTES = 2**29
"""Free bytes of the disk that imports and exports leave for turns and memories."""
FULL = "the disk under data_dir is full: make room and try again"


class SpoolFullError(Exception):
    """There is no room for a file. The text tells a client why, and what helps."""

    def __init__(self, told: str, owned: Owned) -> None:
        super().__init__(told)
        self._owned = owned

    def is_freed_by(self, task: Task) -> bool:
        """Whether room would come from the file of a task."""
        return self._owned in _owners(task)


@dataclass(frozen=True, slots=True)
class _Held:
    task: Task
    written: int
    size: int
    """With what is still to come."""


class Spool:
    """Keeps account of the files of a store, in this process."""

    def __init__(self, store: TaskStore, options: SpoolOptions | None = None) -> None:
        self.store = store
        self.options = options or SpoolOptions()
        self.evict: Callable[[SpoolFullError], Awaitable[bool]] | None = None
        """Removes the file of a task that can do without it; false if there is none."""
        self._held: dict[str, _Held] = {}
        self._used: Counter[Owned] = Counter()

    def used(self, tenant: str | None = None, user: str | None = None) -> int:
        """Bytes of a user, of a tenant, or of all."""
        return self._used[tenant, user]

    def has(self, task_id: str) -> bool:
        """Whether a task has a file."""
        return task_id in self._held

    @property
    def is_low(self) -> bool:
        """Whether the disk has less room than is reserved for turns and memories."""
        return free_bytes(self.store.folder) < RESERVE_BYTES

    def found(self, task: Task, size: int) -> None:
        """Count a file that is there as it is."""
        self._count(_Held(task, size, size))

    async def hold(self, task: Task, written: int, *, expected: int = 0) -> None:
        """Let the file of a task have so many bytes, on its way to those that are expected.

        Raises:
            SpoolFullError: there is no room, also without the files that can be spared.
            OSError: the disk cannot be asked.
        """
        new = _Held(task, written, max(written, expected))
        while (full := self._refusal(new)) is not None:
            if self.evict is None or not await self.evict(full):
                raise full
        self._count(new)

    def drop(self, task_id: str) -> bool:
        """Remove the file of a task; whether there was one. Blocks. Raises OSError."""
        there = self.store.drop_lines(task_id)
        self.let_go(task_id)
        return there

    def let_go(self, task_id: str) -> None:
        """The file is gone."""
        if (held := self._held.pop(task_id, None)) is not None:
            for owned in _owners(held.task):
                self._used[owned] -= held.written if owned == ALL else held.size
                if not self._used[owned]:
                    del self._used[owned]

    def _count(self, new: _Held) -> None:
        self.let_go(new.task.id)
        self._held[new.task.id] = new
        for owned in _owners(new.task):
            self._used[owned] += new.written if owned == ALL else new.size

    def _refusal(self, new: _Held) -> SpoolFullError | None:
        """Why a file cannot become so large; None if it can."""
        options, before = self.options, self._held.get(new.task.id)
        most, key = options.per_tenant_bytes, "api.spool.per_tenant_bytes"
        bounds = {
            (new.task.tenant, None): (most, f"bytes in a tenant ({key})"),
            ALL: (2 * most, f"bytes in all, twice {key}"),
        }
        if (user := new.task.ids.get("user_id")) is not None:
            bounds[new.task.tenant, user] = most // 2, f"bytes for a user, half of {key}"
        for owned, (bound, owner_ref) in bounds.items():
            mine = 0 if before is None else before.written if owned == ALL else before.size
            if self._used[owned] - mine + new.size > bound:
                told = f"the files of tasks may have {bound} {owner_ref}: remove a task, or wait"
                return SpoolFullError(told, owned)
        more = new.size - (0 if before is None else before.written)
        if more > 0 and free_bytes(self.store.folder) < RESERVE_BYTES + more:
            return SpoolFullError(FULL, ALL)
        return None


def free_bytes(folder: Path) -> int:
    """Bytes that the disk of a folder, or of where it will be, has left. Raises OSError."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def _owners(task: Task) -> set[Owned]:
    return {ALL, (task.tenant, None), (task.tenant, task.ids.get("user_id"))}

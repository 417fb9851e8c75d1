"""How much room the files of tasks may take: of one user, of one tenant, of all, of the disk.

An upload of a known length takes its tenant's share at once, so that it is refused unread; of what
all share it takes what has come, so that a slow one holds up nobody else.
"""

from __future__ import annotations

import os
from pathlib import Path

from recollect.memory.model.tasks import FitsRoom, Task, UsedRoom

TENANT_BYTES = 2**31
"""Of the files of one tenant, and twice what those of one of its users may have, and half of what
those of all tenants together may have: two imports of the largest size. An import that would need
more gets 507 before its body is read."""
RESERVE_BYTES = 2**29
"""Free bytes of the disk that imports and exports leave for turns and memories."""
FULL = "the disk under data_dir is full: make room and try again"


class SpoolFullError(Exception):
    """There is no room for a file. The text tells a client why, and what helps."""

    def __init__(self, told: str, **freed_by: str) -> None:
        """Room would come from the file of a task with these ids."""
        super().__init__(told)
        self._freed_by = freed_by

    def is_freed_by(self, task: Task) -> bool:
        """Whether room would come from the file of a task."""
        return self._freed_by.items() <= {"tenant": task.tenant, **task.ids}.items()


class TaskRoom:
    """What the files of tasks may take."""

    def __init__(self, folder: Path) -> None:
        """Its disk is that of the folder."""
        self._folder = folder

    @property
    def is_low(self) -> bool:
        """Whether the disk has less room than is reserved. Raises OSError."""
        return free_bytes(self._folder) < RESERVE_BYTES

    def fits(self) -> FitsRoom:
        """Raises SpoolFullError for a file without room, as the disk is now. Raises OSError."""
        free, most = free_bytes(self._folder), TENANT_BYTES

        def fits(task: Task, used: UsedRoom) -> None:
            user = task.ids.get("user_id")
            if used.tenant + task.room > most:
                raise _full(f"{most} bytes in a tenant", tenant=task.tenant)
            if used.everybody + task.room > 2 * most:
                raise _full(f"{2 * most} bytes in all")
            if user is not None and used.user + task.room > most // 2:
                raise _full(f"{most // 2} bytes for a user", tenant=task.tenant, user_id=user)
            more = task.room - used.before
            if more > 0 and free < RESERVE_BYTES + more:
                raise SpoolFullError(FULL)

        return fits


def free_bytes(folder: Path) -> int:
    """Bytes that the disk of a folder has left. Raises OSError."""
    # With a database on a server nothing may be in the folder yet.
    found = os.statvfs(next(each for each in (folder, *folder.parents) if each.exists()))
    return found.f_bavail * found.f_frsize


def _full(bound: str, **freed_by: str) -> SpoolFullError:
    told = f"the files of tasks may have {bound}: remove a task, or wait"
    return SpoolFullError(told, **freed_by)

"""The tasks of this process, and of its siblings: whichever of them is asked knows all tasks.

A task belongs to the process that took it up, and its files are in the folder of that process. The
others ask it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.memory.model.errors import ConflictError, NotFoundError
from recollect.memory.model.owner import Owner
from recollect.memory.model.types import OwnerRef, Scope
from recollect.memory.util.mesh import Mesh, SiblingFailedError

from .record import Task, loaded
from .runner import TaskRunner
from .store import TaskStore

_TOPIC = "tasks"


@dataclass(frozen=True, slots=True)
class FoundTask:
    """A task as it is now, and whose it is."""

    task: Task
    holder: int | None = None
    """The number of the sibling that has it; None for this process."""


def folder_of(folder: Path, number: int) -> Path:
    """Where a worker keeps its tasks: the first one where a process alone does."""
    return folder if number == 0 else folder.with_name(f"{folder.name}-{number + 1}")


def adopt(folder: Path, count: int) -> None:
    """Give the tasks of workers that are no more to the first. Raises OSError."""
    kept = {folder_of(folder, number) for number in range(count)}
    for other in folder.parent.glob(f"{folder.name}-[0-9]*"):
        if other not in kept:
            folder.mkdir(exist_ok=True, mode=0o700)
            for path in other.iterdir():
                path.replace(folder / path.name)
            other.rmdir()


class TasksEverywhere:
    """Finds and changes tasks of all siblings."""

    def __init__(self, runner: TaskRunner, folder: Path, mesh: Mesh | None = None) -> None:
        """`folder` is that of the first worker. Without `mesh` there are no others."""
        self._runner = runner
        self._folder = folder
        self._mesh = mesh
        if mesh is not None:
            mesh.on(_TOPIC, self._asked)

    async def of(self, owner_ref: OwnerRef) -> list[Task]:
        """The owner's tasks, newest first; without those of a worker that is not there."""
        found = self._runner.of(owner_ref)
        for number in self._others:
            try:
                found += map(_read, await self._ask(number, "of", owner_ref))
            except SiblingFailedError:
                continue
        return sorted(found, key=lambda task: (task.created_at, task.id), reverse=True)

    async def find(self, owner_ref: OwnerRef, task_id: str) -> FoundTask:
        """The owner's task with this id. Raises NotFoundError, SiblingFailedError."""
        try:
            return FoundTask(self._runner.find(owner_ref, task_id))
        except NotFoundError:
            for number in self._others:
                if told := await self._ask(number, "find", owner_ref, task_id):
                    return FoundTask(_read(told[0]), number)
            raise

    async def change(self, found: FoundTask, how: str) -> Task:
        """`cancel`, `resume` or `remove` it, as the `TaskRunner` does. Raises as that does."""
        if found.holder is None:
            return await self._changed(found.task, how)
        told = await self._ask(found.holder, how, found.task.owner_ref, found.task.id)
        if isinstance(told, dict):
            raise ConflictError(told["conflict"]) if "conflict" in told else OSError(*told["disk"])
        return _read(told[0]) if told else found.task

    def lines(self, found: FoundTask) -> Path:
        """Where the lines of an export are."""
        if found.holder is None:
            return self._runner.store.lines(found.task.id)
        return TaskStore(folder_of(self._folder, found.holder)).lines(found.task.id)

    @property
    def _others(self) -> tuple[int, ...]:
        return () if self._mesh is None else self._mesh.sibling.others

    async def _ask(self, number: int, what: str, owner_ref: OwnerRef, task_id: str = "") -> Any:
        assert self._mesh is not None  # noqa: S101 - there are others
        tenant = owner_ref.tenant if isinstance(owner_ref, Scope) else owner_ref
        ids = owner_ref.ids() if isinstance(owner_ref, Scope) else {}
        asked = {"what": what, "tenant": tenant, "ids": ids, "task": task_id}
        return await self._mesh.ask(number, _TOPIC, **asked) or []

    async def _asked(self, asked: Mapping[str, Any]) -> Any:
        """Answer a sibling: the texts of tasks, or why one cannot be changed."""
        owner_ref = Owner(asked["tenant"]).owner_ref(**asked["ids"])
        if asked["what"] == "of":
            return list(map(_written, self._runner.of(owner_ref)))
        try:
            task = self._runner.find(owner_ref, asked["task"])
            if asked["what"] != "find":
                task = await self._changed(task, asked["what"])
        except NotFoundError:
            return []
        except ConflictError as error:
            return {"conflict": str(error)}
        except OSError as error:
            return {"disk": [error.errno, error.strerror]}
        return [_written(task)]

    async def _changed(self, task: Task, how: str) -> Task:
        changes: Mapping[str, Any] = {
            "cancel": self._runner.cancel,
            "resume": self._runner.resume,
            "remove": self._runner.remove,
        }
        done: Awaitable[Task | None] = changes[how](task)
        return await done or task


def _written(task: Task) -> str:
    return task.dumped().decode()


def _read(text: str) -> Task:
    return loaded(text.encode())

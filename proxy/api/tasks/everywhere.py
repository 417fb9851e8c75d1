"""The tasks of all processes that share a state: whichever of them is asked knows all tasks.

A task belongs to the process that took it up, and its files are in the folder of that process. The
others ask it: siblings of one machine each other, replicas through Redis.
"""

from __future__ import annotations

import logging
from asyncio import to_thread
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from recollect.memory.model.errors import ConflictError, NotFoundError, StateError
from recollect.memory.model.owner import Owner
from recollect.memory.model.replicas import Replicas
from recollect.memory.model.types import OwnerRef, Scope
from recollect.memory.util.mesh import Mesh, SiblingFailedError

from .lines import DiskLines, RemoteLines, TaskLines, piece_of
from .record import Task, loaded
from .runner import TaskRunner
from .store import TaskStore

log = logging.getLogger(__name__)

_TOPIC = "tasks"


@dataclass(frozen=True, slots=True)
class FoundTask:
    """A task as it is now, and whose it is."""

    task: Task
    holder: int | str | None = None
    """The number of the sibling or the name of the replica that has it; None for this process."""


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
    """Finds and changes tasks of all siblings and replicas."""

    def __init__(
        self,
        runner: TaskRunner,
        folder: Path,
        mesh: Mesh | None = None,
        replicas: Replicas | None = None,
    ) -> None:
        """`folder` is that of the first worker. Without `mesh` and `replicas` there are no others.

        A sibling may be a replica too.
        """
        self._runner = runner
        self._folder = folder
        self._mesh = mesh
        self._replicas = replicas
        for others in (mesh, replicas):
            if others is not None:
                others.on(_TOPIC, self._asked)

    async def of(self, owner_ref: OwnerRef) -> list[Task]:
        """The owner's tasks, newest first; without those of a process that is not there."""
        found = self._runner.of(owner_ref)
        for number in self._others:
            try:
                found += map(_read, await self._ask(number, "of", owner_ref))
            except SiblingFailedError:
                continue
        try:
            found += map(_read, chain(*(await self._ask_replicas("of", owner_ref)).values()))
        except StateError as error:
            log.warning("tasks of other replicas are not listed: %s", error)
        once = {task.id: task for task in reversed(found)}
        return sorted(once.values(), key=lambda task: (task.created_at, task.id), reverse=True)

    async def find(self, owner_ref: OwnerRef, task_id: str) -> FoundTask:
        """The owner's task with this id. Raises NotFoundError, StateError."""
        try:
            return FoundTask(self._runner.find(owner_ref, task_id))
        except NotFoundError:
            for number in self._others:
                if told := await self._ask(number, "find", owner_ref, task_id):
                    return FoundTask(_read(told[0]), number)
            for name, told in (await self._ask_replicas("find", owner_ref, task_id)).items():
                if told:
                    return FoundTask(_read(told[0]), name)
            raise

    async def change(self, found: FoundTask, how: str) -> Task:
        """`cancel`, `resume` or `remove` it, as the `TaskRunner` does. Raises as that does."""
        if found.holder is None:
            return await self._changed(found.task, how)
        told = await self._ask(found.holder, how, found.task.owner_ref, found.task.id)
        if isinstance(told, dict):
            raise ConflictError(told["conflict"]) if "conflict" in told else OSError(*told["disk"])
        return _read(told[0]) if told else found.task

    def lines(self, found: FoundTask) -> TaskLines:
        """The lines of an export, wherever they are."""
        task, holder = found.task, found.holder
        if isinstance(holder, str):
            return RemoteLines(
                lambda **piece: self._ask(holder, "piece", task.owner_ref, task.id, **piece)
            )
        if holder is None:
            return DiskLines(self._runner.store.lines(task.id))
        return DiskLines(TaskStore(folder_of(self._folder, holder)).lines(task.id))

    @property
    def _others(self) -> tuple[int, ...]:
        return () if self._mesh is None else self._mesh.sibling.others

    async def _ask(
        self, holder: int | str, what: str, owner_ref: OwnerRef, task_id: str = "", **more: Any
    ) -> Any:
        asked = _asking(what, owner_ref, task_id) | more
        if isinstance(holder, str):
            assert self._replicas is not None  # noqa: S101 - there are others
            return await self._replicas.ask(holder, _TOPIC, **asked) or []
        assert self._mesh is not None  # noqa: S101 - there are others
        return await self._mesh.ask(holder, _TOPIC, **asked) or []

    async def _ask_replicas(
        self, what: str, owner_ref: OwnerRef, task_id: str = ""
    ) -> dict[str, list[str]]:
        """The texts of tasks, by who has them; one is enough if a task is asked for."""
        if self._replicas is None:
            return {}
        asked = _asking(what, owner_ref, task_id)
        enough = bool if task_id else _never_enough
        found = await self._replicas.ask_all(_TOPIC, enough=enough, **asked)
        return {name: told for name, told in found.items() if told}

    async def _asked(self, asked: Mapping[str, Any]) -> Any:
        """Answer another process: the texts of tasks, or why one cannot be changed."""
        owner_ref = Owner(asked["tenant"]).owner_ref(**asked["ids"])
        if asked["what"] == "of":
            return list(map(_written, self._runner.of(owner_ref)))
        try:
            task = self._runner.find(owner_ref, asked["task"])
            if asked["what"] == "piece":
                path = self._runner.store.lines(task.id)
                return await to_thread(piece_of, path, asked["at"], asked["length"])
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


def _never_enough(_: Any) -> bool:
    return False


def _asking(what: str, owner_ref: OwnerRef, task_id: str) -> dict[str, Any]:
    tenant = owner_ref.tenant if isinstance(owner_ref, Scope) else owner_ref
    ids = owner_ref.ids() if isinstance(owner_ref, Scope) else {}
    return {"what": what, "tenant": tenant, "ids": ids, "task": task_id}


def _written(task: Task) -> str:
    return task.dumped().decode()


def _read(text: str) -> Task:
    return loaded(text.encode())

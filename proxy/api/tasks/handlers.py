"""The handlers of long work: exports, imports, and the tasks that carry them out."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import Any

from aiohttp import web

from recollect.config.server import ApiOptions
from recollect.memory import InvalidInputError, NotFoundError
from recollect.memory.api.results import DeleteResult
from recollect.memory.model.errors import ConflictError, StateUnwritableError
from recollect.memory.model.tasks import Task, TaskKind, TaskState
from recollect.memory.model.types import OwnerRef
from recollect.memory.operations.scope import ScopeFields

from ...access.rights import Right
from ..answers import LINES, detail
from ..operations import PREFIX, endpoint, operations_of
from ..request import ApiRequest
from . import models
from .exporting import ExportFile, Exporting
from .record import TaskDict, task_dict
from .room import SpoolFullError
from .runner import TaskRunner, disk_told
from .spooling import spooled
from .task_runners import TaskRunners

log = logging.getLogger(__name__)

TASKS = PREFIX + "/tasks"
_BY_ID = TASKS + "/{task_id}"


class TaskApi:
    """The handlers of `TASK_OPERATIONS`."""

    def __init__(self, runner: TaskRunner, runners: TaskRunners, options: ApiOptions) -> None:
        self._runner = runner
        self._runners = runners
        self._most_bytes = options.max_import_bytes

    @endpoint(
        "GET", f"{PREFIX}/export", str, query=models.ExportQuery, file=True, streamed_as=(LINES,)
    )
    async def export_lines(self, request: ApiRequest) -> Any:
        """All memories with versions, history and vectors, one JSON object per line."""
        lines = request.memory.export_lines(
            **request.ids,
            after=request.values["after"],
            vectors=request.values["vectors"],
            key=self._runners.key,
        )
        request.owner_ref()  # what is somebody else's is refused before the answer begins
        return Exporting(lines)

    @endpoint(
        "POST", f"{PREFIX}/import", TaskDict, Right.WRITE, query=models.ImportQuery,
        streams_body=True, status=202,
    )  # fmt: skip
    async def import_lines(self, request: ApiRequest) -> Any:
        """Import the lines of an export, in a task; with a scope only lines of that scope."""
        asked = {name: request.values[name] for name in ("keep_ids", "embed", "on_error")}
        task = self._runner.new(TaskKind.IMPORT, request.owner_ref(), **asked)
        _check(request, task)
        most = self._most_bytes
        kept = await _kept(spooled(request.http, self._runner, task, most=most))
        if kept is None:
            return detail(413, f"the body exceeds {most} bytes (api.max_import_bytes)")
        return kept

    @endpoint("POST", TASKS, TaskDict, body=models.TaskBody, status=202)
    async def start_task(self, request: ApiRequest) -> Any:
        """Begin a task: an export, a forget (needs write), or a reindex (needs admin)."""
        asked = request.values
        kind = TaskKind(asked["kind"].value)
        ids, everything, vectors = asked["ids"], asked["all"], asked["vectors"]
        if kind is not TaskKind.FORGET and (ids or everything):
            raise InvalidInputError("ids" if ids else "all", "goes with the kind forget only")
        about = {"vectors": vectors, "ids": list(ids), "all": everything}
        task = self._runner.new(kind, _meant(request, kind), **about)
        _check(request, task)
        return await _kept(self._runner.add(task))

    @endpoint("GET", TASKS, dict[str, list[TaskDict]], query=models.TasksQuery)
    async def list_tasks(self, request: ApiRequest) -> Any:
        """Tasks, newest first."""
        found = await self._runner.store.of(request.owner_ref())
        return {"results": [task_dict(task) for task in found[: request.values["limit"]]]}

    @endpoint("GET", _BY_ID, TaskDict, query=ScopeFields)
    async def get_task(self, request: ApiRequest) -> Any:
        """One task: its state, how far it is, and its result."""
        return task_dict(await self._found(request))

    @endpoint("POST", f"{_BY_ID}/cancel", TaskDict, query=ScopeFields, body=ScopeFields)
    async def cancel_task(self, request: ApiRequest) -> Any:
        """Stop a task at its next step; what it did stays."""
        return await _kept(self._runner.cancel(await self._allowed(request)))

    @endpoint("POST", f"{_BY_ID}/resume", TaskDict, query=ScopeFields, body=ScopeFields)
    async def resume_task(self, request: ApiRequest) -> Any:
        """Go on with a task that failed, was cancelled or interrupted."""
        return await _kept(self._runner.resume(await self._allowed(request)))

    @endpoint("DELETE", _BY_ID, DeleteResult, query=ScopeFields)
    async def delete_task(self, request: ApiRequest) -> Any:
        """Remove a task and its files; needs the right that it needed to begin."""
        await self._runner.remove(await self._allowed(request))
        return {"deleted": 1}

    @endpoint("GET", f"{_BY_ID}/result", str, query=ScopeFields, file=True, streamed_as=(LINES,))
    async def task_result(self, request: ApiRequest) -> Any:
        """The file of an export; parts of it by Range."""
        task = await self._found(request)
        if task.kind is not TaskKind.EXPORT:
            raise NotFoundError(f"the task {task.id!r} has no file, only a record")
        if task.state is not TaskState.DONE or not task.file:
            raise ConflictError(f"the export is {task.state.value}: there is no whole file")
        name = f"memories-{task.created_at:%Y-%m-%d}.jsonl"
        return ExportFile(self._runner.store, task, name)

    async def _found(self, request: ApiRequest) -> Task:
        return await self._runner.find(request.owner_ref(), request.values["task_id"])

    async def _allowed(self, request: ApiRequest) -> Task:
        """A task that the caller may change."""
        task = await self._found(request)
        _check(request, task)
        return task


TASK_OPERATIONS = operations_of(TaskApi)


async def _kept(work: Awaitable[Task | None]) -> TaskDict | web.Response | None:
    """The task, if there is one; 507 if there is no room for its file or its record."""
    try:
        task = await work
    except SpoolFullError as error:
        return detail(507, str(error))
    except ConnectionError:
        raise
    except (OSError, StateUnwritableError) as error:
        log.warning("a task cannot be kept: %s", error)
        return detail(507, disk_told(error))
    return None if task is None else task_dict(task)


def _check(request: ApiRequest, task: Task) -> None:
    """What starts, stops or removes a task needs the right of what the task does.

    Raises ForbiddenError.
    """
    needed = {
        TaskKind.EXPORT: Right.READ,
        TaskKind.IMPORT: Right.ADMIN if task.asked.get("keep_ids") else Right.WRITE,
        TaskKind.FORGET: Right.WRITE,
        TaskKind.REINDEX: Right.ADMIN,
    }
    request.grant.check(needed[task.kind])


def _meant(request: ApiRequest, kind: TaskKind) -> OwnerRef:
    """Whose memories a new task is about.

    Raises InvalidInputError, ScopeError, ForbiddenError.
    """
    asked = request.values
    if kind is TaskKind.REINDEX:
        named = next((name for name, value in request.ids.items() if value is not None), None)
        if named is not None:
            request.scope()
            raise InvalidInputError(named, "a reindex is for the whole tenant")
        return request.owner.whole_tenant()
    if kind is TaskKind.FORGET:
        if bool(asked["ids"]) == asked["all"]:
            raise InvalidInputError("body", "expected one of ids, all")
        return request.scope() if asked["all"] else request.owner_ref()
    return request.owner_ref()

"""The handlers of long work: exports, imports, and the tasks that carry them out."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from aiohttp import web

from recollect.config.server import ApiOptions
from recollect.memory import InvalidInputError, NotFoundError
from recollect.memory.model.errors import ConflictError
from recollect.memory.model.types import OwnerRef

from ...access.rights import Right
from ..answers import detail
from ..call import ApiCall
from ..operations import Parameters, scope_ids
from .exporting import ExportFile, Exporting
from .record import Task, TaskDict, TaskKind, TaskState
from .runner import TaskRunner, disk_told
from .spooling import spooled
from .works import Works


class TaskApi:
    """The handlers of `TASK_OPERATIONS`."""

    def __init__(self, runner: TaskRunner, works: Works, options: ApiOptions) -> None:
        self._runner = runner
        self._works = works
        self._most_bytes = options.max_import_bytes

    async def export_lines(self, call: ApiCall) -> Any:
        """The lines of the caller's memories."""
        lines = call.memory.export_lines(
            **scope_ids(call.asked),
            after=call.asked["after"],
            vectors=call.asked["vectors"],
            key=self._works.key,
        )
        call.whose()  # what is somebody else's is refused before the answer begins
        return Exporting(lines)

    async def import_lines(self, call: ApiCall) -> Any:
        """Keep the body, and import it in a task."""
        asked = {name: call.asked[name] for name in ("keep_ids", "embed", "on_error")}
        task = self._runner.new(TaskKind.IMPORT, call.whose(), **asked)
        _check(call, task)
        with self._runner.coming(task):
            refusal = await spooled(call.request, self._runner.spool, task, most=self._most_bytes)
            return refusal or await self._begun(task)

    async def start_task(self, call: ApiCall) -> Any:
        """Begin an export, a forget or a reindex."""
        kind, asked = call.asked["kind"], call.asked
        ids, everything, vectors = asked["ids"], asked["all"], asked["vectors"]
        if kind is not TaskKind.FORGET and (ids or everything):
            raise InvalidInputError("ids" if ids else "all", "goes with the kind forget only")
        details = {
            TaskKind.EXPORT: {"vectors": vectors},
            TaskKind.FORGET: {"ids": list(ids), "all": everything},
            TaskKind.REINDEX: {},
        }
        task = self._runner.new(kind, _meant(call, kind), **details[kind])
        _check(call, task)
        return await self._begun(task)

    async def list_tasks(self, call: ApiCall) -> Any:
        """The caller's tasks, newest first."""
        found = self._runner.of(call.whose())[: call.asked["limit"]]
        return {"results": [task.as_dict() for task in found]}

    async def get_task(self, call: ApiCall) -> Any:
        """One of them."""
        return self._found(call).as_dict()

    async def cancel_task(self, call: ApiCall) -> Any:
        """Stop it at its next step."""
        return await _kept(self._runner.cancel(self._changed(call)))

    async def resume_task(self, call: ApiCall) -> Any:
        """Go on where it stopped."""
        return await _kept(self._runner.resume(self._changed(call)))

    async def delete_task(self, call: ApiCall) -> Any:
        """Remove it with its files."""
        await self._runner.remove(self._changed(call))
        return {"deleted": 1}

    async def task_result(self, call: ApiCall) -> Any:
        """The file of an export."""
        task = self._found(call)
        if task.kind is not TaskKind.EXPORT:
            raise NotFoundError(f"the task {task.id!r} has no file, only a record")
        path = self._runner.shelf.lines(task.id)
        if task.state is not TaskState.DONE or not path.exists():
            raise ConflictError(f"the export is {task.state.value}: there is no whole file")
        name = f"memories-{task.created_at:%Y-%m-%d}.jsonl"
        return ExportFile(path, name)

    def _found(self, call: ApiCall) -> Task:
        return self._runner.find(call.whose(), call.asked["task_id"])

    def _changed(self, call: ApiCall) -> Task:
        task = self._found(call)
        _check(call, task)
        return task

    async def _begun(self, task: Task) -> Any:
        begun = await _kept(self._runner.add(task))
        if isinstance(begun, web.Response):
            self._runner.spool.drop(task.id)
        return begun


async def _kept(work: Awaitable[Task]) -> TaskDict | web.Response:
    """The task; 507 if the disk does not take its record."""
    try:
        return (await work).as_dict()
    except OSError as error:
        return detail(507, disk_told(error))


def _check(call: ApiCall, task: Task) -> None:
    """What starts, stops or removes a task needs the right of what the task does.

    Raises ForbiddenError.
    """
    needed = {
        TaskKind.EXPORT: Right.READ,
        TaskKind.IMPORT: Right.ADMIN if task.asked.get("keep_ids") else Right.WRITE,
        TaskKind.FORGET: Right.WRITE,
        TaskKind.REINDEX: Right.ADMIN,
    }
    call.grant.check(needed[task.kind])


def _meant(call: ApiCall, kind: TaskKind) -> OwnerRef:
    """Whose memories a new task is about.

    Raises InvalidInputError, ScopeError, ForbiddenError.
    """
    asked: Parameters = call.asked
    if kind is TaskKind.REINDEX:
        named = next((name for name, value in scope_ids(asked).items() if value is not None), None)
        if named is not None:
            call.scope()
            raise InvalidInputError(named, "a reindex is for the whole tenant")
        return call.owner.whole_tenant()
    if kind is TaskKind.FORGET:
        if bool(asked["ids"]) == asked["all"]:
            raise InvalidInputError("body", "expected one of ids, all")
        return call.scope() if asked["all"] else call.whose()
    return call.whose()

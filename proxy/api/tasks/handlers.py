"""The handlers of exports, of imports, and of the tasks that imports are."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import Annotated, Any, NotRequired, Unpack

from aiohttp import web
from typing_extensions import TypedDict

from recollect.memory.api.results import DeleteResult
from recollect.memory.api.showing import shown_as
from recollect.memory.model.errors import InvalidInputError, StateUnwritableError
from recollect.memory.model.tasks import Task
from recollect.memory.operations.common import OptionalText
from recollect.memory.operations.declaring import field
from recollect.memory.operations.scope import ScopeIds
from recollect.memory.transfer import EmbedWhen, OnError

from ...access.rights import Right
from ..answers import LINES, detail
from ..operations import PREFIX, handled_in, operation
from ..request import Call
from .exporting import Exporting
from .formats import FORMAT, ImportFormat, check_whose
from .room import SpoolFullError
from .runner import MOST_KEPT, TaskRunner, disk_told
from .spooling import spooled
from .task_runners import TaskRunners

log = logging.getLogger(__name__)

TASKS = PREFIX + "/tasks"
_BY_ID = TASKS + "/{task_id}"
TaskId = Annotated[str, field("The id of the task.")]
_NO_FORM = "expected the file itself, not a form with it: curl --data-binary @FILE, not -F"
MAX_IMPORT_BYTES = 2**30
"""Largest file of memories that the API imports: some hundred thousand memories with vectors. It is
kept until its task has ended."""


class TaskDict(TypedDict):
    """A task as the API shows it."""

    id: str
    kind: str
    state: str
    done: int
    """Rows so far: memories and their earlier versions."""
    counts: dict[str, Any]
    created_at: str
    updated_at: str
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]
    error: NotRequired[str]
    """Why it failed."""


def task_dict(task: Task) -> TaskDict:
    """The task as the API shows it."""
    error = task.error if task.state.is_over else None
    return shown_as(TaskDict, task, error=error, **task.ids)


class TaskApi:
    """The handlers of `TASK_OPERATIONS`."""

    def __init__(self, runner: TaskRunner, runners: TaskRunners) -> None:
        self._runner = runner
        self._runners = runners

    @operation(
        f"GET {PREFIX}/export", id="export_lines", answer=str, file=True, streamed_as=(LINES,)
    )
    async def export_lines(
        self,
        call: Call,
        *,
        after: Annotated[
            str | None,
            OptionalText,
            field("Only memories with an id greater than this: an export goes on after it."),
        ] = None,
        vectors: Annotated[
            bool, field("Whether it has vectors; without them an import embeds the texts again.")
        ] = True,
        **ids: Unpack[ScopeIds],
    ) -> Exporting:
        """All memories with versions, history and vectors, one JSON object per line."""
        call.owner_ref()  # what is somebody else's is refused before the answer begins
        key = self._runners.key
        return Exporting(call.memory.export_lines(after=after, vectors=vectors, key=key, **ids))

    @operation(f"GET {PREFIX}/audit", id="audit", answer=str, file=True, streamed_as=(LINES,))
    async def audit(
        self,
        call: Call,
        *,
        texts: Annotated[
            bool, field("Whether memories that still say what they said then are told in words.")
        ] = False,
        **ids: Unpack[ScopeIds],
    ) -> Exporting:
        """What memory did, one JSON object per line; each has the hash of the one before."""
        call.owner_ref()  # what is somebody else's is refused before the answer begins
        return Exporting(call.memory.audit_lines(texts=texts, **ids))

    @operation(
        f"POST {PREFIX}/import",
        Right.WRITE,
        id="import_lines",
        answer=TaskDict,
        streams_body=True,
        status=202,
    )
    async def import_lines(
        self,
        call: Call,
        *,
        keep_ids: Annotated[
            bool, field("Keep the ids of lines that another installation wrote. Needs admin.")
        ] = False,
        embed: Annotated[
            EmbedWhen,
            field(
                "Which texts are embedded here: those without a fitting vector, none, all.",
                strict=False,
            ),
        ] = EmbedWhen.MISSING,
        on_error: Annotated[
            OnError,
            field(
                "Whether a line that cannot be read ends the import, or is left out.", strict=False
            ),
        ] = OnError.STOP,
        format: Annotated[  # noqa: A002 - its name in the query
            ImportFormat,
            field(
                "Whose export it is: our lines, or the file that another service sends, of a user.",
                strict=False,
            ),
        ] = ImportFormat.LINES,
        **ids: Unpack[ScopeIds],
    ) -> Any:
        """Import an export, in a task; with a scope only lines of that scope.

        Chats with another service are kept as they were said, without a model.
        """
        owner_ref = call.owner.owner_ref(**ids)
        if call.http.content_type.startswith("multipart/"):
            raise InvalidInputError("body", _NO_FORM)
        check_whose(format, owner_ref)
        how = {"keep_ids": keep_ids, "embed": embed, "on_error": on_error, FORMAT: format}
        task = self._runner.new(owner_ref, **how)
        _check(call, task)
        kept = await _kept(spooled(call.http, self._runner, task, most=MAX_IMPORT_BYTES))
        if kept is None:
            return detail(413, f"the body exceeds {MAX_IMPORT_BYTES} bytes")
        return kept

    @operation(f"GET {TASKS}", id="list_tasks")
    async def list_tasks(
        self,
        call: Call,
        limit: Annotated[int, field("Most results.", high=MOST_KEPT)] = MOST_KEPT,
        **ids: Unpack[ScopeIds],
    ) -> dict[str, list[TaskDict]]:
        """Tasks, newest first."""
        found = await self._runner.store.of(call.owner.owner_ref(**ids))
        return {"results": [task_dict(task) for task in found[:limit]]}

    @operation(f"GET {_BY_ID}", id="get_task")
    async def get_task(self, call: Call, task_id: TaskId, **ids: Unpack[ScopeIds]) -> TaskDict:
        """One task: its state, how far it is, and its result."""
        return task_dict(await self._runner.find(call.owner.owner_ref(**ids), task_id))

    @operation(f"POST {_BY_ID}/cancel", id="cancel_task", answer=TaskDict, ids_twice=True)
    async def cancel_task(self, call: Call, task_id: TaskId, **ids: Unpack[ScopeIds]) -> Any:
        """Stop a task at its next step; what it did stays."""
        return await _kept(self._runner.cancel(await self._allowed(call, task_id, ids)))

    @operation(f"POST {_BY_ID}/resume", id="resume_task", answer=TaskDict, ids_twice=True)
    async def resume_task(self, call: Call, task_id: TaskId, **ids: Unpack[ScopeIds]) -> Any:
        """Go on with a task that failed, was cancelled or interrupted."""
        return await _kept(self._runner.resume(await self._allowed(call, task_id, ids)))

    @operation(f"DELETE {_BY_ID}", id="delete_task")
    async def delete_task(
        self, call: Call, task_id: TaskId, **ids: Unpack[ScopeIds]
    ) -> DeleteResult:
        """Remove a task and its files; needs the right that it needed to begin."""
        await self._runner.remove(await self._allowed(call, task_id, ids))
        return {"deleted": 1}

    async def _allowed(self, call: Call, task_id: str, ids: ScopeIds) -> Task:
        """A task that the caller may change."""
        task = await self._runner.find(call.owner.owner_ref(**ids), task_id)
        _check(call, task)
        return task


TASK_OPERATIONS = handled_in(TaskApi)


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


def _check(call: Call, task: Task) -> None:
    """What starts, stops or removes an import needs its right.

    Raises ForbiddenError.
    """
    call.grant.check(Right.ADMIN if task.asked.get("keep_ids") else Right.WRITE)

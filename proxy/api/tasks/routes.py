"""The routes of long work, as those of `api.routes`."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from recollect.memory.api.results import DeleteResult
from recollect.memory.transfer import EmbedWhen, OnError

from ...access.rights import Right
from .. import fields
from ..fields import Field, choice, flag, in_query, text, whole
from ..operations import PREFIX, Operation
from ..streams import LINES
from .handlers import TaskApi
from .record import TaskDict, TaskKind
from .runner import MOST_KEPT

TASKS = PREFIX + "/tasks"
_BY_ID = TASKS + "/{task_id}"
_OWNED = in_query(fields.SCOPE)
"""Of an operation on one task: whose it must be."""


class _Startable(StrEnum):
    """The kinds of tasks that begin without a file."""

    EXPORT = TaskKind.EXPORT.value
    FORGET = TaskKind.FORGET.value
    REINDEX = TaskKind.REINDEX.value


def _started(name: str, value: Any) -> TaskKind:
    return TaskKind(_KIND_READ(name, value).value)


_CHOICE = choice("kind", "What to do.", _Startable, None)
_KIND_READ = _CHOICE.read
_KIND = Field(
    name="kind",
    description=_CHOICE.description,
    schema={"title": "one of export, forget, reindex", **_CHOICE.schema},
    read=_started,
    required=True,
)
_VECTORS = Field(
    name="vectors",
    description="Whether an export has vectors; without them an import embeds the texts again.",
    schema={"type": "boolean", "default": True},
    read=fields.STREAM.read,
    default=True,
)
_AFTER = text("after", "Only memories with an id greater than this: an export goes on after it.")
_KEEP_IDS = flag("keep_ids", "Keep the ids of lines that another installation wrote. Needs admin.")
_EMBED = choice(
    "embed", "Which texts are embedded here: those without a fitting vector, none, all.",
    EmbedWhen, EmbedWhen.MISSING,
)  # fmt: skip
_ON_ERROR = choice(
    "on_error", "Whether a line that cannot be read ends the import, or is left out.",
    OnError, OnError.STOP,
)  # fmt: skip
_LIMIT = whole("limit", "Most results.", high=MOST_KEPT, default=MOST_KEPT)
TASK_OPERATIONS = (
    Operation(
        method="GET",
        path=f"{PREFIX}/export",
        handler=TaskApi.export_lines,
        right=Right.READ,
        summary="All memories with versions, history and vectors, one JSON object per line",
        query=in_query((*fields.SCOPE, _AFTER, _VECTORS)),
        file=True,
        streamed_as=(LINES,),
        answer=str,
    ),
    Operation(
        method="POST",
        path=f"{PREFIX}/import",
        handler=TaskApi.import_lines,
        right=Right.WRITE,
        summary="Import the lines of an export, in a task; with a scope only lines of that scope",
        query=in_query((*fields.SCOPE, _KEEP_IDS, _EMBED, _ON_ERROR)),
        streams_body=True,
        status=202,
        answer=TaskDict,
    ),
    Operation(
        method="POST",
        path=TASKS,
        handler=TaskApi.start_task,
        right=Right.READ,
        summary="Begin a task: an export, a forget (needs write), or a reindex (needs admin)",
        body=(_KIND, fields.IDS, fields.ALL, _VECTORS, *fields.SCOPE),
        status=202,
        answer=TaskDict,
    ),
    Operation(
        method="GET",
        path=TASKS,
        handler=TaskApi.list_tasks,
        right=Right.READ,
        summary="Tasks, newest first",
        query=(*_OWNED, _LIMIT),
        answer=dict[str, list[TaskDict]],
    ),
    Operation(
        method="GET",
        path=_BY_ID,
        handler=TaskApi.get_task,
        right=Right.READ,
        summary="One task: its state, how far it is, and its result",
        query=_OWNED,
        answer=TaskDict,
    ),
    Operation(
        method="DELETE",
        path=_BY_ID,
        handler=TaskApi.delete_task,
        right=Right.READ,
        summary="Remove a task and its files; needs the right that it needed to begin",
        query=_OWNED,
        answer=DeleteResult,
    ),
    Operation(
        method="POST",
        path=f"{_BY_ID}/cancel",
        handler=TaskApi.cancel_task,
        right=Right.READ,
        summary="Stop a task at its next step; what it did stays",
        query=_OWNED,
        body=fields.SCOPE,
        needs_body=False,
        answer=TaskDict,
    ),
    Operation(
        method="POST",
        path=f"{_BY_ID}/resume",
        handler=TaskApi.resume_task,
        right=Right.READ,
        summary="Go on with a task that failed, was cancelled or interrupted",
        query=_OWNED,
        body=fields.SCOPE,
        needs_body=False,
        answer=TaskDict,
    ),
    Operation(
        method="GET",
        path=f"{_BY_ID}/result",
        handler=TaskApi.task_result,
        right=Right.READ,
        summary="The file of an export; parts of it by Range",
        query=_OWNED,
        file=True,
        streamed_as=(LINES,),
        answer=str,
    ),
)
"""The operations of tasks, beside `routes.OPERATIONS`."""

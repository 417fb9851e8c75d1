"""A task as the API shows it. Pure."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from recollect.memory.model.tasks import Task, TaskState
from recollect.memory.model.times import iso


class TaskDict(TypedDict):
    """A task as the API shows it."""

    id: str
    kind: str
    state: str
    done: int
    """Rows so far: memories and their earlier versions."""
    total: int | None
    """Of how many, if that is known."""
    counts: dict[str, Any]
    created_at: str
    updated_at: str
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]
    error: NotRequired[str]
    """Why it failed."""
    result: NotRequired[dict[str, Any]]
    """Of a forget the receipt, of an export the size of its file."""


def task_dict(task: Task) -> TaskDict:
    """The task as the API shows it."""
    shown = TaskDict(
        id=task.id,
        kind=task.kind.value,
        state=task.state.value,
        done=task.done,
        total=task.total,
        counts=task.counts,
        created_at=iso(task.created_at),
        updated_at=iso(task.updated_at),
    )
    shown.update(task.ids)  # type: ignore[typeddict-item]  # exactly the ids of a scope
    if task.error is not None and task.state.is_over:
        shown["error"] = task.error
    if task.result is not None and task.state is TaskState.DONE:
        shown["result"] = task.result
    return shown

"""A task as the API shows it. Pure."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from recollect.memory.api.showing import shown_as
from recollect.memory.model.tasks import Task


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

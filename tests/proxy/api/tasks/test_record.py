"""Records of tasks on the disk."""

import json

import pytest

from recollect.proxy.api.tasks.record import TaskKind, TaskState, loaded
from tests.support.folding import rows

EARLIER = {
    "id": "a",
    "kind": "import",
    "tenant": "local",
    "ids": {"user_id": "ada"},
    "created_at": "2026-03-02T12:00:00.123456+00:00",
    "updated_at": "2026-03-02T12:00:01+00:00",
    "asked": {"keep_ids": True, "embed": "missing"},
    "state": "running",
    "done": 3,
    "total": None,
    "counts": {"read": 3},
    "checkpoint": {"position": 17},
    "error": None,
    "result": None,
}
"""As format 1 has it."""


def test_a_task_is_read() -> None:
    """With everything that is needed to go on, and written it is the same."""
    task = loaded(json.dumps(EARLIER).encode())
    assert (task.kind, task.state, task.done) == (TaskKind.IMPORT, TaskState.RUNNING, 3)
    assert (task.asked, task.checkpoint) == (EARLIER["asked"], EARLIER["checkpoint"])
    assert task.created_at.isoformat() == EARLIER["created_at"]
    assert loaded(task.dumped()) == task


def test_half_a_character_of_an_error_loses_no_task() -> None:
    """An error may quote what a file had."""
    task = loaded(json.dumps(EARLIER).encode())
    task.error = "line 3: \ud800"
    assert loaded(task.dumped()).error == "line 3: ?"


@rows(
    "changed", [{"new": 1}, {"kind": "x"}, {"state": "x"}, {"tenant": ""}, {"ids": {"user_id": ""}}]
)
def test_what_is_no_task_is_refused_without_its_text(changed: dict[str, object]) -> None:
    """Also a record of a later version; the error is for a log."""
    with pytest.raises(ValueError, match=r"^(1 validation error|this is no task)") as error:
        loaded(json.dumps(EARLIER | {"id": "secret"} | changed).encode())
    assert "secret" not in str(error.value)

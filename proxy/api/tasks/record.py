"""A task: what was asked, how far it is, and what came of it. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, NotRequired

from pydantic import ConfigDict, TypeAdapter
from typing_extensions import TypedDict

from recollect.memory.model.errors import RecollectError
from recollect.memory.model.owner import Owner, owning_tenant
from recollect.memory.model.times import iso
from recollect.memory.model.types import OwnerRef, Scope


class TaskKind(StrEnum):
    """What a task does."""

    EXPORT = "export"
    IMPORT = "import"
    FORGET = "forget"
    REINDEX = "reindex"


class TaskState(StrEnum):
    """The last four end a task; all of them but `done` can be resumed."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """The server ended while it ran."""

    @property
    def is_over(self) -> bool:
        """Whether nothing happens any more unless somebody resumes it."""
        return self not in (TaskState.WAITING, TaskState.RUNNING)


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


@dataclass(slots=True, kw_only=True)
class Task:
    """As it is kept on the disk. It has ids and counts, and no text of a memory."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid", hide_input_in_errors=True)
    id: str
    kind: TaskKind
    tenant: str
    ids: dict[str, str]
    """Of the scope; none for a whole tenant."""
    created_at: datetime
    updated_at: datetime
    asked: dict[str, Any] = field(default_factory=dict)
    """What the kind needs to know."""
    state: TaskState = TaskState.WAITING
    done: int = 0
    total: int | None = None
    counts: dict[str, Any] = field(default_factory=dict)
    checkpoint: dict[str, Any] = field(default_factory=dict)
    """Where to go on."""
    error: str | None = None
    result: dict[str, Any] | None = None

    @property
    def owner_ref(self) -> OwnerRef:
        """Whose memories it is about."""
        return Owner(self.tenant).owner_ref(**self.ids)

    def belongs_to(self, owner_ref: OwnerRef) -> bool:
        """Whether it is about nothing but memories of this owner."""
        if not isinstance(owner_ref, Scope):
            return owner_ref == self.tenant
        mine = self.owner_ref
        return isinstance(mine, Scope) and owner_ref.admits(mine)

    def concerns(self, owner_ref: OwnerRef) -> bool:
        """Whether it may be about a memory of this owner."""
        if owning_tenant(owner_ref) != self.tenant:
            return False
        theirs = owner_ref.ids() if isinstance(owner_ref, Scope) else {}
        return all(theirs.get(name, value) == value for name, value in self.ids.items())

    def as_dict(self) -> TaskDict:
        """As the API shows it."""
        shown = TaskDict(
            id=self.id,
            kind=self.kind.value,
            state=self.state.value,
            done=self.done,
            total=self.total,
            counts=self.counts,
            created_at=iso(self.created_at),
            updated_at=iso(self.updated_at),
        )
        shown.update(self.ids)  # type: ignore[typeddict-item]  # exactly the ids of a scope
        if self.error is not None:
            shown["error"] = self.error
        if self.result is not None:
            shown["result"] = self.result
        return shown

    def dumped(self) -> bytes:
        """As JSON, for `loaded`. An error may quote half a character: a question mark is kept."""
        values = _TASK.dump_python(self, mode="json")
        return json.dumps(values, ensure_ascii=False).encode(errors="replace")


_TASK = TypeAdapter(Task)


def loaded(text: bytes) -> Task:
    """The task of `Task.dumped`.

    Raises:
        ValueError: it is none, or one of a later version.
    """
    task = _TASK.validate_json(text)
    try:
        _ = task.owner_ref
    except RecollectError as error:
        raise ValueError(f"this is no task: {error}") from error
    return task

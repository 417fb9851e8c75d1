"""The protocol of a kind of upkeep: it reads and proposes, and somebody else writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ..forget import WriteGuard
from ..model.errors import RecollectError
from ..model.jobs import Job, JobKind
from ..model.ports import ChatModel
from ..model.types import Decision, Scope


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a step."""

    job: Job
    scope: Scope
    model: ChatModel | None
    """The tenant's model, metered; None if there is none or none may be asked now."""
    guard: WriteGuard
    """Made before anything was read."""
    dry: bool = False
    """Whether nothing of it is to be carried out."""
    without: RecollectError | None = None
    """Why there is no model. A step that is nothing without one raises it: its job then waits."""


@dataclass(frozen=True, slots=True)
class UpkeepPlan:
    """The proposals of a step."""

    decisions: tuple[Decision, ...] = ()
    """Of the events ADD, UPDATE, DELETE, ARCHIVE, QUARANTINE, RESTORE, VALIDATE and NONE."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """What it counted, by name; no text."""
    unasked: bool = False
    """Whether a part rested because no model could be asked."""
    more: bool = False
    """Whether something is left for another run."""
    confirmed: tuple[str, ...] = ()
    """Memories that the user said again."""
    judged: Mapping[str, str] = field(default_factory=dict)
    """Memories of which a model said how they stand, with their groups."""
    judges: bool = False
    """Whether a model is to judge what is pending, in a job of its own."""
    moments: Mapping[str, int] = field(default_factory=dict)
    """When turns were created that decisions name, in ms since the epoch: the time of what is
    written. Without any it is now."""


class UpkeepStep(Protocol):
    """One kind of upkeep."""

    @property
    def kind(self) -> JobKind: ...

    async def plan(self, work: Work) -> UpkeepPlan:
        """What is to be done; writes nothing.

        Ids of new memories are derived from the work (`learn.records.memory_id`).

        Raises:
            ModelError: a call failed; the step is asked again without a model.
            StretchOpenError, and `Work.without`: the job waits.
            EmbeddingError, StoreError, StateError: not now; the job is retried.
        """

"""Work without a request: the kinds of jobs, one job, and how an operator sees it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from .scope import OwnerRef, Scope

UPKEEP = "upkeep"
"""Ends the names of the lines in which upkeep waits."""


class JobKind(StrEnum):
    """What a job does. All wait in one queue, with the tasks of the API."""

    LEARN = "learn"
    """Turns become memories."""
    JUDGE = "judge"
    """A model is asked about stored memories of one matter."""
    CONSOLIDATE = "consolidate"
    """What says the same is merged, what is of one topic condensed, what nobody uses archived."""
    EPISODE = "episode"
    """A stretch of conversation becomes one episodic memory."""
    REFLECT = "reflect"
    """Conclusions are drawn from what happened lately."""


_LEARNING = frozenset({JobKind.LEARN, JobKind.JUDGE})
"""Kinds that change what a user said last, in order."""


class Leased(Protocol):
    """A job, or a task of the API, as it is worked on under a lease."""

    @property
    def id(self) -> str: ...
    @property
    def scope(self) -> OwnerRef: ...
    @property
    def lease(self) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Learn the turns of one conversation up to and including `upto_seq`, or a kind of upkeep."""

    id: str
    scope: Scope
    conversation_id: str
    upto_seq: int
    reason: str
    """What asked for it, such as ``idle``."""
    kind: JobKind = JobKind.LEARN
    attempts: int = 0
    """How often it was claimed; counted at the claim, so that a crash counts too."""
    lease: str | None = None
    """Proof of ownership; a call with an outdated lease changes nothing."""
    checkpoint: str | None = None
    """The decisions after they are made: if applying them is interrupted, the next attempt
    continues here."""
    after_seq: int | None = None
    """For a revived job: learn the turns after this position, which the watermark has passed."""
    cancelled: bool = False
    """Its turns were forgotten while it was leased: only clean up after the holder."""

    @property
    def partition(self) -> str:
        """The line that it waits in: jobs of one line run one after the other.

        Upkeep has lines of its own, so that learning never waits for it. Each conversation has one
        for its episodes, so that none waits for the end of another.
        """
        own = self.scope.partition
        if self.kind in _LEARNING:
            return own
        of = self.conversation_id if self.kind is JobKind.EPISODE else ""
        return f"{own}|{of}|{UPKEEP}" if of else f"{own}|{UPKEEP}"


class JobState(StrEnum):
    """``done`` and ``dead`` are terminal, but a dead job can be revived."""

    READY = "ready"
    LEASED = "leased"
    DONE = "done"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class JobReport:
    """A job as an operator sees it."""

    job: Job
    state: JobState
    queued_at: datetime
    not_before: datetime | None = None
    error: str | None = None
    """Why its last attempt failed; never any text of the conversation."""
    raw: str | None = None
    """The unreadable answer of the model, of a dead job."""


@dataclass(frozen=True, slots=True)
class Spent:
    """The cost of a tenant's learning in one day."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens."""
        return self.prompt_tokens + self.completion_tokens

"""The runs of jobs, as they are counted, logged and told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from ..learn import Learned
from ..model.errors import code_in
from ..model.types import Decision, EventKind, Job
from ..util.correlation import ID_CHARS, Ids


class RunOutcome(StrEnum):
    """The outcome of one run of a job. All but ``retry``, ``waiting`` and ``lost`` are terminal."""

    LEARNED = "learned"
    NOTHING = "nothing"
    """The turns held nothing worth keeping."""
    REJECTED = "rejected"
    """Every fact was rejected."""
    RETRY = "retry"
    DEAD = "dead"
    WAITING = "waiting"
    LOST = "lost"
    FORGOTTEN = "forgotten"
    """Its turns were forgotten while it ran."""


class NearDecision(NamedTuple):
    """A decision about a fact that a memory is near to, without their texts."""

    event: EventKind
    stage: str
    cosine: float
    why: str
    pending: int
    """Memories of the same matter that nobody judged."""
    memory_id: str


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a job, for metrics and logs."""

    job: Job
    outcome: RunOutcome
    events: tuple[EventKind, ...] = ()
    rejected: Mapping[str, int] = field(default_factory=dict)
    """Rejected facts, by reason."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """Pieces of text that the firewall removed, by reason."""
    stages: tuple[str, ...] = ()
    """The stage that decided each fact."""
    compared: tuple[NearDecision, ...] = ()
    """Of these those that a memory was near to."""
    strategy: str = ""
    """The way of asking the model that worked; empty if it was not asked."""
    error: str = ""
    unasked: bool = False
    """Whether a part of upkeep rested because no model could be asked."""

    @property
    def finished(self) -> bool:
        """Whether no other run learns the same turns."""
        return self.outcome not in {RunOutcome.RETRY, RunOutcome.WAITING, RunOutcome.LOST}

    @property
    def failure(self) -> str:
        """The reason word of `error`, such as ``model_timeout``; empty without an error."""
        return code_in(self.error)


def learning_run(job: Job, learned: Learned) -> Run:
    """The run of a job of learning that is done."""
    events = tuple(decision.event for decision in learned.decisions)
    outcome = RunOutcome.LEARNED if events else RunOutcome.NOTHING
    if not events and learned.rejected:
        outcome = RunOutcome.REJECTED
    return Run(
        job,
        outcome,
        events,
        rejected=learned.rejected,
        removed=learned.removed,
        stages=tuple(decision.stage for decision in learned.decisions),
        compared=tuple(compared_in(learned.decisions)),
        strategy=learned.strategy,
    )


def compared_in(decisions: Iterable[Decision]) -> Iterator[NearDecision]:
    """Those of decisions about facts that a memory is near to."""
    for each in decisions:
        if each.score is not None:
            pending, name = len(each.pending), each.memory_id
            yield NearDecision(each.event, each.stage, each.score, each.reason, pending, name)


def job_ids(job: Job) -> Ids:
    """What the lines of a job have in common."""
    return {"job": job.id, "conversation": job.conversation_id[:ID_CHARS]}

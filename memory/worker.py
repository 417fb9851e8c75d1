"""Leases jobs and learns them. The same code in the proxy's process and in one of its own.

    claim -> turns -> extract + reconcile -> checkpoint -> apply -> watermark -> ack

Death at any arrow loses nothing: the lease runs out, the next claim starts again or, once there is
a checkpoint, goes on from the decisions. Applying twice is applying once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from .errors import ExtractionError, ModelError, RecollectError
from .learn import Learner, LearnOptions, dump_decisions, job_for, load_decisions
from .ports import ChatModel, ConversationStore, JobQueue
from .times import sequence_from
from .types import Decision, EventKind, Job, Message, Provenance, Scope, Turn, utc_now

log = logging.getLogger(__name__)

MAX_EVIDENCE = 100
"""Turns a memory names as its evidence, the latest: the stores' column holds no more than some
hundred ids."""
NO_MODEL_SECONDS = 15.0
"""How long a job rests whose tenant has no model at the moment."""


class Outcome(StrEnum):
    """How one run of a job ended. ``learned`` and ``nothing`` and ``dead`` are terminal."""

    LEARNED = "learned"
    NOTHING = "nothing"
    RETRY = "retry"
    DEAD = "dead"
    WAITING = "waiting"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a job, for those who count."""

    job: Job
    outcome: Outcome
    events: tuple[EventKind, ...] = ()


class ModelSource(Protocol):
    """Where the worker gets its model from, per job."""

    async def __call__(self, tenant: str, model: str) -> ChatModel | None:
        """A model for this tenant's conversations with `model`; None: not now, keep the job."""


class Worker:
    """Learns what is due, one job at a time."""

    def __init__(
        self,
        learner: Learner,
        conversations: ConversationStore,
        jobs: JobQueue,
        models: ModelSource,
        options: LearnOptions,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._learner = learner
        self._conversations = conversations
        self._jobs = jobs
        self._models = models
        self._options = options
        self._clock = clock

    async def enqueue_pending(
        self, reason: str, *, idle_seconds: float = 0, scope: Scope | None = None
    ) -> int:
        """Start a job for each conversation with unlearned turns; return how many are new."""
        idle_since = self._clock() - timedelta(seconds=idle_seconds) if idle_seconds else None
        turns = await self._conversations.pending(idle_since=idle_since, scope=scope)
        return sum([await self._jobs.put(job_for(turn, turn.seq, reason=reason)) for turn in turns])

    async def run_one(self) -> Run | None:
        """Claim a job and learn it; None if there is none to run now.

        Raises:
            StateError: the queue itself failed; the job, if one was claimed, keeps its lease and
                is taken up again when that runs out.
        """
        job = await self._jobs.claim(now=self._clock(), lease_seconds=self._options.lease_seconds)
        if job is None:
            return None
        if job.attempts > self._options.max_attempts:
            return await self._bury(job, f"gave up after {job.attempts - 1} attempts")
        try:
            # Half a lease, so that a hung call ends before another worker may take the job over.
            async with asyncio.timeout(self._options.lease_seconds / 2):
                return await self._learn(job)
        except (RecollectError, TimeoutError) as error:
            return await self._failed(job, error)

    async def drain(self) -> list[Run]:
        """Run jobs until none can run now."""
        runs = []
        while (run := await self.run_one()) is not None:
            runs.append(run)
        return runs

    async def _learn(self, job: Job) -> Run:
        turns = await self._conversations.unlearned(job.conversation_id, job.upto_seq)
        if not turns:
            return Run(job, await self._finish(job, Outcome.NOTHING))
        decisions = _checkpointed(job)
        model = turns[-1].model
        if decisions is None:
            source = await self._models(job.scope.tenant, model)
            if source is None:
                at = self._clock() + timedelta(seconds=NO_MODEL_SECONDS)
                kept = await self._jobs.retry(
                    job, at=at, error="no model is available", count=False
                )
                return Run(job, Outcome.WAITING if kept else Outcome.LOST)
            decisions = await self._decide(job, turns, source)
            if not await self._jobs.save_checkpoint(job, dump_decisions(decisions)):
                return Run(job, Outcome.LOST)
        await self._learner.carry_out(
            job.scope,
            decisions,
            at=turns[-1].created_at,
            batch=job.id,
            provenance=Provenance(
                source="extraction",
                conversation_id=job.conversation_id,
                turn_ids=tuple(turn.id for turn in turns[-MAX_EVIDENCE:]),
                model=model,
                sequence=sequence_from(turns[-1].created_at),
            ),
        )
        await self._conversations.mark_learned(job.conversation_id, job.upto_seq)
        events = tuple(decision.event for decision in decisions)
        outcome = Outcome.LEARNED if events else Outcome.NOTHING
        return Run(job, await self._finish(job, outcome), events)

    async def _decide(self, job: Job, turns: Sequence[Turn], model: ChatModel) -> list[Decision]:
        return await self._learner.decide(
            job.scope,
            [message for turn in turns for message in turn_messages(turn)],
            model,
            at=turns[-1].created_at,
            batch=job.id,
        )

    async def _finish(self, job: Job, outcome: Outcome) -> Outcome:
        return outcome if await self._jobs.ack(job) else Outcome.LOST

    async def _bury(self, job: Job, reason: str) -> Run:
        if not await self._jobs.bury(job, error=reason):
            return Run(job, Outcome.LOST)
        log.error("job %s of %s is dead: %s", job.id, job.scope.partition, reason)
        return Run(job, Outcome.DEAD)

    async def _failed(self, job: Job, error: Exception) -> Run:
        reason = f"{type(error).__name__}: {error}"
        if job.attempts >= self._options.max_attempts:
            return await self._bury(job, reason)
        delay = self._options.retry_seconds * 2 ** (job.attempts - 1)
        at = self._clock() + timedelta(seconds=delay)
        if not await self._jobs.retry(job, at=at, error=reason):
            return Run(job, Outcome.LOST)
        expected = isinstance(error, (ModelError, ExtractionError, TimeoutError))
        log.log(
            logging.WARNING if expected else logging.ERROR,
            "job %s, attempt %d of %d, again in %.0f s: %s",
            job.id,
            job.attempts,
            self._options.max_attempts,
            delay,
            reason,
        )
        return Run(job, Outcome.RETRY)


def _checkpointed(job: Job) -> list[Decision] | None:
    if job.checkpoint is None:
        return None
    try:
        return load_decisions(job.checkpoint)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        # Another version's, or damaged. Deciding again is safe: ids follow from the job.
        log.warning("the checkpoint of job %s cannot be read: %r", job.id, error)
        return None


def turn_messages(turn: Turn) -> list[Message]:
    """A turn as the extractor reads it."""
    messages = [Message(role="user", content=turn.user_text)]
    if turn.assistant_text:
        messages.append(Message(role="assistant", content=turn.assistant_text))
    return messages

"""Leases jobs and learns them, in the proxy's process or in a worker process.

    claim -> turns -> extract + reconcile -> checkpoint -> one transaction

The transaction has the memories, what is noted of the turns, the watermark, the jobs that follow
and the end of this one. A crash loses nothing: the lease expires, and the next claim starts again
or continues from the checkpoint.

Each failed try counts, also one that killed its worker. After `max_attempts` the job is dead, and
its turns are skipped, with their texts kept, until an operator retries it. Waiting for a part that
is down does not count as a try.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

from ..database.changes import ChangeKind
from ..learn import (
    AfterLearning,
    Applied,
    Batch,
    Learned,
    Learner,
    LearnOptions,
    SaidAfter,
    after_learning,
    job_for,
)
from ..model.daily_sums import PAYER, Payer
from ..model.errors import (
    CallsSpentError,
    ConflictError,
    EmbeddingError,
    ExtractionError,
    JobTimeoutError,
    RecollectError,
    StateError,
    StoreError,
    StretchOpenError,
    WorkerDiedError,
    advice_about,
    code_in,
    coded,
)
from ..model.jobs import JobKind
from ..model.ports import ModelSource
from ..model.times import sequence_from
from ..model.types import Decision, Job, Provenance, Scope, Source, Turn
from ..records.parts import Parts
from ..records.writing import InsidePorts
from ..util.clock import CLOCK, Clock
from ..util.correlation import correlated
from ..util.loops import guarded
from ..util.lru import Lru
from .budgets import Budgets, left_of
from .checkpoints import checkpointed, dumped
from .conflicts import ConflictJobs, JudgeStep
from .ending import Endings
from .episodes import EpisodeJobs
from .extraction_limits import UNREAD, ExtractionLimits, most_tries
from .extraction_trials import delay
from .lease import LeaseLostError, while_held
from .runs import Run, RunOutcome, job_ids, learning_run
from .upkeep import UpkeepJobs

log = logging.getLogger(__name__)

MAX_EVIDENCE = 100
"""Latest turns that a memory names as evidence: the stores' column holds a few hundred ids."""
BEATS = 3
"""Renewals within one lease; two may fail."""
MAX_WAITING = 10_000
"""Jobs whose waits are counted. An evicted job starts again with the shortest wait."""
MOST_EARLIER = 5
"""Turns before those of a job that the model is shown, to understand them."""
OUTAGES = (StoreError, StateError)
"""A part is down: retried without counting a try."""


Left = Callable[[Scope, Sequence[Turn], AfterLearning, Sequence[Decision]], Awaitable[SaidAfter]]
"""Tells what stays of turns, and of earlier ones of which something is believed now.

It writes nothing. Raises StateError, StoreError and EmbeddingError.
"""


class Worker:
    """Learns one job per call of `run_one`. Any number may run at once, in any process."""

    def __init__(
        self,
        parts: Parts,
        learner: Learner,
        models: ModelSource,
        options: LearnOptions,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        state = parts.state
        self.budgets = Budgets(parts.writer, options)
        self._endings = Endings(parts.writer, state.scripts, self.budgets)
        self.extracting = ExtractionLimits(state, learner, models, options, clock=clock)
        self._conflicts = ConflictJobs(learner.settler)
        self.upkeep = UpkeepJobs(parts, learner, self.extracting, self._endings, clock=clock)
        self.upkeep.add(JudgeStep(learner.settler))
        self.episodes = EpisodeJobs(self.upkeep)
        self._learner = learner
        self._writer = parts.writer
        self._conversations = state.conversations
        self._jobs = state.jobs
        self._options = options
        self._clock = clock
        self._waits: Lru[str, int] = Lru(MAX_WAITING)
        self._held: list[Job] = []
        self.after: list[Callable[[Job], Awaitable[object]]] = []
        """Called after a job that changed something; a failure costs nothing but the call."""
        self.left: Left | None = None
        """None if nothing is recalled of what was said."""
        self.paused = False
        """Whether no job is begun: somebody switched learning off."""

    @property
    def held(self) -> list[Job]:
        """The jobs that run in this worker."""
        return list(self._held)

    async def run_one(self) -> Run | None:
        """Claim a job and learn it; None if no job can run now, or while it is paused.

        Raises:
            StateError: the queue failed. A claimed job is taken up again when its lease expires.
        """
        if self.paused:
            return None
        lease = self._options.lease_seconds
        job = await self._jobs.claim(now=self._clock.now(), lease_seconds=lease)
        if job is None:
            return None
        self._held.append(job)
        PAYER.set(Payer(job.scope.tenant))
        try:
            await self._endings.look()
            return await self._run(job)
        except asyncio.CancelledError:
            # A shutdown does not count as a try. If the release fails, the lease expires.
            with contextlib.suppress(StateError):
                await self.extracting.stopped(job)
                await self._jobs.retry(job, at=self._clock.now(), error="stopped", count=False)
            raise
        finally:
            self._held.remove(job)
            self._endings.over(job)

    async def _run(self, job: Job) -> Run:
        with correlated(job_ids(job)):
            run = await self._tried(job)
            for follow in self.after if run.outcome is RunOutcome.LEARNED else ():
                await guarded(partial(follow, job))
            return run

    async def _tried(self, job: Job) -> Run:
        if job.attempts > most_tries(job, self._options) and not job.cancelled:
            return await self._give_up(job, coded(WorkerDiedError(f"{job.attempts - 1} times")))
        try:
            async with asyncio.timeout(self._options.job_seconds):
                return await while_held(
                    self._work(job),
                    renew=lambda: self._renew(job),
                    every=self._options.lease_seconds / BEATS,
                    clock=self._clock,
                )
        except LeaseLostError:
            with contextlib.suppress(StateError):
                await self.extracting.stopped(job)
            return Run(job, RunOutcome.LOST)
        except TimeoutError:
            limit = self._options.job_seconds
            return await self._failed(job, JobTimeoutError(f"no result within {limit:g} s"))
        except CallsSpentError:
            await self.extracting.stopped(job)
            return await self._empty(job, RunOutcome.NOTHING)
        except StretchOpenError as error:
            return await self._rests(job, error)
        except RecollectError as error:
            return await self._failed(job, error)

    async def _work(self, job: Job) -> Run:
        if job.cancelled:
            return await self._empty(job, RunOutcome.FORGOTTEN)
        if job.kind is JobKind.LEARN:
            return await self._learn(job)
        return await self._look_after(job)

    async def _look_after(self, job: Job) -> Run:
        kept = await self.upkeep.run(job)
        if kept.taken_back:
            return await self._decide_anew(job)
        events = tuple(each.event for each in kept.events)
        outcome = RunOutcome.LEARNED if events else RunOutcome.NOTHING
        return Run(job, outcome, events, unasked=kept.unasked)

    async def _empty(self, job: Job, outcome: RunOutcome) -> Run:
        """End a job that has nothing to write."""
        await self._endings.alone(job)
        return Run(job, outcome)

    async def _renew(self, job: Job) -> bool:
        if self._endings.has_begun(job):
            return True
        until = self._clock.now() + timedelta(seconds=self._options.lease_seconds)
        return await self._jobs.extend(job, until=until)

    async def _learn(self, job: Job) -> Run:
        # Before anything is read, so that the guard notices all later forgetting.
        guard = await self._learner.guard(job.scope)
        turns = await self._turns(job)
        if not turns:
            if job.after_seq is not None:
                log.warning("job %s: the texts of its turns have been pruned", job.id)
            return await self._empty(job, RunOutcome.NOTHING)
        learned = checkpointed(job, Learned)
        if learned is None:
            earlier = await self._earlier(job, turns)
            learned = await self.extracting.decide(job, turns, earlier=earlier)
        # Also for an existing checkpoint: the call fails if the job was cancelled.
        if not await self._jobs.save_checkpoint(job, dumped(learned)):
            return Run(job, RunOutcome.LOST)
        after = after_learning(learned.decisions, turns, learned.not_embedded)
        said = SaidAfter()
        if self.left is not None:
            said = await self.left(job.scope, turns, after, learned.decisions)
        following = await self._following(job, turns, learned)

        async def end(ports: InsidePorts, _applied: Applied) -> None:
            await self._take_the_place(ports, job, after.remembered, said)
            await self._endings.end(ports, job, following)

        try:
            applied = await self._learner.carry_out(
                learned.decisions, _batch(job, turns), guard, also=end
            )
        except ConflictError as error:
            return await self._wait(job, 0, str(error))
        if applied.taken_back:
            # Turns that are left, or came later, are still to be learned.
            return await self._decide_anew(job)
        self._conflicts.followed(job, learned)
        return learning_run(job, learned)

    async def _following(
        self, job: Job, turns: Sequence[Turn], learned: Learned
    ) -> list[Job | None]:
        """What a model is asked besides; nothing beside a budget, which has no calls for it."""
        if left_of(job.reason) is not None:
            return []
        return [
            *_set_aside(turns, learned.unread),
            self.episodes.following(job, turns),
            await self._conflicts.following(job, learned),
        ]

    async def _take_the_place(
        self, ports: InsidePorts, job: Job, remembered: Collection[str], said: SaidAfter
    ) -> None:
        """Let what was learned stand for what was said, but for what was withheld of it."""
        conversations = ports.state.conversations
        if said.notes and await conversations.annotate(said.notes) < len(said.notes):
            raise ConflictError("what its turns say was judged while it ran")
        for name, turn_ids in [*said.over.items(), (job.conversation_id, remembered)]:
            if turn_ids:
                await conversations.mark_remembered(job.scope, name, turn_ids)
        await conversations.mark_learned(job.conversation_id, job.upto_seq, after_seq=job.after_seq)
        if remembered or said:
            ports.announce(job.scope, ChangeKind.SAID)

    async def _turns(self, job: Job) -> list[Turn]:
        if job.after_seq is None:
            return await self._conversations.unlearned(job.conversation_id, job.upto_seq)
        return await self._conversations.turns(job.conversation_id, job.after_seq, job.upto_seq)

    async def _earlier(self, job: Job, turns: Sequence[Turn]) -> list[Turn]:
        """The learned ones of the turns just before those of the job.

        A turn that no model can read would make this job fail too.
        """
        before = turns[0].seq - 1
        if not before:
            return []
        return await self._conversations.turns(
            job.conversation_id, max(0, before - MOST_EARLIER), before, learned_only=True
        )

    async def _give_up(self, job: Job, reason: str, raw: str | None = None) -> Run:
        """Mark the job dead and give up its turns, so that later jobs do not fail on them.

        Their texts stay for as long as the job can be retried.
        """
        if job.kind is not JobKind.LEARN:
            return await self._buried(job, reason)
        turns = await self._turns(job)
        after = turns[0].seq - 1 if turns else job.upto_seq
        following = await self._following(job, turns, Learned())

        async def work(ports: InsidePorts) -> None:
            queue = ports.state.jobs
            if not await queue.dead_letter(job, error=reason, raw=raw, after_seq=after):
                raise LeaseLostError
            await ports.state.conversations.give_up(job.conversation_id, after, job.upto_seq)
            await self._endings.follow(ports, job, following)

        try:
            await self._writer.change(work, tenants={job.scope.tenant})
        except LeaseLostError:
            return Run(job, RunOutcome.LOST)
        log.error(
            "job %s is dead after %d tries, `recollect jobs retry` tries it again: %s (%s)",
            job.id,
            min(job.attempts, most_tries(job, self._options)),
            reason,
            advice_about(code_in(reason)),
        )
        return Run(job, RunOutcome.DEAD, error=reason)

    async def _buried(self, job: Job, reason: str) -> Run:
        """Mark a job dead that learns no turns: the next of its kind does what it did not."""
        if not await self._jobs.dead_letter(job, error=reason):
            return Run(job, RunOutcome.LOST)
        log.error("%s job %s is dead: %s", job.kind.value, job.id, reason)
        return Run(job, RunOutcome.DEAD, error=reason)

    async def _rests(self, job: Job, error: StretchOpenError) -> Run:
        """Come back when a conversation is over. It counts as a try: the second does not rest."""
        kept = await self._jobs.retry(job, at=error.until, error=coded(error))
        return Run(job, RunOutcome.WAITING if kept else RunOutcome.LOST, error=coded(error))

    async def _failed(self, job: Job, error: RecollectError) -> Run:
        ended = await self.extracting.ended(job, error)
        if isinstance(error, OUTAGES) or (
            isinstance(error, EmbeddingError) and not await self._learner.embeds()
        ):
            waits = (self._waits.get(job.id) or 0) + 1
            self._waits.put(job.id, waits)
            return await self._wait(job, delay(self._options, waits), ended.reason)
        if ended.failed and job.attempts >= ended.tries:
            raw = error.raw if isinstance(error, ExtractionError) else None
            return await self._give_up(job, ended.reason, raw)
        if ended.wait is not None:
            return await self._wait(job, ended.wait, ended.reason)
        seconds = delay(self._options, job.attempts)
        at = self._clock.now() + timedelta(seconds=seconds)
        if not await self._jobs.retry(job, at=at, error=ended.reason):
            return Run(job, RunOutcome.LOST)
        # One warning for all of them comes from `Failures`.
        tries = f"{job.attempts} of {ended.tries}"
        log.info("job %s, try %s, again in %.0f s: %s", job.id, tries, seconds, ended.reason)
        return Run(job, RunOutcome.RETRY, error=ended.reason)

    async def _decide_anew(self, job: Job) -> Run:
        """Run the job again from its turns: what was decided names something that was forgotten."""
        if not await self._jobs.save_checkpoint(job, None):
            return Run(job, RunOutcome.LOST)
        return await self._wait(job, 0, "some of its memories were forgotten while it ran")

    async def _wait(self, job: Job, seconds: float, reason: str) -> Run:
        at = self._clock.now() + timedelta(seconds=seconds)
        kept = await self._jobs.retry(job, at=at, error=reason, count=False)
        log.info("job %s waits %.0f s: %s", job.id, seconds, reason)
        return Run(job, RunOutcome.WAITING if kept else RunOutcome.LOST, error=reason)


def _batch(job: Job, turns: Sequence[Turn]) -> Batch:
    at = max(turn.created_at for turn in turns)
    return Batch(
        id=job.id,
        scope=job.scope,
        at=at,
        moments={turn.id: turn.created_at for turn in turns},
        turns=turns,
        provenance=Provenance(
            source=Source.EXTRACTION,
            conversation_id=job.conversation_id,
            turn_ids=tuple(turn.id for turn in turns[-MAX_EVIDENCE:]),
            sequence=sequence_from(at),
        ),
    )


def _set_aside(turns: Sequence[Turn], unread: Sequence[str]) -> Iterator[Job]:
    """A job of its own for each unread turn, which keeps the model's answer if it fails too."""
    for turn in turns:
        if turn.id in unread:
            whole = job_for(turn, turn.seq, reason=UNREAD)
            yield replace(whole, id=f"{whole.id}:{UNREAD}", after_seq=turn.seq - 1)

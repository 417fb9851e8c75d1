"""What every job queue must do."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from functools import partial

import hypothesis.strategies as st
from hypothesis import given, settings

from recollect.memory.database.jobs import SqlJobs
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import Job, JobState, Scope, utc_now
from tests.memory.state.contracts.job_model import JobModel, steps
from tests.memory.state.samples import ALICE, ALICE_WORK, ANY_BACKEND, BOB, NOON, OTHER_ALICE, job
from tests.support.budget import examples

LATER = NOON + timedelta(hours=1)


async def claim(jobs: SqlJobs, seconds: float = 0) -> Job:
    """The job that can be claimed so many seconds after noon."""
    claimed = await jobs.claim(now=NOON + timedelta(seconds=seconds), lease_seconds=60)
    assert claimed is not None
    return claimed


async def nothing_to_claim(jobs: SqlJobs, seconds: float = 0) -> bool:
    return await jobs.claim(now=NOON + timedelta(seconds=seconds), lease_seconds=60) is None


class JobContract:
    """Subclasses provide the fixture `jobs`."""

    async def test_each_kind_comes_back_and_upkeep_has_a_line_of_its_own(self, jobs):
        """Upkeep of a user runs beside learning, one job after the other; episodes beside both."""
        kinds = (JobKind.LEARN, JobKind.JUDGE, JobKind.CONSOLIDATE, JobKind.REFLECT)
        for kind in kinds:
            await jobs.put(replace(job(kind.value), kind=kind))
        for name in ("c", "d"):
            await jobs.put(replace(job(name), kind=JobKind.EPISODE, conversation_id=name))
        learning, upkeep = await claim(jobs), await claim(jobs)
        assert (learning.kind, upkeep.kind) == (JobKind.LEARN, JobKind.CONSOLIDATE)
        assert [(await claim(jobs)).id for _ in range(2)] == ["c", "d"]
        assert await nothing_to_claim(jobs)
        assert await jobs.ack(learning)
        assert await jobs.ack(upkeep)
        assert [(await claim(jobs)).kind for _ in range(2)] == [JobKind.JUDGE, JobKind.REFLECT]

    async def test_an_owners_jobs_are_counted(self, jobs):
        """Nobody is told how many jobs somebody else has, or how old they are."""
        for name in ("a", "b"):
            await jobs.put(job(name, scope=Scope(tenant="local", user_id=name)))
        await jobs.put(job("c", scope=Scope(tenant="other", user_id="a")))
        assert (await jobs.counts("local"))["ready"] == 2
        alice = Scope(tenant="local", user_id="a")
        assert await jobs.counts(alice) == {"ready": 1, "leased": 0, "done": 0, "dead": 0}
        assert await jobs.oldest(alice) == await jobs.oldest()
        assert sum((await jobs.counts("nobody")).values()) == 0
        assert await jobs.oldest("nobody") is None

    async def test_a_rest_that_a_clock_left_behind_is_none(self, jobs):
        """Put off for 90 days by a clock that has gone back since, a job is due at once."""
        await jobs.put(job("j"))
        await jobs.retry(await claim(jobs), at=NOON + timedelta(days=90), error="no")
        held = await claim(jobs)
        assert held.attempts == 2
        # Until the next day's budget is the longest that there is.
        await jobs.retry(held, at=NOON + timedelta(hours=25), error="no")
        assert await nothing_to_claim(jobs)
        assert (await claim(jobs, 25 * 3600)).attempts == 3

    async def test_a_buried_job_keeps_what_the_model_said(self, jobs):
        """A dead job is listed with its error and the answer; the first position is no missing one."""
        await jobs.put(job("j"))
        assert await jobs.dead_letter(
            await claim(jobs), error="no JSON", raw="I'd rather \x00 talk", after_seq=0
        )
        [report] = await jobs.reports(state=JobState.DEAD)
        assert (report.error, report.raw) == ("no JSON", "I'd rather \x00 talk")
        assert report.job == replace(job("j"), attempts=1, after_seq=0)
        await jobs.revive("j")
        assert (await claim(jobs)).after_seq == 0

    async def test_the_age_of_the_queue(self, jobs):
        """The oldest open job's time is known, whatever became of older ones."""
        assert await jobs.oldest() is None
        before = utc_now()
        await jobs.put(job("j1"))
        first = await jobs.oldest()
        await jobs.put(job("j2", scope=BOB))
        assert first is not None
        assert before <= first <= utc_now()
        held = await claim(jobs)
        assert await jobs.oldest() == first
        await jobs.ack(held)
        second = await jobs.oldest()
        assert second is not None
        assert second >= first
        await jobs.dead_letter(await claim(jobs), error="poison")
        assert await jobs.oldest() is None

    async def test_upkeep_makes_no_queue_old(self, jobs):
        """It may wait for days; the age is that of what is to be learned, or judged."""
        for number in range(3):
            await jobs.put(replace(job(f"u{number}"), kind=JobKind.REFLECT))
        assert await jobs.oldest() is None
        assert await jobs.oldest("local") is None
        before = utc_now()
        await jobs.put(replace(job("j"), kind=JobKind.JUDGE))
        for owner_ref in (None, "local"):
            found = await jobs.oldest(owner_ref)
            assert found is not None
            assert found >= before

    async def test_jobs_are_reported_newest_first(self, jobs):
        """Reports name state, times and errors, and neither leases nor checkpoints."""
        before = utc_now()
        for name in ("done", "rests", "held", "ready"):
            await jobs.put(job(name, scope=Scope(tenant="local", user_id=name)))
        await jobs.ack(await claim(jobs))
        await jobs.retry(await claim(jobs), at=LATER, error="no")
        held = await claim(jobs)
        await jobs.save_checkpoint(held, "secret")
        reports = await jobs.reports()
        assert [(r.job.id, r.state.value) for r in reports] == [
            ("ready", "ready"),
            ("held", "leased"),
            ("rests", "ready"),
            ("done", "done"),
        ]
        assert all(r.job.lease is None and r.job.checkpoint is None for r in reports)
        assert [r.job.attempts for r in reports] == [0, 1, 1, 1]
        assert (reports[2].not_before, reports[2].error) == (LATER, "no")
        assert (reports[0].not_before, reports[0].error, reports[0].raw) == (None, None, None)
        assert all(before <= r.queued_at <= utc_now() for r in reports)

    async def test_reports_by_tenant_state_and_limit(self, jobs):
        """A tenant is shown only its own jobs, and a limit leaves out the oldest."""
        for name in ("a", "b", "c"):
            await jobs.put(job(name, scope=Scope(tenant="local", user_id=name)))
        await jobs.put(job("theirs", scope=OTHER_ALICE))
        await jobs.ack(await claim(jobs))
        assert [r.job.id for r in await jobs.reports("local")] == ["c", "b", "a"]
        assert [r.job.id for r in await jobs.reports("other")] == ["theirs"]
        assert await jobs.reports("nobody") == []
        ready = await jobs.reports("local", state=JobState.READY)
        assert [r.job.id for r in ready] == ["c", "b"]
        assert [r.job.id for r in await jobs.reports(limit=2)] == ["theirs", "c"]
        assert [r.job.id for r in await jobs.reports("local", limit=1)] == ["c"]
        assert await jobs.reports(limit=0) == []

    async def test_jobs_that_were_done_long_ago_are_let_go(self, jobs):
        """Not the newest of them, nor any that waits or is dead; one may be put again."""
        for name in ("old", "dead", "older", "newest", "waits"):
            await jobs.put(job(name, scope=Scope(tenant="local", user_id=name)))
        for end in (jobs.ack, partial(jobs.dead_letter, error="no"), jobs.ack, jobs.ack):
            assert await end(await claim(jobs))
        assert await jobs.prune(before=NOON - timedelta(days=1)) == 0
        assert await jobs.prune(before=LATER) == 2
        left = {report.job.id: report.state for report in await jobs.reports()}
        assert left == {
            "dead": JobState.DEAD,
            "newest": JobState.DONE,
            "waits": JobState.READY,
        }
        assert await jobs.put(job("old"))

    async def test_only_dead_jobs_of_the_scope_are_revived(self, jobs):
        """Another user's, agent's or tenant's job stays dead."""
        await jobs.put(job("j", scope=ALICE_WORK))
        held = await claim(jobs)
        await jobs.dead_letter(held, error="poison")
        for other in (BOB, OTHER_ALICE, Scope(tenant="local", user_id="alice", run_id="r")):
            assert not await jobs.revive("j", owner_ref=other)
        assert not await jobs.revive("unknown", owner_ref=ALICE)
        assert await jobs.revive("j", owner_ref=ALICE)

    async def test_a_budget_is_ended(self, jobs):
        """What waits of it is gone, what is leased has nothing left; others go on with theirs."""
        for name, scope in (("a", ALICE), ("b", ALICE), ("c", BOB)):
            await jobs.put(replace(job(name, scope=scope), reason="budget:7"))
        await jobs.put(replace(job("d"), reason="idle"))
        leased = await claim(jobs)
        await jobs.spend_nothing(ALICE, "budget")
        reasons = {name: await jobs.reason_of(name) for name in "abcd"}
        assert reasons == {"a": "budget:0", "b": None, "c": "budget:7", "d": "idle"}
        assert await jobs.ack(leased)

    async def test_answers_of_dead_jobs_are_dropped(self, jobs):
        """Of what the owner admits and of nobody else; the jobs stay and can be revived."""
        assert await jobs.drop_answers(ALICE) == 0
        for name, scope in {"mine": ALICE, "work": ALICE_WORK, "bobs": BOB}.items():
            await jobs.put(job(name, scope=scope))
            await jobs.dead_letter(await claim(jobs), error="poison", raw="text")
        assert await jobs.drop_answers(ALICE) == 2
        assert await jobs.drop_answers(ALICE) == 0
        raws = {each.job.id: each.raw for each in await jobs.reports()}
        assert raws == {"mine": None, "work": None, "bobs": "text"}
        assert await jobs.drop_answers("local") == 1
        assert await jobs.revive("mine")

    @settings(ANY_BACKEND, max_examples=examples(40))
    @given(plan=st.lists(steps, max_size=40))
    async def test_any_sequence_keeps_the_promises(self, jobs, plan):
        """Whatever is done in whatever order, each answer is that of a queue in a few lines."""
        model = JobModel(f"e-{uuid.uuid4().hex}")
        await model.empty(jobs)
        for step in plan:
            await model.take(step, jobs)
            await model.compare(jobs)

"""What every job queue must do."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta

import hypothesis.strategies as st
from hypothesis import given, settings

from recollect.memory.model.jobs import JobKind
from recollect.memory.model.ports import JobQueue
from recollect.memory.model.types import Job, JobState, Scope, utc_now
from tests.memory.state.contracts.job_model import JobModel, Step, steps
from tests.memory.state.samples import ALICE, ALICE_WORK, ANY_BACKEND, BOB, NOON, OTHER_ALICE, job
from tests.support.budget import examples

LATER = NOON + timedelta(hours=1)


async def claim(jobs: JobQueue, seconds: float = 0) -> Job:
    """The job that can be claimed so many seconds after noon."""
    claimed = await jobs.claim(now=NOON + timedelta(seconds=seconds), lease_seconds=60)
    assert claimed is not None
    return claimed


async def nothing_to_claim(jobs: JobQueue, seconds: float = 0) -> bool:
    return await jobs.claim(now=NOON + timedelta(seconds=seconds), lease_seconds=60) is None


class JobContract:
    """Subclasses provide the fixture `jobs`."""

    async def test_a_job_is_enqueued_once(self, jobs: JobQueue) -> None:
        """The same id is the same job, even after it is done."""
        assert await jobs.put(job("j"))
        assert not await jobs.put(job("j"))
        claimed = await jobs.claim(now=NOON, lease_seconds=60)
        assert claimed is not None
        assert await jobs.ack(claimed)
        assert not await jobs.put(job("j"))
        assert await jobs.claim(now=NOON, lease_seconds=60) is None

    async def test_each_kind_comes_back_and_upkeep_has_a_line_of_its_own(
        self, jobs: JobQueue
    ) -> None:
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

    async def test_claim_counts_the_attempt(self, jobs: JobQueue) -> None:
        """A claim counts before any work is done, so that a crash counts too."""
        await jobs.put(job("j"))
        first = await jobs.claim(now=NOON, lease_seconds=60)
        later = NOON + timedelta(seconds=61)
        second = await jobs.claim(now=later, lease_seconds=60)
        assert first is not None
        assert second is not None
        assert (first.attempts, second.attempts) == (1, 2)
        assert first.lease != second.lease
        assert second.scope == ALICE

    async def test_a_live_lease_hides_the_job(self, jobs: JobQueue) -> None:
        """Nobody else gets a job while its lease lasts, and extending makes it last."""
        await jobs.put(job("j"))
        held = await jobs.claim(now=NOON, lease_seconds=60)
        assert held is not None
        assert await jobs.claim(now=NOON + timedelta(seconds=59), lease_seconds=60) is None
        assert await jobs.extend(held, until=NOON + timedelta(seconds=300))
        assert await jobs.claim(now=NOON + timedelta(seconds=120), lease_seconds=60) is None

    async def test_a_lost_lease_changes_nothing(self, jobs: JobQueue) -> None:
        """Who lost a lease can neither finish, fail, bury, extend nor checkpoint the job."""
        await jobs.put(job("j"))
        lost = await jobs.claim(now=NOON, lease_seconds=1)
        later = NOON + timedelta(seconds=2)
        held = await jobs.claim(now=later, lease_seconds=60)
        assert lost is not None
        assert held is not None
        assert not await jobs.ack(lost)
        assert not await jobs.retry(lost, at=later, error="x")
        assert not await jobs.dead_letter(lost, error="x")
        assert not await jobs.extend(lost, until=later)
        assert not await jobs.save_checkpoint(lost, "x")
        assert await jobs.ack(held)

    async def test_one_job_of_a_user_at_a_time_and_in_order(self, jobs: JobQueue) -> None:
        """A user's second job waits for the first; another user's does not."""
        await jobs.put(job("a1"))
        await jobs.put(job("a2", conversation="c2"))
        await jobs.put(job("b1", scope=BOB))
        first = await jobs.claim(now=NOON, lease_seconds=60)
        second = await jobs.claim(now=NOON, lease_seconds=60)
        assert first is not None
        assert second is not None
        assert (first.id, second.id) == ("a1", "b1")
        assert await jobs.claim(now=NOON, lease_seconds=60) is None
        await jobs.ack(first)
        third = await jobs.claim(now=NOON, lease_seconds=60)
        assert third is not None
        assert third.id == "a2"

    async def test_retry_waits_and_may_return_the_attempt(self, jobs: JobQueue) -> None:
        """A failed job rests; one that never ran keeps its attempt."""
        await jobs.put(job("j"))
        held = await jobs.claim(now=NOON, lease_seconds=60)
        assert held is not None
        assert await jobs.retry(held, at=NOON + timedelta(seconds=10), error="no", count=False)
        assert await jobs.claim(now=NOON + timedelta(seconds=9), lease_seconds=60) is None
        again = await jobs.claim(now=NOON + timedelta(seconds=10), lease_seconds=60)
        assert again is not None
        assert again.attempts == 1

    async def test_a_job_that_rests_can_be_hastened(self, jobs: JobQueue) -> None:
        """It runs at once and keeps its place; its error and its attempts stay as they are."""
        await jobs.put(job("j"))
        await jobs.put(job("later"))
        held = await jobs.claim(now=NOON, lease_seconds=60)
        assert held is not None
        await jobs.retry(held, at=NOON + timedelta(seconds=100), error="no")
        assert await jobs.hasten("j")
        assert await jobs.hasten("j")
        again = await jobs.claim(now=NOON, lease_seconds=60)
        assert again is not None
        assert (again.id, again.attempts) == ("j", 2)
        assert [r.error for r in await jobs.reports() if r.job.id == "j"] == ["no"]

    async def test_only_a_ready_job_is_hastened(self, jobs: JobQueue) -> None:
        """Neither one that runs, nor one that ended, nor an unknown one."""
        assert not await jobs.hasten("unknown")
        for name in ("held", "done", "dead"):
            await jobs.put(job(name, scope=Scope(tenant="local", user_id=name)))
        await jobs.claim(now=NOON, lease_seconds=60)
        done = await jobs.claim(now=NOON, lease_seconds=60)
        dead = await jobs.claim(now=NOON, lease_seconds=60)
        assert done is not None
        assert dead is not None
        await jobs.ack(done)
        await jobs.dead_letter(dead, error="poison")
        assert [await jobs.hasten(name) for name in ("held", "done", "dead")] == [False] * 3

    async def test_checkpoint_survives_the_lease(self, jobs: JobQueue) -> None:
        """Decisions saved by one worker are there for the next."""
        await jobs.put(job("j"))
        held = await jobs.claim(now=NOON, lease_seconds=1)
        assert held is not None
        assert await jobs.save_checkpoint(held, "decisions")
        again = await jobs.claim(now=NOON + timedelta(seconds=5), lease_seconds=1)
        assert again is not None
        assert again.checkpoint == "decisions"

    async def test_states_are_counted(self, jobs: JobQueue) -> None:
        """Every job is in exactly one state, and the terminal ones stay counted."""
        for name in ("done", "dead", "held", "ready"):
            await jobs.put(job(name, scope=Scope(tenant="local", user_id=name)))
        done = await jobs.claim(now=NOON, lease_seconds=60)
        dead = await jobs.claim(now=NOON, lease_seconds=60)
        await jobs.claim(now=NOON, lease_seconds=60)
        assert done is not None
        assert dead is not None
        await jobs.ack(done)
        await jobs.dead_letter(dead, error="poison")
        assert await jobs.counts() == {"ready": 1, "leased": 1, "done": 1, "dead": 1}

    async def test_an_owners_jobs_are_counted(self, jobs: JobQueue) -> None:
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

    async def test_a_buried_job_is_not_run_again(self, jobs: JobQueue) -> None:
        """Dead is terminal, and it does not hold back its user's other jobs."""
        await jobs.put(job("j1"))
        await jobs.put(job("j2"))
        dead = await jobs.claim(now=NOON, lease_seconds=60)
        assert dead is not None
        await jobs.dead_letter(dead, error="poison")
        after = await jobs.claim(now=NOON + timedelta(days=1), lease_seconds=60)
        assert after is not None
        assert after.id == "j2"

    async def test_a_claimed_job_is_what_was_put(self, jobs: JobQueue) -> None:
        """Every field comes back, with a lease and the attempt counted."""
        scope = Scope(tenant="local", user_id="ü/ :{}", agent_id="a", run_id="r")
        given = Job(id="j:{x}", scope=scope, conversation_id="c", upto_seq=7, reason="turns")
        await jobs.put(given)
        held = await claim(jobs)
        assert held.lease is not None
        assert held == replace(given, lease=held.lease, attempts=1)

    async def test_a_lease_outlasts_a_clock_that_goes_back(self, jobs: JobQueue) -> None:
        """A clock that is set back makes nobody else's job claimable, and later ones can be."""
        await jobs.put(job("j"))
        await claim(jobs, 100)
        assert await nothing_to_claim(jobs, -86_400)
        assert await nothing_to_claim(jobs, 159)
        assert (await claim(jobs, 160)).attempts == 2

    async def test_a_job_that_waits_holds_back_its_successors(self, jobs: JobQueue) -> None:
        """A user's jobs run in order even if the first has failed and rests."""
        await jobs.put(job("j1"))
        await jobs.put(job("j2"))
        await jobs.retry(await claim(jobs), at=NOON + timedelta(seconds=30), error="no")
        assert await nothing_to_claim(jobs, 29)
        assert (await claim(jobs, 30)).id == "j1"

    async def test_a_rest_that_a_clock_left_behind_is_none(self, jobs: JobQueue) -> None:
        """Put off for 90 days by a clock that has gone back since, a job is due at once."""
        await jobs.put(job("j"))
        await jobs.retry(await claim(jobs), at=NOON + timedelta(days=90), error="no")
        assert (await claim(jobs)).attempts == 2

    async def test_a_rest_until_the_next_day_is_one(self, jobs: JobQueue) -> None:
        """The longest there is: for the next day's budget."""
        await jobs.put(job("j"))
        await jobs.retry(await claim(jobs), at=NOON + timedelta(hours=25), error="no")
        assert await nothing_to_claim(jobs)
        assert (await claim(jobs, 25 * 3600)).attempts == 2

    async def test_a_buried_job_keeps_what_the_model_said(self, jobs: JobQueue) -> None:
        """A dead job is listed with its error and the raw answer."""
        await jobs.put(job("j"))
        assert await jobs.dead_letter(
            await claim(jobs), error="no JSON", raw="I'd rather \x00 talk"
        )
        [report] = await jobs.reports(state=JobState.DEAD)
        assert (report.error, report.raw) == ("no JSON", "I'd rather \x00 talk")
        assert report.job == replace(job("j"), attempts=1)

    async def test_depth_counts_open_jobs(self, jobs: JobQueue) -> None:
        """Ready, resting and leased jobs are open; done and dead ones are not."""
        for name in ("done", "dead", "rests", "held", "ready"):
            await jobs.put(job(name, scope=Scope(tenant="local", user_id=name)))
        assert await jobs.depth() == 5
        await jobs.ack(await claim(jobs))
        await jobs.dead_letter(await claim(jobs), error="poison")
        await jobs.retry(await claim(jobs), at=LATER, error="no")
        await claim(jobs)
        assert await jobs.depth() == 3

    async def test_the_age_of_the_queue(self, jobs: JobQueue) -> None:
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

    async def test_upkeep_makes_no_queue_old(self, jobs: JobQueue) -> None:
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

    async def test_jobs_are_reported_newest_first(self, jobs: JobQueue) -> None:
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

    async def test_reports_by_tenant_state_and_limit(self, jobs: JobQueue) -> None:
        """A tenant is shown only its own jobs, and a limit leaves out the oldest."""
        for name in ("a", "b", "c"):
            await jobs.put(job(name, scope=Scope(tenant="local", user_id=name)))
        await jobs.put(job("theirs", scope=OTHER_ALICE))
        await jobs.ack(await claim(jobs))
        assert [r.job.id for r in await jobs.reports(tenant="local")] == ["c", "b", "a"]
        assert [r.job.id for r in await jobs.reports(tenant="other")] == ["theirs"]
        assert await jobs.reports(tenant="nobody") == []
        ready = await jobs.reports(tenant="local", state=JobState.READY)
        assert [r.job.id for r in ready] == ["c", "b"]
        assert [r.job.id for r in await jobs.reports(limit=2)] == ["theirs", "c"]
        assert [r.job.id for r in await jobs.reports(tenant="local", limit=1)] == ["c"]
        assert await jobs.reports(limit=0) == []

    async def test_a_dead_job_can_be_revived(self, jobs: JobQueue) -> None:
        """It runs again at once, with its attempts uncounted, from its checkpoint if it had one."""
        await jobs.put(job("j"))
        held = await claim(jobs)
        await jobs.save_checkpoint(held, "decisions")
        await jobs.dead_letter(held, error="poison", raw="prose")
        assert await jobs.revive("j")
        assert not await jobs.revive("j")
        [report] = await jobs.reports()
        assert (report.state, report.job.attempts, report.raw) == (JobState.READY, 0, None)
        again = await claim(jobs)
        assert (again.attempts, again.checkpoint) == (1, "decisions")
        assert await jobs.ack(again)

    async def test_only_dead_jobs_of_the_tenant_are_revived(self, jobs: JobQueue) -> None:
        """Neither other states, nor unknown ids, nor another tenant's job."""
        await jobs.put(job("j"))
        assert not await jobs.revive("j")
        assert not await jobs.revive("unknown")
        held = await claim(jobs)
        assert not await jobs.revive("j")
        await jobs.dead_letter(held, error="poison")
        assert not await jobs.revive("j", owner_ref="other")
        assert await jobs.revive("j", owner_ref="local")

    async def test_only_dead_jobs_of_the_scope_are_revived(self, jobs: JobQueue) -> None:
        """Another user's, agent's or tenant's job stays dead."""
        await jobs.put(job("j", scope=ALICE_WORK))
        held = await claim(jobs)
        await jobs.dead_letter(held, error="poison")
        for other in (BOB, OTHER_ALICE, Scope(tenant="local", user_id="alice", run_id="r")):
            assert not await jobs.revive("j", owner_ref=other)
        assert not await jobs.revive("unknown", owner_ref=ALICE)
        assert await jobs.revive("j", owner_ref=ALICE)

    async def test_a_revived_job_does_not_run_beside_its_successor(self, jobs: JobQueue) -> None:
        """It stands in line behind those of its user that came meanwhile."""
        await jobs.put(job("j1"))
        await jobs.put(job("j2"))
        await jobs.dead_letter(await claim(jobs), error="poison")
        successor = await claim(jobs)
        assert successor.id == "j2"
        await jobs.revive("j1")
        assert await nothing_to_claim(jobs)
        await jobs.ack(successor)
        assert (await claim(jobs)).id == "j1"

    async def test_answers_of_dead_jobs_are_dropped(self, jobs: JobQueue) -> None:
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

    async def test_erasing_a_scope_removes_its_jobs(self, jobs: JobQueue) -> None:
        """Ready, resting, done and dead jobs of what the scope admits go, and nobody else's."""
        await jobs.put(job("done"))
        await jobs.ack(await claim(jobs))
        await jobs.put(job("dead"))
        await jobs.dead_letter(await claim(jobs), error="poison", raw="text")
        await jobs.put(job("rests"))
        await jobs.retry(await claim(jobs), at=LATER, error="no")
        await jobs.put(job("work", scope=ALICE_WORK))
        await jobs.put(job("bobs", scope=BOB))
        await jobs.put(job("theirs", scope=OTHER_ALICE))
        assert await jobs.erase(ALICE_WORK) == 1
        assert await jobs.erase(ALICE) == 3
        assert await jobs.erase(ALICE) == 0
        assert {r.job.id for r in await jobs.reports()} == {"bobs", "theirs"}
        assert await jobs.counts() == {"ready": 2, "leased": 0, "done": 0, "dead": 0}
        assert await jobs.depth() == 2

    async def test_erasing_a_tenant_removes_its_jobs(self, jobs: JobQueue) -> None:
        """All of its users' jobs and no other tenant's; removed ones may be put again."""
        await jobs.put(job("j"))
        await jobs.put(job("bobs", scope=BOB))
        await jobs.put(job("theirs", scope=OTHER_ALICE))
        assert await jobs.erase("local") == 2
        assert [r.job.id for r in await jobs.reports()] == ["theirs"]
        assert await jobs.put(job("j"))
        assert (await claim(jobs)).id == "theirs"
        again = await claim(jobs)
        assert (again.id, again.attempts) == ("j", 1)

    async def test_a_leased_job_is_cancelled(self, jobs: JobQueue) -> None:
        """Its holder has lost it at once; whoever claims it when the lease ends cleans up."""
        await jobs.put(job("j"))
        held = await claim(jobs)
        await jobs.save_checkpoint(held, "secret")
        assert await jobs.erase(ALICE) == 1
        assert await jobs.erase(ALICE) == 0
        assert not await jobs.put(job("j"))
        assert not await jobs.save_checkpoint(held, "secret")
        assert not await jobs.extend(held, until=LATER)
        assert not await jobs.retry(held, at=NOON, error="no")
        assert not await jobs.dead_letter(held, error="no", raw="text")
        assert not await jobs.ack(held)
        [report] = await jobs.reports()
        assert (report.state, report.job.cancelled) == (JobState.LEASED, True)
        # Nobody cleans up while the last holder may still be writing.
        assert await nothing_to_claim(jobs, 59)
        after = await claim(jobs, 60)
        assert (after.id, after.cancelled, after.checkpoint) == ("j", True, None)

    async def test_a_cleaned_up_job_is_gone(self, jobs: JobQueue) -> None:
        """Ack by whoever cleans up removes it: it holds nothing back and may be put again."""
        await jobs.put(job("j"))
        await claim(jobs)
        await jobs.erase(ALICE)
        await jobs.put(job("after"))
        cleaner = await claim(jobs, 60)
        assert cleaner.cancelled
        assert await nothing_to_claim(jobs, 60)
        assert await jobs.ack(cleaner)
        assert await jobs.counts() == {"ready": 1, "leased": 0, "done": 0, "dead": 0}
        assert await jobs.put(job("j"))
        after = await claim(jobs, 60)
        assert (after.id, after.cancelled) == ("after", False)
        await jobs.ack(after)
        again = await claim(jobs, 60)
        assert (again.id, again.cancelled, again.attempts) == ("j", False, 1)

    async def test_cleaning_up_can_be_tried_again(self, jobs: JobQueue) -> None:
        """A cancelled job stays so through retries and further erasing, until it is acked."""
        await jobs.put(job("j"))
        await claim(jobs)
        await jobs.erase(ALICE)
        cleaner = await claim(jobs, 60)
        assert await jobs.erase("local") == 0
        assert await jobs.retry(cleaner, at=NOON + timedelta(seconds=70), error="no store")
        assert await jobs.erase(ALICE) == 0
        assert await nothing_to_claim(jobs, 69)
        again = await claim(jobs, 70)
        assert again.cancelled
        assert await jobs.ack(again)
        assert await jobs.reports() == []

    async def test_a_revived_job_knows_where_its_turns_begin(self, jobs: JobQueue) -> None:
        """What a job was buried with is there when it runs again, also if it is buried twice."""
        await jobs.put(job("j"))
        await jobs.dead_letter(await claim(jobs), error="poison", after_seq=3)
        [report] = await jobs.reports()
        assert report.job.after_seq == 3
        await jobs.revive("j")
        again = await claim(jobs)
        assert again.after_seq == 3
        await jobs.dead_letter(again, error="poison")
        await jobs.revive("j")
        assert (await claim(jobs)).after_seq == 3

    async def test_the_first_position_is_no_missing_one(self, jobs: JobQueue) -> None:
        """A job buried with its conversation's first turn begins after position 0."""
        await jobs.put(job("j"))
        await jobs.dead_letter(await claim(jobs), error="poison", after_seq=0)
        await jobs.revive("j")
        assert (await claim(jobs)).after_seq == 0

    @settings(ANY_BACKEND, max_examples=examples(30))
    @given(plan=st.lists(steps, max_size=40))
    async def test_any_sequence_keeps_the_promises(self, jobs: JobQueue, plan: list[Step]) -> None:
        """Whatever is done in whatever order, each answer is that of a queue in a few lines."""
        model = JobModel(f"e-{uuid.uuid4().hex}")
        await model.empty(jobs)
        for step in plan:
            await model.take(step, jobs)
            await model.compare(jobs)

"""What every conversation store, job queue and history log must do."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memory.ports import ConversationStore, HistoryLog, JobQueue
from memory.types import EventKind, HistoryRecord, Job, Scope, Turn

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ALICE = Scope(tenant="local", user_id="alice")
BOB = Scope(tenant="local", user_id="bob")


def turn(name: str, conversation: str = "c1", *, scope: Scope = ALICE, minutes: int = 0) -> Turn:
    return Turn(
        id=f"{conversation}/{name}",
        conversation_id=conversation,
        scope=scope,
        user_text=f"user {name}",
        assistant_text=f"assistant {name}",
        model="m",
        created_at=NOON + timedelta(minutes=minutes),
    )


def job(name: str, *, scope: Scope = ALICE, conversation: str = "c1") -> Job:
    return Job(id=name, scope=scope, conversation_id=conversation, upto_seq=1, reason="test")


class ConversationContract:
    """Subclasses provide the fixture `conversations`."""

    async def test_turns_are_numbered_and_counted(self, conversations: ConversationStore) -> None:
        """Each new turn gets the next position and adds one to what awaits learning."""
        seen = [await conversations.record(turn(name)) for name in ("a", "b", "c")]
        assert [(r.seq, r.pending) for r in seen] == [(1, 1), (2, 2), (3, 3)]

    async def test_same_turn_again_replaces_its_answer(
        self, conversations: ConversationStore
    ) -> None:
        """A retry or a regenerated answer is not a new turn; the last answer is kept."""
        await conversations.record(turn("a"))
        again = await conversations.record(replace(turn("a"), assistant_text="better"))
        assert (again.seq, again.pending) == (1, 1)
        [kept] = await conversations.unlearned("c1", 10)
        assert kept.assistant_text == "better"
        assert kept.scope == ALICE
        assert kept.created_at == NOON

    async def test_watermark_hides_what_was_learned(self, conversations: ConversationStore) -> None:
        """After mark_learned only later turns are unlearned."""
        for name in ("a", "b", "c"):
            await conversations.record(turn(name))
        await conversations.mark_learned("c1", 2)
        assert [t.user_text for t in await conversations.unlearned("c1", 9)] == ["user c"]
        assert (await conversations.record(turn("d"))).pending == 2

    async def test_watermark_never_moves_back_or_beyond(
        self, conversations: ConversationStore
    ) -> None:
        """An old or exaggerated mark neither repeats turns nor swallows future ones."""
        await conversations.record(turn("a"))
        await conversations.mark_learned("c1", 99)
        await conversations.mark_learned("c1", 0)
        assert await conversations.unlearned("c1", 99) == []
        await conversations.record(turn("b"))
        assert len(await conversations.unlearned("c1", 99)) == 1

    async def test_regenerated_answer_of_a_learned_turn_stays_learned(
        self, conversations: ConversationStore
    ) -> None:
        """Retrying a turn that was learned does not make it due again."""
        await conversations.record(turn("a"))
        await conversations.mark_learned("c1", 1)
        assert (await conversations.record(turn("a"))).pending == 0

    async def test_unlearned_stops_at_the_bound(self, conversations: ConversationStore) -> None:
        """A job sees the turns up to its end and none that came later."""
        for name in ("a", "b", "c"):
            await conversations.record(turn(name))
        assert [t.seq for t in await conversations.unlearned("c1", 2)] == [1, 2]

    async def test_pending_by_idleness_and_scope(self, conversations: ConversationStore) -> None:
        """Only silent conversations with unlearned turns are pending, and only the scope's."""
        await conversations.record(turn("a", "old"))
        await conversations.record(turn("a", "busy", minutes=0))
        await conversations.record(turn("b", "busy", minutes=30))
        await conversations.record(turn("a", "bobs", scope=BOB))
        await conversations.record(turn("a", "done"))
        await conversations.mark_learned("done", 1)

        async def found(idle_since: datetime | None, scope: Scope | None) -> set[str]:
            turns = await conversations.pending(idle_since=idle_since, scope=scope)
            return {t.conversation_id for t in turns}

        assert await found(None, None) == {"old", "busy", "bobs"}
        assert await found(NOON + timedelta(minutes=10), None) == {"old", "bobs"}
        assert await found(None, ALICE) == {"old", "busy"}
        assert await found(None, replace(ALICE, tenant="other")) == set()

    async def test_pending_names_the_last_turn(self, conversations: ConversationStore) -> None:
        """What is pending is told by its last turn, whose position ends the work."""
        await conversations.record(turn("a"))
        await conversations.record(turn("b"))
        [last] = await conversations.pending(idle_since=None, scope=None)
        assert (last.seq, last.user_text) == (2, "user b")

    async def test_awkward_text_survives(self, conversations: ConversationStore) -> None:
        """Quotes, NUL, emoji and line ends come back as they were."""
        text = "it's \"quoted\" \x00 \U0001f600 \r\n'; DROP TABLE turns; --"
        await conversations.record(replace(turn("a"), user_text=text))
        [kept] = await conversations.unlearned("c1", 9)
        assert kept.user_text == text


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
        assert not await jobs.bury(lost, error="x")
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
        await jobs.bury(dead, error="poison")
        assert await jobs.counts() == {"ready": 1, "leased": 1, "done": 1, "dead": 1}

    async def test_a_buried_job_is_not_run_again(self, jobs: JobQueue) -> None:
        """Dead is terminal, and it does not hold back its user's other jobs."""
        await jobs.put(job("j1"))
        await jobs.put(job("j2"))
        dead = await jobs.claim(now=NOON, lease_seconds=60)
        assert dead is not None
        await jobs.bury(dead, error="poison")
        after = await jobs.claim(now=NOON + timedelta(days=1), lease_seconds=60)
        assert after is not None
        assert after.id == "j2"


def record(
    memory_id: str, event: EventKind, *, scope: Scope = ALICE, seconds: int = 0
) -> HistoryRecord:
    return HistoryRecord(
        id=uuid.uuid4().hex,
        memory_id=memory_id,
        event=event,
        old_value="old" if event is not EventKind.ADD else None,
        new_value="new" if event is not EventKind.DELETE else None,
        timestamp=NOON + timedelta(seconds=seconds),
        is_deleted=event is EventKind.DELETE,
        scope=scope,
    )


class HistoryContract:
    """Subclasses provide the fixture `history`."""

    async def test_records_come_back_in_order(self, history: HistoryLog) -> None:
        """A memory's records are listed as they were appended, unchanged, and only its own."""
        rows = [
            record("m", EventKind.ADD),
            record("m", EventKind.UPDATE),
            record("m", EventKind.DELETE),
        ]
        await history.append([rows[0], record("other", EventKind.ADD)])
        await history.append(rows[1:])
        assert await history.of("local", "m") == rows

    async def test_order_is_not_the_clock(self, history: HistoryLog) -> None:
        """A clock that goes back does not change the order of events."""
        rows = [record("m", EventKind.ADD, seconds=9), record("m", EventKind.UPDATE, seconds=1)]
        for row in rows:
            await history.append([row])
        assert await history.of("local", "m") == rows

    async def test_appending_twice_is_once(self, history: HistoryLog) -> None:
        """A repeated record is not added again."""
        row = record("m", EventKind.ADD)
        await history.append([row])
        await history.append([row])
        assert await history.of("local", "m") == [row]

    async def test_tenants_are_apart(self, history: HistoryLog) -> None:
        """Neither reading nor resetting crosses tenants."""
        theirs = record("m", EventKind.ADD, scope=Scope(tenant="other", user_id="alice"))
        await history.append([record("m", EventKind.ADD), theirs])
        assert await history.of("other", "m") == [theirs]
        await history.reset("local")
        assert await history.of("local", "m") == []
        assert await history.of("other", "m") == [theirs]

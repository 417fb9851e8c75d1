"""A forget and a write of the learner, stopped and gone on with at every step of both."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.apply import Applier
from recollect.memory.learn.records import Batch
from recollect.memory.model.types import Decision, EventKind, Job, MemoryType
from recollect.memory.state.local_locks import LocalLocks
from tests.memory.forget.parts import (
    ALICE,
    ANY_STATUS,
    BOB,
    EMBEDDER,
    LEASE,
    NOON,
    Parts,
    Program,
    Step,
    Stepping,
    memory,
    record,
    stored,
    turn,
)
from tests.support.budget import paired
from tests.support.folding import rows

SECRET = "the cellar code is mauve"
SCHEDULES = st.lists(st.tuples(st.booleans(), st.integers(1, 12)), max_size=14)


async def step(_seconds: float = 0) -> None:
    await Step()


def applier(parts: Parts) -> Applier:
    return Applier(parts.store, EMBEDDER, parts.history, LocalLocks(), clock=lambda: NOON)


async def decided(parts: Parts, event: EventKind, name: str, text: str) -> list[Decision]:
    """What a model decides: a new memory, or what becomes of the one that is there."""
    if event is EventKind.ADD:
        return [Decision(event=event, memory_id=name, text=text, type=MemoryType.SEMANTIC)]
    found = await parts.store.get(ALICE.tenant, ["live"])
    return [
        Decision(
            event=event,
            memory_id="live",
            text=text if event is EventKind.UPDATE else each.text,
            old_text=each.text,
            type=MemoryType.SEMANTIC,
        )
        for each in found
    ]


async def learn(parts: Parts, event: EventKind, at: datetime = NOON) -> None:
    """A worker as `forgetter.py` asks for: claims one job, and learns it or cleans up after it."""
    forgetter = parts.forgetter()
    job = await parts.jobs.claim(now=at, lease_seconds=LEASE)
    if job is None:
        return
    if job.cancelled:
        await forgetter.sweep(job.scope, job.id)
        await parts.jobs.ack(job)
        return
    guard = await forgetter.guard(job.scope, job.id)
    turns = await parts.conversations.unlearned(job.conversation_id, job.upto_seq)
    text = job.checkpoint or "; ".join(turn.user_text for turn in turns)
    if not text:
        await parts.jobs.ack(job)
        return
    if not await parts.jobs.save_checkpoint(job, text):
        return
    name = "new" if job.id == "j" else f"new@{job.id}"
    decisions = await decided(parts, event, name, f"fact: {text}")
    batch = Batch(id=job.id, scope=job.scope, at=NOON)
    applied = await applier(parts).apply(decisions, batch, guard)
    if applied.taken_back:
        await parts.jobs.retry(job, at=NOON, error="forgotten meanwhile", count=False)
        return
    await parts.conversations.mark_learned(job.conversation_id, job.upto_seq)
    await parts.jobs.ack(job)


async def adding(parts: Parts) -> None:
    await learn(parts, EventKind.ADD)


async def updating(parts: Parts) -> None:
    await learn(parts, EventKind.UPDATE)


async def deleting(parts: Parts) -> None:
    await learn(parts, EventKind.DELETE)


async def rewriting(parts: Parts) -> None:
    """Somebody changes the memory by a call of the API: there is no job."""
    guard = await parts.forgetter().guard(ALICE, "call")
    decisions = await decided(parts, EventKind.UPDATE, "live", f"rewritten {SECRET}")
    await applier(parts).apply(decisions, Batch(id="call", scope=ALICE, at=NOON), guard)


async def talking(parts: Parts) -> None:
    """The user goes on talking, and all that is due is learned."""
    recorded = await parts.conversations.record(turn("t3", "tea"))
    job = Job(id="k", scope=ALICE, conversation_id="c1", upto_seq=recorded.seq, reason="test")
    await parts.jobs.put(job)
    for _ in range(2):
        await learn(parts, EventKind.ADD)


AFTERWARDS = {updating: EventKind.UPDATE, deleting: EventKind.DELETE}
"""What the job of a writer that died is still about; of others, something is added."""


@dataclass
class Scene:
    """Stores with a memory, a version of it and a turn to learn, all of which say the secret."""

    forgets: str
    writer: Any

    def __post_init__(self) -> None:
        plain = Parts(pause=step)
        Program(self.fill(plain)).run()
        self.plain = plain
        self.parts = Parts(
            *map(
                Stepping,
                (plain.store, plain.conversations, plain.jobs, plain.history, plain.tombstones),
            ),
            pause=step,
            state=plain.state,
        )

    async def fill(self, parts: Parts) -> None:
        await stored(
            parts.store,
            memory("old", f"once {SECRET}", version_of="live", turns=("t0",)),
            memory("live", f"now {SECRET}", turns=("t1",)),
            memory("bobs", "likes tea", BOB),
        )
        await parts.history.append([record("live", f"now {SECRET}", f"once {SECRET}")])
        for name in ("t0", "t1"):
            await parts.conversations.record(turn(name, SECRET))
        await parts.conversations.mark_learned("c1", 2)
        await parts.conversations.record(turn("t2", SECRET))
        job = Job(id="j", scope=ALICE, conversation_id="c1", upto_seq=3, reason="test")
        await parts.jobs.put(job)

    def forget(self) -> Program:
        forgetter = self.parts.forgetter()
        if self.forgets == "ids":
            return Program(forgetter.forget_ids(ALICE.tenant, ["live", "new"]))
        if self.forgets == "scope":
            return Program(forgetter.forget_scope(ALICE))
        return Program(forgetter.forget_tenant(ALICE.tenant))

    def write(self) -> Program:
        return Program(self.writer(self.parts))

    def check(self) -> None:
        """Nothing says it any more, in any store."""
        self.check_memories()
        Program(self._check_state()).run()

    def check_memories(self) -> None:
        """No memory and no history says it, before anybody has cleaned up."""
        Program(self._check_memories()).run()

    async def _check_memories(self) -> None:
        # What the user says while everything is forgotten may be learned.
        rows = await self.plain.store.list(ALICE, limit=None, statuses=ANY_STATUS)
        assert [row.id for row in rows if row.text != "fact: tea"] == []
        asked = "SELECT coalesce(old_value, '') || coalesce(new_value, '') FROM memory_history"
        said = await self.plain.history.scripts.database.read(asked, (), lambda row: row[0])
        assert not [text for text in said if SECRET in text]

    async def _check_state(self) -> None:
        database = self.plain.state.scripts.database
        kept = await database.read("SELECT id, user_text || assistant_text FROM turns", (), tuple)
        if self.forgets == "ids":
            # What was said in a turn that taught nothing yet is not what was asked for.
            kept = [row for row in kept if row[0] != "t2"]
        kept += await database.read("SELECT id, coalesce(checkpoint, '') FROM jobs", (), tuple)
        assert not [row for row in kept if SECRET in row[1]]
        bobs = await self.plain.store.list(BOB, limit=None)
        assert len(bobs) == (self.forgets != "tenant")

    def clean_up(self) -> None:
        """What the next worker does: takes up or cleans up after whatever job there is."""
        for minutes in (5, 10, 15):
            at = NOON + timedelta(minutes=minutes)
            Program(learn(self.parts, AFTERWARDS.get(self.writer, EventKind.ADD), at)).run()


def count(program: Program) -> int:
    steps = 0
    while not program.run(1):
        steps += 1
    return steps


def lengths(kind: tuple[str, Any]) -> tuple[int, int]:
    alone, other = Scene(*kind), Scene(*kind)
    return count(alone.forget()), count(other.write())


KINDS = [
    *(
        (forgets, writer)
        for forgets in ("ids", "scope", "tenant")
        for writer in (adding, updating, deleting, rewriting)
    ),
    *((forgets, talking) for forgets in ("scope", "tenant")),
]
WITH_A_JOB = [kind for kind in KINDS if kind[1] is not rewriting]


@rows("kind", [kind for kind in KINDS if kind[0] != "tenant" or kind[1] is updating])
def test_no_write_brings_anything_back_wherever_either_is_stopped(kind):
    """One runs to any of its steps, the other to any of its own, then both end in either order."""
    ours, theirs = lengths(kind)
    for i, j in paired(range(ours + 1), range(theirs + 1), 1):
        for forget_first in (True, False):
            scene = Scene(*kind)
            forget, write = scene.forget(), scene.write()
            first, second = (forget, write) if forget_first else (write, forget)
            first.run(i if forget_first else j)
            second.run(j if forget_first else i)
            first.run()
            second.run()
            assert forget.result.verified
            scene.check_memories()


@rows("kind", [kind for kind in WITH_A_JOB if kind[0] != "tenant"])
def test_a_writer_that_goes_on_after_the_forget_and_dies_is_cleaned_up_after(kind):
    """Whoever takes its job over, or cleans up after it, removes what it had written."""
    _, theirs = lengths(kind)
    for before, after in paired(range(theirs + 1), range(theirs + 1), 1):
        scene = Scene(*kind)
        forget, write = scene.forget(), scene.write()
        write.run(before)
        forget.run()
        write.run(after)
        write.kill()
        scene.clean_up()
        scene.check()


@given(st.sampled_from(KINDS), SCHEDULES)
def test_no_write_brings_anything_back_in_any_order(kind, schedule):
    """Steps of both in any order and number."""
    scene = Scene(*kind)
    forget, write = scene.forget(), scene.write()
    for ours, steps in schedule:
        (forget if ours else write).run(steps)
    forget.run()
    write.run()
    scene.clean_up()
    scene.check()


@given(st.sampled_from(WITH_A_JOB), SCHEDULES)
def test_a_writer_that_dies_leaves_nothing_behind(kind, schedule):
    """Whoever takes its job over, or cleans up after it, removes what it had written."""
    scene = Scene(*kind)
    forget, write = scene.forget(), scene.write()
    for ours, steps in schedule:
        (forget if ours else write).run(steps)
    write.kill()
    forget.run()
    scene.clean_up()
    scene.check()


@given(st.sampled_from(KINDS), SCHEDULES)
def test_a_forget_that_dies_is_completed_by_the_next(kind, schedule):
    """The second finds all that the first has left, whatever the writer did meanwhile."""
    scene = Scene(*kind)
    forget, write = scene.forget(), scene.write()
    for ours, steps in schedule:
        (forget if ours else write).run(steps)
    forget.kill()
    again = scene.forget()
    again.run(9)
    write.run()
    again.run()
    assert again.result.verified
    scene.clean_up()
    scene.check()


@given(st.sampled_from(KINDS), SCHEDULES)
def test_two_forgets_at_once_do_no_harm(kind, schedule):
    """Both end, both are right, and nothing is left."""
    scene = Scene(*kind)
    one, other = scene.forget(), scene.forget()
    for first, steps in schedule:
        (one if first else other).run(steps)
    one.run()
    other.run()
    assert one.result.verified
    assert other.result.verified
    scene.clean_up()
    scene.check()

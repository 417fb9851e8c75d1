"""The learner's own writes and a forget, stopped and gone on with at every step of both."""

from __future__ import annotations

from datetime import timedelta

from recollect.memory.learn.apply import Applier
from recollect.memory.learn.records import Batch
from recollect.memory.model.types import Decision, EventKind, Job, MemoryType
from recollect.memory.state.local_locks import LocalLocks
from tests.memory.forget.parts import (
    ALICE,
    ANY_STATUS,
    EMBEDDER,
    LEASE,
    NOON,
    Parts,
    Program,
    Step,
    Stepping,
    memory,
    record,
)
from tests.support.budget import paired
from tests.support.folding import rows

JOB = Job(id="j", scope=ALICE, conversation_id="c1", upto_seq=1, reason="test")
DECISIONS = {
    "add": Decision(event=EventKind.ADD, memory_id="m", text="new", type=MemoryType.SEMANTIC),
    "update": Decision(
        event=EventKind.UPDATE,
        memory_id="m",
        text="new",
        old_text="before",
        type=MemoryType.SEMANTIC,
    ),
    "delete": Decision(
        event=EventKind.DELETE,
        memory_id="m",
        text="before",
        old_text="before",
        type=MemoryType.SEMANTIC,
    ),
}


async def step(_seconds=0):
    await Step()


async def learns(parts, decision, at=NOON):
    """The worker's way with a job whose decisions are made."""
    forgetter = parts.forgetter()
    job = await parts.jobs.claim(now=at, lease_seconds=LEASE)
    if job is None:
        return
    if job.cancelled:
        await forgetter.sweep(job.scope, job.id)
        await parts.jobs.ack(job)
        return
    guard = await forgetter.guard(job.scope, job.id)
    if not await parts.jobs.save_checkpoint(job, "decided"):
        return
    applier = Applier(parts.store, EMBEDDER, parts.history, LocalLocks(), clock=lambda: NOON)
    await applier.apply([decision], Batch(id=job.id, scope=job.scope, at=NOON), guard)
    await parts.jobs.ack(job)


class Scene:
    """A memory with a version, and a job that has something to say about it."""

    def __init__(self, forgets, event):
        self.plain = Parts(pause=step)
        Program(self.fill(event)).run()
        plain = self.plain
        whole = (plain.store, plain.conversations, plain.jobs, plain.history, plain.tombstones)
        self.parts = Parts(*map(Stepping, whole), pause=step, state=plain.state)
        self.forgets, self.decision = forgets, DECISIONS[event]

    async def fill(self, event):
        if event != "add":
            await self.plain.put(memory("m", "before"), memory("v", "once", version_of="m"))
            await self.plain.history.append([record("m", "before", "once")])
        await self.plain.jobs.put(JOB)

    def forget(self):
        forgetter = self.parts.forgetter()
        if self.forgets == "ids":
            return Program(forgetter.forget_ids("local", ["m"]))
        return Program(forgetter.forget_scope(ALICE))

    def write(self, minutes=0):
        at = NOON + timedelta(minutes=minutes)
        return Program(learns(self.parts, self.decision, at))

    async def left(self):
        rows = await self.plain.store.list(ALICE, limit=None, statuses=ANY_STATUS)
        history = await self.plain.history.of("local", "m")
        return [row.id for row in rows], history

    def check(self):
        look = Program(self.left())
        look.run()
        assert look.result == ([], [])


def steps_of(program):
    steps = 0
    while not program.run(1):
        steps += 1
    return steps + 1


CASES = [(forgets, event) for forgets in ("ids", "scope") for event in DECISIONS]


@rows("forgets, event", CASES)
def test_nothing_comes_back(forgets, event):
    """Wherever one is stopped while the other runs, and in whichever order both end."""
    ours = steps_of(Scene(forgets, event).forget())
    theirs = steps_of(Scene(forgets, event).write())
    for i, j in paired(range(ours + 1), range(theirs + 1), 2):
        for forget_first in (True, False):
            scene = Scene(forgets, event)
            forget, write = scene.forget(), scene.write()
            pairs = [(forget, i), (write, j)]
            for program, steps in pairs if forget_first else reversed(pairs):
                program.run(steps)
            for program, _ in pairs if forget_first else reversed(pairs):
                program.run()
            scene.check()


@rows("forgets, event", CASES)
def test_nothing_comes_back_by_a_writer_that_dies(forgets, event):
    """It dies at any step, before, in the middle of or after the forget; another takes over.

    The one who takes over is stopped at each of its steps, too, to let the forget run.
    """
    theirs = steps_of(Scene(forgets, event).write())
    for died, forgotten_at in paired(range(theirs + 1), range(-1, 2 * theirs + 1), 2):
        if forgotten_at > died + theirs:
            continue
        scene = Scene(forgets, event)
        forget, write = scene.forget(), scene.write()
        write.run(min(died, forgotten_at) if forgotten_at >= 0 else 0)
        if forgotten_at <= died:
            forget.run()
            write.run(died - max(forgotten_at, 0))
        write.kill()
        second = scene.write(5)
        second.run(max(forgotten_at - died, 0))
        forget.run()
        second.run()
        for minutes in (10, 15):
            scene.write(minutes).run()
        scene.check()

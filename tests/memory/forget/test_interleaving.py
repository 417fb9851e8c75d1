"""A forget and a write that learns, stopped and gone on with at every step of both."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.types import Job
from tests.memory.forget.parts import (
    ALICE,
    ANY_STATUS,
    BOB,
    NOON,
    Parts,
    Program,
    Step,
    Stepping,
    adds,
    captures,
    learn,
    memory,
    record,
    rewrites,
    stored,
    turn,
    updates,
)
from tests.support.budget import paired
from tests.support.folding import rows

SECRET = "the cellar code is mauve"
SCHEDULES = st.lists(st.tuples(st.booleans(), st.integers(1, 12)), max_size=14)


async def step(_seconds: float = 0) -> None:
    await Step()


async def adding(parts, forgetter, at):
    await learn(parts, forgetter, adds, at=at)


async def updating(parts, forgetter, at):
    await learn(parts, forgetter, updates, at=at)


async def rewriting(parts, forgetter, _at):
    await rewrites(parts, forgetter)


async def talking(parts, forgetter, _at):
    await captures(parts, forgetter)


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
        return Program(self.writer(self.parts, self.parts.forgetter(), NOON))

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
        for name in ("live", "new", "old", "live@j", "live@call"):
            assert await self.plain.history.of(ALICE.tenant, name) == []

    async def _check_state(self) -> None:
        database = self.plain.state.database
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
            decide = updates if self.writer is updating else adds
            Program(learn(self.parts, self.parts.forgetter(), decide, at=at)).run()


def count(program: Program) -> int:
    steps = 0
    while not program.run(1):
        steps += 1
    return steps


def lengths(kind: tuple[str, Any]) -> tuple[int, int]:
    alone, other = Scene(*kind), Scene(*kind)
    return count(alone.forget()), count(other.write())


KINDS = [
    *((forgets, writer) for forgets in ("ids", "scope", "tenant") for writer in (adding, updating)),
    *((forgets, rewriting) for forgets in ("ids", "scope", "tenant")),
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

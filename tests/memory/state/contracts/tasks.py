"""What every keeper of tasks must do: they are jobs of the one queue, with files."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.database.tasks import FORGOTTEN
from recollect.memory.model.tasks import (
    MOST_ATTEMPTS,
    TASK_PIECE,
    Task,
    TaskKind,
    TaskState,
    UsedRoom,
)
from recollect.memory.model.types import Scope
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, NOON, OTHER_ALICE, job

LATER = NOON + timedelta(minutes=1)
DATA = random.Random(7).randbytes(2 * TASK_PIECE + 100)


def task(name: str, owner_ref: Scope | str = ALICE, *, minutes: int = 0, **fields: object) -> Task:
    """A task that was asked for so many minutes after noon."""
    at = NOON + timedelta(minutes=minutes)
    values = {"created_at": at, "updated_at": at, "kind": TaskKind.EXPORT, **fields}
    return Task(
        id=name,
        scope=owner_ref,
        **values,  # type: ignore[arg-type]
    )


def roomy(_task: Task, _used: UsedRoom) -> None:
    """Every file has room."""


async def running(tasks, name, owner_ref=ALICE, **fields):
    """A task that was claimed; no other may wait."""
    assert await tasks.put(task(name, owner_ref, **fields), most=99)
    return await claimed(tasks)


async def claimed(tasks, seconds=0):
    now = NOON + timedelta(seconds=seconds)
    return await tasks.claim(now=now, lease_seconds=30)


async def ended(tasks, name, state, owner_ref=ALICE, *, data=b"x", minutes=0, **fields):
    """A task that ended in this state, so many minutes after noon."""
    one = await running(tasks, name, owner_ref, minutes=minutes, **fields)
    assert await tasks.step(one, data, roomy)
    await tasks.end(one, state, spare=True)
    return await tasks.find(one.scope, name)


class TasksContract:
    """Subclasses provide the fixture `state`, and `tasks` of it."""

    async def test_a_task_comes_back_as_it_was_kept(self, tasks):
        """Every field; it is seen by its owner and the tenant, newest first, by nobody else."""
        asked = {"kind": TaskKind.IMPORT, "asked": {"ids": ["x"]}}
        one = await running(tasks, "a", ALICE_WORK, **asked)
        assert one == task(
            "a", ALICE_WORK, state=TaskState.RUNNING, lease=one.lease, attempts=1, **asked
        )
        one.done, one.total, one.counts, one.checkpoint = 3, 4, {"read": 3}, {"after": "m"}
        one.updated_at = LATER
        assert await tasks.step(one, b"data", roomy)
        one.error, one.result = "it is no line", {"bytes": 7}
        await tasks.end(one, TaskState.FAILED, spare=True)
        kept = replace(one, state=TaskState.FAILED, lease=None, attempts=0)
        others = [("b", ALICE, 1), ("t", "local", 2), ("x", OTHER_ALICE, 4)]
        for name, owner_ref, minutes in others:
            assert await tasks.put(task(name, owner_ref, minutes=minutes), most=9)
        assert await tasks.put(task("c", BOB, minutes=3), most=9, upload_seconds=9)
        assert await tasks.find(ALICE, "a") == kept
        for owner_ref, names in [(ALICE_WORK, "a"), (ALICE, "ba"), ("local", "tba"), (BOB, "")]:
            assert "".join(one.id for one in await tasks.of(owner_ref)) == names
        for owner_ref in (BOB, "other", OTHER_ALICE):
            assert await tasks.find(owner_ref, "a") is None
        assert await tasks.find("local", "c") is None
        await tasks.remove(kept)
        assert await tasks.find(ALICE, "a") is None

    async def test_a_tenant_has_so_many(self, tasks):
        """That have not ended, with those whose files are being received."""
        await ended(tasks, "done", TaskState.DONE)
        assert await tasks.put(task("a", BOB), most=2, upload_seconds=9)
        assert await tasks.put(task("b"), most=2)
        assert not await tasks.put(task("c"), most=2)
        assert await tasks.put(task("d", OTHER_ALICE), most=2)

    async def test_learning_and_tasks_pass_each_other_by(self, tasks, state):
        """Neither takes, counts, lists, revives or erases what is the other's."""
        jobs = state.jobs
        for one in (task("a"), task("b", minutes=1), task("x", OTHER_ALICE, minutes=2)):
            assert await tasks.put(one, most=9)
        assert await jobs.claim(now=LATER, lease_seconds=9) is None
        assert (await jobs.depth(), sum((await jobs.counts()).values())) == (0, 0)
        assert (await jobs.reports(), await jobs.oldest()) == ([], None)
        await jobs.put(job("j"))
        taken = [await claimed(tasks) for _ in range(3)]
        # Of each tenant one at a time.
        assert [one and one.id for one in taken] == ["a", "x", None]
        held = await jobs.claim(now=NOON, lease_seconds=9)
        assert held.id == "j"
        assert await jobs.erase("local") == 1
        await tasks.end(taken[0], TaskState.FAILED, spare=True)
        assert not await jobs.revive("a")
        assert [one.state for one in await tasks.of("local")] == [
            TaskState.WAITING, TaskState.FAILED,
        ]  # fmt: skip

    async def test_the_leases_are_those_of_jobs(self, tasks, state):
        """Extended, given back uncounted, or taken over at their end; then their holder has lost."""
        one = await running(tasks, "a")
        assert await claimed(tasks, 29) is None
        assert await state.jobs.extend(one, until=NOON + timedelta(seconds=60))
        assert await claimed(tasks, 59) is None
        taken = await claimed(tasks, 61)
        assert (taken.id, taken.attempts) == ("a", 2)
        assert not await state.jobs.extend(one, until=LATER)
        assert not await tasks.step(one, b"data", roomy)
        await tasks.end(one, TaskState.DONE, spare=False)
        assert (await tasks.find(ALICE, "a")).state is TaskState.RUNNING
        assert await tasks.step(taken, b"data", roomy)
        await state.jobs.retry(taken, at=NOON, error="stopped", count=False)
        waits = await tasks.find(ALICE, "a")
        assert (waits.state, waits.attempts, waits.size) == (TaskState.WAITING, 1, 4)

    async def test_one_that_kills_its_process(self, tasks):
        """Its attempts count until it comes further; then it is interrupted, and can be resumed."""
        assert await tasks.put(task("a"), most=9)
        for number in range(MOST_ATTEMPTS + 1):
            one = await claimed(tasks, number * 60)
            assert one.attempts == number + 1
            assert await tasks.step(one, b"", roomy)
        one.checkpoint = {"after": "m"}
        assert await tasks.step(one, b"", roomy)
        assert (await claimed(tasks, 300)).attempts == 1
        for number in range(6, 10):
            one = await claimed(tasks, number * 60)
        await tasks.end(one, TaskState.INTERRUPTED, spare=True)
        assert (await tasks.find(ALICE, "a")).state is TaskState.INTERRUPTED
        assert await tasks.resume(one, now=LATER)
        again = await claimed(tasks, 600)
        assert (again.attempts, again.checkpoint) == (1, {"after": "m"})

    async def test_cancelling(self, tasks):
        """One that waits has ended at once, one that runs at its next step, whoever makes it.

        That step is counted: what it did stays.
        """
        for name in "ab":
            assert await tasks.put(task(name), most=9)
        one = await claimed(tasks)
        for name in "ab":
            await tasks.cancel(task(name), now=LATER)
        assert [each.state for each in await tasks.of(ALICE)] == [
            TaskState.CANCELLED, TaskState.RUNNING,
        ]  # fmt: skip
        after = await claimed(tasks, 60)
        for each in (one, after):
            each.done, each.checkpoint = 5, {"after": "m"}
            assert not await tasks.step(each, b"data", roomy)
            await tasks.end(each, TaskState.CANCELLED, spare=True)
        stopped = await tasks.find(ALICE, "a")
        assert (stopped.state, stopped.done) == (TaskState.CANCELLED, 5)
        # To the end of the line: another may run.
        assert await tasks.resume(one, now=LATER)
        assert await tasks.put(task("c"), most=9)
        again = await claimed(tasks, 60)
        assert (again.id, again.checkpoint) == ("a", {"after": "m"})

    async def test_what_cannot_be_resumed(self, tasks):
        """What is done, has not ended, or has lost the file that it reads."""
        done = await ended(tasks, "a", TaskState.DONE)
        lost = await ended(tasks, "b", TaskState.FAILED, kind=TaskKind.IMPORT)
        assert await tasks.resume(lost, now=LATER)
        await tasks.end(await claimed(tasks), TaskState.FAILED, spare=False)
        waits = task("c")
        assert await tasks.put(waits, most=9)
        for one in (done, lost, waits):
            assert not await tasks.resume(one, now=LATER)

    async def test_a_file_is_received(self, tasks, state):
        """Under a lease, seen by nobody; one whose receiver died is gone with the next claim."""
        for name in "ab":
            assert await tasks.put(whole := task(name, minutes=-1), most=9, upload_seconds=90)
            assert await tasks.step(whole, name.encode(), roomy)
        assert await claimed(tasks) is None
        assert await state.jobs.extend(whole, until=NOON + timedelta(seconds=90))
        assert await claimed(tasks, 60) is None
        assert await tasks.received(whole)
        assert not await tasks.received(whole)
        one = await claimed(tasks, 60)
        assert (one.id, await tasks.read(one, 0)) == ("b", b"b")
        assert (await _files(state), [each.id for each in await tasks.of("local")]) == (1, ["b"])

    async def test_a_file_is_read_from_any_place(self, tasks):
        """It goes on where it ended, or is cut and goes on there; it is gone with its task."""
        one = await running(tasks, "a")
        assert await tasks.read(one, 0) == b""
        cut = TASK_PIECE + 100
        for at, data in [(0, DATA[:100]), (100, DATA[100:]), (cut, DATA[cut:])]:
            one.size = at
            assert await tasks.step(one, data, roomy)
            assert one.size == at + len(data)
        kept = await tasks.find(ALICE, "a")
        for start in (0, 99, 100, TASK_PIECE + 99, TASK_PIECE + 100, len(DATA) - 1, len(DATA)):
            read, at = b"", start
            while data := await tasks.read(kept, at):
                assert len(data) <= TASK_PIECE
                read, at = read + data, at + len(data)
            assert read == DATA[start:]
        await tasks.remove(kept)
        assert await tasks.read(kept, 0) == b""

    async def test_what_is_forgotten_is_gone_with_its_file(self, tasks):
        """Of whoever may be meant, also while it runs; files of others stay, and a new one is new."""
        mine = await ended(tasks, "a", TaskState.DONE, data=b"first")
        work = await ended(tasks, "w", TaskState.INTERRUPTED, ALICE_WORK, kind=TaskKind.IMPORT)
        bobs = await ended(tasks, "b", TaskState.DONE, BOB, data=b"bobs")
        theirs = await ended(tasks, "x", TaskState.DONE, OTHER_ALICE, data=b"theirs")
        waits, held = task("c"), await running(tasks, "t", "local")
        assert await tasks.put(waits, most=9)
        await tasks.forget(ALICE)
        assert not await tasks.step(held, b"more", roomy)
        for one in (mine, work, held):
            found = await tasks.find("local", one.id)
            assert (found.state, found.error, found.file) == (TaskState.FAILED, FORGOTTEN, "")
            assert await tasks.read(one, 0) == b""
        assert (await tasks.find(ALICE, "c")).state is TaskState.WAITING
        assert [await tasks.read(one, 0) for one in (bobs, theirs)] == [b"bobs", b"theirs"]
        await tasks.cancel(waits, now=LATER)
        assert await tasks.resume(mine, now=LATER)
        again = await claimed(tasks)
        assert await tasks.step(again, b"2", roomy)
        assert await tasks.read(again, 0) == b"2"

    async def test_what_has_no_room_is_not_kept(self, tasks):
        """Neither a task nor a part of a file; what was kept before stays."""
        one = await running(tasks, "a", done=1)

        def refuse(*_):
            raise LookupError

        one.done = 2
        for fails in (tasks.step(one, b"data", refuse), tasks.put(task("b"), most=9, fits=refuse)):
            with pytest.raises(LookupError):
                await fails
        [kept] = await tasks.of("local")
        assert (kept.done, kept.file, kept.size) == (1, "", 0)

    async def test_the_room_of_others(self, tasks):
        """Of the user and the tenant with what is to come, of all what is there."""
        owners = {"a": ALICE, "b": BOB, "c": "local", "x": OTHER_ALICE}
        made = []
        for size, (name, owner_ref) in enumerate(owners.items(), 1):
            made.append(task(name, owner_ref, expected=50 if name == "a" else 0))
            assert await tasks.put(made[-1], most=9, upload_seconds=30)
            assert await tasks.step(made[-1], b"x" * size, roomy)
        told = []
        new = task("new", ALICE_WORK)
        assert await tasks.put(new, most=9, fits=lambda *asked: told.append(asked))
        assert told == [(new, UsedRoom(50, 55, 10, 0))]
        told.clear()
        assert await tasks.step(made[0], b"y", lambda *asked: told.append(asked))
        assert [(one.room, used) for one, used in told] == [(50, UsedRoom(0, 5, 9, 1))]

    async def test_what_is_old_and_what_can_be_spared(self, tasks, state):
        """What ended before, and files that only wait; those of imports with their end."""
        for minutes, (name, ends) in enumerate(
            [("f", TaskState.FAILED), ("d", TaskState.DONE), ("c", TaskState.CANCELLED),
             ("i", TaskState.INTERRUPTED)]
        ):  # fmt: skip
            await ended(tasks, name, ends, minutes=9 - minutes)
        for name, ends in [("D", TaskState.DONE), ("C", TaskState.CANCELLED)]:
            await ended(tasks, name, ends, kind=TaskKind.IMPORT, minutes=20)
        assert await tasks.put(task("w", minutes=-9), most=9)
        assert "".join(one.id for one in await tasks.spared()) == "icf"
        assert await _files(state) == 4

        async def left(before, spared):
            before, spared = (NOON + timedelta(minutes=each) for each in (before, spared))
            await tasks.expire(before=before, spared=spared)
            found = {one.id: one.size for one in await tasks.of(ALICE)}
            return found, await _files(state)

        assert await left(7, 9) == ({"D": 0, "C": 0, "f": 1, "d": 1, "c": 0, "w": 0}, 2)
        await tasks.drop_file(task("f"))
        await tasks.drop_file(task("d"))
        assert await left(9, 0) == ({"D": 0, "C": 0, "f": 0, "w": 0}, 0)


async def _files(state):
    [(many,)] = await state.scripts.statement("SELECT count(DISTINCT file) FROM task_pieces", {})
    return many

"""What every keeper of tasks must do."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from recollect.memory.model.tasks import TASK_PIECE, Task, TaskKind, TaskState, UsedRoom
from recollect.memory.model.types import Scope
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, NOON, OTHER_ALICE

LATER = NOON + timedelta(minutes=1)
DATA = random.Random(7).randbytes(2 * TASK_PIECE + 100)


def task(name: str, owner_ref: Scope | str = ALICE, *, minutes: int = 0, **fields: object) -> Task:
    """A task that was asked for so many minutes after noon."""
    scope = owner_ref if isinstance(owner_ref, Scope) else None
    at = NOON + timedelta(minutes=minutes)
    values = {"created_at": at, "updated_at": at, "kind": TaskKind.EXPORT, **fields}
    return Task(
        id=name,
        tenant=scope.tenant if scope else str(owner_ref),
        ids=scope.ids() if scope else {},
        **values,  # type: ignore[arg-type]
    )


def nothing(_: Task) -> None:
    """Changes a task in no way."""


class TasksContract:
    """Subclasses provide the fixture `tasks`."""

    async def test_a_task_comes_back_as_it_was_kept(self, tasks):
        """Every field; it is seen by its owner and the tenant, newest first, by nobody else."""
        whole = task(
            "a", ALICE_WORK, kind=TaskKind.IMPORT, asked={"ids": ["x"]}, state=TaskState.FAILED,
            stopping=TaskState.CANCELLED, holder="h", lease_until=LATER, attempts=2, expected=9,
            done=3, total=4, counts={"read": 3}, checkpoint={"after": "m"},
            error="half a character: \ud800", result={"bytes": 7},
        )  # fmt: skip
        others = [
            task("b", ALICE, minutes=1),
            task("t", "local", minutes=2),
            task("c", BOB, minutes=3, state=TaskState.COMING),
            task("x", OTHER_ALICE, minutes=4),
        ]
        for one in [whole, *others]:
            assert await tasks.add(one, most=9)
        assert await tasks.find(ALICE, "a") == whole
        for owner_ref, names in [(ALICE_WORK, "a"), (ALICE, "ba"), ("local", "tba"), (BOB, "")]:
            assert "".join(one.id for one in await tasks.of(owner_ref)) == names
        for owner_ref in (BOB, "other", OTHER_ALICE):
            assert await tasks.find(owner_ref, "a") is None
        assert await tasks.find("local", "c") is None
        await tasks.remove(whole)
        assert await tasks.find(ALICE, "a") is None
        assert await tasks.change(whole, nothing) is None

    async def test_a_tenant_has_so_many(self, tasks):
        """That have not ended, with those whose files are being received."""
        assert await tasks.add(task("a", BOB, state=TaskState.COMING), most=2)
        assert await tasks.add(task("done", state=TaskState.DONE), most=2)
        assert await tasks.add(task("b", state=TaskState.RUNNING), most=2)
        assert not await tasks.add(task("c"), most=2)
        assert await tasks.add(task("d", OTHER_ALICE), most=2)

    async def test_the_oldest_is_taken(self, tasks):
        """One of each tenant at a time; again once its holder has not told that it lives."""
        for one in [task("b", minutes=1), task("a"), task("x", OTHER_ALICE, minutes=2)]:
            assert await tasks.add(one, most=9)
        assert await tasks.add(task("done", state=TaskState.DONE, minutes=-9), most=9)

        async def taken(holder, seconds):
            now = NOON + timedelta(seconds=seconds)
            found = await tasks.claim(holder, now=now, until=now + timedelta(seconds=30))
            return found and (found.id, found.state, found.holder, found.attempts)

        running = TaskState.RUNNING
        assert await taken("one", 0) == ("a", running, "one", 1)
        assert await taken("two", 10) == ("x", running, "two", 1)
        assert await taken("two", 10) is None
        await tasks.renew(["a", "x"], "one", until=NOON + timedelta(seconds=60))
        assert await taken("three", 50) == ("x", running, "three", 2)
        assert await taken("three", 70) == ("a", running, "three", 2)

        def done(kept):
            kept.state = TaskState.DONE

        await tasks.change(task("a"), done)
        assert await taken("four", 70) == ("b", running, "four", 1)

    async def test_a_file_is_read_from_any_place(self, tasks):
        """It goes on where it ended, or is cut and goes on there; it is gone with its task."""
        kept = task("a")
        assert await tasks.add(kept, most=9)
        assert await tasks.read(kept, 0) == b""
        cut = TASK_PIECE + 100
        for at, data in [(0, DATA[:100]), (100, DATA[100:]), (cut, DATA[cut:])]:
            kept = await tasks.change(kept, nothing, data=data, at=at)
            assert kept.size == at + len(data)
        assert await tasks.find(ALICE, "a") == kept
        for start in (0, 99, 100, TASK_PIECE + 99, TASK_PIECE + 100, len(DATA) - 1, len(DATA)):
            read, at = b"", start
            while data := await tasks.read(kept, at):
                assert len(data) <= TASK_PIECE
                read, at = read + data, at + len(data)
            assert read == DATA[start:]
        await tasks.remove(kept)
        assert await tasks.read(kept, 0) == b""

    async def test_a_file_that_is_dropped_is_gone(self, tasks):
        """A new one of the same task has nothing of it; files of others stay."""
        one, two = task("a"), task("b")
        for each in (one, two):
            assert await tasks.add(each, most=9)
        first = await tasks.change(one, nothing, data=b"first", at=0)
        other = await tasks.change(two, nothing, data=b"other", at=0)
        dropped = await tasks.change(one, Task.drop_file)
        assert (dropped.file, dropped.size) == ("", 0)
        assert await tasks.read(first, 0) == b""
        second = await tasks.change(one, nothing, data=b"2", at=0)
        assert await tasks.read(second, 0) == b"2"
        await tasks.sweep()
        assert await tasks.read(other, 0) == b"other"

    async def test_what_cannot_be_changed_stays(self, tasks):
        """Whether a decision refuses it, or there is no room, nothing of it is kept."""
        kept = task("a", done=1)
        assert await tasks.add(kept, most=9)

        def refuse(kept, *_):
            kept.done = 2
            raise LookupError

        for fails in (
            tasks.change(kept, refuse, data=b"data", at=0),
            tasks.change(kept, nothing, data=b"data", at=0, fits=refuse),
            tasks.add(task("b"), most=9, fits=refuse),
        ):
            with pytest.raises(LookupError):
                await fails
        assert await tasks.of("local") == [kept]

    async def test_the_room_of_others(self, tasks):
        """Of the user and the tenant with what is to come, of all what is there."""
        there = [task("a", expected=50), task("b", BOB), task("c", "local"), task("x", OTHER_ALICE)]
        for size, each in enumerate(there, 1):
            assert await tasks.add(each, most=9)
            await tasks.change(each, nothing, data=b"x" * size, at=0)
        told = []
        new = task("new", ALICE_WORK)
        assert await tasks.add(new, most=9, fits=lambda *asked: told.append(asked))
        assert told == [(new, UsedRoom(50, 55, 10, 0))]
        told.clear()
        await tasks.change(
            there[0], nothing, data=b"y", at=9, fits=lambda _, used: told.append(used)
        )
        assert told == [UsedRoom(0, 5, 9, 1)]

    async def test_what_is_old_and_what_can_be_spared(self, tasks):
        """What ended before, and uploads that stopped; files that only wait, oldest first."""
        for minutes, (name, state) in enumerate(
            [("f", TaskState.FAILED), ("d", TaskState.DONE), ("c", TaskState.CANCELLED),
             ("w", TaskState.WAITING), ("i", TaskState.INTERRUPTED)]
        ):  # fmt: skip
            one = task(name, state=state, minutes=9 - minutes)
            assert await tasks.add(one, most=9)
            await tasks.change(one, nothing, data=b"x", at=0)
        assert await tasks.add(task("n", state=TaskState.FAILED), most=9)
        coming = task("u", state=TaskState.COMING, lease_until=LATER, minutes=-9)
        assert await tasks.add(coming, most=9)
        assert "".join(one.id for one in await tasks.spared()) == "icf"

        async def old(minutes, now):
            at = NOON + timedelta(minutes=minutes)
            return {one.id for one in await tasks.old(before=at, now=now)}

        assert await old(8, NOON) == {"n", "i", "c"}
        assert await old(0, LATER + timedelta(seconds=1)) == {"u"}

"""Upkeep of what is kept: ages, capacity, two at once, and what a dead writer left."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.api.curation import Curation
from recollect.memory.forget import Retention, RetentionOptions
from recollect.memory.forget import retainer as module
from recollect.memory.forget.options import TtlOptions
from recollect.memory.forget.retainer import Retained
from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import EventKind, MemoryStatus, MemoryType, Scope
from tests.memory.forget.parts import (
    ALICE,
    ANY_STATUS,
    BOB,
    EMBEDDER,
    NOON,
    Parts,
    memory,
    record,
    turn,
)
from tests.memory.learn.doubles import Breaks
from tests.support.clock import Telling
from tests.support.parts import parts_of

EPISODES = RetentionOptions(ttl_days=TtlOptions(episodic=10))
AGENT = Scope(tenant="local", agent_id="a1")


def aged(name, days, scope=ALICE, **fields):
    at = NOON - timedelta(days=days)
    return replace(memory(name, f"about {name}", scope, **fields), created_at=at, updated_at=at)


def retention(parts, options, **changed):
    return Retention(
        parts.all(),
        parts.forgetter(),
        options,
        **({"clock": Telling(lambda: NOON)} | changed),
    )


async def by_status(parts, scope=ALICE):
    items = await parts.store.list(scope, limit=None, statuses=ANY_STATUS)
    return {item.id: item.status for item in items}


class TestAge:
    async def test_what_is_too_old_is_forgotten_everywhere(self, parts):
        """With its history and turns, and the index, of every user."""
        old = aged("old", 11, type=MemoryType.EPISODIC, turns=("t",))
        await parts.put(old, aged("young", 9, type=MemoryType.EPISODIC), aged("fact", 900))
        await parts.put(aged("bobs", 11, BOB, type=MemoryType.EPISODIC))
        await parts.history.append([record("old", "about old")])
        await parts.conversations.record(turn("t", "about old"))
        assert "old" in await parts.recalled("about old")
        done = await retention(parts, EPISODES).run()
        assert done == Retained(looked_at=4, erased=2)
        assert await parts.ids() == {"young", "fact"}
        assert "old" not in await parts.recalled("about old")
        assert await parts.history.of("local", "old") == []
        assert await parts.conversations.unlearned("c1", 9) == []
        assert await parts.ids(BOB) == set()


class TestCapacity:
    async def test_the_least_salient_is_archived_and_later_erased(self, parts):
        """Put aside with a record, not recalled, and gone a month later."""
        await parts.put(*(aged(f"m{n}", n) for n in range(5)), aged("bobs", 99, BOB))
        options = RetentionOptions(max_memories=3, erase_days={"archived": 30})
        assert (await retention(parts, options).run()).archived == 2
        statuses = await by_status(parts)
        assert {i for i, s in statuses.items() if s is MemoryStatus.ARCHIVED} == {"m3", "m4"}
        assert await parts.recalled("about m4") == {"m0", "m1", "m2"}
        assert [r.event for r in await parts.history.of("local", "m4")] == [EventKind.ARCHIVE]
        assert await retention(parts, options).run() == Retained(6)
        month = NOON + timedelta(days=31)
        done = await retention(parts, options, clock=Telling(lambda: month)).run()
        assert (done.archived, done.erased) == (0, 2)
        assert await parts.ids() == {"m0", "m1", "m2"}
        assert await by_status(parts, BOB) == {"bobs": MemoryStatus.ACTIVE}

    async def test_by_default_nothing_is_ever_erased(self, parts):
        """After a hundred years everything is there, and what is archived is archived once."""
        await parts.put(
            *(aged(f"m{n}", n) for n in range(4)),
            *(aged(status.value, 9, status=status) for status in ANY_STATUS),
        )
        options = RetentionOptions().model_copy(update={"max_memories": 3})
        every = await parts.ids()
        later = [NOON + timedelta(days=days) for days in (0, 1, 400, 36_500)]
        runs = [
            await retention(parts, options, clock=Telling(lambda at=at: at)).run() for at in later
        ]
        assert [run.archived for run in runs] == [4, 0, 0, 0]
        assert [run.erased for run in runs] == [0, 0, 0, 0]
        assert await parts.ids() == every

    async def test_a_restored_memory_is_not_archived_again_at_once(self, parts):
        """Others make room for it, in quarantine too; a second archiving has its own record."""
        await parts.put(*(aged(f"m{n}", n) for n in range(3)), aged("old", 900, importance=0.1))
        await parts.put(aged("doubt", 1, status=MemoryStatus.QUARANTINED))
        upkeep = retention(parts, RetentionOptions(max_memories=3))
        assert (await upkeep.run()).archived == 2
        curation = Curation(
            parts_of(store=parts.store, embedder=EMBEDDER, history=parts.history),
            guard=parts.forgetter().guard,
        )
        for name in ("old", "doubt"):
            [item] = await parts.store.get("local", [name])
            await curation.restore(item)
        assert "old" in await parts.recalled("about old")
        assert (await upkeep.run()).archived == 2
        statuses = await by_status(parts)
        assert statuses["old"] is MemoryStatus.ACTIVE
        assert statuses["doubt"] is MemoryStatus.QUARANTINED
        await retention(parts, RetentionOptions(max_memories=1)).run()
        events = [r.event for r in await parts.history.of("local", "old")]
        assert events == [EventKind.ARCHIVE, EventKind.RESTORE, EventKind.ARCHIVE]

    async def test_an_agents_own_memories_are_its_own(self, parts):
        """What users said to an agent does not count towards what the agent has without them."""
        both = Scope(tenant="local", user_id="alice", agent_id="a1")
        await parts.put(*(aged(f"a{n}", n, AGENT) for n in range(3)))
        await parts.put(*(aged(f"u{n}", 50 + n, both) for n in range(2)))
        done = await retention(parts, RetentionOptions(max_memories=2)).run()
        assert done.archived == 1
        assert (await by_status(parts, AGENT))["a2"] is MemoryStatus.ARCHIVED
        assert (await by_status(parts))["u1"] is MemoryStatus.ACTIVE

    async def test_what_changed_since_it_was_read_is_left_alone(self):
        """An update that came in between is not overwritten."""
        parts = Parts()
        await parts.put(aged("m0", 0), aged("m1", 9))
        changed = replace(aged("m1", 0), text="about something new")
        whole, loads = parts.store, []

        class Changing:
            def __getattr__(self, name):
                return getattr(whole, name)

            async def load(self, *args, **kwargs):
                loads.append(await whole.load(*args, **kwargs))
                await Parts(store=whole).put(changed)
                return loads[-1]

        parts.store = Changing()
        done = await retention(parts, RetentionOptions(max_memories=1)).run()
        assert (len(loads), done.archived) == (1, 0)
        [kept] = await whole.get("local", ["m1"])
        assert kept == changed
        assert await parts.history.of("local", "m1") == []


class TestWalk:
    async def test_it_is_bounded_and_goes_on(self, monkeypatch):
        """A run looks at so many; the next goes on; after the end comes the beginning."""
        monkeypatch.setattr(module, "PAGE", 40)
        parts = Parts()
        many = [aged(f"m{n:03}", n, type=MemoryType.EPISODIC) for n in range(250)]
        await parts.put(*many)
        walk = retention(parts, EPISODES.model_copy(update={"rows_per_run": 100}))
        runs = [await walk.run() for _ in range(3)]
        assert [run.looked_at for run in runs] == [120, 120, 10]
        assert sum(run.erased for run in runs) == 239
        assert await walk.run() == Retained(looked_at=11)

    async def test_one_that_fails_does_not_hold_up_the_rest(self, monkeypatch):
        """The next run goes on behind it, and the next walk comes to it again."""
        monkeypatch.setattr(module, "PAGE", 1)
        parts = Parts()
        await parts.put(*(aged(f"m{n}", 99, type=MemoryType.EPISODIC) for n in range(3)))
        whole = parts.store
        parts.store = Breaks(whole, "delete", StoreError("x"))
        walk = retention(parts, EPISODES)
        with pytest.raises(StoreError):
            await walk.run()
        assert (await walk.run()).erased == 2
        assert (await walk.run()).erased + (await walk.run()).erased == 1
        assert await Parts(store=whole).ids() == set()

"""What stands on a memory, whichever way that memory goes: in a whole engine, by its API."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from unittest.mock import AsyncMock

from recollect.memory import AsyncMemory
from recollect.memory.engine.options import EngineOptions
from recollect.memory.jobs.upkeep import upkeep_job
from recollect.memory.learn.records import memory_id
from recollect.memory.model.errors import StoreError
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import EventKind, MemoryStatus, Source
from recollect.memory.upkeep import UpkeepPlan
from tests.memory.forget.parts import EMBEDDER
from tests.memory.learn.doubles import a_decision
from tests.support.folding import rows
from tests.support.parts import engine_of
from tests.support.waiting import until

from .made import fact
from .reflect.world import ALICE, stored

TEXTS = {"a": "User climbs in Chamonix", "b": "User climbs on Sundays", "c": "User owns a rope"}
SUMMARY = "User climbs in Chamonix on Sundays"
ACTIVE, ARCHIVED = MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED
SUPERSEDED = MemoryStatus.SUPERSEDED


class Condenses:
    """One summary of `a` and `b`, which are archived for it."""

    kind = JobKind.CONSOLIDATE

    async def plan(self, work):
        name = memory_id(work.job.id, SUMMARY)
        made = decided(EventKind.ADD, name, SUMMARY, cites=("a", "b"))
        away = [
            decided(EventKind.ARCHIVE, each, TEXTS[each], old=TEXTS[each], cites=(name,))
            for each in ("a", "b")
        ]
        return UpkeepPlan((made, *away))


def decided(event, name, text, *, old=None, cites=()):
    return a_decision(
        event, name, text, old_text=old, stage="consolidate", source=Source.EXTRACTION, cites=cites
    )


class Whole:
    """An engine with three facts, two of them condensed."""

    def __init__(self):
        options = EngineOptions.model_validate({"upkeep": {"kinds": {"episodes": False}}})
        self.engine = engine_of(None, options)
        self.memory = AsyncMemory(self.engine, tenant="local")
        self.upkeep = self.engine.background.worker.upkeep
        self.upkeep.add(Condenses())

    async def __aenter__(self):
        await stored(self.engine.parts.store, *(fact(n, t) for n, t in TEXTS.items()))
        self.job = upkeep_job(JobKind.CONSOLIDATE, ALICE, "1", reason="call")
        await self.upkeep.put(self.job)
        while await self.engine.background.worker.run_one() is not None:
            pass
        self.summary = memory_id(self.job.id, SUMMARY)
        assert await self.statuses() == {
            "a": ARCHIVED, "b": ARCHIVED, "c": ACTIVE, "sum": ACTIVE,
        }  # fmt: skip
        return self

    async def __aexit__(self, *_):
        await self.engine.close()

    async def statuses(self):
        await self.engine.derived_upkeep.settled()
        every = frozenset(MemoryStatus)
        items = await self.engine.parts.store.list(ALICE, limit=None, statuses=every)
        rows = [item for item in items if item.provenance.superseded_by is None]
        return {("sum" if i.id == self.summary else i.id): i.status for i in rows}


async def test_a_source_that_comes_back_for_a_summary_that_does_not_is_shown_by_itself():
    """The archive is not where something is lost."""
    async with Whole() as whole:
        await whole.memory.invalidate("a")
        await whole.memory.update("b", text="User climbs on Mondays")
        await whole.memory.revert("a")
        assert await whole.statuses() == {
            "a": ACTIVE, "b": ACTIVE, "c": ACTIVE, "sum": SUPERSEDED,
        }  # fmt: skip


@rows("how", ["invalidate", "update", "feedback"])
async def test_who_corrects_a_memory_is_told_nothing_of_it_by_a_summary(how):
    """The call returns when what stands on the memory was looked at, however slow that is."""
    async with Whole() as whole:
        whole.engine.derived_upkeep._look = _slowly(whole.engine.derived_upkeep._look)
        if how == "invalidate":
            await whole.memory.invalidate("c", reason="sold")
            await whole.memory.invalidate("a")
        elif how == "update":
            await whole.memory.update("a", text="User climbs in Arco")
        else:
            await whole.memory.restore("a")
            await whole.memory.feedback("a", feedback="wrong")
        [summary] = await whole.engine.parts.store.get("local", [whole.summary])
        assert summary.status is SUPERSEDED


def _slowly(work):
    async def slow(*given):
        for _ in range(100):
            await asyncio.sleep(0.001)
        return await work(*given)

    return slow


async def test_a_look_that_cannot_be_had_keeps_no_change_waiting():
    """Neither one that fails, nor one that is stopped."""
    async with Whole() as whole:
        upkeep = whole.engine.derived_upkeep
        upkeep._look, upkeep._pause = AsyncMock(side_effect=StoreError("down")), AsyncMock()
        await whole.memory.invalidate("a")
        upkeep._look = AsyncMock(side_effect=asyncio.Event().wait)
        change = asyncio.ensure_future(whole.memory.update("b", text="User climbs on Mondays"))
        await until(lambda: upkeep._look.await_count, "the look")
        await upkeep.close(0)
        await change
        del upkeep._look


@rows("how", ["delete", "forget"])
async def test_a_source_that_is_deleted_or_forgotten(how):
    """The summary has its words, so it is erased; the other source comes back."""
    async with Whole() as whole:
        if how == "delete":
            await whole.memory.delete("a")
        else:
            await whole.engine.forgetter.forget_ids(ALICE, ["a"])
        assert await whole.statuses() == {"b": ACTIVE, "c": ACTIVE}


async def test_a_crash_between_a_write_and_the_look_is_made_good_by_the_next_process():
    """The first look of an engine in a scope is at all of it."""
    async with Whole() as whole:
        inner = whole.engine.parts.store._inner
        [item] = await whole.engine.parts.store.get("local", ["a"])
        gone = replace(item, status=SUPERSEDED, version=9)
        await stored(inner, replace(gone, provenance=replace(gone.provenance, ended="ask: gone")))
        assert (await whole.statuses())["sum"] is ACTIVE
        other = engine_of(None, whole.engine.options, store=_bare(inner), embedder=EMBEDDER)
        try:
            changed = replace(fact("c", TEXTS["c"]), version=2)
            await stored(other.parts.store, changed)
            await other.derived_upkeep.settled()
        finally:
            await other.close()
        found = await whole.statuses()
        assert (found["sum"], found["b"]) == (SUPERSEDED, ACTIVE)


def _bare(store):
    """The store inside all wrappers."""
    while hasattr(store, "_inner"):
        store = store._inner
    return store


async def test_an_import_keeps_what_stands_on_what(tmp_path):
    """However its lines are ordered, nothing falls while the rest is still to come."""
    async with Whole() as whole:
        path = tmp_path / "memories.jsonl"
        await whole.memory.export_file(path, user_id="alice")
        other = engine_of(None, whole.engine.options)
        try:
            memory = AsyncMemory(other, tenant="local")
            await memory.import_file(path, user_id="alice")
            await other.derived_upkeep.settled()
            every = frozenset(MemoryStatus)
            rows = await other.parts.store.list(ALICE, limit=None, statuses=every)
            [made] = [row for row in rows if row.provenance.cites]
            assert made.status is ACTIVE
            away = {row.id for row in rows if row.provenance.archived_for == made.id}
            assert away == set(made.provenance.cites)
            assert len(away) == 2
        finally:
            await other.close()

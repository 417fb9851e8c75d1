"""Consolidation of a scope, with the worker that runs it."""

import json
from dataclasses import replace
from datetime import timedelta

import numpy as np

from recollect.memory.calibration import Calibration
from recollect.memory.jobs.runs import RunOutcome
from recollect.memory.jobs.upkeep import UpkeepJobs, upkeep_job
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.shares import Attachment, ShareKind, ShareRights
from recollect.memory.model.types import MemoryStatus, StoredMemory
from recollect.memory.upkeep import UpkeepOptions, UpkeepPlan
from recollect.memory.upkeep.consolidate.step import ConsolidateStep
from tests.memory.jobs.worker_world import World, drain, outcome
from tests.memory.learn.doubles import ALICE, BOB, NOON, Says
from tests.support.parts import parts_of

from .items import OWN, item

ALL = frozenset(MemoryStatus)
SCALE = Calibration(recall=0.2, update=0.6, same=1.0, floor=0.0)
SAME = json.dumps({"decisions": [{"fact": 1, "event": "NONE", "known": 1, "text": None}]})
PENICILLIN = (
    item("told", "User is allergic to penicillin", days=1),
    item("own", "I'm allergic to penicillin.", source=OWN),
    item("cat", "User has a cat", days=2),
)


class Vectors:
    """An embedder whose vectors a test chose by text; others are unlike each other."""

    id, dim = "chosen", 64

    def __init__(self, **near):
        self.near = near

    async def embed(self, texts):
        return np.asarray([self._of(text) for text in texts], np.float32)

    def _of(self, text):
        base = np.random.default_rng(sum(map(ord, self.near.get(text, text)))).normal(size=self.dim)
        own = np.random.default_rng(sum(map(ord, text))).normal(size=self.dim) / 12
        mixed = base + (own if text in self.near else 0)
        return mixed / np.linalg.norm(mixed)

    async def close(self):
        pass


class Upkept(World):
    """A worker with this step."""

    def __init__(self, *items, model=None, embedder=None, **options):
        super().__init__(model)
        if embedder is not None:
            self.embedder = embedder
            self.store = type(self.store)(dim=embedder.dim, scripts=self.scripts)
        self.items = items
        self.options_of_step = UpkeepOptions(**options)
        self.now = NOON + timedelta(days=400)

    @property
    def parts(self):
        return parts_of(
            store=self.store, embedder=self.embedder, history=self.history, jobs=self.jobs,
            tombstones=self.tombstones, runs=self.runs, calibration=SCALE,
        )  # fmt: skip

    def step(self, parts=None, **more):
        parts = parts or self.parts
        return ConsolidateStep(parts, self.options_of_step, clock=lambda: self.now, **more)

    async def keep(self, *items):
        vectors = await self.embedder.embed([one.text for one in items])
        await self.store.put([StoredMemory(i, v) for i, v in zip(items, vectors, strict=True)])

    async def run(self, name="one", **more):
        """Run it as a job; the outcome of the first run."""
        await self.jobs.put(upkeep_job(JobKind.CONSOLIDATE, ALICE, name, reason="call"))
        worker = self.worker()
        worker.upkeep.add(self.step(**more))
        first = await outcome(worker)
        await drain(worker)
        return first

    async def look(self) -> UpkeepPlan:
        worker = self.worker()
        worker.upkeep.add(self.step())
        return await worker.upkeep.look(upkeep_job(JobKind.CONSOLIDATE, ALICE, "d", reason="call"))

    async def undo(self, name="one"):
        jobs: UpkeepJobs = self.worker().upkeep
        await jobs.undo(ALICE.tenant, f"consolidate:{name}")

    async def by_status(self):
        rows = await self.store.list(ALICE, limit=None, statuses=ALL)
        return {row.id: row.status.value for row in rows}

    async def row(self, name):
        [found] = await self.store.get(ALICE.tenant, [name])
        return found


async def test_a_duplicate_ends_for_the_users_own_words():
    """It is superseded, names what stays and keeps its evidence; what stays is not written."""
    world = Upkept()
    await world.keep(*PENICILLIN)
    assert await world.run() is RunOutcome.LEARNED
    assert await world.by_status() == {"told": "superseded", "own": "active", "cat": "active"}
    told = await world.row("told")
    assert told.provenance.superseded_by == "own"
    assert told.provenance.ended == "duplicate: says the same in the same words"
    assert told.provenance.turn_ids == ("turn-told",)
    assert await world.row("own") == PENICILLIN[1]
    [run] = await world.runs.newest(ALICE, limit=9)
    assert (run.figures["memories"], run.figures["merged"]) == (3, 1)
    assert run.figures["tokens_after"] < run.figures["tokens_before"]


async def test_undone_it_stands_as_before_and_is_not_ended_again():
    """Whoever takes a run back has decided that the two are two."""
    world = Upkept()
    await world.keep(*PENICILLIN)
    await world.run()
    await world.undo()
    back = await world.row("told")
    assert (back.status, back.provenance.superseded_by) == (MemoryStatus.ACTIVE, None)
    assert back.updated_at == PENICILLIN[0].updated_at
    assert await world.run("two") is RunOutcome.NOTHING
    assert set((await world.by_status()).values()) == {"active"}


async def test_other_scopes_are_neither_read_nor_merged():
    """Two users who say the same are two."""
    world = Upkept()
    await world.keep(PENICILLIN[0], replace(PENICILLIN[1], scope=BOB))
    assert await world.run() is RunOutcome.NOTHING


async def test_what_is_shared_never_ends():
    """Those who see it would lose it."""
    world = Upkept()
    await world.keep(*PENICILLIN)
    parts = world.parts
    await parts.state.attachments.attach(
        Attachment(
            kind=ShareKind.MEMORY, item_id="told", owner=ALICE, to=BOB, rights=ShareRights.READ,
            created_at=NOON,
        )
    )  # fmt: skip
    assert await world.run(parts=parts) is RunOutcome.NOTHING


CAR = "User bought a red car in Porto"
CAR_TOO = "User purchased a red car in Porto"


def cars():
    return Vectors(**{CAR: "car", CAR_TOO: "car"})


async def test_what_is_in_doubt_stays_without_a_model_and_is_asked_of_one():
    """A run without a model says that a part rested; one with a model asks once."""
    world = Upkept(embedder=cars())
    await world.keep(item("a", CAR), item("b", CAR_TOO, days=1))
    plan = await world.look()
    assert (plan.decisions, plan.unasked, plan.figures["in_doubt"]) == ((), True, 1)
    world.model = Says(SAME)
    await world.run()
    assert await world.by_status() == {"a": "active", "b": "superseded"}
    await world.run("two")
    assert len(world.model.requests) == 1


async def test_a_large_scope_is_asked_about_in_parts(monkeypatch):
    """Runs follow each other until a model was asked about all of it."""
    monkeypatch.setattr("recollect.memory.upkeep.consolidate.step.COMPARED_PER_RUN", 2)
    world = Upkept(embedder=cars(), model=Says(SAME))
    others = [item(f"o{n}", f"text {n} " * 3, days=n + 1) for n in range(5)]
    await world.keep(item("a", CAR), *others, item("z", CAR_TOO, days=9))
    await world.run()
    assert (await world.by_status())["z"] == "superseded"
    assert len(await world.runs.newest(ALICE, limit=9)) > 2


async def test_what_is_pending_is_judged_after_a_run_with_a_model():
    """By the jobs for memories of one matter; without a model none is enqueued."""
    waiting = item("p", "User has a dog", origin={"pending": ("x",), "matter": "x"})
    for model, kinds in (
        (None, {JobKind.CONSOLIDATE}),
        (Says(SAME), {JobKind.CONSOLIDATE, JobKind.JUDGE}),
    ):
        world = Upkept(model=model)
        await world.keep(waiting)
        assert (await world.look()).figures["pending"] == 1
        await world.run()
        assert {report.job.kind for report in await world.jobs.reports()} == kinds


async def test_what_faded_is_archived_and_comes_back_with_the_run():
    """Only with `archive_below`; restored, it does not return to the archive."""
    heron = item("heron", "User saw a heron at the pond", importance=0.2)
    world = Upkept(archive_below=0.1)
    await world.keep(heron)
    await world.run()
    assert await world.by_status() == {"heron": "archived"}
    await world.undo()
    assert await world.run("two") is RunOutcome.NOTHING
    assert await world.by_status() == {"heron": "active"}

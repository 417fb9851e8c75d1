"""Runs of reflection in a whole engine: by threshold, by call, taken back, forgotten meanwhile."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.engine.options import EngineOptions
from recollect.memory.jobs.upkeep import upkeep_job
from recollect.memory.learn import job_for
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import EventKind, MemoryStatus, MemoryType, Turn, utc_now
from recollect.memory.upkeep.reflect.questions import QUESTIONS_PROMPT
from tests.memory.learn.doubles import Says
from tests.memory.upkeep.made import fact
from tests.support.parts import engine_of
from tests.support.scripted import facts

from .world import ALICE, INSIGHT, NOTES, QUESTIONS, answer, stored


def script(request):
    """Facts for turns, questions for notes, a conclusion for a question."""
    told = request.messages[0].content
    if told == QUESTIONS_PROMPT:
        return QUESTIONS
    if "insight" in told:
        return answer(INSIGHT, 1, 2)
    return facts("User likes tea")


class Running:
    """An engine whose jobs run when a test says so."""

    def __init__(self, **upkeep):
        chosen = {"episodes": {"enabled": False}, "consolidate": {"enabled": False}} | upkeep
        options = EngineOptions.model_validate({"upkeep": chosen})
        self.model = Says(script)
        self.engine = engine_of(self.model, options)
        self.worker = self.engine.background.worker
        self.store = self.engine.parts.store

    async def __aenter__(self):
        await stored(self.store, *(fact(n, t, importance=0.9) for n, t in NOTES.items()))
        return self

    async def __aexit__(self, *_):
        await self.engine.close()

    async def drain(self):
        while await self.worker.run_one() is not None:
            pass
        await self.engine.falling.settled()

    async def reflect(self, name="1"):
        job = upkeep_job(JobKind.REFLECT, ALICE, name, reason="call")
        await self.worker.upkeep.put(job)
        await self.drain()
        return await self.engine.parts.state.runs.get("local", job.id)

    async def say(self, text):
        """What the user says now."""
        said = fact("s", text)
        origin = replace(said.provenance, recorded_at=utc_now() + timedelta(seconds=1))
        await stored(self.store, replace(said, provenance=origin))

    async def insights(self):
        items = await self.store.list(ALICE, limit=None, statuses=frozenset(MemoryStatus))
        return [item for item in items if item.type is MemoryType.REFLECTIVE]


async def test_a_call_concludes_and_an_undo_takes_it_back():
    """The run tells what it did; taken back, nothing waits for a person any more."""
    async with Running() as running:
        run = await running.reflect()
        [row] = await running.insights()
        assert [(one.memory_id, one.event) for one in run.changes] == [
            (row.id, EventKind.QUARANTINE)
        ]
        assert run.figures["insights"] == 1
        await running.worker.upkeep.undo("local", run.id)
        [row] = await running.insights()
        assert row.status is MemoryStatus.SUPERSEDED
        assert row.provenance.ended == "undo: somebody took the run back"
        again = await running.reflect("2")
        assert again.changes == ()


async def test_a_confirmation_is_taken_back_too():
    """It was not the user who said so, but a run."""
    async with Running() as running:
        await running.reflect()
        await running.say(INSIGHT)
        run = await running.reflect("2")
        assert [one.event for one in run.changes] == [EventKind.VALIDATE]
        [row] = await running.insights()
        assert row.status is MemoryStatus.ACTIVE
        await running.worker.upkeep.undo("local", run.id)
        [row] = await running.insights()
        assert row.status is MemoryStatus.SUPERSEDED


async def test_a_quarantined_conclusion_is_recalled_by_nobody():
    """Until it is confirmed; then it stands behind what it cites."""
    async with Running() as running:
        await running.reflect()
        ranking = await running.engine.recaller.rank(ALICE, INSIGHT, most=20)
        assert INSIGHT not in [hit.item.text for hit in ranking.ranked]
        await running.say(f"{INSIGHT}.")
        await running.reflect("2")
        ranking = await running.engine.recaller.rank(ALICE, INSIGHT, most=20)
        texts = [hit.item.id for hit in ranking.ranked]
        [row] = await running.insights()
        assert row.status is MemoryStatus.ACTIVE
        cited = [texts.index(name) for name in row.provenance.cites if name in texts]
        assert cited
        assert max(cited) < texts.index(row.id)


@pytest.mark.parametrize("enabled", [True, False])
async def test_learning_is_followed_by_a_reflection_where_it_is_on(enabled):
    """What was learned makes it due; by default nothing is concluded by itself."""
    async with Running(reflect={"enabled": enabled, "threshold": 2.0}) as running:
        turn = Turn(
            id="t1",
            conversation_id="c",
            scope=ALICE,
            user_text="I like tea",
            assistant_text="OK",
            model="m",
            created_at=utc_now(),
        )
        recorded = await running.engine.parts.state.conversations.record(turn)
        await running.engine.parts.state.jobs.put(job_for(turn, recorded.seq, reason="flush"))
        await running.drain()
        assert bool(await running.insights()) is enabled


async def test_forgetting_a_source_while_it_waits_takes_the_conclusion():
    """It is not even listed as doubtful."""
    async with Running() as running:
        await running.reflect()
        [row] = await running.insights()
        receipt = await running.engine.forgetter.forget_ids(ALICE, [row.provenance.cites[0]])
        assert receipt.fell == 1
        assert await running.insights() == []
        assert json.dumps(receipt.as_dict())

"""Questions, evidence and conclusions, with a scripted model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.memory.jobs.upkeep import upkeep_job
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import EventKind, MemoryStatus, MemoryType, Source
from tests.memory.forget.parts import BOB
from tests.memory.upkeep.made import derived, ended, fact

from .world import ALICE, INSIGHT, LATER, NOTES, QUESTIONS, World, answer, later


async def test_a_conclusion_cites_what_it_follows_from():
    """It is quarantined, says why, and is no more important than its evidence."""
    world = World()
    await world.notes(importance=0.6)
    plan = await world.plan(QUESTIONS, answer(INSIGHT, 1, 2))
    [made] = plan.decisions
    assert (made.event, made.type, made.source) == (
        EventKind.QUARANTINE,
        MemoryType.REFLECTIVE,
        Source.REFLECTION,
    )
    assert set(made.cites) < set(NOTES)
    assert len(made.cites) == 2
    assert made.importance == 0.6
    assert made.flags == ("unconfirmed",)
    assert plan.figures["insights"] == 1
    await world.apply(plan)
    [row] = await world.insights()
    assert (row.status, row.provenance.cites) == (MemoryStatus.QUARANTINED, made.cites)
    assert row.provenance.turn_ids == ()


async def test_what_was_concluded_before_is_not_concluded_again():
    """Whether it waits, or a person ended it."""
    world = World()
    await world.notes()
    lines = QUESTIONS, answer(INSIGHT, 1, 2)
    await world.apply(await world.plan(*lines))
    [row] = await world.insights()
    await world.put(ended(row, "person: not so"))
    again = await world.plan(*lines, job=upkeep_job(JobKind.REFLECT, ALICE, "2", reason="call"))
    assert again.decisions == ()
    assert again.figures["rejected"] == 1


async def test_only_the_users_own_words_are_shown():
    """No hearsay, nothing doubted, nothing of another scope, no conclusion; to the model at all."""
    world = World()
    await world.notes()
    tool = fact("t", "User hates the mountains trip TOOL")
    quarantined = fact("q", "User fears the mountains HELD", status=MemoryStatus.QUARANTINED)
    flagged = fact("f", "User sells the mountains FLAGGED")
    flagged = replace(flagged, provenance=replace(flagged.provenance, flags=("steering",)))
    agent = replace(ALICE, agent_id="x")
    await world.put(
        replace(tool, provenance=replace(tool.provenance, source=Source.TOOL)),
        quarantined,
        flagged,
        fact("o", "User owns the mountains OTHER", scope=BOB),
        fact("g", "User maps the mountains AGENT", scope=agent),
        derived("d", "a", "b", text="User lives for mountains CONCLUDED"),
    )
    await world.plan(QUESTIONS, answer(INSIGHT, 1, 2))
    heard = world.model.heard()
    assert all(text in heard for text in NOTES.values())
    for mark in ("TOOL", "HELD", "FLAGGED", "OTHER", "AGENT", "CONCLUDED"):
        assert mark not in heard


async def test_calls_and_tokens_are_bounded():
    """However many questions a model names, and however much it is shown."""
    world = World()
    await world.put(
        *(fact(f"n{n}", f"User went to the mountains in year {n}. " * 20) for n in range(200))
    )
    many = "\n".join(f"{n}. What about the mountains in year {n}?" for n in range(40))
    await world.plan(many, answer(INSIGHT, 1, 2))
    assert len(world.model.requests) == 4
    for request in world.model.requests:
        assert sum(len(message.content) for message in request.messages) < 32_000
        assert request.max_tokens <= 300


async def test_a_fact_that_is_forgotten_meanwhile_takes_the_conclusion():
    """Nothing of it is left, and the other facts stay."""
    world = World()
    await world.notes()
    guard = await world.forgetter.guard(ALICE)
    plan = await world.plan(QUESTIONS, answer(INSIGHT, 1, 2))
    gone = plan.decisions[0].cites[0]
    await world.forgetter.forget_ids(ALICE, [gone])
    from recollect.memory.learn.records import Batch
    from tests.memory.forget.parts import NOON

    await world.applier.apply(plan.decisions, Batch(id=world.job.id, scope=ALICE, at=NOON), guard)
    await world.derived_upkeep.settled()
    assert await world.insights() == []
    assert {i.id for i in await world.parts.store.list(ALICE, limit=None)} == set(NOTES) - {gone}


class TestConfirming:
    async def waiting(self):
        world = World()
        await world.notes()
        await world.apply(await world.plan(QUESTIONS, answer(INSIGHT, 1, 2)))
        [row] = await world.insights()
        return world, row, upkeep_job(JobKind.REFLECT, ALICE, "2", reason="call")

    async def test_the_users_own_words_confirm_it(self):
        """Without a model, and only what was said later."""
        world, row, job = await self.waiting()
        await world.put(fact("early", INSIGHT, status=MemoryStatus.SUPERSEDED))
        await world.put(later(fact("s", f"{INSIGHT}.")))
        plan = await world.plan(job=job)
        [made] = plan.decisions
        assert (made.event, made.memory_id, made.cites) == (EventKind.VALIDATE, row.id, ("s",))
        await world.apply(plan, job=job, at=LATER)
        [row] = await world.insights()
        assert row.status is MemoryStatus.ACTIVE
        assert row.provenance.flags == ()
        assert row.provenance.reasons == ()
        assert row.provenance.validated_at is None
        assert "s" in row.provenance.cites

    @pytest.mark.parametrize("known", [1, None])
    async def test_other_words_need_a_model_and_their_own_support(self, known):
        """A model that says so of a statement with most of the words."""
        world, row, job = await self.waiting()
        await world.put(
            later(fact("s", "User always spends summer holidays in the mountains, alone"))
        )
        said = '{"decisions": [{"fact": 1, "event": "NONE", "known": %s, "text": null}]}'
        plan = await world.plan(said % (known or "null"), "NONE", job=job)
        assert [(one.event, one.memory_id) for one in plan.decisions] == [
            (EventKind.VALIDATE, row.id)
        ]

    async def test_a_gullible_model_confirms_nothing_by_another_statement(self):
        """It says that anything says it; the statement does not have the words."""
        world, _, job = await self.waiting()
        await world.put(later(fact("s", "User dislikes crowds in the mountains")))
        said = '{"decisions": [{"fact": 1, "event": "NONE", "known": 1, "text": null}]}'
        plan = await world.plan(said, "NONE", job=job)
        assert plan.decisions == ()

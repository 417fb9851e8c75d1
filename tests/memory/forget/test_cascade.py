"""What was made of a forgotten memory's words falls with it, and takes nothing else along."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.forget import ForgetKind
from recollect.memory.forget.options import RetentionOptions
from recollect.memory.forget.retention import expired
from recollect.memory.model.types import MemoryStatus, MemoryType, Source
from tests.memory.forget.parts import ALICE, BOB, NOON, Parts, memory, record, turn

ARCHIVED = MemoryStatus.ARCHIVED


def derived(name, *cites, text="tea and Rome", version_of=None, **fields):
    """A memory that was made of others."""
    item = memory(name, text, version_of=version_of, **fields)
    return replace(item, provenance=replace(item.provenance, cites=cites, source=Source.REFLECTION))


def aside(name, text, instead, **fields):
    """A memory in the archive that another one stands for."""
    item = memory(name, text, status=ARCHIVED, **fields)
    origin = replace(
        item.provenance,
        archived_from=MemoryStatus.ACTIVE,
        archived_at=NOON,
        archived_for=instead,
    )
    return replace(item, provenance=origin)


def episode(name, *turns, scope=ALICE, batch=None):
    """What a stretch of conversation was."""
    item = memory(name, "they spoke of tea", scope, turns=turns, batch=batch)
    origin = replace(item.provenance, source=Source.EXTRACTION, stretch=(*turns, None)[0])
    return replace(item, type=MemoryType.EPISODIC, provenance=origin)


class TestForget:
    async def test_a_summary_falls_with_a_source(self, parts):
        """Its text, its versions and its history may hold the words; the other sources stay."""
        await parts.put(
            derived("sum", "a", "b"),
            derived("old", "a", version_of="sum"),
            aside("a", "likes tea", "sum", turns=("t1",)),
            aside("b", "lives in Rome", "sum", turns=("t2",)),
            memory("n", "has a cat"),
        )
        await parts.history.append([record("sum", "tea and Rome"), record("b", "lives in Rome")])
        for name in ("t1", "t2"):
            await parts.conversations.record(turn(name, name))
        receipt = await parts.forgetter().forget_ids("local", ["a"])
        assert await parts.ids() == {"b", "n"}
        assert await parts.history.of("local", "sum") == []
        assert len(await parts.history.of("local", "b")) == 1
        assert [t.id for t in await parts.conversations.unlearned("c1", 9)] == ["t2"]
        assert (receipt.memories, receipt.versions, receipt.derived) == (2, 1, 2)
        assert receipt.as_dict()["derived"] == 2
        assert await parts.recalled("tea and Rome") <= {"n"}

    async def test_a_summary_that_is_meant_takes_what_it_stands_for(self, parts):
        """Else its words would come back with its sources; what it only cites stays."""
        await parts.put(
            derived("sum", "a", "b"),
            aside("a", "likes tea", "sum", turns=("t1",)),
            memory("b", "lives in Rome", turns=("t2",)),
        )
        for name in ("t1", "t2"):
            await parts.conversations.record(turn(name, name))
        receipt = await parts.forgetter().forget_ids(ALICE, ["sum"])
        assert await parts.ids() == {"b"}
        assert [t.id for t in await parts.conversations.unlearned("c1", 9)] == ["t2"]
        assert (receipt.memories, receipt.derived) == (2, 0)

    async def test_a_proposal_shows_what_goes_too(self, parts):
        """Before anybody confirms."""
        await parts.put(memory("a", "likes green tea"), derived("insight", "a", "b", text="calm"))
        proposal = await parts.forgetter().propose(ALICE, "likes green tea")
        assert {item.id for item in proposal.items} == {"a", "insight"}

    async def test_an_episode_falls_with_a_fact_of_its_turns(self, parts):
        """It may say the same; its other turns and their facts stay."""
        await parts.put(
            memory("m", "likes tea", turns=("t1",)),
            memory("n", "has a cat", turns=("t1", "t2")),
            episode("e", "t1", "t2"),
            episode("f", "t3"),
        )
        for name in ("t1", "t2", "t3"):
            await parts.conversations.record(turn(name, name))
        receipt = await parts.forgetter().forget_ids(ALICE, ["m"])
        assert await parts.ids() == {"n", "f"}
        assert {t.id for t in await parts.conversations.unlearned("c1", 9)} == {"t2", "t3"}
        assert (receipt.turns, receipt.derived) == (1, 1)

    async def test_turns_that_are_forgotten_take_their_episode_and_no_other_turn(self, parts):
        """One message of a stretch is no reason to lose all of it."""
        await parts.put(memory("m", "tea", turns=("t1",)), episode("e", "t1", "t2"))
        for name in ("t1", "t2"):
            await parts.conversations.record(turn(name, name))
        await parts.forgetter().forget_turns(ALICE, ["t1"])
        assert await parts.ids() == set()
        assert [t.id for t in await parts.conversations.unlearned("c1", 9)] == ["t2"]

    async def test_turns_that_are_erased_take_their_episodes_and_no_fact(self, parts):
        """In one transaction, also an episode that a job is just about to write."""
        await parts.put(memory("m", "tea", turns=("t1",)), episode("e", "t1", "t2"))
        await parts.conversations.record(turn("t1", "tea"))
        forgetter = parts.forgetter()
        assert await forgetter.erase_turns(ALICE, ["t1"], ["e", "late"]) == 1
        assert await parts.ids() == {"m"}
        assert await parts.tombstones.among("local", ["e", "late", "m"]) == {"e", "late"}
        assert await forgetter.erase_turns(ALICE, ["t1"], ["e", "late"]) == 0

    async def test_another_user_loses_nothing(self, parts):
        """Rows of another scope are not looked at, whatever they claim to cite."""
        await parts.put(memory("a", "tea"), derived("theirs", "a", scope=BOB))
        await parts.forgetter().forget_ids(ALICE, ["a"])
        assert await parts.ids(BOB) == {"theirs"}


class TestRetention:
    async def test_retention_takes_no_source_for_the_summary(self, parts):
        """A summary that is too old goes alone: nobody asked for its sources to be erased."""
        await parts.put(derived("sum", "a"), aside("a", "tea", "sum"))
        await parts.forgetter().forget_ids("local", ["sum"], kind=ForgetKind.RETENTION)
        assert await parts.ids() == {"a"}


async def test_a_fact_that_is_too_old_leaves_its_episode():
    """That has an age of its own; a summary that cites the fact has its words."""
    parts = Parts()
    await parts.put(
        memory("m", "tea", turns=("t1",)), episode("e", "t1", "t2"), derived("sum", "m", "n")
    )
    await parts.conversations.record(turn("t2", "cat"))
    forgetter = parts.forgetter()
    await forgetter.forget_ids("local", ["m"], kind=ForgetKind.RETENTION)
    assert await parts.ids() == {"e"}
    await forgetter.forget_ids("local", ["e"], kind=ForgetKind.RETENTION)
    assert await parts.conversations.unlearned("c1", 9) == []


def test_the_archive_keeps_what_something_stands_for():
    """A limit for the archive would erase the evidence, and the summary with it."""
    old = aside("a", "tea", "sum")
    alone = replace(old, id="b", provenance=replace(old.provenance, archived_for=None))
    now = NOON.replace(year=NOON.year + 1)
    assert [
        i.id for i in expired([old, alone], RetentionOptions(erase_days={"archived": 30}), now)
    ] == ["b"]

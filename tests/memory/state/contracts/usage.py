"""What every counter of usage must do."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial

from recollect.memory.model.usage import Usage, UseKind
from recollect.memory.state import State
from tests.memory.state.samples import ALICE, BOB, NOON, OTHER_ALICE, turn

LATER = NOON + timedelta(minutes=5)


async def settled(state: State) -> None:
    while await state.usage.settle():
        pass


class UsageContract:
    """Subclasses provide the fixture `state`, whose parts belong together."""

    async def test_each_use_is_counted_once_for_its_occasion(self, state):
        """Every kind by itself, by many at once too; what was never used is left out."""
        assert await state.usage.of("local", ["m1"]) == await state.usage.of("local", []) == {}
        await state.usage.count("local", UseKind.CONFIRMED, [], occasion="j", at=NOON)
        assert await state.usage.settle() == 0
        names = ["m1", "ü:{x} '"]
        for use in UseKind:
            await state.usage.count("local", use, names, occasion="o", at=NOON)
        once = Usage(
            recalled=1, last_recalled=NOON, confirmed=1, corrected=1, positive=1, negative=1
        )
        assert await state.usage.of("local", [*names, "m2"]) == dict.fromkeys(names, once)
        again = [
            state.usage.count(
                "local", UseKind.CONFIRMED, ["m1", "m1"], occasion=f"j{n % 2}", at=NOON
            )
            for n in range(10)
        ]
        await asyncio.gather(*again)
        assert (await state.usage.of("local", ["m1"]))["m1"].confirmed == 3

    async def test_a_turn_counts_what_it_was_shown_once(self, state):
        """However often and with however many lists it is sent; of one that asked, what it asked."""
        tellings = (("m1",), ("m1", "m2"), (), ("m3",))
        for recalled in (*tellings, ("m3", "m4"), ("m1",)):
            await state.conversations.record(turn("a", recalled=recalled, tokens=len(recalled)))
            if recalled == ("m3",):
                await settled(state)
        await settled(state)
        for asked in (("m5",), ()):
            await state.conversations.record(turn("b", recalled=("m5", "m6"), asked=asked))
            await settled(state)
        used = await state.usage.of("local", [f"m{n}" for n in range(1, 7)])
        assert {name: one.recalled for name, one in used.items()} == {
            f"m{n}": 1 for n in range(1, 6)
        }

    async def test_what_was_counted_is_taken_back_once(self, state):
        """By its occasions; other uses, memories and tenants keep theirs, and no counter goes below 0."""
        usage = state.usage
        for occasion in ("f", "f:1", "g"):
            await usage.count("t", UseKind.NEGATIVE, ["a", "b"], occasion=occasion, at=NOON)
        await usage.count("t", UseKind.CONFIRMED, ["a"], occasion="f", at=NOON)
        take = partial(usage.uncount, "t", UseKind.NEGATIVE, "a", occasions=["f", "f:1"])
        assert [await take(), await take()] == [2, 0]
        assert await usage.uncount("u", UseKind.NEGATIVE, "b", occasions=["f"]) == 0
        counted = await usage.of("t", ["a", "b"])
        assert counted == {"a": Usage(negative=1, confirmed=1), "b": Usage(negative=3)}

    async def test_the_last_recall_is_the_latest(self, state):
        """In whatever order turns are counted."""
        await state.conversations.record(turn("late", minutes=5, recalled=("m1",)))
        await settled(state)
        await state.conversations.record(turn("early", recalled=("m1",)))
        await settled(state)
        assert await state.usage.of("local", ["m1"]) == {
            "m1": Usage(recalled=2, last_recalled=LATER)
        }

    async def test_turns_are_counted_in_parts_learned_or_not(self, state):
        """No call takes more than its limit, and none of the turns is left."""
        for number in range(7):
            shown = turn(str(number), scope=(ALICE, BOB)[number % 2], recalled=("m1",))
            await state.conversations.record(shown)
        await state.conversations.mark_learned("c1", 2)
        while (done := await state.usage.settle(limit=3)) != 0:
            assert done <= 3
        assert (await state.usage.of("local", ["m1"]))["m1"].recalled == 7

    async def test_counters_of_tenants_are_apart(self, state):
        """One tenant's use of an id is no other's."""
        await state.conversations.record(turn("a", "c9", scope=OTHER_ALICE, recalled=("m1",)))
        await settled(state)
        assert await state.usage.of("local", ["m1"]) == {}
        assert (await state.usage.of("other", ["m1"]))["m1"].recalled == 1
        await state.usage.reset("local")
        assert await state.usage.erase("local", ["m1"]) == 0
        assert set(await state.usage.of("other", ["m1"])) == {"m1"}

    async def test_forgotten_memories_are_not_counted(self, state):
        """A turn that was shown one, and work in progress, do not bring its counters back."""
        await state.conversations.record(turn("a", recalled=("m1", "m2")))
        await state.tombstones.add("local", ["m1"])
        assert await state.usage.erase("local", ["m1"]) == 0
        await settled(state)
        await state.usage.count("local", UseKind.CORRECTED, ["m1"], occasion="j", at=NOON)
        assert set(await state.usage.of("local", ["m1", "m2"])) == {"m2"}

    async def test_erasing(self, state):
        """Exactly the named ones are gone, and told how many; unknown ids are no error."""
        ids = [f"m{n}" for n in range(1200)]
        await state.usage.count("local", UseKind.RECALLED, ids, occasion="t", at=NOON)
        await state.usage.count("local", UseKind.NEGATIVE, ids[:3], occasion="f", at=NOON)
        assert await state.usage.erase("local", [*ids[1:], "unknown"]) == 1199
        assert set(await state.usage.of("local", ids)) == {"m0"}
        await state.usage.reset("local")
        assert await state.usage.of("local", ids) == {}

    async def test_a_pruned_turn_that_may_come_again_counts_once(self, state):
        """Old occasions are forgotten, but not those of turns that are still kept."""
        shown = turn("a", recalled=("m1",))
        await state.conversations.record(shown)
        await settled(state)
        await state.usage.prune(before=LATER)
        await state.conversations.record(shown)
        await settled(state)
        assert (await state.usage.of("local", ["m1"]))["m1"].recalled == 1
        # Learned and erased, it notes nothing when it is sent again.
        await state.conversations.mark_learned("c1", 1)
        await state.conversations.prune(learned_before=LATER)
        await state.usage.prune(before=LATER)
        await state.conversations.record(shown)
        await settled(state)
        assert (await state.usage.of("local", ["m1"]))["m1"].recalled == 1

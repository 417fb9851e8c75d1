"""What every conversation store must tell of whole conversations."""

from __future__ import annotations

from datetime import timedelta

from recollect.memory.model.conversations import ConversationMark, ConversationSummary
from recollect.memory.model.times import to_ms
from recollect.memory.model.types import Scope
from tests.memory.state.samples import ALICE, ALICE_WORK, NOON, OTHER_ALICE, turn


def mark(found: ConversationSummary) -> ConversationMark:
    return ConversationMark(to_ms(found.last_at), found.id)


class SummariesContract:
    """Subclasses provide the fixture `conversations`."""

    async def test_a_summary_tells_of_the_turns_that_have_texts(self, conversations):
        """Number, times and beginning are those of the turns that were not erased."""
        for number, name in enumerate("abcd"):
            await conversations.record(turn(name, minutes=number))
        await conversations.mark_learned("c1", 2)
        await conversations.mark_remembered(ALICE, "c1", ["c1/b"])
        await conversations.erase_turns(ALICE.tenant, ["c1/a", "c1/d"])
        [found] = await conversations.conversations(ALICE, limit=9)
        assert found == ConversationSummary(
            id="c1",
            scope=ALICE,
            turns=2,
            started_at=NOON + timedelta(minutes=1),
            last_at=NOON + timedelta(minutes=2),
            begins="user b",
        )

    async def test_conversations_come_newest_first_in_pages(self, conversations):
        """Pages of any size have each conversation once; of equal times by their ids."""
        for number in range(6):
            await conversations.record(turn("a", f"c{number}", minutes=number // 2))
        await conversations.record(turn("b", "c0", minutes=9))
        expected = ["c0", "c4", "c5", "c2", "c3", "c1"]
        for size in (1, 2, 4, 9):
            names: list[str] = []
            after = None
            while page := await conversations.conversations(ALICE, after=after, limit=size):
                assert len(page) <= size
                names += [found.id for found in page]
                after = mark(page[-1])
            assert names == expected

    async def test_a_conversation_that_goes_on_is_not_listed_twice(self, conversations):
        """A turn that is recorded between two pages shifts nothing."""
        for number in range(4):
            await conversations.record(turn("a", f"c{number}", minutes=number))
        first = await conversations.conversations(ALICE, limit=2)
        await conversations.record(turn("b", "c3", minutes=20))
        await conversations.record(turn("a", "new", minutes=21))
        rest = await conversations.conversations(ALICE, after=mark(first[-1]), limit=9)
        assert [found.id for found in (*first, *rest)] == ["c3", "c2", "c1", "c0"]

    async def test_conversations_are_of_the_scope(self, conversations):
        """Nobody sees a conversation of somebody else, nor its turns, also by its id."""
        await conversations.record(turn("a"))
        await conversations.record(turn("b", "theirs", scope=OTHER_ALICE))
        await conversations.record(turn("c", "work", scope=ALICE_WORK, minutes=1))
        agent = Scope(tenant=ALICE.tenant, agent_id="work")
        seen = {ALICE: ["work", "c1"], ALICE_WORK: ["work"], agent: ["work"]}
        for scope, names in seen.items():
            listed = await conversations.conversations(scope, limit=9)
            assert [found.id for found in listed] == names
        assert listed[0].scope == ALICE_WORK
        for scope, name in ((ALICE, "theirs"), (ALICE_WORK, "c1"), (OTHER_ALICE, "c1")):
            assert await conversations.conversation_turns(scope, name, limit=9) == []
            assert await conversations.latest_turns(scope, name, limit=9) == []

    async def test_dates_tell_what_is_known_of_turns(self, conversations):
        """A recorded turn has its date, an erased one None, an unknown or foreign one nothing."""
        await conversations.record(turn("a"))
        await conversations.record(turn("b", minutes=3))
        await conversations.record(turn("c", "elsewhere"))
        await conversations.erase_turns("local", ["c1/a"])
        asked = ["c1/b", "c1/a", "c1/never", "elsewhere/c", "c1/b"]
        assert await conversations.dates("c1", asked) == {
            "c1/a": None, "c1/b": NOON + timedelta(minutes=3),
        }  # fmt: skip
        await conversations.record(turn("a"))
        assert await conversations.dates("c1", ["c1/a"]) == {"c1/a": None}
        assert await conversations.dates("c1", []) == {}

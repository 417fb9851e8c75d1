"""What every conversation store must tell: of threads, of what was said lately, of whole conversations."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from recollect.memory.database.conversations import SqlConversations
from recollect.memory.model.across_scopes import TurnCounts
from recollect.memory.model.conversations import ConversationMark, ConversationSummary
from recollect.memory.model.times import to_ms
from recollect.memory.model.types import PrecedingQuestion, Recent, Scope, Turn
from recollect.memory.model.zones import said_at
from tests.memory.state.samples import ALICE, ALICE_WORK, NOON, OTHER_ALICE, turn


def answered(name: str, response: str, upstream: str = "", minutes: int = 0) -> Turn:
    """A turn of c1 whose answer has an id."""
    return replace(turn(name, minutes=minutes), response_id=response, upstream_id=upstream)


async def ids(store: SqlConversations, name: str, scope: Scope = ALICE, limit: int = 9):
    """The turns of a thread by their ids."""
    return [each.id for each in await store.thread(scope, name, limit=limit)]


def mark(found: ConversationSummary) -> ConversationMark:
    return ConversationMark(to_ms(found.last_at), found.id)


class ToldContract:
    """Subclasses provide the fixture `conversations`."""

    async def test_a_thread_ends_with_its_name(self, conversations):
        """An earlier answer is continued without what came after it; learned turns count too."""
        for number, name in enumerate("abc"):
            await conversations.record(answered(name, f"r-{name}", minutes=number))
        await conversations.mark_learned("c1", 2)
        await conversations.mark_remembered(ALICE, "c1", ["c1/a"])
        assert await ids(conversations, "r-b") == ["c1/a", "c1/b"]
        assert await ids(conversations, "r-c", limit=2) == ["c1/b", "c1/c"]
        [last] = await conversations.thread(ALICE, "r-c", limit=1)
        assert (last.response_id, last.user_text) == ("r-c", "user c")
        assert await ids(conversations, "unknown") == await ids(conversations, "") == []
        # A second answer has a name of its own; a name of the upstream goes on from the last turn.
        await conversations.record(answered("c", "second", "conv", minutes=2))
        await conversations.record(answered("d", "r-d", "conv", minutes=3))
        assert await ids(conversations, "second") == ["c1/a", "c1/b", "c1/c"]
        assert (await ids(conversations, "conv"))[-1] == "c1/d"

    async def test_a_turn_keeps_its_zone(self, conversations):
        """By its name; its moment is the same."""
        there = replace(answered("a", "r"), zone="Asia/Tokyo")
        await conversations.record(there)
        [read] = await conversations.thread(ALICE, "r", limit=1)
        assert (read.zone, read.created_at, said_at(read).utcoffset()) == (
            "Asia/Tokyo", there.created_at, timedelta(hours=9),
        )  # fmt: skip

    async def test_threads_are_of_one_scope(self, conversations):
        """A name that somebody else was told, or guessed, continues nothing."""
        await conversations.record(answered("a", "r"))
        for other in (OTHER_ALICE, ALICE_WORK, Scope(tenant=ALICE.tenant, user_id="bob")):
            assert await ids(conversations, "r", other) == []

    async def test_an_erased_turn_is_continued_by_nobody(self, conversations):
        """What was forgotten is not context either."""
        for name in "abc":
            await conversations.record(answered(name, f"r-{name}"))
        await conversations.erase_turns(ALICE.tenant, ["c1/b"])
        assert await ids(conversations, "r-b") == []
        assert await ids(conversations, "r-c") == ["c1/a", "c1/c"]
        await conversations.erase(ALICE)
        assert await ids(conversations, "r-c") == []

    async def test_recent_turns_are_of_the_scope(self, conversations):
        """Nobody sees the turns of somebody else, neither by user nor by agent."""
        helper = Scope(tenant=ALICE.tenant, user_id="somebody else", agent_id="helper")
        await conversations.record(turn("a"))
        await conversations.record(turn("b", "theirs", scope=OTHER_ALICE))
        await conversations.record(turn("c", "agent", scope=helper))
        await conversations.record(turn("d", "work", scope=ALICE_WORK, minutes=1))
        everything = await conversations.recent(ALICE, limit=9)
        assert [r.turn.id for r in everything] == ["work/d", "c1/a"]
        assert [(r.note, r.learned) for r in everything] == [(None, False)] * 2
        assert await conversations.recent(ALICE, limit=1) == everything[:1]
        assert [r.turn.id for r in await conversations.recent(ALICE_WORK, limit=9)] == ["work/d"]
        agent = Scope(tenant=ALICE.tenant, agent_id="helper")
        assert [r.turn.id for r in await conversations.recent(agent, limit=9)] == ["agent/c"]

    async def test_notes_stay_until_the_turn_is_erased(self, conversations):
        """A note is kept with its turn, also if the turn is recorded again, and erased with it."""
        await conversations.record(turn("a"))
        unknown = replace(turn("a"), id="unknown")
        await conversations.annotate([(Recent(turn("a")), "note é"), (Recent(unknown), "x")])
        await conversations.record(turn("a"))
        [found] = await conversations.recent(ALICE, limit=9)
        assert found.note == "note é"
        await conversations.erase_turns(ALICE.tenant, ["c1/a"])
        await conversations.annotate([(Recent(turn("a"), "note é"), "late")])
        assert await conversations.recent(ALICE, limit=9) == []

    async def test_remembered_turns_are_not_recent(self, conversations):
        """A turn whose facts are memories is left out; one that gave none is learned."""
        for name in "abc":
            await conversations.record(turn(name))
        await conversations.mark_remembered(ALICE, "c1", ["c1/a", "unknown"])
        await conversations.mark_learned("c1", 2)
        await conversations.give_up("c1", 2, 3)
        found = await conversations.recent(ALICE, limit=9)
        assert {r.turn.id: r.learned for r in found} == {"c1/b": True, "c1/c": False}

    async def test_what_is_left_unread(self, conversations):
        """It awaits no learning, is told apart, and is erased by its age as what was learned is.

        Who records it again changes none of that, nor what awaits learning.
        """
        a, b, c = map(turn, "abc")
        told = [Recent(a, learned=True), Recent(b, unread=True), Recent(c)]
        await conversations.record_read(told)
        await conversations.record_read([Recent(one, unread=True) for one in (a, b, c)])
        found = await conversations.recent(ALICE, limit=9)
        assert {r.turn.id: (r.learned, r.unread) for r in found} == {
            "c1/a": (True, False),
            "c1/b": (False, True),
            "c1/c": (False, False),
        }
        assert [each.id for each in await conversations.unlearned("c1", 9)] == ["c1/c"]
        assert await conversations.prune(learned_before=NOON + timedelta(days=1)) == 2
        assert [r.turn.id for r in await conversations.recent(ALICE, limit=9)] == ["c1/c"]

    async def test_the_first_note_of_a_turn(self, conversations):
        """It is kept unless the turn was noted, cut loose or erased since it was read."""
        question = PrecedingQuestion(asked="Which?")
        for name, before in (("a", None), ("b", question)):
            await conversations.record(turn(name, upstream="http://here/v1", before=before))
        read = await conversations.recent(ALICE, limit=9)
        assert await conversations.annotate([(each, "first") for each in read]) == 2
        assert await conversations.annotate([(each, "late") for each in read]) == 0
        found = await conversations.recent(ALICE, limit=9)
        assert [each.note for each in found] == ["first", "first"]
        assert await conversations.annotate([(found[0], "second"), (read[1], "late")]) == 1
        again = await conversations.record(turn("b"))
        assert again.is_noted
        assert not (await conversations.record(turn("c"))).is_noted

    async def test_turns_are_counted(self, conversations):
        """What is kept and no memory yet, and what awaits learning: of a tenant, or of a scope."""
        for name in "abc":
            await conversations.record(turn(name))
        await conversations.record(turn("d", "theirs", scope=OTHER_ALICE))
        await conversations.record(turn("e", "work", scope=ALICE_WORK))
        await conversations.mark_learned("c1", 2)
        await conversations.mark_remembered(ALICE, "c1", ["c1/a"])
        assert await conversations.counts(ALICE.tenant) == TurnCounts(said=3, unlearned=2)
        assert await conversations.counts(ALICE) == TurnCounts(said=3, unlearned=2)
        assert await conversations.counts(ALICE_WORK) == TurnCounts(said=1, unlearned=1)
        await conversations.erase(ALICE)
        assert await conversations.counts(ALICE.tenant) == TurnCounts(said=0, unlearned=0)
        assert await conversations.counts(OTHER_ALICE) == TurnCounts(said=1, unlearned=1)

    async def test_turns_are_found_by_their_ids(self, conversations):
        """Turns are named by their ids within a tenant, with their notes; no others are found."""
        for name in "abcd":
            await conversations.record(turn(name))
        await conversations.record(turn("e", "theirs", scope=OTHER_ALICE))
        await conversations.annotate([(Recent(turn("a")), "note")])
        await conversations.mark_remembered(ALICE, "c1", ["c1/b"])
        await conversations.erase_turns(ALICE.tenant, ["c1/c"])
        ids = ["c1/a", "c1/a", "c1/b", "c1/c", "c1/d", "theirs/e", "unknown"]
        found = await conversations.named(ALICE.tenant, ids)
        assert {each.turn.id: each.note for each in found} == {"c1/a": "note", "c1/d": None}
        assert {each.turn.scope for each in found} == {ALICE}
        assert await conversations.named(ALICE.tenant, []) == []

    async def test_the_scopes_of_a_tenant(self, conversations):
        """Each scope with a turn is told once, and none of another tenant."""
        for name in "ab":
            await conversations.record(turn(name))
        await conversations.record(turn("c", "work", scope=ALICE_WORK))
        await conversations.record(turn("d", "theirs", scope=OTHER_ALICE))
        found = await conversations.scopes(ALICE.tenant)
        assert sorted(found, key=str) == sorted([ALICE, ALICE_WORK], key=str)
        assert await conversations.scopes("nobody") == []
        assert await conversations.scopes(ALICE_WORK) == [ALICE_WORK]
        assert await conversations.scopes(replace(ALICE, user_id="nobody")) == []
        everywhere = await conversations.scopes(None)
        assert sorted(everywhere, key=str) == sorted([ALICE, ALICE_WORK, OTHER_ALICE], key=str)

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

"""What every conversation store must do with what a user said lately."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.model.types import Scope
from recollect.memory.model.wide import TurnCounts
from tests.memory.state.samples import ALICE, ALICE_WORK, OTHER_ALICE, turn


class RecentContract:
    """Subclasses provide the fixture `conversations`."""

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
        await conversations.annotate({"c1": {"c1/a": "note é", "unknown": "x"}})
        await conversations.record(turn("a"))
        [found] = await conversations.recent(ALICE, limit=9)
        assert found.note == "note é"
        await conversations.erase_turns(ALICE.tenant, ["c1/a"])
        await conversations.annotate({"c1": {"c1/a": "late"}})
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
        await conversations.annotate({"c1": {"c1/a": "note"}})
        await conversations.mark_remembered(ALICE, "c1", ["c1/b"])
        await conversations.erase_turns(ALICE.tenant, ["c1/c"])
        ids = ["c1/a", "c1/a", "c1/b", "c1/c", "c1/d", "theirs/e", "unknown"]
        found = await conversations.named(ALICE.tenant, ids)
        assert {each.turn.id: each.note for each in found} == {"c1/a": "note", "c1/d": None}
        assert {each.turn.scope for each in found} == {ALICE}
        assert await conversations.named(ALICE.tenant, []) == []

    async def test_turns_are_read_some_at_a_time(self, conversations):
        """Their ids, newest first; those of a user are all that are known, and none of others."""
        for number, name in enumerate("abcd"):
            await conversations.record(turn(name, minutes=number))
        await conversations.record(turn("e", "theirs", scope=OTHER_ALICE))
        await conversations.erase_turns(ALICE.tenant, ["c1/b"])
        ids = await conversations.recent_ids(ALICE, limit=9)
        assert [one for one in ids if one != "c1/b"] == ["c1/d", "c1/c", "c1/a"]
        assert await conversations.recent_ids(ALICE, limit=2) == ["c1/d", "c1/c"]
        found = await conversations.named(ALICE.tenant, ids)
        recent = await conversations.recent(ALICE, limit=9)
        assert {each.turn.id for each in found} == {each.turn.id for each in recent}

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

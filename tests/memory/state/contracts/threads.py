"""What every conversation store must do with conversations that the upstream keeps."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.ports import ConversationStore
from recollect.memory.model.types import Scope, Turn
from recollect.memory.model.zones import said_at
from tests.memory.state.samples import ALICE, ALICE_WORK, OTHER_ALICE, turn


def answered(name: str, response: str, upstream: str = "", minutes: int = 0) -> Turn:
    """A turn of c1 whose answer has an id."""
    return replace(turn(name, minutes=minutes), response_id=response, upstream_id=upstream)


async def ids(store: ConversationStore, name: str, scope: Scope = ALICE, limit: int = 9):
    """The turns of a thread by their ids."""
    return [each.id for each in await store.thread(scope, name, limit=limit)]


class ThreadContract:
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

"""The last chats of all workers, with texts that the reader may see, and as they end."""

import asyncio

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.util.sibling_messages import SiblingFailedError
from recollect.proxy.api.state import recent
from recollect.proxy.api.state.recent import ChatsEverywhere, ChatStream
from recollect.proxy.chat.recent_chats import RecentChats
from tests.proxy.chat.test_recent_chats import ALICE, BOB, hit, report


class Lookup:
    """Knows the text of each memory, by whose it is."""

    def __init__(self, **owners):
        self._owners = owners
        self.fails = False

    async def several(self, owner_ref, ids):
        if self.fails:
            raise StoreError("down")
        own = {name: scope for name, scope in self._owners.items() if name in ids}
        return {
            name: type("Item", (), {"text": f"text of {name}", "status": MemoryStatus.SUPERSEDED})
            for name, scope in own.items()
            if owner_ref in (scope, scope.tenant)
        }


class OneMesh:
    """Leads to one sibling; the other does not answer."""

    sibling = type("Sibling", (), {"others": (1, 2)})

    def on(self, _topic, handler):
        self.handler = handler

    async def ask(self, number, _topic, **values):
        if number == 2:
            raise SiblingFailedError("it does not run")
        return await self.heard.handler(values)


@pytest.fixture
def own():
    return RecentChats()


@pytest.fixture
def lookup():
    return Lookup(a=ALICE, b=BOB)


async def test_all_workers_chats_are_merged(own, lookup):
    """Newest first, at most as many as asked for, of the owner only."""
    sibling_messages, there, theirs = OneMesh(), OneMesh(), RecentChats()
    ChatsEverywhere(theirs, lookup.several, there)
    sibling_messages.heard = there
    chats = ChatsEverywhere(own, lookup.several, sibling_messages)
    for place, scope in ((own, ALICE), (theirs, BOB), (theirs, Scope(tenant="x", user_id="u"))):
        place.note(report(scope))
    found = await chats.of("acme", limit=9)
    assert sorted(chat["user_id"] for chat in found) == ["alice", "bob"]
    assert found == sorted(found, key=lambda chat: (chat["at"], chat["id"]), reverse=True)
    assert len(await chats.of("acme", limit=1)) == 1
    assert [chat["user_id"] for chat in await chats.of(BOB, limit=9)] == ["bob"]


async def test_texts_are_those_that_the_reader_may_see(own, lookup):
    """What is somebody else's by now, or gone, has none; the line stays."""
    own.note(report(ALICE, hit("a"), hit("b"), hit("gone"), seen=("a", "b", "gone")))
    chats = ChatsEverywhere(own, lookup.several)
    [chat] = await chats.shown(await chats.of(ALICE, limit=9), ALICE)
    assert [line["memory"] for line in chat["recalled"]] == ["text of a", "", ""]
    assert [line["status"] for line in chat["recalled"]] == ["superseded", "", ""]


async def test_a_store_that_is_down_hides_texts_only(own, lookup, caplog):
    """The chats are told all the same, and the log says why they have no texts."""
    own.note(report(ALICE, hit("a"), seen=("a",)))
    lookup.fails = True
    chats = ChatsEverywhere(own, lookup.several)
    [chat] = await chats.shown(await chats.of(ALICE, limit=9), ALICE)
    assert [line["memory"] for line in chat["recalled"]] == [""]
    assert "chats are shown without texts" in caplog.text


async def test_a_stream_tells_each_chat_once(own, lookup, monkeypatch):
    """Those that ended just before it began too; what it was cancelled at comes next time."""
    monkeypatch.setattr(recent, "LOOK_SECONDS", 0.001)
    own.note(report(ALICE, model="before"))
    stream = ChatStream(ChatsEverywhere(own, lookup.several), ALICE, ALICE)
    assert (await anext(stream))["model"] == "before"
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await anext(stream)
    own.note(report(BOB))
    own.note(report(ALICE, model="first"))
    own.note(report(ALICE, model="second"))
    assert [(await anext(stream))["model"] for _ in range(2)] == ["first", "second"]
    stream.close()
    assert [chat async for chat in stream] == []

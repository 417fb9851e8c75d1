"""The search of conversations: what it reads, and what it leaves out."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.conversations import search
from recollect.memory.conversations.messages import messages_of, passages_of
from recollect.memory.conversations.search import worded_first
from tests.memory.state.samples import ALICE, turn
from tests.support.parts import engine_of


class CountingReads:
    """A store of conversations that counts the turns that are read of it."""

    def __init__(self, inner):
        self._inner = inner
        self.turns = 0

    async def conversations(self, scope, *, after=None, limit):
        return await self._inner.conversations(scope, after=after, limit=limit)

    async def latest_turns(self, scope, conversation_id, *, limit):
        found = await self._inner.latest_turns(scope, conversation_id, limit=limit)
        self.turns += len(found)
        return found


async def test_the_newest_turns_are_read_and_no_more(monkeypatch):
    """The bound holds over conversations, pages and turns; what is older is not found."""
    monkeypatch.setattr(search, "MOST_TURNS", 7)
    monkeypatch.setattr(search, "PAGE", 2)
    engine = engine_of()
    conversations = engine.parts.state.conversations
    for number in range(5):
        for name in "ab":
            text = f"the kayak of week {number}{name}"
            await conversations.record(
                replace(turn(name, f"c{number}", minutes=number), user_text=text)
            )
    found = engine.conversations
    reads = CountingReads(conversations)
    monkeypatch.setattr(found, "_conversations", reads)
    hits = await found.search(ALICE, "kayak", limit=50, roles=["user"])
    assert reads.turns == 7
    told = {hit.message.turn.id for hit in hits}
    assert told == {"c4/a", "c4/b", "c3/a", "c3/b", "c2/a", "c2/b", "c1/b"}


async def test_each_message_is_found_once():
    """A long message that fits in many parts is one result, with the part that fits best."""
    engine = engine_of()
    story = " ".join(f"On day {n} we paddled the kayak far along the coast." for n in range(60))
    await engine.parts.state.conversations.record(
        replace(turn("a"), user_text=story, assistant_text="")
    )
    [hit] = await engine.conversations.search(ALICE, "kayak on day 33", limit=9)
    assert "day 33 " in hit.passage.text


def test_passages_with_the_words_of_the_query_come_first():
    """Of more passages than are embedded, those that share words are; else the newest."""
    texts = ("I like rain.", "The kayak is red.", "My kayak has a red paddle.", "So what?")
    items = [
        item
        for number, text in enumerate(texts)
        for one in messages_of(replace(turn(str(number)), user_text=text, assistant_text=""))
        for item in passages_of(one)
    ]
    ordered = [item.text for item in worded_first("red kayak paddle", items)]
    assert ordered == [texts[2], texts[1], texts[0], texts[3]]

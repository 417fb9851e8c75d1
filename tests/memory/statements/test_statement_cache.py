"""What active users said lately: read from the captured turns, kept up to date, bounded.

Every method runs on one event loop. The statements of a user are never changed; a turn that is
said, learned or forgotten makes others, or drops them, so that the next recall reads them again.
"""

from datetime import timedelta

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Scope, Turn, utc_now
from recollect.memory.statements.passages import Noted
from recollect.memory.statements.statement_cache import MOST_TOKENS, Embedding, StatementCache
from recollect.memory.util.tokens import ApproximateCounter
from tests.support.sharing import log_over
from tests.support.state import InMemoryConversations, in_memory_scripts

ALICE = Scope(tenant="local", user_id="alice")
WORK = Scope(tenant="local", user_id="alice", agent_id="work")
NOW = utc_now()


def cache(conversations, log=None, max_tokens=MOST_TOKENS):
    found = StatementCache(
        conversations, ApproximateCounter(),
        embedding=Embedding("e", 3), log=log, clock=lambda: NOW,
    )  # fmt: skip
    found.max_tokens = max_tokens
    if log is not None:
        log.elsewhere.append(found.heard)
    return found


def turn(name, text="I live in Oslo.", scope=ALICE, days=0):
    return Turn(
        id=name, conversation_id="c", scope=scope, user_text=text, assistant_text="", model="m",
        created_at=NOW - timedelta(days=days),
    )  # fmt: skip


async def texts(found, scope=ALICE):
    return [one.item.text for one in (await found.get(scope)).passages]


async def test_another_process_is_told():
    """What one shows, the other reads again."""
    conversations, scripts = InMemoryConversations(), in_memory_scripts()
    one, other = [cache(conversations, log_over(scripts)) for _ in range(2)]
    assert await texts(one) == await texts(other) == []
    await conversations.record(turn("a"))
    one.put(turn("a"), one.made(turn("a"), [Noted("I live in Oslo.")]))
    await one.changed(ALICE)
    assert await texts(one) == await texts(other) == ["I live in Oslo."]


async def test_what_another_process_tells_while_it_is_read(monkeypatch):
    """What was read is not kept: it may be what was there before."""
    conversations, scripts = InMemoryConversations(), in_memory_scripts()
    one, other = [cache(conversations, log_over(scripts)) for _ in range(2)]
    reads = conversations.recent

    async def meanwhile(scope, *, limit):
        found = await reads(scope, limit=limit)
        monkeypatch.undo()
        await conversations.record(turn("a"))
        await one.changed(ALICE)
        await other._log.read()
        return found

    assert await texts(one) == await texts(other) == []
    other.clear()
    monkeypatch.setattr(conversations, "recent", meanwhile)
    assert await texts(other) == []
    assert await texts(other) == ["I live in Oslo."]


async def test_forgetting_reads_the_statements_again():
    """Of the user that it is about, or of the whole tenant."""
    conversations = InMemoryConversations()
    await conversations.record(turn("a", scope=WORK))
    kept = cache(conversations)
    assert await texts(kept) == ["I live in Oslo."]
    for owner_ref in (ALICE, WORK, "local"):
        before = kept.epoch(ALICE)
        kept.forget(owner_ref)
        assert kept.epoch(ALICE) != before or owner_ref == WORK
    await conversations.erase(ALICE)
    kept.clear()
    assert await texts(kept) == []


async def test_turns_without_vectors_are_named():
    """So that the background makes them, once they are read."""
    conversations = InMemoryConversations()
    await conversations.record(turn("a"))
    kept = cache(conversations)
    named = []
    kept.on_bare = lambda turns: named.extend(one.turn.id for one in turns)
    await kept.get(ALICE)
    assert named == ["a"]


async def test_a_failing_state_is_told():
    """The caller decides what to do without."""

    class Broken(InMemoryConversations):
        async def recent(self, scope, **how):
            raise StateError("gone")

    with pytest.raises(StateError):
        await cache(Broken()).get(ALICE)


async def test_the_oldest_turns_make_room():
    """A turn that changes takes its own place; the oldest of the others goes."""
    kept = cache(InMemoryConversations(), max_tokens=60)
    assert await texts(kept) == []
    for name in "abcb":
        told = [Noted(f"I told {name} {'a lot ' * 12}")]
        kept.put(turn(name), kept.made(turn(name), told))
    assert [text[:8] for text in await texts(kept)] == ["I told b", "I told c"]
    for name in "bc":
        assert kept.put(turn(name), [])
    assert not kept.put(turn("b"), [])
    assert await texts(kept) == []


async def test_one_long_message_leaves_room_for_others():
    """Also when all is read again; of its own passages those that were pasted go first."""
    conversations = InMemoryConversations()
    await conversations.record(turn("a", days=1))
    pasted = "\n".join(f"> line {n} that somebody else wrote" for n in range(200))
    await conversations.record(turn("b", f"{pasted}\nI have a cat."))
    kept = cache(conversations, max_tokens=500)
    found = await texts(kept)
    assert {"I live in Oslo.", "I have a cat."} <= set(found)
    assert len(found) > 2

"""What users said, as rows beside their memories: all of it, or by ids. Reads only.

`recent` has what can be recalled; these rows are everything that was said and is no memory yet, as
far as it is kept. Whoever lists, counts, exports or forgets reads them here.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

from recollect.memory.model.types import MemoryStatus
from recollect.memory.recall.index.entry import turns_in
from recollect.memory.recall.index.statement_reader import turns_of_active, unlearned
from recollect.memory.statements.options import SaidOptions
from recollect.memory.statements.passages import passage
from recollect.memory.statements.recent import Embedding, StatementCache
from recollect.memory.statements.rows import StatementRows
from recollect.memory.util.tokens import ApproximateCounter
from tests.support.constants import made
from tests.support.state import InMemoryConversations

from ..forget.parts import ALICE, BOB, NOON, memory, turn
from ..state.samples import ALICE_WORK, OTHER_ALICE


def test_a_passage_is_not_shown_beside_its_memory():
    """What an active memory was learned from is left out; one that has ended hides nothing."""
    one, two = (
        passage(turn(name, "I tea."), 0, "I tea.", embedder_id="e", learned=False) for name in "ab"
    )
    learned = memory("m", "x", turns=("a",))
    assert unlearned([one, two], [learned]) == [two]
    ended = replace(learned, status=MemoryStatus.SUPERSEDED)
    assert unlearned([one, two], [ended]) == [one, two]
    assert turns_of_active([learned, ended]) == {"a"}


TOLD = ("I live in Harlow.", "I am allergic to peanuts.", "I work at Alstom.")


def world(**options):
    conversations = InMemoryConversations()
    cache = StatementCache(
        conversations,
        ApproximateCounter(),
        made(SaidOptions, **options),
        embedding=Embedding("e", 3),
        clock=lambda: NOON,
    )
    return conversations, StatementRows(conversations, cache, enabled=options.get("enabled", True))


async def tell(conversations, scope=ALICE, start=0):
    for number, text in enumerate(TOLD, start):
        await conversations.record(turn(f"t{number}", text, scope, str(scope)))


def ids(found):
    return [one.item.id for one in found]


async def test_rows_are_of_the_scope():
    """The rows of a scope are those that the scope admits."""
    conversations, rows = world()
    await tell(conversations)
    await tell(conversations, BOB, start=3)
    assert sorted(ids(await rows.of_scope(ALICE))) == ["said:t0", "said:t1", "said:t2"]
    assert sorted(ids(await rows.of_scope(BOB))) == ["said:t3", "said:t4", "said:t5"]
    assert await rows.of_scope(OTHER_ALICE) == []


async def test_rows_are_more_than_the_cache_holds():
    """What is no longer recalled is still listed."""
    conversations, rows = world(max_tokens=5)
    await tell(conversations)
    assert len(await rows.of_scope(ALICE)) == 3
    assert not await rows.shown(ALICE, ["said:t0"])


async def test_a_whole_cache_is_read_once():
    """A cache that holds everything gives rows without reading the state again."""
    conversations, rows = world()
    await tell(conversations)
    assert len(await rows.of_scope(ALICE)) == 3

    async def fails(*_, **__):
        raise AssertionError("the state was read")

    conversations.recent = fails
    assert len(await rows.of_scope(ALICE)) == 3


async def test_rows_of_a_tenant():
    """Each turn comes once, whatever narrower scopes a user has."""
    conversations, rows = world()
    await tell(conversations)
    await tell(conversations, ALICE_WORK, start=3)
    await tell(conversations, BOB, start=6)
    await tell(conversations, OTHER_ALICE, start=9)
    tenant = ALICE.tenant
    found = [one for page in [page async for page in rows.of_tenant(tenant)] for one in page]
    own = [scope for scope in (ALICE, ALICE_WORK, BOB, OTHER_ALICE) if scope.tenant == tenant]
    assert len(ids(found)) == len(set(ids(found))) == 3 * len(own)


async def test_rows_by_ids():
    """Rows are found by their ids in their tenant, and no others."""
    conversations, rows = world()
    await tell(conversations)
    assert ids(await rows.named("local", ["said:t1", "said:t1:1", "said:none", "m"])) == ["said:t1"]
    assert await rows.named("other", ["said:t1"]) == []
    assert ids(await rows.of_turns("local", ["t0"])) == ["said:t0"]
    assert await rows.of_turns("local", []) == []


async def test_erased_rows_are_read_no_more():
    """After a turn is erased and the cache is stale, neither has it."""
    conversations, rows = world()
    await tell(conversations)
    assert await rows.shown(ALICE, ["said:t1"])
    await conversations.erase_turns("local", ["t1"])
    await rows.stale([ALICE])
    assert not await rows.shown(ALICE, ["said:t1"])
    assert "said:t1" not in ids(await rows.of_scope(ALICE))


async def test_the_caches_of_other_processes_are_stale_too():
    """Another process that has them in memory reads them again."""
    counts: Counter[str] = Counter()

    class Counted:
        async def current(self, names):
            return [counts[name] for name in names]

        async def bump(self, name):
            counts[name] += 1
            return counts[name]

    conversations, _ = world()
    here, there = (
        StatementRows(
            conversations,
            StatementCache(
                conversations,
                ApproximateCounter(),
                SaidOptions(),
                embedding=Embedding("e", 3),
                versions=Counted(),
                clock=lambda: NOON,
            ),
        )
        for _ in range(2)
    )
    await tell(conversations)
    assert await there.shown(ALICE, ["said:t1"])
    await conversations.erase_turns("local", ["t1"])
    await here.stale([ALICE])
    assert not await there.shown(ALICE, ["said:t1"])


async def test_turns_are_read_some_at_a_time(monkeypatch):
    """Of a long life the ids only are kept; other users' turns are not looked at."""
    monkeypatch.setattr("recollect.memory.statements.rows.PAGE", 2)
    conversations, rows = world()
    await tell(conversations)
    await tell(conversations, BOB, start=3)
    asked, named = [], conversations.named

    async def spy(tenant, ids):
        asked.append(list(ids))
        return await named(tenant, ids)

    async def whole(*_, **__):
        raise AssertionError("all turns at once")

    monkeypatch.setattr(conversations, "named", spy)
    monkeypatch.setattr(conversations, "recent", whole)
    monkeypatch.setattr(
        conversations, "recent_ids", lambda *_, **__: asyncio.sleep(0, ["t2", "t1", "t0"])
    )
    pages = [[each.turn.id for each in page] async for page in rows.turns_of(ALICE)]
    assert pages == [["t0", "t1"], ["t2"]]
    assert asked == [["t1", "t0"], ["t2"]]


async def test_the_turns_of_an_owner():
    """Those in which something was said, oldest first, of a scope or of a whole tenant."""
    conversations, rows = world()
    await tell(conversations)
    await conversations.record(turn("q", "What is the capital of France?"))
    await tell(conversations, BOB, start=3)
    own = [one.turn.id for page in [p async for p in rows.turns_of(ALICE)] for one in page]
    assert own == ["t0", "t1", "t2"]
    every = [one.turn.id for page in [p async for p in rows.turns_of("local")] for one in page]
    assert sorted(every) == [f"t{number}" for number in range(6)]
    assert await rows.tenants() == {"local"}
    assert [page async for page in world(enabled=False)[1].turns_of("local")] == []


async def test_switched_off_nothing_is_said():
    """Nothing is listed then, but what has an id can still be erased."""
    conversations, rows = world(enabled=False)
    await tell(conversations)
    assert await rows.of_scope(ALICE) == []
    assert [page async for page in rows.of_tenant("local")] == []
    assert ids(await rows.named("local", ["said:t1"])) == ["said:t1"]


def test_an_id_names_its_turn():
    """Whether a number at the end is of the passage or of the turn, the turn is among them."""
    assert turns_in("said:abc") == ["abc"]
    assert turns_in("said:abc:2") == ["abc:2", "abc"]
    assert turns_in("said:a:b") == ["a:b"]

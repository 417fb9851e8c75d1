"""What users said, as rows beside their memories: all of it, or by ids. Reads only.

`recent` has what can be recalled; these rows are everything that was said and is no memory yet, as
far as it is kept. Whoever lists, counts, exports or forgets reads them here.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.memory.model.types import MemoryStatus, PrecedingQuestion
from recollect.memory.recall.index.statement_reader import turns_of_active, unlearned
from recollect.memory.statements import statement_cache
from recollect.memory.statements.passages import Noted, passage
from recollect.memory.statements.rows import StatementRows
from recollect.memory.statements.statement_cache import MOST_TOKENS, Embedding, StatementCache
from recollect.memory.util.tokens import ApproximateCounter
from tests.support.state import InMemoryConversations

from ..forget.parts import ALICE, BOB, NOON, memory, turn


def test_a_passage_is_not_shown_beside_its_memory():
    """What an active memory was learned from is left out; one that has ended hides nothing."""
    one, two = (
        passage(turn(name, "I tea."), 0, Noted("I tea."), embedder_id="e", learned=False)
        for name in "ab"
    )
    learned = memory("m", "x", turns=("a",))
    assert unlearned([one, two], [learned]) == [two]
    ended = replace(learned, status=MemoryStatus.SUPERSEDED)
    assert unlearned([one, two], [ended]) == [one, two]
    assert turns_of_active([learned, ended]) == {"a"}


TOLD = ("I live in Harlow.", "I am allergic to peanuts.", "I work at Alstom.")


def world(max_tokens=MOST_TOKENS):
    conversations = InMemoryConversations()
    cache = StatementCache(
        conversations,
        ApproximateCounter(),
        embedding=Embedding("e", 3),
        clock=lambda: NOON,
    )
    cache.max_tokens = max_tokens
    return conversations, StatementRows(conversations, cache)


async def tell(conversations, scope=ALICE, start=0):
    for number, text in enumerate(TOLD, start):
        await conversations.record(turn(f"t{number}", text, scope, str(scope)))


async def gathered(pages):
    return [one async for page in pages for one in page]


def ids(found):
    return [one.item.id for one in found]


async def test_rows_are_more_than_the_cache_holds():
    """What is no longer recalled is still listed."""
    conversations, rows = world(max_tokens=5)
    await tell(conversations)
    assert len(await rows.of_scope(ALICE)) == 3
    assert not await rows.shown(ALICE, ["said:t0"])


async def test_rows_by_ids():
    """Rows are found by their ids in their tenant, and no others."""
    conversations, rows = world()
    await tell(conversations)
    assert ids(await rows.named("local", ["said:t1", "said:t1:1", "said:none", "m"])) == ["said:t1"]
    assert await rows.named("other", ["said:t1"]) == []
    assert ids(await rows.of_turns("local", ["t0"])) == ["said:t0"]
    assert await rows.of_turns("local", []) == []


async def test_the_turns_of_an_owner():
    """Those in which something was said, oldest first, of a scope or of a whole tenant."""
    conversations, rows = world()
    await tell(conversations)
    await conversations.record(turn("q", "\n"))
    await tell(conversations, BOB, start=3)
    own = [one.turn.id for page in [p async for p in rows.turns_of(ALICE)] for one in page]
    assert own == ["t0", "t1", "t2"]
    every = [one.turn.id for page in [p async for p in rows.turns_of("local")] for one in page]
    assert sorted(every) == [f"t{number}" for number in range(6)]
    assert await rows.tenants() == {"local"}


async def test_what_was_read_once_is_not_read_again():
    """Many turns are cut once, whoever asks then; what was forgotten or changed is not shown."""
    conversations, rows = world(max_tokens=5)
    for number in range(0, 30, 3):
        await tell(conversations, start=number)
    first = await rows.of_scope(ALICE)
    notes = await conversations.recent(ALICE, limit=99)
    assert all(each.note is not None for each in notes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statement_cache, "bare", None)
        assert [one.item for one in await rows.of_scope(ALICE)] == [one.item for one in first]
        await conversations.erase_turns("local", ["t4"])
        left = ids(await rows.of_scope(ALICE))
        assert left == [name for name in ids(first) if name != "said:t4"]


async def test_what_changed_meanwhile_is_not_noted():
    """A note that somebody else made stays, and a turn that lost its question is read again."""
    conversations, _ = world()
    before = PrecedingQuestion(("q",), "Which race?")
    await conversations.record(turn("q", "I keep bees."))
    await conversations.record(replace(turn("a", "Buckfast."), before=before))
    await conversations.record(turn("b", "I row."))
    read = {each.turn.id: each for each in await conversations.recent(ALICE, limit=9)}
    await conversations.annotate([(read["b"], "theirs")])
    await conversations.erase_turns("local", ["q"])
    await conversations.annotate([(each, "ours") for each in read.values()])
    notes = {each.turn.id: each.note for each in await conversations.recent(ALICE, limit=9)}
    assert notes == {"a": None, "b": "theirs"}


async def test_a_search_reads_what_can_be_recalled():
    """The rest of what was said is not looked at."""
    conversations, rows = world(max_tokens=25)
    await tell(conversations)
    shown = await gathered(rows.recalled_in(ALICE))
    assert 0 < len(shown) < len(await gathered(rows.told_in(ALICE)))

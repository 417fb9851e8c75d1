"""What a page and a count of what was said cost: what is shown, not all that was ever said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.memory.model.types import Scope, Turn
from recollect.memory.query.arguments import read_arguments
from recollect.memory.recall import queries
from recollect.memory.statements import rows, statement_cache
from tests.memory.api.client_parts import build
from tests.memory.memories.memories import memory as stored
from tests.support.chat_exports import minutes, of_years

ALICE = Scope(tenant="local", user_id="alice")
TURNS, PAGE = 600, 40
OTHERS = ("ok", "What is the capital of France?", "I live in Oslo. My dog is Rex.", "Tell me more")


def told(messages: int) -> list[Turn]:
    """What somebody told in some years; some ask only, tell twice, or come at the same time."""
    said = [
        message["message"]["content"]["parts"][0]
        for chat in of_years(messages)
        for message in chat["mapping"].values()
        if message["message"] and message["message"]["author"]["role"] == "user"
    ]
    return [
        Turn(
            id=f"t{at * 7 % len(said)}",
            conversation_id=f"c{at // 40}",
            scope=ALICE if at % 5 else replace(ALICE, agent_id="a"),
            user_text=OTHERS[at // 3 % len(OTHERS)] if at % 3 == 0 else text,
            assistant_text="I see.",
            model="m",
            created_at=minutes(at // 2),
        )
        for at, text in enumerate(said)
    ]


class Costs:
    """What is read and built from here on."""

    def __init__(self, engine, patch: pytest.MonkeyPatch) -> None:
        self.statements = self.passages = 0
        scripts, passage = engine.said_rows._conversations.scripts, statement_cache.passage
        run = scripts.rows

        async def counted(sql, values, decode):
            self.statements += "FROM turns" in sql
            return await run(sql, values, decode)

        def built(*given, **how):
            self.passages += 1
            return passage(*given, **how)

        patch.setattr(scripts, "rows", counted)
        patch.setattr(statement_cache, "passage", built)


@pytest.fixture(name="memory")
async def _memory(monkeypatch):
    monkeypatch.setattr(rows, "PAGE", PAGE)
    async with build() as memory:
        for turn in told(2 * TURNS):
            await memory._engine.parts.state.conversations.record(turn)
        items = [
            replace(
                stored(ALICE, f"tea {n}", minutes=n % 7, id=f"m{n}").item, created_at=minutes(9 * n)
            )
            for n in range(50)
        ]
        [vector] = await memory._engine.parts.embedder.embed(["tea"])
        await memory._engine.parts.store.put([queries.StoredMemory(one, vector) for one in items])
        await memory._engine.queries.count(ALICE, read_arguments({}))  # notes what turns say
        yield memory


WHICH = [
    {},
    {"kinds": ["said"]},
    {"kinds": ["memory"]},
    {"types": ["episodic"]},
    {"created_to": minutes(100)},
    {"as_of": minutes(200)},
    {"filters": {"memory": {"icontains": "oslo"}}},
    {"status": "superseded"},
    {"agent_id": "a"},
]


async def test_pages_have_what_the_whole_listing_has(memory):
    """In the same order, each once, of any size; and the count is that of the listing."""
    ask = memory._engine.queries
    for which in WHICH:
        given = dict(which)
        scope = replace(ALICE, agent_id=given.pop("agent_id", None))
        asked = read_arguments(given)
        whole = await ask.list(scope, asked)
        assert whole == sorted(whole, key=lambda item: (-item.created_at.timestamp(), item.id))
        assert bool(whole) == ("status" not in which)
        assert await ask.count(scope, asked) == len(whole)
        for limit in (17, 300):
            page = await ask.page(scope, asked, limit=limit)
            shown = page.items
            while page.next is not None:
                page = await ask.page(scope, asked, limit=limit, cursor=page.next)
                shown = shown + page.items
            assert shown == whole


async def test_a_page_reads_a_page(memory):
    """Wherever it is in years of chats, however long they are."""
    asked = read_arguments({})
    cursor, seen = None, 0
    while seen < 300:
        with pytest.MonkeyPatch.context() as patch:
            costs = Costs(memory._engine, patch)
            page = await memory._engine.queries.page(ALICE, asked, limit=30, cursor=cursor)
        assert costs.statements <= 3
        assert costs.passages <= 4 * PAGE
        seen, cursor = seen + len(page.items), page.next


async def test_a_count_builds_nothing(memory):
    """Of turns that were read once, one statement knows how much each tells."""
    with pytest.MonkeyPatch.context() as patch:
        costs = Costs(memory._engine, patch)
        assert await memory._engine.queries.count(ALICE, read_arguments({})) > TURNS / 2
    assert (costs.statements, costs.passages) == (1, 0)

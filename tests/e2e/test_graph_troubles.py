"""What goes wrong with a graph, with real parts: circles, namesakes, crowds.

Each has a clear answer, and what users say is recalled all the same.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.database.options import DatabaseOptions
from recollect.memory.embedders import FakeEmbedderOptions
from recollect.memory.engine.options import MemoryOptions
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Scope,
    StoredMemory,
    utc_now,
)
from tests.support.budget import FACTOR, WHOLE

USER = {"user_id": "ada"}
QUESTION = "Which sweets does my manager like best?"
MANAGER, LIKES = "My manager is called Viktor Olsen.", "Viktor Olsen is fond of liquorice."
CROWD = 10_000 if FACTOR >= WHOLE else 1_000


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[AsyncMemory]:
    """A library without a model, on a file."""
    database = DatabaseOptions(url=str(tmp_path / "recollect.db"))
    options = MemoryOptions(embedder=FakeEmbedderOptions(), database=database)
    async with await AsyncMemory.open(options) as found:
        yield found


async def keep(memory: AsyncMemory, *texts: str) -> list[str]:
    messages = [{"role": "user", "content": text} for text in texts]
    added = await memory.add(messages, infer=False, **USER)
    return [event["id"] for event in added["results"]]


async def recalled(memory: AsyncMemory, question: str) -> list[str]:
    """The texts that a chat would be given."""
    told = await memory.explain(question, **USER)
    return [one["memory"] for one in told["memories"] if one["chosen"]]


async def names_of(memory: AsyncMemory) -> set[str]:
    """How the user's entities are called."""
    found = await memory.graph.entities(**USER)
    return {entity["name"] for entity in found["results"]}


async def test_a_circle_of_merges(memory: AsyncMemory) -> None:
    """The last one tells that they are one already; undoing the first parts what it joined."""
    await keep(memory, "I met Anna Berg.", "I called Berta Lund.", "I wrote to Cleo Dahl.")
    people = {"Anna Berg", "Berta Lund", "Cleo Dahl"}
    first = await memory.graph.merge("Anna Berg", "Berta Lund", **USER)
    second = await memory.graph.merge("Berta Lund", "Cleo Dahl", **USER)
    third = await memory.graph.merge("Cleo Dahl", "Anna Berg", **USER)
    assert [each["already"] for each in (first, second, third)] == [False, False, True]
    assert len(people & await names_of(memory)) == 1
    found = await memory.deep_recall("Who did I meet, and whom did I call?", **USER)
    assert len(found["results"]) <= len(people)
    await memory.graph.undo(first["merge"]["id"], **USER)
    await memory.graph.undo(second["merge"]["id"], **USER)
    assert people <= await names_of(memory)


async def test_two_people_of_one_name(memory: AsyncMemory) -> None:
    """In doubt they are two, and both are recalled, until somebody says that they are one."""
    facts = {"My sister Anna is a nurse.", "My colleague Anna Berg repairs organs."}
    await keep(memory, *facts)
    found = await memory.graph.entities(**USER)
    people = {one["name"]: one["id"] for one in found["results"] if "Anna" in one["name"]}
    assert sorted(people) == ["Anna", "Anna Berg"]
    assert facts <= {*await recalled(memory, "What does Anna do?")}
    await memory.graph.merge("Anna", "Anna Berg", **USER)
    assert len({"Anna", "Anna Berg"} & await names_of(memory)) == 1


async def test_an_entity_of_thousands_of_facts(memory: AsyncMemory) -> None:
    """It is counted right and connects nothing; what is rare beside it is found all the same."""
    await keep(memory, MANAGER, LIKES)
    await crowd(memory, "Agnes Moor")
    [agnes] = (await memory.graph.entities(name="Agnes Moor", **USER))["results"]
    assert agnes["memories"] == CROWD
    scope, graph = memory._view.scope(user_id="ada"), memory._engine.parts.graph
    assert graph is not None
    assert await graph.connected(scope, ["crowd-1"], limit=9) == []
    assert len(await graph.memories_of(scope, [agnes["id"]], limit=9)) == 9
    deep = await memory.deep_recall(QUESTION, **USER)
    assert {MANAGER, LIKES} <= {one["memory"] for one in deep["results"]}
    assert LIKES in await recalled(memory, "What is Viktor Olsen fond of?")
    assert len(await recalled(memory, "What did Agnes Moor plant?")) <= 40


async def crowd(memory: AsyncMemory, name: str) -> None:
    """As many memories that speak of one person, put where writes end, as an old store has them."""
    parts, scope = memory._engine.parts, memory._view.scope(user_id="ada")
    texts = [f"{name} planted tree number {number}." for number in range(CROWD)]
    vectors = await parts.embedder.embed(texts)
    rows = [
        StoredMemory(replace(an_item(scope), id=f"crowd-{place}", text=text), vector)
        for place, (text, vector) in enumerate(zip(texts, vectors, strict=True))
    ]
    await parts.store.put(rows)
    assert memory._engine.graph is not None
    await memory._engine.graph.settled()


def an_item(scope: Scope) -> MemoryItem:
    now = utc_now()
    return MemoryItem(
        id="", text="", type=MemoryType.SEMANTIC, scope=scope, created_at=now, updated_at=now,
        embedder_id="fake",
    )  # fmt: skip

"""The worked examples of docs/queries.md: memories go in, entities and relations come out."""

import pytest

from recollect.memory import AsyncMemory
from tests.support.parts import engine_of

ALICE = {"user_id": "alice"}


@pytest.fixture
async def memory():
    engine = engine_of()
    yield AsyncMemory(engine, tenant="t")
    await engine.close()


async def who(memory, *texts):
    """All entities besides the user: what they are, and how else they are called."""
    for text in texts:
        await memory.add(text, infer=False, **ALICE)
    found = (await memory.entities(**ALICE))["results"]
    return {one["name"]: (one["type"], *one["aliases"]) for one in found if one["name"] != "User"}


async def test_a_sister_who_gets_a_name(memory):
    """Three memories, and in the end one person."""
    told = ("My sister is ill", "I met Anna", "My sister Anna is a vet")
    assert await who(memory, *told) == {"Anna": ("person", "My sister")}
    relations = (await memory.relations("Anna", **ALICE))["results"]
    assert {(one["relation"], one["target"]) for one in relations} == {("sister_of", "User")}

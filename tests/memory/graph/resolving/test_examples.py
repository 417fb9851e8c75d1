"""The worked examples of docs/graph.md: memories go in, entities and relations come out."""

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


async def test_two_of_one_name(memory):
    """The colleague is not the sister, and a third Anna is not guessed."""
    for text in ("My sister Anna sings", "My colleague Anna cooks", "Anna is late"):
        await memory.add(text, infer=False, **ALICE)
    found = (await memory.entities(name="Anna", **ALICE))["results"]
    assert sorted(one["aliases"] for one in found) == [[], ["My colleague"], ["My sister"]]


async def test_a_part_of_a_name_in_another_script(memory):
    """Chinese has no capitals: what introduced her is that she is the sister."""
    assert await who(memory, "我姐姐李娜住在柏林", "李娜喜欢喝红茶") == {
        "李娜": ("person", "我姐姐")
    }
    found = (await memory.entities(**ALICE))["results"]
    assert {one["name"]: one["memories"] for one in found}["李娜"] == 2


async def test_friends_and_firms(memory):
    """What a text does not tell is guessed: who works at something works at a firm."""
    assert await who(memory, "User's friend Alice works at Google") == {
        "Alice": ("person", "User's friend"),
        "Google": ("organization",),
    }
    relations = (await memory.relations("Alice", **ALICE))["results"]
    assert {(one["relation"], one["target"]) for one in relations} == {
        ("friend_of", "User"),
        ("works_at", "Google"),
    }


async def test_what_no_text_tells_has_no_kind(memory):
    """The subject of a sentence may be a database; once somebody tells, it is known."""
    told = ("Postgres runs on the home server.", "Kubernetes broke again on Friday.")
    assert await who(memory, *told, "Giorgi was late", "User lives in Oslo") == {
        "Postgres": (None,), "Kubernetes": (None,), "Giorgi": (None,), "Oslo": ("place",),
    }  # fmt: skip
    assert (await who(memory, "My brother Giorgi cooks"))["Giorgi"] == ("person", "My brother")
    found = await memory.entities(type="person", **ALICE)
    assert sorted(one["name"] for one in found["results"]) == ["Giorgi", "User"]

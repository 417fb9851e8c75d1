"""Procedures from the run of an agent. `test_client` has what else `add` does."""

import json

import pytest

from recollect.memory import AsyncMemory, InvalidInputError
from recollect.memory.engine.options import EngineOptions
from recollect.memory.forget.options import RetentionOptions
from tests.memory.api.client_parts import build
from tests.memory.learn.doubles import Chokes, Says
from tests.support.folding import rows
from tests.support.parts import engine_of
from tests.support.scripted import facts

GOOD = "To book a flight, call search_flights with both cities, then book_flight with the id found."
FOUND = '[{"id": "ZX-991", "note": "two\\nlines"}]'
KEY = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"


def call(name, arguments, call_id):
    function = {"name": name, "arguments": json.dumps(arguments)}
    tool_calls = [{"id": call_id, "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": tool_calls}


def run(*, booked='{"status": "booked"}', request="Book me a flight to Porto"):
    return [
        {"role": "system", "content": "You are an agent."},
        {"role": "user", "content": request},
        call("search_flights", {"from": "Berlin", "to": "Porto"}, "1"),
        {"role": "tool", "tool_call_id": "1", "content": FOUND},
        call("book_flight", {"flight_id": "ZX-991"}, "2"),
        {"role": "tool", "tool_call_id": "2", "content": booked},
        {"role": "assistant", "content": "Booked."},
    ]


async def learned(memory, messages=None, **more):
    return await memory.add_procedure(messages or run(), agent_id="agent", **more)


async def model_of(memory, memory_id):
    [item] = await memory._store.get("local", [memory_id])
    return item.provenance.model


async def test_the_evidence_names_the_model_that_extracted():
    """By the name in its answer: of facts and of procedures; a text that is given has none."""
    async with build(Says(GOOD)) as memory:
        [event] = (await learned(memory))["results"]
        assert await model_of(memory, event["id"]) == "says"
    async with build(Says(facts("User likes tea"))) as memory:
        [event] = (await memory.add("I like tea", user_id="bob"))["results"]
        assert await model_of(memory, event["id"]) == "says"
        [event] = (await memory.add("I like milk", user_id="bob", infer=False))["results"]
        assert await model_of(memory, event["id"]) is None


async def test_the_abstraction_and_the_record():
    """The memory has no value of this run; its metadata has all of them, word for word."""
    async with build(Says(GOOD)) as memory:
        [event] = (await learned(memory, metadata={"tag": "travel"}))["results"]
        assert (event["event"], event["type"]) == ("QUARANTINE", "procedural")
        known = await memory.get(event["id"])
        assert known["memory"] == GOOD
        assert known["metadata"] == {
            "tag": "travel",
            "run": {
                "request": "Book me a flight to Porto",
                "steps": [
                    {
                        "name": "search_flights",
                        "arguments": '{"from": "Berlin", "to": "Porto"}',
                        "result": FOUND,
                    },
                    {
                        "name": "book_flight",
                        "arguments": '{"flight_id": "ZX-991"}',
                        "result": '{"status": "booked"}',
                    },
                ],
                "answer": "Booked.",
            },
        }


async def test_no_secret_is_in_the_record():
    """Keys are removed from the record, and the model does not see them."""
    says = Says(GOOD)
    async with build(says) as memory:
        [event] = (await learned(memory, run(request=f"Book it, my key is {KEY}")))["results"]
        assert KEY not in json.dumps(await memory.get(event["id"]))
    assert KEY not in says.heard()


async def test_which_facts_are_wanted_is_told_to_the_model():
    """After the call's own instructions, or ours."""
    says = Says(facts("User likes tea"))
    async with build(says) as memory:
        await memory.add("I like tea", user_id="a", includes="drinks", excludes="money")
        await memory.add("I like tea", user_id="b", prompt="Own.", excludes="money")
    told = [request.messages[0].content for request in says.requests]
    ours, own = (text for text in told if "Keep no facts" in text)
    assert "about this: drinks\nKeep no facts about this: money\n" in ours
    assert own.startswith("Own.\nKeep no facts about this: money\n")


@rows(
    "more, named",
    [
        ({"includes": ""}, "includes"),
        ({"includes": 7}, "includes"),
        ({"excludes": "x" * 2001}, "excludes"),
        ({"excludes": "\ud800"}, "excludes"),
        ({"includes": "tea", "infer": False}, "includes: goes with infer"),
    ],
)
async def test_wishes_that_cannot_be_followed(more, named):
    """They are named, and nothing is stored."""
    async with build(Says(facts("User likes tea"))) as memory:
        with pytest.raises(InvalidInputError, match=named):
            await memory.add("I like tea", user_id="a", **more)
        assert await memory.count(user_id="a") == {"count": 0}


@rows(
    "messages, more, named",
    [
        ([], {}, "messages"),
        (run(booked="x" * 40_000), {}, "messages: the record of the run"),
        (run(), {"metadata": {"run": 1}}, "metadata"),
        (run(), {"metadata": []}, "metadata"),
        (run(), {"prompt": 7}, "prompt"),
    ],
)
async def test_bad_input(messages, more, named):
    """It is named, and nothing is stored: a record is never cut."""
    async with build(Says(GOOD)) as memory:
        with pytest.raises(InvalidInputError, match=named):
            await memory.add_procedure(messages, agent_id="agent", **more)
        assert await memory.count(agent_id="agent", statuses=["quarantined"]) == {"count": 0}


async def test_a_run_of_ten_thousand_steps():
    """One that failed is bounded; more messages than that are refused, as is one that succeeded."""
    many = [each for n in range(10_000) for each in run(booked=f"page {n}")[2:4]]
    left = json.dumps({"goal": "All pages.", "progress": "9,999 are read.", "next_step": "Go on."})
    async with build(Says(left)) as memory:
        [event] = (await learned(memory, [*run()[:2], *many]))["results"]
        known = await memory.get(event["id"])
        assert known["memory"].startswith("Not finished: All pages. Done: 9,999 are read.")
        record = known["metadata"]["run"]
        assert (record["step_count"], len(record["steps"])) == (10_000, 40)
        with pytest.raises(InvalidInputError, match="messages: the record of the run"):
            await learned(memory, [*run()[:2], *many, run()[-1]])
        with pytest.raises(InvalidInputError, match="messages: must be at most 25000"):
            await learned(memory, [*run(), *many, *many])


async def test_a_program_keeps_no_more_memories_than_it_is_to():
    """Nothing runs behind it: each addition makes room, for its own user alone, and says so.

    What made room is in the archive with its history, and one call brings it back.
    """
    engine = engine_of(options=EngineOptions(retention=RetentionOptions(max_memories=3)))
    memory = AsyncMemory(engine, tenant="t")
    await memory.add("Bob's is one", infer=False, user_id="bob")
    told = [
        await memory.add(f"Ada's number {number} of many", infer=False, user_id="ada")
        for number in range(6)
    ]
    assert [each.get("archived") for each in told] == [None, None, None, 1, 1, 1]
    assert len((await memory.get_all(user_id="ada"))["results"]) == 3
    aside = (await memory.get_all(user_id="ada", statuses=["archived"]))["results"]
    assert len(aside) == 3
    for each in aside:
        assert [one["event"] for one in await memory.history(each["id"])] == ["ADD", "ARCHIVE"]
    assert (await memory.restore(aside[0]["id"]))["status"] == "active"
    assert len((await memory.get_all(user_id="bob"))["results"]) == 1
    await engine.close()


async def test_a_fact_that_cannot_be_embedded_is_told():
    """By the message where its turn begins, and by reason; the others are stored."""
    model = Says(facts("User likes tea", "User has poison"))
    async with build(model, embedder=Chokes()) as memory:
        said = [
            {"role": "user", "content": "I like tea"},
            {"role": "assistant", "content": "I see"},
            {"role": "user", "content": "I have poison"},
        ]
        result = await memory.add(said, user_id="bob")
    assert [event["new_memory"] for event in result["results"]] == ["User likes tea"]
    assert result["rejected"]["not_embedded"] == 1
    assert result["skipped"] == [{"index": 2, "reason": "not_embedded"}]

"""Procedures: listed with how success is known, activated, and checked when they are reused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.api.procedures import is_failing
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.usage import Usage
from tests.memory.api.client_parts import build
from tests.memory.api.test_adding import GOOD, KEY, call, learned
from tests.memory.learn.doubles import Says

BOOKED = "A confirmation number was answered."
QUESTION = "How do I book a flight?"
AGENT = {"agent_id": "agent"}


async def taught(memory, **more):
    [event] = (await learned(memory, **more))["results"]
    return event["id"]


async def statuses(memory, memory_id):
    found = await memory.procedures.get(memory_id)
    return found["status"], found["outcomes"]


async def test_how_success_is_known_is_kept_and_shown():
    """With the procedure, without secrets, and after an update of the metadata too."""
    async with build(Says(GOOD)) as memory:
        name = await taught(memory, success=f"{BOOKED} {KEY}", metadata={"tag": "travel"})
        shown = await memory.procedures.get(name, **AGENT)
        assert shown["success"].startswith(BOOKED)
        assert KEY not in str(shown)
        assert shown["metadata"]["tag"] == "travel"
        assert shown["metadata"]["run"]["request"] == "Book me a flight to Porto"
        await memory.update(name, metadata={"success": "It is in the calendar."})
        assert (await memory.procedures.get(name))["success"] == "It is in the calendar."
        await memory.update(name, metadata={"success": 7})
        assert "success" not in await memory.procedures.get(name)


async def test_a_long_run_is_checked_by_its_ends():
    """The model is shown no more than fits a call, without secrets; what failed last asks none."""
    model = Says(GOOD)
    steps = [
        message
        for number in range(5_000)
        for message in (
            call("poll", {"try": number}, str(number)),
            {"role": "tool", "tool_call_id": str(number), "content": f"state {number} {KEY}"},
        )
    ]
    asked = {"role": "user", "content": "Wait for it"}
    answered = {"role": "assistant", "content": "Confirmation 77 is there."}
    async with build(model) as memory:
        name = await taught(memory, success=BOOKED)
        model.lines = [json.dumps({"met": True, "quote": "Confirmation 77"})]
        told = await memory.procedures.check(name, [asked, *steps, answered], report=True)
        assert (told["met"], told["quote"]) == (True, "Confirmation 77")
        assert told["outcomes"] == {"success": 1, "failure": 0}
        shown = model.requests[-1].messages[1].content
        assert len(shown) < 30_000
        assert "state 4999" in shown
        assert KEY not in shown
        for wrong, field in (([], "messages"), ([{"role": "user"}] * 30_000, "messages")):
            with pytest.raises(InvalidInputError, match=f"^{field}"):
                await memory.procedures.check(name, wrong)
        model.lines = [GOOD.replace("book", "reserve", 1)]
        bare = await taught(memory)
        with pytest.raises(InvalidInputError, match="success"):
            await memory.procedures.check(bare, [asked, *steps[:4], answered])


async def test_reuse_is_counted_and_what_fails_is_withdrawn():
    """Successes make up for failures; two failures more, and no search gets it before a person."""
    async with build(Says(GOOD)) as memory:
        name = await taught(memory, success=BOOKED)
        assert (await memory.procedures.activate(name, **AGENT))["status"] == "active"
        await memory.procedures.outcome(name, "success")
        await memory.procedures.outcome(name, "failure", reason="no seats", **AGENT)
        await memory.procedures.outcome(name, "failure")
        assert await statuses(memory, name) == ("active", {"success": 1, "failure": 2})
        assert (await memory.search(QUESTION, **AGENT))["results"]
        failed = await memory.procedures.outcome(name, "failure", reason=f"the id {KEY}")
        assert (failed["status"], failed["success"]) == ("quarantined", BOOKED)
        assert failed["provenance"]["reasons"][-1]["kind"] == "failed"
        assert not (await memory.search(QUESTION, **AGENT))["results"]
        rows = (await memory.history(name))[-6:]
        assert KEY not in str(rows)
        assert [row["event"] for row in rows if row["event"] != "NONE"][-1] == "QUARANTINE"
        assert "negative: failure: no seats" in [row.get("reason") for row in rows]
        await memory.procedures.activate(name)
        assert (await memory.search(QUESTION, **AGENT))["results"]


@given(st.integers(0, 50), st.integers(0, 50))
def test_successes_make_up_for_failures(positive, negative):
    """One more success never makes a procedure fail, one more failure never mends it."""
    now = is_failing(Usage(positive=positive, negative=negative))
    assert is_failing(Usage(positive=positive + 1, negative=negative)) <= now
    assert is_failing(Usage(positive=positive, negative=negative + 1)) >= now


async def test_only_procedures_are_listed_waiting_ones_too():
    """Not what the user wants done, nor facts; a page after the other; by a query; by a status."""
    async with build(Says(GOOD, "To pay, call search_flights, then book_flight.")) as memory:
        first = await taught(memory)
        second = await taught(memory)
        await memory.add("Answer in French", type="procedural", infer=False, **AGENT)
        page = await memory.procedures.list(limit=1, **AGENT)
        rest = await memory.procedures.list(limit=1, cursor=page["next"], **AGENT)
        assert {each["id"] for each in page["results"] + rest["results"]} == {first, second}
        assert page["results"][0]["outcomes"] == {"success": 0, "failure": 0}
        found = await memory.procedures.list(query=QUESTION, **AGENT)
        assert found["results"][0]["id"] == first
        assert not (await memory.procedures.list(statuses=["active"], **AGENT))["results"]
        assert not (await memory.procedures.list(user_id="bob"))["results"]

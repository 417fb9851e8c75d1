"""What is forgotten leaves the working blocks too, and only that."""

from __future__ import annotations

import pytest

from tests.memory.api.client_parts import build, keep

ALICE = {"user_id": "alice"}
PLAN = "Avoid Zorblatt.\nBuy bread.\nAsk Dr Zorblatt's clinic.\n"


async def value(memory, label="plan", **ids):
    return (await memory.blocks.get(label, **(ids or ALICE)))["value"]


async def test_a_query_takes_the_lines_that_name_it_from_every_version():
    """They are shown before, as `block`; the receipt counts the block, and other lines stay."""
    async with build() as memory:
        await keep(memory, "I am allergic to Zorblatt")
        await memory.blocks.define("plan", value="Avoid Zorblatt.\n", description="Of Zorblatt",
                                   **ALICE)  # fmt: skip
        await memory.blocks.append("plan", "Buy bread.", **ALICE)
        proposal = await memory.propose_forget("Zorblatt", **ALICE)
        kinds = [(one["kind"], one["memory"]) for one in proposal["results"]]
        assert sorted(kinds) == [
            ("block", "Avoid Zorblatt."),
            ("block", "Of Zorblatt"),
            ("memory", "I am allergic to Zorblatt"),
        ]
        receipt = await memory.confirm_forget(proposal["confirm"], **ALICE)
        assert (receipt["erased"]["blocks"], receipt["missing"]) == (1, 0)
        assert await value(memory) == "Buy bread."
        told = [await memory.blocks.list(**ALICE), await memory.blocks.history("plan", **ALICE)]
        assert "zorblatt" not in str(told).lower()


async def test_a_line_that_is_kept_stays():
    """By its id, as a memory is."""
    async with build() as memory:
        await keep(memory, "I am allergic to Zorblatt")
        await memory.blocks.define("plan", value=PLAN, **ALICE)
        proposal = await memory.propose_forget("Zorblatt", **ALICE)
        clinic = next(one["id"] for one in proposal["results"] if "clinic" in one["memory"])
        await memory.confirm_forget(proposal["confirm"], keep=[clinic], **ALICE)
        assert await value(memory) == "Buy bread.\nAsk Dr Zorblatt's clinic."


async def test_forgetting_by_id_takes_what_repeats_the_memory_alone():
    """A line that names the same and says something else is nobody's repetition."""
    async with build() as memory:
        [name] = await keep(memory, "I am allergic to Zorblatt")
        await memory.blocks.define("plan", value=PLAN + "Allergic to Zorblatt.", **ALICE)
        receipt = await memory.forget(name)
        assert receipt["erased"]["blocks"] == 1
        assert await value(memory) == PLAN.strip()


async def test_who_describes_the_memory_is_shown_what_names_the_same():
    """It stays, unless it is to go too."""
    async with build() as memory:
        await keep(memory, "I am allergic to Zorblatt", "I own a boat")
        await memory.blocks.define("plan", value=PLAN, **ALICE)
        asked = "what I am allergic to"
        proposal = await memory.propose_forget(asked, **ALICE)
        assert {one["kind"] for one in proposal["results"]} == {"memory"}
        assert "Avoid Zorblatt." in [one["memory"] for one in proposal["near"]]
        proposal = await memory.propose_forget(asked, near=True, **ALICE)
        await memory.confirm_forget(proposal["confirm"], **ALICE)
        assert "Zorblatt" not in await value(memory)


async def test_nobody_elses_block_loses_a_line():
    """Nor one of an agent's that all of its users read; one of another agent of hers does."""
    async with build() as memory:
        await keep(memory, "I am allergic to Zorblatt")
        others = ({"user_id": "bob"}, {"agent_id": "desk"})
        hers = {"user_id": "alice", "agent_id": "home"}
        for ids in (*others, hers):
            await memory.blocks.define("plan", value=PLAN, **ids)
        proposal = await memory.propose_forget("Zorblatt", **ALICE)
        await memory.confirm_forget(proposal["confirm"], **ALICE)
        for ids in others:
            assert await value(memory, **ids) == PLAN
        assert await value(memory, **hers) == "Buy bread."


async def test_what_an_agent_read_before_is_not_written_back():
    """A change that names the version of before is refused."""
    async with build() as memory:
        [name] = await keep(memory, "I am allergic to Zorblatt")
        await memory.blocks.define("plan", value="Allergic to Zorblatt. Buy bread.", **ALICE)
        read = await memory.blocks.get("plan", **ALICE)
        await memory.forget(name)
        with pytest.raises(Exception, match="version"):
            await memory.blocks.rewrite("plan", read["value"], version=read["version"], **ALICE)
        assert await value(memory) == "Buy bread."

"""Memories of one topic become one summary: what a user sees of it, on real parts."""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import replace
from datetime import timedelta

import pytest
import pytest_asyncio

from recollect.memory import AsyncMemory
from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions
from recollect.memory.model.types import Scope, utc_now
from tests.support.parts import engine_of
from tests.support.scripted import ScriptedModel

pytestmark = pytest.mark.asyncio(loop_scope="session")
ALICE = {"user_id": "alice"}
TRIP = (
    "User's trip to Hawaii takes ten days in March",
    "User's budget for the trip to Hawaii is 10,000 dollars",
    "User booked a hotel in Hawaii for the trip with a view of the sea",
    "User's flight to Hawaii for the trip leaves from Denver",
    "User wants to snorkel on the trip to Hawaii and to see turtles",
)
OTHERS = (
    "User's landlord is Mrs Berg", "User works as a nurse in a clinic", "User plays the cello",
    "User is allergic to walnuts", "User drives an old Volvo", "User's brother repairs clocks",
    "User reads crime novels", "User speaks Dutch at home", "User's dentist is Dr Lund",
    "User bakes rye bread", "User's team lost on Saturday", "User votes by post",
)  # fmt: skip


def repeated(body):
    """A model that names each note by its first words."""
    found = re.findall(r"(?m)^(\d+)\. (.*)$", body["messages"][-1]["content"])
    said = [{"text": " ".join(text.split()[:4]), "notes": [int(at)]} for at, text in found]
    return json.dumps({"points": said})


@pytest_asyncio.fixture(loop_scope="session")
async def told(core, embedder):
    """A memory that condenses topics, in which the trip was told a week ago."""
    async with ScriptedModel(repeated) as script:
        model = OpenAIChatModel(OpenAIChatOptions(base_url=script.base_url))
        options = core.options.model_copy(deep=True)
        kinds = options.upkeep.kinds.model_copy(update={"summaries": True})
        upkeep = options.upkeep.model_copy(update={"kinds": kinds})
        options = options.model_copy(update={"upkeep": upkeep})
        engine = engine_of(model, options, embedder=embedder, state=core.state)
        tenant = uuid.uuid4().hex
        memory = AsyncMemory(engine, tenant=tenant)
        for text in (*TRIP, *OTHERS):
            await memory.add(text, infer=False, **ALICE)
        await aged(engine.parts.store, tenant)
        yield memory
        await engine.close()
        await model.close()


async def aged(store, tenant):
    """As if all was told a week ago."""
    old = utc_now() - timedelta(days=8)
    for one in await store.load(Scope(tenant=tenant, user_id="alice"), limit=100):
        item = replace(one.item, created_at=old, updated_at=old, valid_from=old)
        await store.put([replace(one, item=item)])


async def texts(memory):
    found = await memory.get_all(kinds=["memory"], **ALICE)
    return sorted(one["memory"] for one in found["results"])


async def test_five_memories_of_a_trip_become_one_summary(told):
    """With its sources and all that limits them; one call brings them back as they were."""
    [run] = (await told.upkeep.run(kind="consolidate", **ALICE))["results"]
    left = await texts(told)
    [summary] = set(left) - set(OTHERS)
    assert len(left) == len(OTHERS) + 1
    assert all(text in summary for text in TRIP)
    found = (await told.get_all(kinds=["memory"], **ALICE))["results"]
    [row] = [one for one in found if one["memory"] == summary]
    assert len(row["provenance"]["cites"]) == len(TRIP)
    asked = await told.search("What does the hotel of the trip cost?", **ALICE)
    assert asked["results"][0]["memory"] == summary
    taken = await told.upkeep.undo(run["id"])
    assert taken["undone"] == len(TRIP) + 1
    assert await texts(told) == sorted((*TRIP, *OTHERS))

"""A memory on real parts: embedded ones, or servers; only the model speaks from a script.

The parts live as long as the session, on the session's loop; each test is a tenant of its own.
"""

from __future__ import annotations

import contextlib
import json
import re
import uuid
from functools import partial

import pytest_asyncio

from recollect.memory import AsyncMemory
from recollect.memory.embedders import LocalEmbedderOptions
from recollect.memory.embedders.local import LocalEmbedder
from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions
from tests.support.parts import engine_of
from tests.support.scripted import ScriptedModel, facts

from .cores import CORES, opened_core, options_of


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def embedder(models_dir):
    """The real local embedder."""
    embedder = await LocalEmbedder.open(LocalEmbedderOptions(model_dir=models_dir))
    yield embedder
    await embedder.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=CORES)
async def core(embedder, tmp_path_factory, request):
    """The parts that keep something: of one process, and those that replicas share."""
    async with contextlib.AsyncExitStack() as stack:
        folder = tmp_path_factory.mktemp("behaviours")
        options = await options_of(request, folder, stack)
        yield await opened_core(options, stack)


def in_first_person(fact):
    """What the user says where a fact is "User likes tea": "I like tea". Others' facts as they are."""
    match fact.split(" ", 2):
        case ["User's", *_]:
            return fact.replace("User's", "My", 1)
        case ["User", verb, *rest]:
            own = {"is": "am", "has": "have"}.get(verb, verb.removesuffix("s"))
            return " ".join(["I", own, *rest])
    return fact


def reconciling(means, body):
    """A model's answer about new facts, each with the known ones that it was shown."""
    asked = body["messages"][-1]["content"]
    rows = []
    for fact, text, shown in re.findall(r"New fact (\d+): (.*)\n((?:  known .*\n?)*)", asked):
        event, about = means.get(text, ("ADD", None))
        known = (
            re.search(rf"known (\d+)[^:]*: {re.escape(about)}$", shown, re.MULTILINE)
            if about
            else None
        )
        number = int(known[1]) if known else None
        rows.append({"fact": int(fact), "event": event, "known": number})
    return json.dumps({"decisions": rows})


class World:
    """A memory, and the lines of its extractor."""

    def __init__(self, memory: AsyncMemory, extractor: ScriptedModel) -> None:
        self.memory = memory
        self.extractor = extractor

    async def add(self, *extracted, said=None, means=None, user_id="alice", **options):
        """Add a message that says these facts, which the extractor finds in it; the events.

        Asked what a fact means for what is known, the model answers as `means` says: an event, and
        the known fact it is about.
        """
        self.extractor.replies = [facts(*extracted), partial(reconciling, means or {})]
        told = said or " ".join(f"{in_first_person(fact)}." for fact in extracted)
        added = await self.memory.add(told, user_id=user_id, **options)
        assert "error" not in added
        return added["results"]

    async def texts(self, **scope):
        """What is remembered."""
        found = await self.memory.get_all(kinds=["memory"], **(scope or {"user_id": "alice"}))
        return sorted(item["memory"] for item in found["results"])

    async def found(self, query, *, user_id="alice", **options):
        """What a search finds, best first."""
        found = await self.memory.search(query, user_id=user_id, **options)
        return [item["memory"] for item in found["results"]]


@pytest_asyncio.fixture(loop_scope="session")
async def world(core, embedder):
    """A fresh tenant on the parts of all tests."""
    async with ScriptedModel() as extractor:
        model = OpenAIChatModel(OpenAIChatOptions(base_url=extractor.base_url))
        engine = engine_of(model, core.options, embedder=embedder, state=core.state)
        yield World(AsyncMemory(engine, tenant=uuid.uuid4().hex), extractor)
        await engine.close()
        await model.close()

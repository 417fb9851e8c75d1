"""A memory on real parts: Milvus Lite, MiniLM, SQLite; only the extractor speaks from a script.

The parts live as long as the session, on the session's loop; each test is a tenant of its own.
"""

from __future__ import annotations

import os
import uuid
from pathlib import Path

import pytest
import pytest_asyncio

from memory import AsyncMemory
from memory.embedders import LocalEmbedder, LocalEmbedderOptions
from memory.embedders.local.weights import missing
from memory.llms import OpenAIChatModel, OpenAIChatOptions
from memory.state import HistoryOptions, open_history
from memory.stores import MilvusStoreOptions, open_store
from tests.support.scripted import ScriptedModel, facts


@pytest.fixture(scope="session")
def weights() -> Path:
    """The folder with the real weights, which set-up fetches."""
    folder = Path(os.environ.get("RECOLLECT_TEST_MODELS", "~/.recollect/models")).expanduser()
    if absent := missing(folder):
        pytest.fail(f"{folder} lacks {absent}: run 'make setup'")
    return folder


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def embedder(weights):
    """The real local embedder."""
    embedder = await LocalEmbedder.open(LocalEmbedderOptions(model_dir=weights))
    yield embedder
    await embedder.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def store(embedder, tmp_path_factory):
    """A real Milvus Lite."""
    options = MilvusStoreOptions(uri=str(tmp_path_factory.mktemp("behaviours") / "memories.db"))
    store = await open_store(options, embedder_id=embedder.id, dim=embedder.dim)
    yield store
    await store.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def history(tmp_path_factory):
    """A real SQLite file."""
    url = tmp_path_factory.mktemp("behaviours") / "history.db"
    log, _ = await open_history(HistoryOptions(backend="sqlite", url=url))
    yield log
    await log.close()


class World:
    """A memory, and the lines of its extractor."""

    def __init__(self, memory: AsyncMemory, extractor: ScriptedModel) -> None:
        self.memory = memory
        self.extractor = extractor

    async def add(self, *extracted, said="...", user_id="alice", **options):
        """Add a message in which the extractor finds these facts; the events."""
        self.extractor.replies = [facts(*extracted)]
        added = await self.memory.add(said, user_id=user_id, **options)
        assert "error" not in added
        return added["results"]

    async def texts(self, **scope):
        """What is remembered."""
        found = await self.memory.get_all(**(scope or {"user_id": "alice"}))
        return sorted(item["memory"] for item in found["results"])

    async def found(self, query, *, user_id="alice", **options):
        """What a search finds, best first."""
        found = await self.memory.search(query, user_id=user_id, **options)
        return [item["memory"] for item in found["results"]]


@pytest_asyncio.fixture(loop_scope="session")
async def world(store, embedder, history):
    """A fresh tenant on the shared parts."""
    async with ScriptedModel() as extractor:
        model = OpenAIChatModel(OpenAIChatOptions(base_url=extractor.base_url, max_retries=0))
        memory = AsyncMemory(
            store=store,
            embedder=embedder,
            history=history,
            model=model,
            tenant=uuid.uuid4().hex,
        )
        yield World(memory, extractor)
        await model.close()

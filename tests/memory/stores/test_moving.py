"""Memories move from one kind of store to another, as docs/stores.md says."""

from __future__ import annotations

from itertools import pairwise

import pytest

from recollect.memory import AsyncMemory
from tests.support.postgres_server import empty_database

KINDS = ("qdrant", "chroma", "pgvector", "milvus")
pytestmark = pytest.mark.process


@pytest.fixture
async def opened(tmp_path, postgres):
    """Opens a library on a store of this kind, in the folder or database of the test."""
    async with empty_database(postgres) as url:

        def run(backend):
            store, path = {"backend": backend}, tmp_path / backend
            if backend == "pgvector":
                store, path = {"backend": backend, "uri": url}, None
            return AsyncMemory.open({"store": store, "embedder": {"backend": "fake"}}, path=path)

        yield run


async def test_an_export_of_one_store_is_imported_into_another(tmp_path, opened):
    """Texts, scopes, metadata and vectors arrive at each next one, and the old store is as it was."""
    async with await opened(KINDS[0]) as memory:
        await memory.add("Ada drinks green tea", user_id="ada", infer=False, metadata={"n": 1})
        await memory.add("Bob owns a boat", user_id="bob", infer=False)
    for old, new in pairwise(KINDS):
        file = tmp_path / f"{old}.jsonl"
        async with await opened(old) as memory:
            await memory.export_file(file)
            assert (await memory.count(user_id="ada"))["count"] == 1
        async with await opened(new) as memory:
            await memory.import_file(file)
            [found] = (await memory.get_all(user_id="ada"))["results"]
            assert (found["memory"], found["metadata"]) == ("Ada drinks green tea", {"n": 1})
            assert (await memory.count(user_id="bob"))["count"] == 1
            [hit] = (await memory.search("Ada drinks green tea", user_id="ada"))["results"]
            assert hit["id"] == found["id"]

"""A real PostgreSQL with pgvector, and a database of its own for each test."""

from __future__ import annotations

import pytest

from recollect.memory.stores import PgvectorStoreOptions, open_store
from tests.memory.stores.memories import DIM
from tests.support.postgres_server import empty_database

EMBEDDER = "fake"


@pytest.fixture
async def url(postgres):
    async with empty_database(postgres) as url:
        yield url


@pytest.fixture
async def open_at(url):
    """Opens stores in that database, and closes them."""
    opened = []

    async def run(*, embedder_id=EMBEDDER, dim=DIM, terms=None, **options):
        store = await open_store(
            PgvectorStoreOptions.model_validate({"uri": url, **options}),
            embedder_id=embedder_id,
            dim=dim,
            terms=terms,
        )
        opened.append(store)
        return store

    yield run
    for store in opened:
        await store.close()

"""The stores that forgetting is tried on."""

from __future__ import annotations

import pytest

from recollect.memory.language import stored_terms
from tests.memory.forget.parts import EMBEDDER, Parts


@pytest.fixture
def parts():
    """All parts around a store in memory with hot indexes."""
    return Parts.indexed()


@pytest.fixture(params=["inmemory", "lite"])
async def parts_anywhere(request, open_at, lite_address):
    """The same, and on Milvus Lite."""
    if request.param == "inmemory":
        return Parts.indexed()
    inner = await open_at(
        lite_address, embedder_id=EMBEDDER.id, dim=EMBEDDER.dim, terms=stored_terms
    )
    return Parts.indexed(inner)

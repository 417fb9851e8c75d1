"""The stores that forgetting is tried on."""

from __future__ import annotations

import pytest

from recollect.memory.language import stored_terms
from tests.memory.forget.parts import EMBEDDER, Parts
from tests.support.memories import memories_in


@pytest.fixture
def parts():
    """All parts around a store in memory with hot indexes."""
    return Parts.indexed()


@pytest.fixture(params=["inmemory", "file"])
async def parts_anywhere(request, tmp_path):
    """The same, and in a file."""
    if request.param == "inmemory":
        yield Parts.indexed()
        return
    async with memories_in(tmp_path / "kept.db", EMBEDDER, terms=stored_terms) as store:
        yield Parts.indexed(store)

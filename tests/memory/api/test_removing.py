"""Deleting what a query describes."""

import pytest

from tests.memory.api.client_parts import build, tagged


@pytest.fixture
async def memory():
    async with build() as memory:
        yield memory


async def test_erasing_gives_a_receipt(memory):
    """Nothing of it is left anywhere."""
    await tagged(memory)
    done = await memory.delete_by_query(user_id="alice", filters={"tag": "a"}, erase=True)
    assert done["deleted"] == 3
    assert done["receipt"]["erased"]["memories"] == 3
    assert await memory.history(done["results"][0]["id"]) == []

"""An id is unique within its tenant."""

from __future__ import annotations

import pytest

from recollect.memory.memories.store import open_memories
from recollect.memory.model.types import Scope

from .databases import in_memory
from .memories import DIM, ids, memory, vector

MINE, THEIRS = Scope(tenant="t", user_id="u"), Scope(tenant="other", user_id="u")


@pytest.fixture
async def store():
    scripts = in_memory()
    yield await open_memories(scripts, embedder_id="test", dim=DIM)
    await scripts.close()


async def test_an_id_of_another_tenant_is_another_memory(store):
    """Writing, removing and reading one never touches the other."""
    await store.put([memory(THEIRS, "theirs", id="a"), memory(MINE, "mine", id="a")])
    await store.put([memory(MINE, "changed", vector(0.0, 1.0), id="a")])
    assert [item.text for item in await store.get("other", ["a"])] == ["theirs"]
    assert [item.text for item in await store.get("t", ["a"])] == ["changed"]
    [hit] = await store.search(THEIRS, vector(1.0), limit=9)
    assert (hit.item.text, hit.score) == ("theirs", pytest.approx(1.0))
    await store.delete("t", ["a"])
    assert await store.get("t", ["a"]) == []
    await store.reset("t")
    assert ids(await store.list(THEIRS, limit=None)) == {"a"}


async def test_no_page_of_all_tenants_ends_between_memories_of_one_id(store):
    """The next page begins after the last id: whoever reads all of them misses none."""
    await store.put([memory(scope, id=name) for scope in (MINE, THEIRS) for name in "abc"])
    seen, after = [], None
    while page := await store.scan(after=after, limit=1):
        seen += [(one.item.scope.tenant, one.item.id) for one in page]
        after = page[-1].item.id
    assert sorted(seen) == sorted(
        (scope.tenant, name) for scope in (MINE, THEIRS) for name in "abc"
    )

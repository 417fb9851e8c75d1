"""Rows that are there although they were forgotten."""

from recollect.memory.forget.buried import PAGE, buried_among, pages
from recollect.memory.model.types import Scope
from tests.memory.forget.parts import memory
from tests.support.state import InMemoryTombstones


async def test_rows_and_versions_of_their_own_tenant():
    """A version is forgotten with its memory; another tenant's same id is another memory."""
    tombstones = InMemoryTombstones()
    await tombstones.add("local", ["m", "w"])
    other = Scope(tenant="other", user_id="alice")
    rows = [
        memory("m", "x"),
        memory("v", "x", version_of="m"),
        memory("w", "x", version_of="n"),
        memory("n", "x"),
        memory("m", "x", other),
    ]
    found = await buried_among(tombstones, rows)
    assert [(row.id, row.scope.tenant) for row in found] == [
        (name, "local") for name in ("m", "v", "w")
    ]


async def test_of_many_nobody_is_left_out():
    """However many questions that takes."""
    tombstones = InMemoryTombstones()
    rows = [memory(f"m{n}", "x") for n in range(2 * PAGE + 1)]
    await tombstones.add("local", [row.id for row in rows])
    assert len(await buried_among(tombstones, rows)) == len(rows)


def test_pages():
    """All values, in order."""
    assert pages(["a", "b", "c"], 2) == [["a", "b"], ["c"]]
    assert pages([], 2) == []

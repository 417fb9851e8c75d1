"""Erasing rows in an order that a crash cannot spoil."""

from recollect.memory.forget.buried import PAGE
from recollect.memory.forget.eraser import Eraser
from recollect.memory.forget.receipt import Tally
from recollect.memory.forget.targets import Ids
from recollect.memory.state.sqlite import in_memory_state
from tests.memory.forget.parts import Parts, memory


class Watched:
    """A store that notes what it is asked to delete."""

    def __init__(self, inner):
        self._inner, self.deleted = inner, []

    def __getattr__(self, name):
        return getattr(self._inner, name)

    async def delete(self, tenant, ids):
        self.deleted.append(list(ids))
        await self._inner.delete(tenant, ids)


async def test_versions_go_before_what_leads_to_them_page_by_page():
    """Whatever order they were found in, and no call is asked for more than a page."""
    parts = Parts()
    parts.store = Watched(parts.store)
    versions = [memory(f"v{n}", "old", version_of="m") for n in range(PAGE + 1)]
    await parts.put(memory("m", "new"), *versions)
    eraser = Eraser(
        parts.store,
        parts.conversations,
        parts.history,
        parts.tombstones,
        parts.usage,
        in_memory_state().attachments,
    )
    target, tally = Ids(parts.store, "local", ["m"], history=parts.history), Tally()
    rows = await target.rows()
    await eraser.erase(target, rows, tally)
    assert [len(ids) for ids in parts.store.deleted] == [PAGE, 1, 1]
    assert parts.store.deleted[-1] == ["m"]
    assert (tally.memories, tally.versions) == (1, PAGE + 1)
    # Found again by a later look: counted once.
    await eraser.erase(target, rows, tally)
    assert (tally.memories, tally.versions) == (1, PAGE + 1)

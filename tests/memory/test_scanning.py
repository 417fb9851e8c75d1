"""A whole store, page by page."""

import numpy as np

from recollect.memory.scanning import scanned
from recollect.memory.types import Scope
from tests.memory.stores.memories import memory
from tests.support.parts import engine_of


async def test_every_memory_is_in_one_page():
    """In the order of ids, of every tenant, from any id on; an empty store has no page."""
    engine = engine_of()
    store = engine.parts.store
    unit = np.eye(1, engine.parts.embedder.dim, dtype=np.float32)[0]
    assert [page async for page in scanned(store, page=2)] == []
    for name in "bdaec":
        scope = Scope(tenant=f"tenant {name}", user_id="u")
        await store.put([memory(scope, id=name, at=unit)])
    pages = [[each.item.id for each in page] async for page in scanned(store, page=2)]
    assert pages == [["a", "b"], ["c", "d"], ["e"]]
    later = [[each.item.id for each in page] async for page in scanned(store, page=9, after="c")]
    assert later == [["d", "e"]]

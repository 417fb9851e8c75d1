"""The tenants that have memories."""

import numpy as np

from recollect.memory.api.tenants import tenants_of
from recollect.memory.model.types import Scope
from tests.memory.memories.memories import memory
from tests.support.parts import engine_of


async def test_tenants_are_counted():
    """Every tenant by name, whatever the status of its memories."""
    engine = engine_of()
    store = engine.parts.store
    unit = np.eye(1, engine.parts.embedder.dim, dtype=np.float32)[0]
    assert await tenants_of(store, engine.said_rows) == {"results": []}
    for number, tenant in enumerate(["b", "a", "b", "key:1", "b"]):
        scope = Scope(tenant=tenant, user_id=f"u{number}")
        await store.put([memory(scope, at=unit)])
    assert (await tenants_of(store, engine.said_rows))["results"] == [
        {"tenant": "a", "memories": 1},
        {"tenant": "b", "memories": 3},
        {"tenant": "key:1", "memories": 1},
    ]

"""A memory of in-memory parts, and how the tests of `AsyncMemory` use it."""

from recollect.memory import (
    AsyncMemory,
    MemoryStatus,
    MemoryType,
    Scope,
)
from recollect.memory.model.errors import ModelError
from recollect.memory.model.types import MemoryItem, StoredMemory
from tests.memory.learn.doubles import NOON, Says
from tests.support.parts import engine_of


def build(model=None, **parts):
    """A memory whose parts are in memory; `parts` replace them."""
    return AsyncMemory(engine_of(model or Says(ModelError("no model was to be asked")), **parts))


async def keep(memory, *texts, **scope):
    """Store texts as they are and return their ids."""
    messages = [{"role": "user", "content": text} for text in texts]
    added = await memory.add(messages, infer=False, **(scope or {"user_id": "alice"}))
    return [event["id"] for event in added["results"]]


async def texts(memory, **scope):
    found = await memory.get_all(**(scope or {"user_id": "alice"}))
    return [item["memory"] for item in found["results"]]


async def keep_each_status(memory):
    """One memory of each status, whose id is the status."""
    [vector] = await memory._engine.parts.embedder.embed(["tea"])
    for status in MemoryStatus:
        item = MemoryItem(
            id=status.value,
            text="tea",
            type=MemoryType.SEMANTIC,
            scope=Scope(tenant="local", user_id="alice"),
            created_at=NOON,
            updated_at=NOON,
            embedder_id="e",
            status=status,
        )
        await memory._store.put([StoredMemory(item, vector)])


async def tagged(memory, **scope):
    """Six memories: three with the tag `a`, three with `b`."""
    for number in range(6):
        await memory.add(
            f"likes tea number {number}", infer=False,
            metadata={"tag": "ab"[number % 2], "number": number},
            **(scope or {"user_id": "alice"}),
        )  # fmt: skip

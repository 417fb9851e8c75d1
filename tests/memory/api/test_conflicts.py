"""What is pending, and settling it, as the library shows it."""

import pytest

from recollect.memory import InvalidInputError, NotFoundError, ScopeError
from recollect.memory.model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    StoredMemory,
)
from tests.memory.learn.doubles import ALICE, BOB, NOON

from .client_parts import SCOPE_TEXT, build, keep, texts


async def stored(memory, name, *, scope=ALICE, pending=(), status=MemoryStatus.ACTIVE):
    [vector] = await memory._engine.parts.embedder.embed([name])
    item = MemoryItem(
        id=name,
        text=f"User likes {name}",
        type=MemoryType.SEMANTIC,
        scope=scope,
        created_at=NOON,
        updated_at=NOON,
        embedder_id="e",
        status=status,
        provenance=Provenance(matter="tea", pending=pending),
    )
    await memory._store.put([StoredMemory(item, vector)])


def pairs(found):
    return [
        (one["memory"]["id"], [other["id"] for other in one["others"]]) for one in found["results"]
    ]


async def test_what_is_pending_is_listed_and_settled():
    """Each memory with the others of its matter; settled ones are gone from the list."""
    memory = build()
    await stored(memory, "tea")
    await stored(memory, "coffee", pending=("tea", "gone"))
    await stored(memory, "past", pending=("gone",))
    await stored(memory, "hers", scope=BOB, pending=("tea",))
    assert pairs(await memory.conflicts(user_id="alice")) == [("coffee", ["tea"])]
    await memory.settle("coffee", replaces=["tea"], user_id="alice")
    assert pairs(await memory.conflicts(user_id="alice")) == []
    assert set(await texts(memory)) == {"User likes past", "User likes coffee"}
    found = await memory.get("tea")
    assert found["status"] == "superseded"
    assert "by hand" in found["provenance"]["ended"]
    await memory.restore("tea")
    assert "User likes tea" in await texts(memory)


async def test_what_is_written_by_hand_is_found_too():
    """Whatever contradicts what is stored is listed, and nothing of it is lost."""
    memory = build()
    old, new = (
        await keep(memory, "User is vegetarian"),
        await keep(memory, "User is no longer vegetarian"),
    )
    assert pairs(await memory.conflicts(user_id="alice")) == [(new[0], [old[0]])]
    assert len(await texts(memory)) == 2


async def test_bad_input():
    """A scope is needed, ids are texts, and somebody else's memory does not exist."""
    memory = build()
    await stored(memory, "tea")
    await stored(memory, "hers", scope=BOB)
    with pytest.raises(ScopeError, match=SCOPE_TEXT):
        await memory.conflicts()
    with pytest.raises(InvalidInputError, match="replaces"):
        await memory.settle("tea", replaces="hers")
    with pytest.raises(NotFoundError):
        await memory.settle("tea", replaces=["hers"], user_id="alice")
    with pytest.raises(NotFoundError):
        await memory.settle("nobody")

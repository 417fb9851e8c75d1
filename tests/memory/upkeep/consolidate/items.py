"""Memories as the tests of consolidation need them."""

from datetime import timedelta

from recollect.memory.model.types import MemoryItem, MemoryType, Provenance, Source, StoredMemory
from tests.memory.learn.doubles import ALICE, NOON

OWN, EXTRACTED, TOLD = Source.USER, Source.EXTRACTION, Source.ASSISTANT


def item(name, text, *, source=EXTRACTED, days=0, scope=ALICE, origin=None, **fields):
    """A memory of some days after noon of the first day."""
    at = NOON + timedelta(days=days)
    made = {
        "type": MemoryType.SEMANTIC,
        "created_at": at,
        "updated_at": at,
        "valid_from": at,
        "embedder_id": "e",
        "provenance": Provenance(source=source, turn_ids=(f"turn-{name}",), **(origin or {})),
    }
    return MemoryItem(id=name, text=text, scope=scope, **(made | fields))


async def stored(embedder, *items):
    """With their vectors."""
    vectors = await embedder.embed([one.text for one in items])
    return [StoredMemory(one, each) for one, each in zip(items, vectors, strict=True)]

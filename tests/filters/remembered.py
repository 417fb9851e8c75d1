"""Memories, selections and blocks for the tests of what filters remember."""

from datetime import UTC, datetime

from recollect.memory.model.types import MemoryItem, MemoryType, Scope
from recollect.memory.recall import Ranked, Selection

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ALICE = Scope(tenant="local", user_id="alice")


def item(name, text=None, scope=ALICE):
    """A memory; its text is its name unless another is given."""
    return MemoryItem(
        id=name,
        text=text or name,
        type=MemoryType.SEMANTIC,
        scope=scope,
        created_at=NOON,
        updated_at=NOON,
        embedder_id="fake",
    )


def hit(name, text=None):
    """It was found."""
    return Ranked(item(name, text), 0.9, 0.9, 0.9, (), relevant=True, position=0)


def selection(*ids):
    """These were chosen, in this order."""
    return Selection(tuple(map(hit, ids)), ())

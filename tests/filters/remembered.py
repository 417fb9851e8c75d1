"""Memories, selections and blocks for the tests of what filters remember."""

from datetime import UTC, datetime

from recollect.filters import Exchange
from recollect.memory.model.types import MemoryItem, MemoryType, Message, Scope
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


def said(*parts):
    """Messages of (role, text) pairs; a bare text is the user's."""
    pairs = [("user", part) if isinstance(part, str) else part for part in parts]
    return [Message(role=role, content=content) for role, content in pairs]


def asking(messages, *, scope=ALICE, turn="t", model="m", **notes):
    """A request of the conversation `c` with these messages."""
    return Exchange(
        scope=scope, messages=messages, model=model, conversation_id="c", turn_id=turn, **notes
    )

"""Memories whose writes somebody follows, as the engine composes them."""

from __future__ import annotations

from typing import Any

from recollect.memory.database.history import SqlHistory
from recollect.memory.recall.index import HotIndexes
from recollect.memory.recall.index.facts import derived
from recollect.memory.records.writing import FollowedMemories, InsidePorts, MemoryWriter
from tests.support.state import in_memory_state


def writer_of(store: Any, *followers: Any, **ports: Any) -> MemoryWriter:
    """What writes to this store; in memory nothing waits, so it is used within transactions."""
    scripts = getattr(store, "database", None) or in_memory_state().scripts
    chosen: dict[str, Any] = {"state": None, "history": SqlHistory(scripts), "graph": None}
    writer = MemoryWriter(scripts, InsidePorts(memories=store, **(chosen | ports)))
    writer.followers += followers
    return writer


def followed(store: Any, *followers: Any) -> FollowedMemories:
    """The store; these are told of what is written to it."""
    return FollowedMemories(store, writer_of(store, *followers))


def indexed(store: Any, indexes: HotIndexes) -> FollowedMemories:
    """The store; hot indexes follow its writes."""
    writer = writer_of(store, indexes)
    writer.derive = lambda memory: derived(memory, indexes.judge)
    return FollowedMemories(store, writer)

"""A topic, and how topics are connected."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ...model.types import MemoryItem

MOST_MEMBERS = 20
"""Members that a topic has, unless more fall apart nowhere: as many as a reader takes in."""


class TopicEdgeKind(StrEnum):
    """The kinds of edges between topics."""

    CO_RECALLED = "co_recalled"
    """Memories of both bore on one message; its weight is on how many."""
    DERIVED_FROM = "derived_from"
    """A summary or a conclusion in the one cites memories of the other; its weight is how many."""


@dataclass(frozen=True, slots=True)
class MemoryTopic:
    """Memories that are near each other in meaning."""

    id: str
    """Derived from its oldest memory: it stays while memories are added."""
    label: str
    """Words of one of its memories."""
    members: tuple[MemoryItem, ...]
    """Oldest first, at least one."""
    summary: str | None = None
    """The id of the member that condenses others of them."""


@dataclass(frozen=True, slots=True)
class TopicEdge:
    """A connection of two topics, by their ids."""

    source: str
    """Of two that are recalled together, the one with the lesser id."""
    target: str
    kind: TopicEdgeKind
    weight: int


@dataclass(frozen=True, slots=True)
class TopicGraph:
    """All topics of a scope."""

    topics: tuple[MemoryTopic, ...] = ()
    """The largest first; of equal ones the one with the latest memory."""
    edges: tuple[TopicEdge, ...] = ()
    """The heaviest first."""
    memories: int = 0
    """How many memories are in them."""
    more: bool = False
    """Whether the scope has more memories than were read."""
    measured: bool = True
    """Whether thresholds of the embedder are known: without them each memory is a topic."""


def topic_id(members: Sequence[MemoryItem]) -> str:
    """The id of a topic of these memories, the oldest first."""
    return hashlib.blake2b(members[0].id.encode(), digest_size=12).hexdigest()

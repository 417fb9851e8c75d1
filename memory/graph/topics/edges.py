"""Connects topics: by what was recalled together, and by what cites what. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from ...model.types import MemoryItem
from .topic import TopicEdge, TopicEdgeKind


def co_recalled(
    recalls: Iterable[Sequence[str]], topic_of: Mapping[str, str]
) -> Iterator[TopicEdge]:
    """The edges of topics of which memories bore on one message.

    `recalls` are the ids of the memories that did, of each turn; those without a topic are
    forgotten or ended, and connect nothing.
    """
    together: Counter[tuple[str, str]] = Counter()
    for bore in recalls:
        topics = sorted({topic_of[one] for one in bore if one in topic_of})
        together.update(combinations(topics, 2))
    for (one, other), times in together.items():
        yield TopicEdge(one, other, TopicEdgeKind.CO_RECALLED, times)


def derived(members: Iterable[MemoryItem], topic_of: Mapping[str, str]) -> Iterator[TopicEdge]:
    """The edges from topics with memories that cite memories of other topics."""
    cited: Counter[tuple[str, str]] = Counter()
    for item in members:
        own = topic_of[item.id]
        cited.update(
            (own, topic_of[one]) for one in item.provenance.cites if topic_of.get(one, own) != own
        )
    for (own, other), times in cited.items():
        yield TopicEdge(own, other, TopicEdgeKind.DERIVED_FROM, times)


def heaviest_first(edges: Iterable[TopicEdge]) -> tuple[TopicEdge, ...]:
    """In the order in which they are told."""
    return tuple(sorted(edges, key=lambda e: (-e.weight, e.kind, e.source, e.target)))

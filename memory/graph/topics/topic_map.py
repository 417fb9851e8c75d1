"""The topics of memories: a function of the memories and of what was recalled. Pure.

Nothing of it is kept. So what is forgotten is in no topic, label or edge from then on, an edited
memory is where its new words belong, and what is built again is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from ...model.types import MemoryItem, MemoryStatus, StoredMemory
from .labels import condensing, shortened
from .linkage import groups, middle
from .topic import MOST_MEMBERS, MemoryTopic, TopicEdge, TopicEdgeKind, TopicGraph, topic_id
from .topic_space import TopicSpace


def is_drawn(item: MemoryItem, active: frozenset[str]) -> bool:
    """Whether a memory is in a topic: it holds, or one that holds stands for it.

    `active` are the ids of those that hold.
    """
    if item.status is MemoryStatus.ARCHIVED:
        return item.provenance.archived_for in active
    return item.status is MemoryStatus.ACTIVE


def drawn(
    memories: Sequence[StoredMemory],
    recalls: Iterable[Sequence[str]],
    space: TopicSpace,
    *,
    more: bool = False,
) -> TopicGraph:
    """The topics of these memories, in whatever order they come, and their edges.

    `recalls` are the ids of the memories that bore on the message of each turn.
    """
    holds = frozenset(one.item.id for one in memories if one.item.status is MemoryStatus.ACTIVE)
    ordered = sorted((one for one in memories if is_drawn(one.item, holds)), key=_by_age)
    topics = _topics(ordered, space)
    topic_of = {item.id: topic.id for topic in topics for item in topic.members}
    edges = [
        *co_recalled(recalls, topic_of),
        *derived((one.item for one in ordered), topic_of),
    ]
    return TopicGraph(topics, heaviest_first(edges), len(ordered), more, space.measured)


def _by_age(one: StoredMemory) -> tuple[float, str]:
    return one.item.created_at.timestamp(), one.item.id


def _topics(ordered: Sequence[StoredMemory], space: TopicSpace) -> tuple[MemoryTopic, ...]:
    if not ordered:
        return ()
    vectors = space.part([one.vector for one in ordered])
    members: dict[int, list[int]] = {}
    for at, first in enumerate(groups(vectors, space.alike, MOST_MEMBERS).tolist()):
        members.setdefault(first, []).append(at)
    topics = [
        _topic([ordered[at].item for at in found], ordered[found[middle(vectors[found])]].item)
        for found in members.values()
    ]
    return tuple(sorted(topics, key=_largest))


def _topic(members: Sequence[MemoryItem], middle: MemoryItem) -> MemoryTopic:
    summary = condensing(members)
    label = shortened((summary or middle).text)
    return MemoryTopic(
        topic_id(members), label, tuple(members), summary.id if summary is not None else None
    )


def _largest(topic: MemoryTopic) -> tuple[int, float, str]:
    return -len(topic.members), -topic.members[-1].created_at.timestamp(), topic.id


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

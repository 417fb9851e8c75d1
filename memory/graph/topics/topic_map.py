"""The topics of memories: a function of the memories and of what was recalled. Pure.

Nothing of it is kept. So what is forgotten is in no topic, label or edge from then on, an edited
memory is where its new words belong, and what is built again is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...model.types import MemoryItem, MemoryStatus, StoredMemory
from .edges import co_recalled, derived, heaviest_first
from .labels import condensing, shortened
from .linkage import groups, middle
from .topic import MOST_MEMBERS, MemoryTopic, TopicGraph, topic_id
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

"""The topics of memories."""

import random
from dataclasses import replace

from recollect.memory.calibration import SAFE
from recollect.memory.graph.topics import topic_map
from recollect.memory.graph.topics.topic import TopicEdge, TopicEdgeKind
from recollect.memory.graph.topics.topic_map import drawn
from recollect.memory.graph.topics.topic_space import TopicSpace
from recollect.memory.model.types import MemoryStatus
from tests.support.folding import rows

from .notes import SPACE, stored

TEA = [stored(0, f"tea {at}", at) for at in range(3)]
DOG = [stored(1, f"dog {at}", at + 1) for at in range(2)]


def texts(graph):
    return [[item.text for item in topic.members] for topic in graph.topics]


def test_topics_are_told_with_their_members_the_largest_first():
    """Oldest members first, whatever order they were read in; a label from the memories."""
    graph = drawn([*DOG[::-1], *TEA[::-1]], (), SPACE)
    assert texts(graph) == [["tea 0", "tea 1", "tea 2"], ["dog 0", "dog 1"]]
    assert graph.topics[0].label in {"tea 0", "tea 1", "tea 2"}
    assert (graph.memories, graph.more, graph.measured) == (5, False, True)


def test_a_topic_that_grows_too_large_becomes_topics(monkeypatch):
    """Of several memories each, and the one with the oldest memory goes on under its id."""
    rows = [stored(0, f"{name} {at}", 2 * at + day) for at in range(4)
            for day, name in enumerate(("green tea", "car"))]  # fmt: skip
    for row in rows:
        row.vector[1 + row.item.id.startswith("car")] += 0.9
    before = drawn(rows, (), SPACE)
    monkeypatch.setattr(topic_map, "MOST_MEMBERS", 6)
    after = drawn(rows, (), SPACE)
    assert [len(topic.members) for topic in before.topics] == [8]
    assert {name.rpartition(" ")[0] for topic in texts(after) for name in topic[:1]} == {
        "green tea", "car",
    }  # fmt: skip
    assert [len(topic.members) for topic in after.topics] == [4, 4]
    [old] = before.topics
    assert [t.members[0].id for t in after.topics if t.id == old.id] == ["green tea 0"]


def test_two_topics_in_one_turn_are_connected():
    """And only as long as both have a memory that was shown."""
    tea, dog = drawn([*TEA, *DOG], (), SPACE).topics
    edge = TopicEdge(*sorted((tea.id, dog.id)), TopicEdgeKind.CO_RECALLED, 1)
    assert drawn([*TEA, *DOG], [("tea 0", "dog 1")], SPACE).edges == (edge,)
    assert drawn([*TEA, DOG[0]], [("tea 0", "dog 1")], SPACE).edges == ()


def test_what_stands_on_memories_of_a_topic_points_to_it():
    """As strongly as on how many; a source in the same topic is no way to another one."""
    told = DOG[0].item.provenance
    concluded = stored(1, "dog 9", 9, provenance=replace(told, cites=("tea 0", "tea 2", "dog 0")))
    tea, dog = drawn([*TEA, DOG[0], concluded], (), SPACE).topics
    edge = TopicEdge(dog.id, tea.id, TopicEdgeKind.DERIVED_FROM, 2)
    assert drawn([*TEA, DOG[0], concluded], (), SPACE).edges == (edge,)


@rows("seed", range(5))
def test_any_writes_and_deletes_leave_what_is_built_from_scratch(seed):
    """A function of what is stored: it cannot tell how it came to be stored."""
    chance = random.Random(seed)
    rows = [stored(chance.randrange(6), f"m{at}", chance.randrange(40)) for at in range(150)]
    kept = {}
    for _ in range(400):
        row = chance.choice(rows)
        if row.item.id in kept and chance.random() < 0.4:
            del kept[row.item.id]
        else:
            kept[row.item.id] = row
    there = list(kept.values())
    chance.shuffle(there)
    assert drawn(there, (), SPACE) == drawn(sorted(there, key=lambda r: r.item.id), (), SPACE)
    assert sorted(t for each in texts(drawn(there, (), SPACE)) for t in each) == sorted(kept)


def test_what_does_not_hold_is_in_no_topic():
    """But what a summary that holds stands for is: the summary names the topic."""
    ended = stored(0, "old tea", status=MemoryStatus.SUPERSEDED)
    doubted = stored(0, "doubted tea", status=MemoryStatus.QUARANTINED)
    put_away = [
        replace(row, item=replace(
            row.item, status=MemoryStatus.ARCHIVED,
            provenance=replace(row.item.provenance, archived_for="sum"),
        ))
        for row in TEA
    ]  # fmt: skip
    told = TEA[0].item.provenance
    summary = stored(0, "sum", 9, provenance=replace(told, cites=("tea 0", "tea 1", "tea 2")))
    graph = drawn([*put_away, summary, ended, doubted], (), SPACE)
    assert texts(graph) == [["tea 0", "tea 1", "tea 2", "sum"]]
    assert (graph.topics[0].label, graph.topics[0].summary) == ("sum", "sum")
    assert texts(drawn(put_away, (), SPACE)) == []


def test_without_thresholds_nothing_is_near_anything():
    """A cosine means nothing without the model it is of: each memory is by itself, and it is said."""
    graph = drawn([*TEA, *TEA], (), TopicSpace(SAFE))
    assert {len(topic.members) for topic in graph.topics} == {1}
    assert not graph.measured

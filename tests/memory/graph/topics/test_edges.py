"""How topics are connected."""

from dataclasses import replace

from recollect.memory.graph.topics.edges import co_recalled, derived, heaviest_first
from recollect.memory.graph.topics.topic import TopicEdge, TopicEdgeKind

from .notes import note

TOPIC_OF = {"a": "T1", "b": "T1", "c": "T2", "d": "T3"}
CO, FROM = TopicEdgeKind.CO_RECALLED, TopicEdgeKind.DERIVED_FROM


def test_topics_that_are_shown_together_are_connected_by_how_often():
    """A turn counts once for each pair; what is forgotten or of the same topic connects nothing."""
    recalls = [("a", "b", "c"), ("c", "a"), ("a", "b"), ("d", "gone"), ("d", "c", "a")]
    found = {(edge.source, edge.target): edge.weight for edge in co_recalled(recalls, TOPIC_OF)}
    assert found == {("T1", "T2"): 3, ("T1", "T3"): 1, ("T2", "T3"): 1}


def test_a_summary_leads_to_the_topics_that_it_stands_on():
    """By how many of their memories it cites; within its own topic and to what is gone nowhere."""
    told = note("d").provenance
    summary = note("d", provenance=replace(told, cites=("a", "b", "c", "d", "gone")))
    found = list(derived([summary, note("a")], TOPIC_OF))
    assert found == [TopicEdge("T3", "T1", FROM, 2), TopicEdge("T3", "T2", FROM, 1)]


def test_edges_are_told_in_one_order():
    """The heaviest first, whatever order they were found in."""
    edges = [
        TopicEdge("T1", "T2", CO, 1),
        TopicEdge("T2", "T3", FROM, 2),
        TopicEdge("T1", "T3", CO, 1),
    ]
    assert heaviest_first(edges) == heaviest_first(edges[::-1]) == (edges[1], edges[0], edges[2])

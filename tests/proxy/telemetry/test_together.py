"""The sum of several workers."""

import json

from recollect.proxy.telemetry import names
from recollect.proxy.telemetry.exposition import Bars, MetricFamily
from recollect.proxy.telemetry.together import merged, packed, unpacked

ONE = [
    MetricFamily(names.CHATS, {("injected", "personal"): 2}),
    MetricFamily(names.RECALL_SECONDS, {(): Bars((0.5,), (1, 2), 3.0)}),
    MetricFamily(names.QUEUE_OLDEST, {(): 9}),
]
OTHER = [
    MetricFamily(names.CHATS, {("injected", "personal"): 1, ("empty", "no_memories"): 4}),
    MetricFamily(names.RECALL_SECONDS, {(): Bars((0.5,), (10, 20), 30.0)}),
    MetricFamily(names.QUEUE_OLDEST, {(): 8}),
]


def test_counts_add_up_and_a_shared_queue_does_not():
    """All workers have one queue: the sum of its age would be an age that no job has."""
    found = {family.metric: family.values for family in merged([*ONE, *OTHER])}
    assert found[names.CHATS] == {("injected", "personal"): 3, ("empty", "no_memories"): 4}
    assert found[names.RECALL_SECONDS] == {(): Bars((0.5,), (11, 22), 33.0)}
    assert found[names.QUEUE_OLDEST] == {(): 9}


def test_what_is_sent_arrives():
    """Between processes the values are JSON."""
    rows = json.loads(json.dumps(packed(ONE)))
    assert merged([*unpacked(rows), *OTHER]) == merged([*ONE, *OTHER])


def test_an_unknown_name_is_left_out():
    """Workers of two versions can run beside each other during an upgrade."""
    assert unpacked([["recollect_of_tomorrow", [], 1]]) == []

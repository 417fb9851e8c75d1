"""Metrics: their names, the text that the official parser reads, and the sum of several workers."""

import re

from prometheus_client.parser import text_string_to_metric_families

from recollect.proxy.telemetry import names
from recollect.proxy.telemetry.exposition import Bars, MetricFamily, exposition
from recollect.proxy.telemetry.merged_exposition import merged
from recollect.proxy.telemetry.names import METRICS, MetricKind
from tests.support.folding import rows


def test_names_are_ours_and_unique():
    """One prefix, in the characters that Prometheus allows; counters alone end in `_total`."""
    names = [metric.name for metric in METRICS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"recollect_[a-z_]+", name) for name in names)
    for metric in METRICS:
        assert metric.name.endswith("_total") == (metric.kind is MetricKind.COUNTER), metric.name


def test_no_label_names_a_person():
    """Metrics are read by more people than memories are; a tenant is the finest grain of costs."""
    labels = {label for metric in METRICS for label in metric.labels}
    words = {"outcome", "reason", "cause", "state", "failure", "event", "type", "tool", "kind"} | {
        "operation",
        "of",
    }
    assert labels == words | {"tenant", "model"}


def read(*families):
    text = exposition(families)
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@rows("word", ["plain", 'a "quote"', "back\\slash", "line\nbreak", "日本", "}"])
def test_the_official_parser_reads_any_label(word):
    """Whatever a label's value is, it arrives as it was."""
    found = read(MetricFamily(names.FAIL_OPENS, {(word,): 3}))
    assert found == {(names.FAIL_OPENS.name, (("cause", word),)): 3}


def test_bars_count_what_is_below_them():
    """A histogram's bars are cumulative, the last one is all."""
    found = read(MetricFamily(names.RECALL_SECONDS, {(): Bars((0.5, 1.0), (2, 0, 1), 7.25)}))
    name = names.RECALL_SECONDS.name
    assert {labels[0][1]: value for (what, labels), value in found.items() if labels} == {
        "0.5": 2,
        "1": 2,
        "+Inf": 3,
    }
    assert found[f"{name}_sum", ()] == 7.25
    assert found[f"{name}_count", ()] == 3


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

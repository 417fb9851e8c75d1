"""The names that leave the process."""

import re

from recollect.proxy.telemetry.names import METRICS, MetricKind


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
    words = {"outcome", "reason", "cause", "state", "failure", "event", "type", "tool", "kind"}
    assert labels == words | {"tenant", "model"}

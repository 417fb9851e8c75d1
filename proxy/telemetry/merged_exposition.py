"""One exposition for several workers of one port: the leading one asks the others and adds up.

A counter of a worker that was started again begins at zero, so the sum falls; Prometheus takes that
for a restart of the process, as it is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from .exposition import Bars, MetricFamily
from .names import METRICS

TOPIC = "metrics"
"""What the leading worker asks its siblings."""
_BY_NAME = {metric.name: metric for metric in METRICS}

Value = float | Bars


def packed(families: Iterable[MetricFamily]) -> list[list[Any]]:
    """For `unpacked` in another process: name, values of the labels, value."""
    return [
        [family.metric.name, list(labels), list(value) if isinstance(value, Bars) else value]
        for family in families
        for labels, value in family.values.items()
    ]


def unpacked(rows: Sequence[Sequence[Any]]) -> list[MetricFamily]:
    """What a sibling has `packed`. Names that this version does not know are left out."""
    values: dict[str, dict[tuple[str, ...], Value]] = {}
    for name, labels, value in rows:
        if name in _BY_NAME:
            read = _bars(*value) if isinstance(value, list) else value
            values.setdefault(name, {})[tuple(labels)] = read
    return [MetricFamily(_BY_NAME[name], found) for name, found in values.items()]


def _bars(bounds: list[float], counts: list[int], total: float) -> Bars:
    return Bars(tuple(bounds), tuple(counts), total)


def merged(families: Iterable[MetricFamily]) -> list[MetricFamily]:
    """One family for each metric that occurs, in the order of `METRICS`."""
    values: dict[str, dict[tuple[str, ...], Value]] = {}
    for metric, found in families:
        into = values.setdefault(metric.name, {})
        for labels, value in found.items():
            into[labels] = (
                value if labels not in into else _both(metric.shared, into[labels], value)
            )
    return [
        MetricFamily(metric, values[metric.name]) for metric in METRICS if metric.name in values
    ]


def _both(shared: bool, one: Value, other: Value) -> Value:
    if isinstance(one, Bars):
        return _stacked(one, cast("Bars", other))  # values of one metric are of one kind
    other = cast("float", other)
    return max(one, other) if shared else one + other


def _stacked(one: Bars, other: Bars) -> Bars:
    counts = tuple(a + b for a, b in zip(one.counts, other.counts, strict=True))
    return Bars(one.bounds, counts, one.total + other.total)

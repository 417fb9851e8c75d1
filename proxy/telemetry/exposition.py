"""Prometheus's text format 0.0.4. Pure.

The values are the process's own counters, so a writer is all that is needed. A test reads the
result with the official parser.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from .names import Metric

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Bars(NamedTuple):
    """A histogram: upper bounds, how many values are in each bar, their sum.

    `counts` has one bar more than `bounds`, for what is above all of them.
    """

    bounds: Sequence[float]
    counts: Sequence[int]
    total: float


class MetricFamily(NamedTuple):
    """A metric with its values, by the values of its labels."""

    metric: Metric
    values: Mapping[tuple[str, ...], float | Bars]


def exposition(families: Iterable[MetricFamily]) -> str:
    """The text of these families; one without values has its head only."""
    return "".join(f"{line}\n" for family in families for line in _lines(family))


def _lines(family: MetricFamily) -> Iterable[str]:
    metric = family.metric
    yield f"# HELP {metric.name} {_escaped(metric.help)}"
    yield f"# TYPE {metric.name} {metric.kind}"
    for labels, value in family.values.items():
        pairs = list(zip(metric.labels, labels, strict=True))
        if isinstance(value, Bars):
            yield from _bars(metric.name, pairs, value)
        else:
            yield f"{metric.name}{_braces(pairs)} {_number(value)}"


def _bars(name: str, pairs: list[tuple[str, str]], bars: Bars) -> Iterable[str]:
    """The format wants each bar to count all values below its bound."""
    below = 0
    bounds = [*(_number(bound) for bound in bars.bounds), "+Inf"]
    for bound, count in zip(bounds, bars.counts, strict=True):
        below += count
        yield f"{name}_bucket{_braces([*pairs, ('le', bound)])} {below}"
    yield f"{name}_sum{_braces(pairs)} {_number(bars.total)}"
    yield f"{name}_count{_braces(pairs)} {below}"


def _braces(pairs: Sequence[tuple[str, str]]) -> str:
    inside = ",".join(f'{name}="{_quoted(value)}"' for name, value in pairs)
    return f"{{{inside}}}" if inside else ""


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quoted(text: str) -> str:
    return _escaped(text).replace('"', '\\"')

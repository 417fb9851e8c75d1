"""Sends the counts of the process to the collector of the traces.

The collector asks for the same counters, by the same names, as Prometheus reads at the port. What
must be asked for (the queue, what waits to be judged) and histograms are at the port only.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from .exposition import Bars, MetricFamily
from .names import METRICS, SCOPE_NAME, Metric, MetricKind

if TYPE_CHECKING:
    from opentelemetry.metrics import CallbackOptions, Meter, Observation
    from opentelemetry.sdk.resources import Resource

Families = Callable[[], Iterable[MetricFamily]]


def export_metrics(families: Families, endpoint: str, resource: Resource) -> Callable[[], None]:
    """Send what `families` tells, every minute (OTEL_METRIC_EXPORT_INTERVAL) and at the end.

    `endpoint` is that of the collector, without a path. Returns what ends it; that sends once more.
    """
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

    # A collector of traces alone would be named every minute.
    logging.getLogger(OTLPMetricExporter.__module__).addFilter(_FirstOnly())
    exporter = OTLPMetricExporter(endpoint=f"{endpoint}/v1/metrics")
    provider = MeterProvider([PeriodicExportingMetricReader(exporter)], resource=resource)
    meter = provider.get_meter(SCOPE_NAME)
    told = {family.metric.name for family in families()}
    for metric in METRICS:
        if metric.name in told:
            _observe(meter, metric, partial(_observations, families, metric))
    return provider.shutdown


class _FirstOnly(logging.Filter):
    """Lets one line through."""

    def __init__(self) -> None:
        super().__init__()
        self._told = False

    def filter(self, _record: logging.LogRecord) -> bool:
        told, self._told = self._told, True
        return not told


def _observe(
    meter: Meter, metric: Metric, told: Callable[[CallbackOptions], Iterator[Observation]]
) -> None:
    if metric.kind is MetricKind.COUNTER:
        meter.create_observable_counter(metric.name, [told], description=metric.help)
    elif metric.kind is MetricKind.GAUGE:
        meter.create_observable_gauge(metric.name, [told], description=metric.help)


def _observations(
    families: Families, metric: Metric, _options: CallbackOptions
) -> Iterator[Observation]:
    from opentelemetry.metrics import Observation

    for family in families():
        if family.metric is metric:
            for labels, value in family.values.items():
                if not isinstance(value, Bars):
                    yield Observation(value, dict(zip(metric.labels, labels, strict=True)))

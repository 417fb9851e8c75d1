"""Counters that a collector gets by OTLP, decoded by the official schema."""

import asyncio
import logging

from opentelemetry.sdk.resources import Resource

from recollect.filters import Outcome, Verdict
from recollect.proxy.telemetry import names
from recollect.proxy.telemetry.otlp_metrics import export_metrics
from recollect.proxy.telemetry.totals import Totals
from tests.proxy.wire import RawUpstream, response
from tests.support.collector import Collector


async def test_the_collector_gets_what_the_port_tells():
    """Counters and gauges have the names, labels and values of the port; the last ones at the end."""
    totals = Totals()
    async with Collector() as collector:
        end = export_metrics(totals.families, collector.endpoint, Resource.create())
        totals.chat(Verdict(Outcome.SKIPPED, "greeting"), None, 0.0)
        totals.chat(Verdict(Outcome.DEGRADED, "deadline"), None, 0.4)
        totals.in_flight = 3
        await asyncio.to_thread(end)
    greeting = frozenset({("outcome", "skipped"), ("reason", "greeting")})
    assert collector.counted(names.CHATS.name)[greeting] == 1
    assert collector.counted(names.DEADLINES.name) == {frozenset(): 1}
    assert collector.counted(names.IN_FLIGHT.name) == {frozenset(): 3}
    assert collector.counted(names.RECALL_SECONDS.name) == {}  # a histogram has no single value


async def test_a_collector_of_traces_is_named_once(caplog):
    """It answers 404; the log would have a line for every minute."""
    totals, exporter = Totals(), "opentelemetry.exporter.otlp.proto.http.metric_exporter"
    async with RawUpstream(response(b"", status="404 Not Found")) as collector:
        endpoint = collector.base_url.removesuffix("/v1")
        end = export_metrics(totals.families, endpoint, Resource.create())
        await asyncio.to_thread(end)
    logging.getLogger(exporter).error("and the next minute")
    assert [record.name for record in caplog.records].count(exporter) == 1
    assert "404" in caplog.text
